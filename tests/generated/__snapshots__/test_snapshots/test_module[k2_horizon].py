# Code generated from grammars/k2_horizon.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:03e4c02e7a4ae685, runtime ABI 2
r"""Response parser for K2 Horizon.

States, and what leaves them:

    content (start)       "<|ifm|im_end|>" | "<|ifm|endoftext|>"                    -> the end of the message
                          /\A\s*(?:<ifm\|think_faster>|<ifm\|think_fast>|<ifm\|...  -> reasoning_content
                          /(?:<ifm\|tool_calls>\s*)?<ifm\|tool_call>\s*(?P<name...  -> tool_calls as pairs
                          /(?:<ifm\|tool_calls>\s*)?<ifm\|tool_call>\s*(?P<name...  -> tool_calls as bare
                          /(?:<ifm\|tool_calls>\s*)?<ifm\|tool_call>\s*(?=[\[{])/   -> tool_calls as object
                          "<ifm|tool_calls>" | "</ifm|tool_calls>" | "</ifm|thi...  -> content
    tool_calls as object  "<|ifm|endoftext|>" | "<|ifm|im_end|>"                    -> the end of the message
                          "</ifm|tool_call>"                                        -> content
                          before "<ifm|tool_call>"                                  -> content
    tool_calls as bare    "<|ifm|endoftext|>" | "<|ifm|im_end|>"                    -> the end of the message
                          "</ifm|tool_call>"                                        -> content
    tool_calls as pairs   "<|ifm|im_end|>" | "<|ifm|endoftext|>"                    -> the end of the message
                          /(?<=<\/ifm\|arg_value>)\s*(?:<\/ifm\|tool_call>(?!\s...  -> content
    reasoning_content     "<|ifm|im_end|>" | "<|ifm|endoftext|>"                    -> the end of the message
                          "</ifm|think>" | "</ifm|think_fast>" | "</ifm|think_f...  -> content
                          /(?:<ifm\|tool_calls>\s*)?<ifm\|tool_call>\s*(?P<name...  -> tool_calls as pairs, if the close never comes: all is hel...
                          /(?:<ifm\|tool_calls>\s*)?<ifm\|tool_call>\s*(?P<name...  -> tool_calls as bare, if the close never comes: all is held...
                          /(?:<ifm\|tool_calls>\s*)?<ifm\|tool_call>\s*(?=[\[{])/   -> tool_calls as object, if the close never comes: all is he...

What the compiler proved, and this module leans on:

    P1  No delimiter of a state begins with another one: a complete one is final the moment it is seen.
    P2  Every delimiter of a state begins with the state's lead and has it nowhere else: text without it is plain,
        and a delimiter that has begun begins at the last one.
    P3  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P4  Closers stand in strings too: from the first such one on the text is held until one counts, and where none
        does, it was the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = (
    "IFM/K2-Horizon*",
    "LLM360/K2-Horizon*",
)
_TAG_TOOL_CALLS_PAIRS = rt.Capturing(
    rt.seq(
        "<ifm|arg_key>",
        rt.group("key", rt.plus(rt.one("[^<]"))),
        "</ifm|arg_key>",
        rt.star(rt.one(r"\s")),
        rt.opt(
            rt.seq(
                "<ifm|arg_type>",
                rt.star(rt.one(r"\s")),
                rt.alt(
                    rt.seq(
                        rt.group("kind", rt.alt("integer", "number", "boolean", "null", "array", "object")),
                        rt.star(rt.one("[^<]")),
                    ),
                    rt.star(rt.one("[^<]")),
                ),
                "</ifm|arg_type>",
                rt.star(rt.one(r"\s")),
            )
        ),
        "<ifm|arg_value>",
    )
)
_TAG2_TOOL_CALLS_PAIRS = re.compile(r"</ifm\|arg_value>")
_ANCHOR = re.compile("<\\|ifm\\|im_start\\|>assistant\n|<ifm\\|assistant>")
_STOPS = rt.Words("<|ifm|endoftext|>", "<|ifm|im_end|>")
_CLOSES_REASONING_CONTENT = rt.Words("</ifm|think_faster>", "</ifm|think_fast>", "</ifm|think>")
_OPENS_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq(
        rt.opt(rt.seq("<ifm|tool_calls>", rt.star(rt.one(r"\s")))),
        "<ifm|tool_call>",
        rt.star(rt.one(r"\s")),
        rt.seq(rt.one(r"[^\s<\[{]"), rt.star(rt.one(r"[^\s<]"))),
        rt.star(rt.one(r"\s")),
        rt.look("<ifm|arg_key>"),
    ),
    r"(?:<ifm\|tool_calls>\s*)?<ifm\|tool_call>\s*(?P<name>[^\s<\[{][^\s<]*)\s*(?=<ifm\|arg_key>)",
)
_OPENS_TOOL_CALLS_BARE = rt.Automaton(
    rt.seq(
        rt.opt(rt.seq("<ifm|tool_calls>", rt.star(rt.one(r"\s")))),
        "<ifm|tool_call>",
        rt.star(rt.one(r"\s")),
        rt.seq(rt.one(r"[^\s<\[{]"), rt.star(rt.one(r"[^\s<]"))),
        rt.star(rt.one(r"\s")),
        rt.look("</ifm|tool_call>"),
    ),
    r"(?:<ifm\|tool_calls>\s*)?<ifm\|tool_call>\s*(?P<name>[^\s<\[{][^\s<]*)\s*(?=</ifm\|tool_call>)",
)
_OPENS_TOOL_CALLS_OBJECT = rt.Automaton(
    rt.seq(
        rt.opt(rt.seq("<ifm|tool_calls>", rt.star(rt.one(r"\s")))),
        "<ifm|tool_call>",
        rt.star(rt.one(r"\s")),
        rt.look(rt.one(r"[\[{]")),
    ),
    r"(?:<ifm\|tool_calls>\s*)?<ifm\|tool_call>\s*(?=[\[{])",
)
_CLOSES_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.alt(
        rt.seq(
            rt.behind(r"(?<=</ifm\|arg_value>)"),
            rt.star(rt.one(r"\s")),
            rt.alt(
                rt.seq("</ifm|tool_call>", rt.look(rt.seq(rt.star(rt.one(r"\s")), "</ifm|arg_value>"), negative=True)),
                rt.look(rt.seq("<ifm|tool_call>", rt.star(rt.one(r"\s")), rt.one(r"[^\s<]"))),
            ),
        ),
        rt.seq(
            "</ifm|tool_call>",
            rt.look(rt.seq(rt.star(rt.one(r"\s")), "<ifm|tool_call>", rt.star(rt.one(r"\s")), rt.one(r"[^\s<]"))),
        ),
    ),
    r"(?<=</ifm\|arg_value>)\s*(?:</ifm\|tool_call>(?!\s*</ifm\|arg_value>)|(?=<ifm\|tool_call>\s*[^\s<]))|</ifm\|tool_call>(?=\s*<ifm\|tool_call>\s*[^\s<])",
)
_OPENS_REASONING_CONTENT = rt.Automaton(
    rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), rt.alt("<ifm|think_faster>", "<ifm|think_fast>", "<ifm|think>")),
    r"\A\s*(?:<ifm\|think_faster>|<ifm\|think_fast>|<ifm\|think>)",
)
_STRAYS = rt.Words("</ifm|think_faster>", "</ifm|tool_calls>", "</ifm|think_fast>", "<ifm|tool_calls>", "</ifm|think>")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE, _OPENS_TOOL_CALLS_OBJECT)
_LEAVES_TOOL_CALLS_PAIRS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_PAIRS)
_OPENS_BEHIND_TOOL_CALLS_PAIRS = rt.Watch(_OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE, _OPENS_TOOL_CALLS_OBJECT)
_LEAVES_TOOL_CALLS_BARE = rt.AnyOf("<|ifm|endoftext|>", "<|ifm|im_end|>", "</ifm|tool_call>")
_LEAVES_CONTENT = rt.Watch(
    _STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE, _OPENS_TOOL_CALLS_OBJECT, _STRAYS
)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.LookingBack):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    BEHIND = 16

    COERCE = "exact"

    # models  "IFM/K2-Horizon*" | "LLM360/K2-Horizon*"
    # policy  blank skip, trim both, bad text, cut bad, aware, exact, coerce exact
    # default role = "assistant"
    # anchor  "<|ifm|im_start|>assistant\n" | "<ifm|assistant>"
    # stop    "<|ifm|im_end|>" | "<|ifm|endoftext|>"
    # stray   "<ifm|tool_calls>" | "</ifm|tool_calls>" | "</ifm|think>" | "</ifm|think_fast>" | "</ifm|think_faste
    #           r>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_match(prefix, _ANCHOR)

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "<ifm|think>" | "<ifm|think_fast>" | "<ifm|think_faster>" when start
    #     close "</ifm|think>" | "</ifm|think_fast>" | "</ifm|think_faster>"
    #     ended by tool_calls unless closed
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_REASONING_CONTENT, text, at)  # P3
        opener = self._first(_LATE_REASONING_CONTENT, text, at)
        if first.found is not _CLOSES_REASONING_CONTENT:
            if not self._ended and (first.found is None or (opener.found is None and opener.start < first.start)):
                return self._wait(text, at, min(first.start, opener.start))
            if opener.found is not None and (first.found is None or opener.start < first.start):
                return self._close(text, at, opener.start, opener.start)
            if first.found is None:
                return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_reasoning_content(self, body: str) -> str:
        value = body.strip()
        self._message["reasoning_content"] = value
        return value

    REASONING_CONTENT = rt.State(
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, streams=("text", "", "both")
    )

    # -- tool_calls as pairs -------------------------------------------------------------
    # field tool_calls[] as pairs: xml(pair /<ifm\|arg_key>(?P<key>[^<]+)<\/ifm\|arg_key>\s*(?:<ifm\|arg_type>\s*(
    #           ?:(?P<kind>integer|number|boolean|null|array|object)[^<]*|[^<]*)<\/ifm\|arg_type>\s*)?<ifm\|arg_va
    #           lue>/ "</ifm|arg_value>", value by kind {"": text(strip = false), "integer": json(allow_non_json),
    #            "number": json(allow_non_json), "boolean": json(allow_non_json), "null": json(allow_non_json), "a
    #           rray": json(allow_non_json), "object": json(allow_non_json)}) {
    #     open  /(?:<ifm\|tool_calls>\s*)?<ifm\|tool_call>\s*(?P<name>[^\s<\[{][^\s<]*)\s*(?=<ifm\|arg_key>)/
    #     close /(?<=<\/ifm\|arg_value>)\s*(?:<\/ifm\|tool_call>(?!\s*<\/ifm\|arg_value>)|(?=<ifm\|tool_call>\s*[^
    #           \s<]))|<\/ifm\|tool_call>(?=\s*<ifm\|tool_call>\s*[^\s<])/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_pairs(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS_PAIRS, ("</ifm|arg_value>",)))  # P4
        first = aware.nearest(self, text, at, _LEAVES_TOOL_CALLS_PAIRS, _OPENS_BEHIND_TOOL_CALLS_PAIRS)  # P3
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
                "": lambda raw: raw,
                "integer": lambda raw: rt.read_json(raw, allow_non_json=True),
                "number": lambda raw: rt.read_json(raw, allow_non_json=True),
                "boolean": lambda raw: rt.read_json(raw, allow_non_json=True),
                "null": lambda raw: rt.read_json(raw, allow_non_json=True),
                "array": lambda raw: rt.read_json(raw, allow_non_json=True),
                "object": lambda raw: rt.read_json(raw, allow_non_json=True),
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

    # -- tool_calls as bare --------------------------------------------------------------
    # field tool_calls[] as bare: text {
    #     open  /(?:<ifm\|tool_calls>\s*)?<ifm\|tool_call>\s*(?P<name>[^\s<\[{][^\s<]*)\s*(?=<\/ifm\|tool_call>)/
    #     close "</ifm|tool_call>"
    #     emit  {"type": "function", "function": {"name": name, "arguments": {}}}
    # }

    def _read_tool_calls_bare(self, text: str, at: int) -> int:
        found = _LEAVES_TOOL_CALLS_BARE.search(text, at)
        if found is None:
            begun = text.rfind("<", at)  # P2
            if begun >= 0 and text[begun:] in _LEAVES_TOOL_CALLS_BARE.begun:
                return self._wait(text, at, begun)
            return self._pass(text, at)
        start, end = found.span()  # P1
        word = found[0]
        if word in ("<|ifm|endoftext|>", "<|ifm|im_end|>"):
            return self._stop(text, at, start, end)
        return self._close(text, at, start, end)

    def _close_tool_calls_bare(self, body: str) -> object:
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": {}}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_BARE = rt.State("tool_calls", _read_tool_calls_bare, _close_tool_calls_bare, label="bare", bad="text")

    # -- tool_calls as object ------------------------------------------------------------
    # field tool_calls[] as object: json {
    #     open  /(?:<ifm\|tool_calls>\s*)?<ifm\|tool_call>\s*(?=[\[{])/
    #     close /<\/ifm\|tool_call>|(?=<ifm\|tool_call>)/
    #     policy  cut complete
    #     extend
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments ?? content.
    #           parameters ?? {}}}
    # }

    def _read_tool_calls_object(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P4
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|ifm|endoftext|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 17)
            if text.startswith("<|ifm|im_end|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 14)
            if text.startswith("</ifm|tool_call>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 16)
            if text.startswith("<ifm|tool_call>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<|ifm|endoftext|>".startswith(tail)
                or "<|ifm|im_end|>".startswith(tail)
                or "</ifm|tool_call>".startswith(tail)
                or "<ifm|tool_call>".startswith(tail)
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls_object(self, body: str) -> object:
        items = rt.items(self._tolerate(rt.read_json, ("commas", "escapes", "newlines", "trailing"), body))
        value = [
            {
                "type": "function",
                "function": {
                    "name": rt.item(content, "name"),
                    "arguments": rt.either(rt.seek(content, "arguments"), rt.seek(content, "parameters"), {}),
                },
            }
            for content in items
        ]
        value = self._decode_arguments(value)
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).extend(value)
        return value

    TOOL_CALLS_OBJECT = rt.State(
        "tool_calls",
        _read_tool_calls_object,
        _close_tool_calls_object,
        label="object",
        dirty=True,
        bad="text",
        cut="complete",
    )

    # -- content -------------------------------------------------------------------------
    # field content: text joined "" {}

    def _read_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_CONTENT, text, at)  # P3
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _OPENS_REASONING_CONTENT:
            return self._open(self.REASONING_CONTENT, text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_PAIRS:
            return self._open(self.TOOL_CALLS_PAIRS, text, at, first.start, first.end, first.captures(text))
        if first.found is _OPENS_TOOL_CALLS_BARE:
            return self._open(self.TOOL_CALLS_BARE, text, at, first.start, first.end, first.captures(text))
        if first.found is _OPENS_TOOL_CALLS_OBJECT:
            return self._open(self.TOOL_CALLS_OBJECT, text, at, first.start, first.end)
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
        if "content" in message:
            message["content"] = "".join(message["content"]).strip()
