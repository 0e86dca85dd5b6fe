# Code generated from grammars/minicpm5.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:b285347becb58703, runtime ABI 2
r"""Response parser for MiniCPM5.

States, and what leaves them:

    content (start)      "<|im_end|>" | "<|endoftext|>"                            -> the end of the message
                         /\A\s*(?:<think>)/                                        -> reasoning_content
                         /<function\s*name=["'](?P<name>[^"']+)["']\s*>\s*(?:<...  -> tool_calls as pairs
                         /<function\s*name=["'](?P<name>[^"']+)["']\s*>\s*(?=<...  -> tool_calls as bare
                         "</think>"                                                -> content
    tool_calls as bare   "<|endoftext|>" | "<|im_end|>"                            -> the end of the message
                         "</function>"                                             -> content
    tool_calls as pairs  "<|im_end|>" | "<|endoftext|>"                            -> the end of the message
                         /(?<=<\/param>)(?<!<param\s*name=["'][^"']+["']\s*><!...  -> content
    reasoning_content    "<|im_end|>" | "<|endoftext|>"                            -> the end of the message
                         "</think>"                                                -> content
                         /<function\s*name=["'](?P<name>[^"']+)["']\s*>\s*(?:<...  -> tool_calls as pairs, if the close never comes: all is hel...
                         /<function\s*name=["'](?P<name>[^"']+)["']\s*>\s*(?=<...  -> tool_calls as bare, if the close never comes: all is held...

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

MODELS = ("openbmb/MiniCPM5-*",)
_TAG_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq(
        "<param",
        rt.star(rt.one(r"\s")),
        "name=",
        rt.one("[\"']"),
        rt.plus(rt.one("[^\"']")),
        rt.one("[\"']"),
        rt.star(rt.one(r"\s")),
        ">",
    ),
    "<param\\s*name=[\"'](?P<key>[^\"']+)[\"']\\s*>",
)
_TAG2_TOOL_CALLS_PAIRS = re.compile("</param>")
_STOPS = rt.Words("<|endoftext|>", "<|im_end|>")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq(
        "<function",
        rt.star(rt.one(r"\s")),
        "name=",
        rt.one("[\"']"),
        rt.plus(rt.one("[^\"']")),
        rt.one("[\"']"),
        rt.star(rt.one(r"\s")),
        ">",
        rt.star(rt.one(r"\s")),
        rt.opt(rt.seq("<arguments>", rt.star(rt.one(r"\s")))),
        rt.look("<param"),
    ),
    "<function\\s*name=[\"'](?P<name>[^\"']+)[\"']\\s*>\\s*(?:<arguments>\\s*)?(?=<param)",
)
_OPENS_TOOL_CALLS_BARE = rt.Automaton(
    rt.seq(
        "<function",
        rt.star(rt.one(r"\s")),
        "name=",
        rt.one("[\"']"),
        rt.plus(rt.one("[^\"']")),
        rt.one("[\"']"),
        rt.star(rt.one(r"\s")),
        ">",
        rt.star(rt.one(r"\s")),
        rt.look("</function>"),
    ),
    "<function\\s*name=[\"'](?P<name>[^\"']+)[\"']\\s*>\\s*(?=</function>)",
)
_CLOSES_TOOL_CALLS_PAIRS = rt.Capturing(
    rt.seq(
        rt.behind("(?<=</param>)"),
        rt.past(
            rt.seq(
                "<param",
                rt.star(rt.one(r"\s")),
                "name=",
                rt.one("[\"']"),
                rt.plus(rt.one("[^\"']")),
                rt.one("[\"']"),
                rt.star(rt.one(r"\s")),
                "><![CDATA[",
                rt.star(rt.seq(rt.look("]]>", negative=True), rt.dot())),
            ),
            negative=True,
        ),
        rt.star(rt.one(r"\s")),
        rt.alt(
            rt.seq(rt.opt(rt.seq("</arguments>", rt.star(rt.one(r"\s")))), "</function>"),
            rt.look(rt.seq("<function", rt.star(rt.one(r"\s")), "name=", rt.one("[\"']"))),
        ),
    )
)
_OPENS_REASONING_CONTENT = rt.Automaton(rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<think>"), r"\A\s*(?:<think>)")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE)
_LEAVES_TOOL_CALLS_PAIRS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_PAIRS)
_OPENS_BEHIND_TOOL_CALLS_PAIRS = rt.Watch(_OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE)
_LEAVES_TOOL_CALLS_BARE = rt.AnyOf("<|endoftext|>", "<|im_end|>", "</function>")
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

    BEHIND = 9223372036854775807

    COERCE = "exact"

    # models  "openbmb/MiniCPM5-*"
    # policy  blank skip, trim both, bad text, cut bad, aware, exact, coerce exact
    # default role = "assistant"
    # anchor  "<|im_start|>assistant\n"
    # stop    "<|im_end|>" | "<|endoftext|>"
    # stray   "</think>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|im_start|>assistant\n")  # P4

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
    # field tool_calls[] as pairs: xml(pair /<param\s*name=["'](?P<key>[^"']+)["']\s*>/ "</param>", value = text(s
    #           trip = false), entities) {
    #     open  /<function\s*name=["'](?P<name>[^"']+)["']\s*>\s*(?:<arguments>\s*)?(?=<param)/
    #     close /(?<=<\/param>)(?<!<param\s*name=["'][^"']+["']\s*><!\[CDATA\[(?:(?!\]\]>).)*)\s*(?:(?:<\/argument
    #           s>\s*)?<\/function>|(?=<function\s*name=["']))/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_pairs(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS_PAIRS, ("</param>",)))  # P5
        first = aware.nearest(self, text, at, _LEAVES_TOOL_CALLS_PAIRS, _OPENS_BEHIND_TOOL_CALLS_PAIRS)  # P3
        if first is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS_PAIRS)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_pairs(self, body: str) -> object:
        content = rt.read_pairs(
            body, _TAG_TOOL_CALLS_PAIRS, _TAG2_TOOL_CALLS_PAIRS, value=rt.without_entities, entities=True, exact=True
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
    #     open  /<function\s*name=["'](?P<name>[^"']+)["']\s*>\s*(?=<\/function>)/
    #     close "</function>"
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
        if word in ("<|endoftext|>", "<|im_end|>"):
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
