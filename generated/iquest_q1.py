# Code generated from grammars/iquest_q1.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:a9730406542b1a1b, runtime ABI 2
r"""Response parser for IQuest Q1.

States, and what leaves them:

    content (start)      "<|iquest_end|>"                                          -> the end of the message
                         /\A\s*(?:<think>)/                                        -> reasoning_content
                         /<iquest_tool_call>\s*(?P<name>[^\s<]+)\s*(?=<arg_key>)/  -> tool_calls as pairs
                         /<iquest_tool_call>\s*(?P<name>[^\s<]+)\s*(?=<\/iques...  -> tool_calls as bare
                         "</think>"                                                -> content
    tool_calls as bare   "<|iquest_end|>"                                          -> the end of the message
                         "</iquest_tool_call>"                                     -> content
    tool_calls as pairs  "<|iquest_end|>"                                          -> the end of the message
                         /(?<=<\/arg_value>)\s*(?:<\/iquest_tool_call>(?!\s*<...   -> content
    reasoning_content    "<|iquest_end|>"                                          -> the end of the message
                         "</think>"                                                -> content
                         /<iquest_tool_call>\s*(?P<name>[^\s<]+)\s*(?=<arg_key>)/  -> tool_calls as pairs, if the close never comes: all is hel...
                         /<iquest_tool_call>\s*(?P<name>[^\s<]+)\s*(?=<\/iques...  -> tool_calls as bare, if the close never comes: all is held...

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

MODELS = ("IQuestLab/IQuest-Q1*",)
_TAG_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq("<arg_key>", rt.plus(rt.one("[^<]")), "</arg_key>", rt.star(rt.one(r"\s")), "<arg_value>"),
    r"<arg_key>(?P<key>[^<]+)</arg_key>\s*<arg_value>",
)
_TAG2_TOOL_CALLS_PAIRS = re.compile("</arg_value>")
_STOPS = rt.Words("<|iquest_end|>")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq(
        "<iquest_tool_call>",
        rt.star(rt.one(r"\s")),
        rt.plus(rt.one(r"[^\s<]")),
        rt.star(rt.one(r"\s")),
        rt.look("<arg_key>"),
    ),
    r"<iquest_tool_call>\s*(?P<name>[^\s<]+)\s*(?=<arg_key>)",
)
_OPENS_TOOL_CALLS_BARE = rt.Automaton(
    rt.seq(
        "<iquest_tool_call>",
        rt.star(rt.one(r"\s")),
        rt.plus(rt.one(r"[^\s<]")),
        rt.star(rt.one(r"\s")),
        rt.look("</iquest_tool_call>"),
    ),
    r"<iquest_tool_call>\s*(?P<name>[^\s<]+)\s*(?=</iquest_tool_call>)",
)
_CLOSES_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.alt(
        rt.seq(
            rt.behind("(?<=</arg_value>)"),
            rt.star(rt.one(r"\s")),
            rt.alt(
                rt.seq("</iquest_tool_call>", rt.look(rt.seq(rt.star(rt.one(r"\s")), "</arg_value>"), negative=True)),
                rt.look(rt.seq("<iquest_tool_call>", rt.star(rt.one(r"\s")), rt.one(r"[^\s<]"))),
            ),
        ),
        rt.seq(
            "</iquest_tool_call>",
            rt.look(rt.seq(rt.star(rt.one(r"\s")), "<iquest_tool_call>", rt.star(rt.one(r"\s")), rt.one(r"[^\s<]"))),
        ),
    ),
    r"(?<=</arg_value>)\s*(?:</iquest_tool_call>(?!\s*</arg_value>)|(?=<iquest_tool_call>\s*[^\s<]))|</iquest_tool_call>(?=\s*<iquest_tool_call>\s*[^\s<])",
)
_OPENS_REASONING_CONTENT = rt.Automaton(rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<think>"), r"\A\s*(?:<think>)")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE)
_LEAVES_TOOL_CALLS_PAIRS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_PAIRS)
_OPENS_BEHIND_TOOL_CALLS_PAIRS = rt.Watch(_OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE)
_LEAVES_TOOL_CALLS_BARE = rt.AnyOf("<|iquest_end|>", "</iquest_tool_call>")
_LEAVES_CONTENT = rt.Watch(
    _STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE, _CLOSES_REASONING_CONTENT
)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.LookingBack):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    BEHIND = 12

    COERCE = "exact"

    # models  "IQuestLab/IQuest-Q1*"
    # policy  blank skip, trim both, bad text, cut bad, aware, exact, coerce exact
    # default role = "assistant"
    # anchor  "<|iquest_assistant|>"
    # stop    "<|iquest_end|>"
    # stray   "</think>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|iquest_assistant|>")  # P4

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
    # field tool_calls[] as pairs: xml(pair /<arg_key>(?P<key>[^<]+)<\/arg_key>\s*<arg_value>/ "</arg_value>", val
    #           ue = text(strip = false)) {
    #     open  /<iquest_tool_call>\s*(?P<name>[^\s<]+)\s*(?=<arg_key>)/
    #     close /(?<=<\/arg_value>)\s*(?:<\/iquest_tool_call>(?!\s*<\/arg_value>)|(?=<iquest_tool_call>\s*[^\s<]))
    #           |<\/iquest_tool_call>(?=\s*<iquest_tool_call>\s*[^\s<])/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_pairs(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS_PAIRS, ("</arg_value>",)))  # P5
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
    #     open  /<iquest_tool_call>\s*(?P<name>[^\s<]+)\s*(?=<\/iquest_tool_call>)/
    #     close "</iquest_tool_call>"
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
        if word == "<|iquest_end|>":
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
