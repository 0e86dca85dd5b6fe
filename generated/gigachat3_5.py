# Code generated from grammars/gigachat3_5.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:6c21d83fe7261102, runtime ABI 2
r"""Response parser for GigaChat 3.5.

States, and what leaves them:

    content (start)      "<|message_sep|>" | "</s>"                                -> the end of the message
                         /\A\s*(?:<think>)/                                        -> reasoning_content
                         /(?:<\uff5cGCML\uff5ctool_calls>\s*)?<\uff5cGCML\uff5...  -> tool_calls as pairs
                         /(?:<\uff5cGCML\uff5ctool_calls>\s*)?<\uff5cGCML\uff5...  -> tool_calls as bare
                         "<\uff5cGCML\uff5ctool_calls>" | "</\uff5cGCML\uff5ct...  -> content
    tool_calls as bare   "<|message_sep|>" | "</s>"                                -> the end of the message
                         "</\uff5cGCML\uff5cinvoke>"                               -> content
    tool_calls as pairs  "<|message_sep|>" | "</s>"                                -> the end of the message
                         /(?<=<\/\uff5cGCML\uff5cparameter>)\s*(?:<\/\uff5cGCM...  -> content
    reasoning_content    "<|message_sep|>" | "</s>"                                -> the end of the message
                         "</think>"                                                -> content
                         /(?:<\uff5cGCML\uff5ctool_calls>\s*)?<\uff5cGCML\uff5...  -> tool_calls as pairs, if the close never comes: all is hel...
                         /(?:<\uff5cGCML\uff5ctool_calls>\s*)?<\uff5cGCML\uff5...  -> tool_calls as bare, if the close never comes: all is held...

What the compiler proved, and this module leans on:

    P1  No delimiter of a state begins with another one: a complete one is final the moment it is seen.
    P2  Every delimiter of a state begins with the state's lead and has it nowhere else: text without it is plain,
        and a delimiter that has begun begins at the last one.
    P3  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P4  The anchor cannot overlap itself: the last place where it stands is its last match.
    P5  Closers stand in strings too: from the first such one on the text is held until one counts, and where none
        does, it was the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = ("ai-sage/GigaChat3.5*",)
_TAG_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq(
        "<\uff5cGCML\uff5cparameter",
        rt.plus(rt.one(r"\s")),
        'name="',
        rt.plus(rt.one('[^"]')),
        '"',
        rt.plus(rt.one(r"\s")),
        'string="',
        rt.alt("true", "false"),
        '"',
        rt.star(rt.one(r"\s")),
        ">",
    ),
    '<\uff5cGCML\uff5cparameter\\s+name="(?P<key>[^"]+)"\\s+string="(?P<kind>true|false)"\\s*>',
)
_TAG2_TOOL_CALLS_PAIRS = re.compile("</\uff5cGCML\uff5cparameter>")
_STOPS = rt.Words("<|message_sep|>", "</s>")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq(
        rt.opt(rt.seq("<\uff5cGCML\uff5ctool_calls>", rt.star(rt.one(r"\s")))),
        "<\uff5cGCML\uff5cinvoke",
        rt.plus(rt.one(r"\s")),
        'name="',
        rt.plus(rt.one('[^"]')),
        '"',
        rt.star(rt.one(r"\s")),
        ">",
        rt.star(rt.one(r"\s")),
        rt.look(rt.alt(rt.one(r"\s"), "</\uff5cGCML\uff5cinvoke>"), negative=True),
    ),
    '(?:<\uff5cGCML\uff5ctool_calls>\\s*)?<\uff5cGCML\uff5cinvoke\\s+name="(?P<name>[^"]+)"\\s*>\\s*(?!\\s|</\uff5cGCML\uff5cinvoke>)',
)
_OPENS_TOOL_CALLS_BARE = rt.Automaton(
    rt.seq(
        rt.opt(rt.seq("<\uff5cGCML\uff5ctool_calls>", rt.star(rt.one(r"\s")))),
        "<\uff5cGCML\uff5cinvoke",
        rt.plus(rt.one(r"\s")),
        'name="',
        rt.plus(rt.one('[^"]')),
        '"',
        rt.star(rt.one(r"\s")),
        ">",
        rt.star(rt.one(r"\s")),
        rt.look("</\uff5cGCML\uff5cinvoke>"),
    ),
    '(?:<\uff5cGCML\uff5ctool_calls>\\s*)?<\uff5cGCML\uff5cinvoke\\s+name="(?P<name>[^"]+)"\\s*>\\s*(?=</\uff5cGCML\uff5cinvoke>)',
)
_CLOSES_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.alt(
        rt.seq(
            rt.behind("(?<=</\uff5cGCML\uff5cparameter>)"),
            rt.star(rt.one(r"\s")),
            rt.alt(
                rt.seq(
                    "</\uff5cGCML\uff5cinvoke>",
                    rt.look(
                        rt.seq(
                            rt.star(rt.one(r"\s")),
                            rt.alt(
                                rt.seq(
                                    "</\uff5cGCML\uff5ctool_calls>",
                                    rt.look(
                                        rt.seq(rt.star(rt.one(r"\s")), "</\uff5cGCML\uff5cparameter>"), negative=True
                                    ),
                                ),
                                "<|message_sep",
                                "</s>",
                                rt.end(),
                            ),
                        )
                    ),
                ),
                rt.look("<\uff5cGCML\uff5cinvoke"),
            ),
        ),
        rt.seq("</\uff5cGCML\uff5cinvoke>", rt.look(rt.seq(rt.star(rt.one(r"\s")), "<\uff5cGCML\uff5cinvoke"))),
    ),
    "(?<=</\uff5cGCML\uff5cparameter>)\\s*(?:</\uff5cGCML\uff5cinvoke>(?=\\s*(?:</\uff5cGCML\uff5ctool_calls>(?!\\s*</\uff5cGCML\uff5cparameter>)|<\\|message_sep|</s>|\\Z))|(?=<\uff5cGCML\uff5cinvoke))|</\uff5cGCML\uff5cinvoke>(?=\\s*<\uff5cGCML\uff5cinvoke)",
)
_OPENS_REASONING_CONTENT = rt.Automaton(rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<think>"), r"\A\s*(?:<think>)")
_STRAYS = rt.Words("</\uff5cGCML\uff5ctool_calls>", "<\uff5cGCML\uff5ctool_calls>", "</think>")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE)
_LEAVES_TOOL_CALLS_PAIRS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_PAIRS)
_OPENS_BEHIND_TOOL_CALLS_PAIRS = rt.Watch(_OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE)
_LEAVES_TOOL_CALLS_BARE = rt.AnyOf("<|message_sep|>", "</s>", "</\uff5cGCML\uff5cinvoke>")
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE, _STRAYS)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.LookingBack):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    BEHIND = 18

    COERCE = "exact"

    # models  "ai-sage/GigaChat3.5*"
    # policy  blank skip, trim both, bad text, cut bad, aware, exact, coerce exact
    # default role = "assistant"
    # anchor  "<|role_sep|>\n"
    # stop    "<|message_sep|>" | "</s>"
    # stray   "<\uff5cGCML\uff5ctool_calls>" | "</\uff5cGCML\uff5ctool_calls>" | "</think>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|role_sep|>\n")  # P4

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "<think>" when start
    #     close "</think>"
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
    # field tool_calls[] as pairs: xml(pair /<\uff5cGCML\uff5cparameter\s+name="(?P<key>[^"]+)"\s+string="(?P<kind
    #           >true|false)"\s*>/ "</\uff5cGCML\uff5cparameter>", value by kind {"true": text(strip = false), "fa
    #           lse": json}) {
    #     open  /(?:<\uff5cGCML\uff5ctool_calls>\s*)?<\uff5cGCML\uff5cinvoke\s+name="(?P<name>[^"]+)"\s*>\s*(?!\s|
    #           <\/\uff5cGCML\uff5cinvoke>)/
    #     close /(?<=<\/\uff5cGCML\uff5cparameter>)\s*(?:<\/\uff5cGCML\uff5cinvoke>(?=\s*(?:<\/\uff5cGCML\uff5ctoo
    #           l_calls>(?!\s*<\/\uff5cGCML\uff5cparameter>)|<\|message_sep|<\/s>|\Z))|(?=<\uff5cGCML\uff5cinvoke)
    #           )|<\/\uff5cGCML\uff5cinvoke>(?=\s*<\uff5cGCML\uff5cinvoke)/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_pairs(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS_PAIRS, ("</\uff5cGCML\uff5cparameter>",)))  # P5
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
            readers={"true": lambda raw: raw, "false": rt.read_json},
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
    #     open  /(?:<\uff5cGCML\uff5ctool_calls>\s*)?<\uff5cGCML\uff5cinvoke\s+name="(?P<name>[^"]+)"\s*>\s*(?=<\/
    #           \uff5cGCML\uff5cinvoke>)/
    #     close "</\uff5cGCML\uff5cinvoke>"
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
        if word in ("<|message_sep|>", "</s>"):
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
