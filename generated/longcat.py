# Code generated from grammars/longcat.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:27111a0fa9061c21, runtime ABI 2
r"""Response parser for LongCat.

States, and what leaves them:

    content (start)       "</longcat_s>"                                            -> the end of the message
                          /\A\s*(?:<longcat_think>)/                                -> reasoning_content
                          /<longcat_tool_call>\s*(?=[\[{])/                         -> tool_calls as object
                          /<longcat_tool_call>\s*(?P<name>[^\s<\[{][^\s<]*)\s*(...  -> tool_calls as pairs
                          /<longcat_tool_call>\s*(?P<name>[^\s<\[{][^\s<]*)\s*(...  -> tool_calls as bare
                          "</longcat_think>"                                        -> content
    tool_calls as bare    "</longcat_s>"                                            -> the end of the message
                          "</longcat_tool_call>"                                    -> content
    tool_calls as pairs   "</longcat_s>"                                            -> the end of the message
                          /(?<=<\/longcat_arg_value>)\s*(?:<\/longcat_tool_call...  -> content
    tool_calls as object  "</longcat_s>"                                            -> the end of the message
                          "</longcat_tool_call>"                                    -> content
                          before "<longcat_tool_call>"                              -> content
    reasoning_content     "</longcat_s>"                                            -> the end of the message
                          "</longcat_think>"                                        -> content
                          /<longcat_tool_call>\s*(?=[\[{])/                         -> tool_calls as object, if the close never comes: all is he...
                          /<longcat_tool_call>\s*(?P<name>[^\s<\[{][^\s<]*)\s*(...  -> tool_calls as pairs, if the close never comes: all is hel...
                          /<longcat_tool_call>\s*(?P<name>[^\s<\[{][^\s<]*)\s*(...  -> tool_calls as bare, if the close never comes: all is held...

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

MODELS = ("meituan-longcat/LongCat-*",)
_TAG_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq(
        "<longcat_arg_key>",
        rt.plus(rt.one("[^<]")),
        "</longcat_arg_key>",
        rt.star(rt.one(r"\s")),
        "<longcat_arg_value>",
    ),
    r"<longcat_arg_key>(?P<key>[^<]+)</longcat_arg_key>\s*<longcat_arg_value>",
)
_TAG2_TOOL_CALLS_PAIRS = re.compile("</longcat_arg_value>")
_ANCHOR = re.compile("<longcat_assistant>| ASSISTANT:")
_STOPS = rt.Words("</longcat_s>")
_CLOSES_REASONING_CONTENT = rt.Words("</longcat_think>")
_OPENS_TOOL_CALLS_OBJECT = rt.Automaton(
    rt.seq("<longcat_tool_call>", rt.star(rt.one(r"\s")), rt.look(rt.one(r"[\[{]"))), r"<longcat_tool_call>\s*(?=[\[{])"
)
_OPENS_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq(
        "<longcat_tool_call>",
        rt.star(rt.one(r"\s")),
        rt.seq(rt.one(r"[^\s<\[{]"), rt.star(rt.one(r"[^\s<]"))),
        rt.star(rt.one(r"\s")),
        rt.look("<longcat_arg_key>"),
    ),
    r"<longcat_tool_call>\s*(?P<name>[^\s<\[{][^\s<]*)\s*(?=<longcat_arg_key>)",
)
_OPENS_TOOL_CALLS_BARE = rt.Automaton(
    rt.seq(
        "<longcat_tool_call>",
        rt.star(rt.one(r"\s")),
        rt.seq(rt.one(r"[^\s<\[{]"), rt.star(rt.one(r"[^\s<]"))),
        rt.star(rt.one(r"\s")),
        rt.look("</longcat_tool_call>"),
    ),
    r"<longcat_tool_call>\s*(?P<name>[^\s<\[{][^\s<]*)\s*(?=</longcat_tool_call>)",
)
_CLOSES_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.alt(
        rt.seq(
            rt.behind("(?<=</longcat_arg_value>)"),
            rt.star(rt.one(r"\s")),
            rt.alt(
                rt.seq(
                    "</longcat_tool_call>",
                    rt.look(rt.seq(rt.star(rt.one(r"\s")), "</longcat_arg_value>"), negative=True),
                ),
                rt.look(rt.seq("<longcat_tool_call>", rt.star(rt.one(r"\s")), rt.one(r"[^\s<]"))),
            ),
        ),
        rt.seq(
            "</longcat_tool_call>",
            rt.look(rt.seq(rt.star(rt.one(r"\s")), "<longcat_tool_call>", rt.star(rt.one(r"\s")), rt.one(r"[^\s<]"))),
        ),
    ),
    r"(?<=</longcat_arg_value>)\s*(?:</longcat_tool_call>(?!\s*</longcat_arg_value>)|(?=<longcat_tool_call>\s*[^\s<]))|</longcat_tool_call>(?=\s*<longcat_tool_call>\s*[^\s<])",
)
_OPENS_REASONING_CONTENT = rt.Automaton(
    rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<longcat_think>"), r"\A\s*(?:<longcat_think>)"
)
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS_OBJECT, _OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE)
_LEAVES_TOOL_CALLS_PAIRS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_PAIRS)
_OPENS_BEHIND_TOOL_CALLS_PAIRS = rt.Watch(_OPENS_TOOL_CALLS_OBJECT, _OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE)
_LEAVES_TOOL_CALLS_BARE = rt.AnyOf("</longcat_s>", "</longcat_tool_call>")
_LEAVES_CONTENT = rt.Watch(
    _STOPS,
    _OPENS_REASONING_CONTENT,
    _OPENS_TOOL_CALLS_OBJECT,
    _OPENS_TOOL_CALLS_PAIRS,
    _OPENS_TOOL_CALLS_BARE,
    _CLOSES_REASONING_CONTENT,
)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.LookingBack):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    BEHIND = 20

    COERCE = "exact"

    # models  "meituan-longcat/LongCat-*"
    # policy  blank skip, trim both, bad text, cut bad, aware, exact, coerce exact
    # default role = "assistant"
    # anchor  " ASSISTANT:" | "<longcat_assistant>"
    # stop    "</longcat_s>"
    # stray   "</longcat_think>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_match(prefix, _ANCHOR)

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "<longcat_think>" when start
    #     close "</longcat_think>"
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

    # -- tool_calls as object ------------------------------------------------------------
    # field tool_calls[] as object: json {
    #     open  /<longcat_tool_call>\s*(?=[\[{])/
    #     close /<\/longcat_tool_call>|(?=<longcat_tool_call>)/
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
            if text.startswith("</longcat_s>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 12)
            if text.startswith("</longcat_tool_call>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 20)
            if text.startswith("<longcat_tool_call>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "</longcat_s>".startswith(tail)
                or "</longcat_tool_call>".startswith(tail)
                or "<longcat_tool_call>".startswith(tail)
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

    # -- tool_calls as pairs -------------------------------------------------------------
    # field tool_calls[] as pairs: xml(pair /<longcat_arg_key>(?P<key>[^<]+)<\/longcat_arg_key>\s*<longcat_arg_val
    #           ue>/ "</longcat_arg_value>", value = text(strip = false)) {
    #     open  /<longcat_tool_call>\s*(?P<name>[^\s<\[{][^\s<]*)\s*(?=<longcat_arg_key>)/
    #     close /(?<=<\/longcat_arg_value>)\s*(?:<\/longcat_tool_call>(?!\s*<\/longcat_arg_value>)|(?=<longcat_too
    #           l_call>\s*[^\s<]))|<\/longcat_tool_call>(?=\s*<longcat_tool_call>\s*[^\s<])/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_pairs(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS_PAIRS, ("</longcat_arg_value>",)))  # P4
        first = aware.nearest(self, text, at, _LEAVES_TOOL_CALLS_PAIRS, _OPENS_BEHIND_TOOL_CALLS_PAIRS)  # P3
        if first is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS_PAIRS)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_pairs(self, body: str) -> object:
        content = rt.read_pairs(body, _TAG_TOOL_CALLS_PAIRS, _TAG2_TOOL_CALLS_PAIRS, exact=True)
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
    #     open  /<longcat_tool_call>\s*(?P<name>[^\s<\[{][^\s<]*)\s*(?=<\/longcat_tool_call>)/
    #     close "</longcat_tool_call>"
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
        if word == "</longcat_s>":
            return self._stop(text, at, start, end)
        return self._close(text, at, start, end)

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
        first = self._first(_LEAVES_CONTENT, text, at)  # P3
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _OPENS_REASONING_CONTENT:
            return self._open(self.REASONING_CONTENT, text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_OBJECT:
            return self._open(self.TOOL_CALLS_OBJECT, text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_PAIRS:
            return self._open(self.TOOL_CALLS_PAIRS, text, at, first.start, first.end, first.captures(text))
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
        if "content" in message:
            message["content"] = "".join(message["content"]).strip()
