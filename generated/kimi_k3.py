# Code generated from grammars/kimi_k3.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:9654e0214094de62, runtime ABI 2
r"""Response parser for Kimi K3.

States, and what leaves them:

    content (start)       "<|end_of_msg|>" | "<|close|>message<|sep|>"              -> the end of the message
                          "<|open|>think<|sep|>"                                    -> reasoning_content
                          /<\|open\|>call tool="(?P<name>[^"]+)"[^<]*<\|sep\|>(...  -> tool_calls as pairs
                          /<\|open\|>call tool="(?P<name>[^"]+)"[^<]*<\|sep\|>...   -> tool_calls as object
                          /<\|open\|>call tool="(?P<name>[^"]+)"[^<]*<\|sep\|>...   -> tool_calls as bare
                          "<|open|>tools<|sep|>" | "<|close|>tools<|sep|>" | "<...  -> content
    tool_calls as bare    "<|end_of_msg|>" | "<|close|>message<|sep|>"              -> the end of the message
                          "<|close|>call<|sep|>"                                    -> content
    tool_calls as object  "<|end_of_msg|>" | "<|close|>message<|sep|>"              -> the end of the message
                          /<\|close\|>json<\|sep\|>\s*<\|close\|>call<\|sep\|>/     -> content
    tool_calls as pairs   "<|end_of_msg|>" | "<|close|>message<|sep|>"              -> the end of the message
                          /(?<=<\|close\|>argument<\|sep\|>)\s*(?:<\|close\|>ca...  -> content
    reasoning_content     "<|end_of_msg|>" | "<|close|>message<|sep|>"              -> the end of the message
                          "<|close|>think<|sep|>" | "<|close|>response<|sep|>" ...  -> content
                          before /<\|open\|>call tool="(?P<name>[^"]+)"[^<]*<\|...  -> content
                          before /<\|open\|>call tool="(?P<name>[^"]+)"[^<]*<\|...  -> content
                          before /<\|open\|>call tool="(?P<name>[^"]+)"[^<]*<\|...  -> content

What the compiler proved, and this module leans on:

    P1  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P2  Closers stand in strings too: from the first such one on the text is held until one counts, and where none
        does, it was the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = ("moonshotai/Kimi-K3*",)
_TAG_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq('<|open|>argument key="', rt.plus(rt.one('[^"]')), '" type="', rt.plus(rt.one(r"\w")), '"<|sep|>'),
    '<\\|open\\|>argument key="(?P<key>[^"]+)" type="(?P<kind>\\w+)"<\\|sep\\|>',
)
_TAG2_TOOL_CALLS_PAIRS = re.compile(r"<\|close\|>argument<\|sep\|>")
_ANCHOR = rt.Automaton(
    rt.seq('<|open|>message role="assistant"', rt.opt(rt.seq(' name="', rt.star(rt.one('[^"]')), '"')), "<|sep|>"),
    '<\\|open\\|>message role="assistant"(?: name="[^"]*")?<\\|sep\\|>',
)
_STOPS = rt.Words("<|close|>message<|sep|>", "<|end_of_msg|>")
_CLOSES_REASONING_CONTENT = rt.Words(
    "<|close|>response<|sep|>", "<|open|>response<|sep|>", "<|close|>think<|sep|>", "<|open|>tools<|sep|>"
)
_OPENS_TOOL_CALLS_PAIRS = rt.Capturing(
    rt.seq(
        '<|open|>call tool="',
        rt.group("name", rt.plus(rt.one('[^"]'))),
        '"',
        rt.star(rt.one("[^<]")),
        "<|sep|>",
        rt.look(rt.seq(rt.star(rt.one(r"\s")), "<|open|>argument")),
    )
)
_OPENS_TOOL_CALLS_OBJECT = rt.Automaton(
    rt.seq(
        '<|open|>call tool="',
        rt.plus(rt.one('[^"]')),
        '"',
        rt.star(rt.one("[^<]")),
        "<|sep|>",
        rt.star(rt.one(r"\s")),
        '<|open|>json type="object"<|sep|>',
    ),
    '<\\|open\\|>call tool="(?P<name>[^"]+)"[^<]*<\\|sep\\|>\\s*<\\|open\\|>json type="object"<\\|sep\\|>',
)
_OPENS_TOOL_CALLS_BARE = rt.Automaton(
    rt.seq(
        '<|open|>call tool="',
        rt.plus(rt.one('[^"]')),
        '"',
        rt.star(rt.one("[^<]")),
        "<|sep|>",
        rt.star(rt.one(r"\s")),
        rt.look("<|close|>call<|sep|>"),
    ),
    '<\\|open\\|>call tool="(?P<name>[^"]+)"[^<]*<\\|sep\\|>\\s*(?=<\\|close\\|>call<\\|sep\\|>)',
)
_CLOSES_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.alt(
        rt.seq(
            rt.behind(r"(?<=<\|close\|>argument<\|sep\|>)"),
            rt.star(rt.one(r"\s")),
            rt.alt(
                rt.seq(
                    "<|close|>call<|sep|>",
                    rt.look(
                        rt.seq(
                            rt.star(rt.one(r"\s")),
                            rt.opt(rt.seq("<|close|>tools<|sep|>", rt.star(rt.one(r"\s")))),
                            "<|close|>argument",
                        ),
                        negative=True,
                    ),
                ),
                rt.look("<|open|>call"),
            ),
        ),
        rt.seq("<|close|>call<|sep|>", rt.look(rt.seq(rt.star(rt.one(r"\s")), "<|open|>call"))),
    ),
    r"(?<=<\|close\|>argument<\|sep\|>)\s*(?:<\|close\|>call<\|sep\|>(?!\s*(?:<\|close\|>tools<\|sep\|>\s*)?<\|close\|>argument)|(?=<\|open\|>call))|<\|close\|>call<\|sep\|>(?=\s*<\|open\|>call)",
)
_OPENS_REASONING_CONTENT = rt.Words("<|open|>think<|sep|>")
_CLOSES_TOOL_CALLS_OBJECT = rt.Automaton(
    rt.seq("<|close|>json<|sep|>", rt.star(rt.one(r"\s")), "<|close|>call<|sep|>"),
    r"<\|close\|>json<\|sep\|>\s*<\|close\|>call<\|sep\|>",
)
_CLOSES_TOOL_CALLS_BARE = rt.Words("<|close|>call<|sep|>")
_STRAYS = rt.Words(
    "<|close|>response<|sep|>", "<|open|>response<|sep|>", "<|close|>tools<|sep|>", "<|open|>tools<|sep|>"
)
_LEAVES_REASONING_CONTENT = rt.Watch(
    _STOPS, _CLOSES_REASONING_CONTENT, _OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_OBJECT, _OPENS_TOOL_CALLS_BARE
)
_LEAVES_TOOL_CALLS_PAIRS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_PAIRS)
_OPENS_BEHIND_TOOL_CALLS_PAIRS = rt.Watch(
    _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_OBJECT, _OPENS_TOOL_CALLS_BARE
)
_LEAVES_TOOL_CALLS_OBJECT = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_OBJECT)
_LEAVES_TOOL_CALLS_BARE = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_BARE)
_LEAVES_CONTENT = rt.Watch(
    _STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_OBJECT, _OPENS_TOOL_CALLS_BARE, _STRAYS
)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.LookingBack):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    BEHIND = 24

    COERCE = "exact"

    # models  "moonshotai/Kimi-K3*"
    # policy  blank skip, trim both, bad text, cut bad, aware, exact, coerce exact
    # default role = "assistant"
    # anchor  /<\|open\|>message role="assistant"(?: name="[^"]*")?<\|sep\|>/
    # stop    "<|end_of_msg|>" | "<|close|>message<|sep|>"
    # stray   "<|open|>tools<|sep|>" | "<|close|>tools<|sep|>" | "<|open|>response<|sep|>" | "<|close|>response<|s
    #           ep|>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_match(prefix, _ANCHOR)

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text joined "\n" {
    #     open  "<|open|>think<|sep|>"
    #     close "<|close|>think<|sep|>" | "<|close|>response<|sep|>" | "<|open|>response<|sep|>" | "<|open|>tools<
    #           |sep|>"
    #     ended by tool_calls
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_REASONING_CONTENT, text, at)  # P1
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _CLOSES_REASONING_CONTENT:
            return self._close(text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_PAIRS:
            return self._close(text, at, first.start, first.start)
        if first.found is _OPENS_TOOL_CALLS_OBJECT:
            return self._close(text, at, first.start, first.start)
        return self._close(text, at, first.start, first.start)

    def _close_reasoning_content(self, body: str) -> str:
        value = body
        self._message.setdefault("reasoning_content", []).append(value)  # joined in _join
        return value

    REASONING_CONTENT = rt.State(
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, streams=("text", "\n", "both")
    )

    # -- tool_calls as pairs -------------------------------------------------------------
    # field tool_calls[] as pairs: xml(pair /<\|open\|>argument key="(?P<key>[^"]+)" type="(?P<kind>\w+)"<\|sep\|>
    #           / "<|close|>argument<|sep|>", value by kind {"string": text(strip = false), "number": json, "integ
    #           er": json, "boolean": json, "null": json, "array": json, "object": json}) {
    #     open  /<\|open\|>call tool="(?P<name>[^"]+)"[^<]*<\|sep\|>(?=\s*<\|open\|>argument)/
    #     close /(?<=<\|close\|>argument<\|sep\|>)\s*(?:<\|close\|>call<\|sep\|>(?!\s*(?:<\|close\|>tools<\|sep\|>
    #           \s*)?<\|close\|>argument)|(?=<\|open\|>call))|<\|close\|>call<\|sep\|>(?=\s*<\|open\|>call)/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_pairs(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS_PAIRS, ("<|close|>argument<|sep|>",)))  # P2
        first = aware.nearest(self, text, at, _LEAVES_TOOL_CALLS_PAIRS, _OPENS_BEHIND_TOOL_CALLS_PAIRS)  # P1
        if first is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS_PAIRS)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_pairs(self, body: str) -> object:
        content = rt.read_pairs(
            body,
            _TAG_TOOL_CALLS_PAIRS,
            _TAG2_TOOL_CALLS_PAIRS,
            by="kind",
            readers={
                "string": lambda raw: raw,
                "number": rt.read_json,
                "integer": rt.read_json,
                "boolean": rt.read_json,
                "null": rt.read_json,
                "array": rt.read_json,
                "object": rt.read_json,
            },
            exact=True,
        )
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": content}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_PAIRS = rt.State(
        "tool_calls",
        _read_tool_calls_pairs,
        _close_tool_calls_pairs,
        label="pairs",
        dirty=True,
        bad="text",
        cut="bad",
        streams=("name", "name", ""),
    )

    # -- tool_calls as object ------------------------------------------------------------
    # field tool_calls[] as object: json {
    #     open  /<\|open\|>call tool="(?P<name>[^"]+)"[^<]*<\|sep\|>\s*<\|open\|>json type="object"<\|sep\|>/
    #     close /<\|close\|>json<\|sep\|>\s*<\|close\|>call<\|sep\|>/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_object(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P2
        first = aware.nearest(self, text, at, _LEAVES_TOOL_CALLS_OBJECT)  # P1
        if first is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS_OBJECT)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_object(self, body: str) -> object:
        content = rt.read_json(body)
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": content}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_OBJECT = rt.State(
        "tool_calls",
        _read_tool_calls_object,
        _close_tool_calls_object,
        label="object",
        dirty=True,
        bad="text",
        cut="bad",
        streams=("json", "name", ""),
    )

    # -- tool_calls as bare --------------------------------------------------------------
    # field tool_calls[] as bare: text {
    #     open  /<\|open\|>call tool="(?P<name>[^"]+)"[^<]*<\|sep\|>\s*(?=<\|close\|>call<\|sep\|>)/
    #     close "<|close|>call<|sep|>"
    #     emit  {"type": "function", "function": {"name": name, "arguments": {}}}
    # }

    def _read_tool_calls_bare(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_TOOL_CALLS_BARE, text, at)  # P1
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_bare(self, body: str) -> object:
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": {}}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_BARE = rt.State("tool_calls", _read_tool_calls_bare, _close_tool_calls_bare, label="bare", bad="text")

    # -- content -------------------------------------------------------------------------
    # field content: text joined "" {}

    def _read_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_CONTENT, text, at)  # P1
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _OPENS_REASONING_CONTENT:
            return self._open(self.REASONING_CONTENT, text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_PAIRS:
            return self._open(self.TOOL_CALLS_PAIRS, text, at, first.start, first.end, first.captures(text))
        if first.found is _OPENS_TOOL_CALLS_OBJECT:
            return self._open(self.TOOL_CALLS_OBJECT, text, at, first.start, first.end, first.captures(text))
        if first.found is _OPENS_TOOL_CALLS_BARE:
            return self._open(self.TOOL_CALLS_BARE, text, at, first.start, first.end, first.captures(text))
        return self._stray(text, at, first.start, first.end)

    def _close_content(self, body: str) -> str:
        value = body
        self._message.setdefault("content", []).append(value)  # joined in _join
        return value

    OUTSIDE = CONTENT = rt.State(
        "content", _read_content, _close_content, takes_text=True, skips_blanks=True, streams=("text", "", "both")
    )

    # -- what is joined ------------------------------------------------------------------

    @staticmethod
    def _join(message: rt.Message) -> None:
        if "reasoning_content" in message:
            message["reasoning_content"] = "\n".join(message["reasoning_content"]).strip()
        if "content" in message:
            message["content"] = "".join(message["content"]).strip()
