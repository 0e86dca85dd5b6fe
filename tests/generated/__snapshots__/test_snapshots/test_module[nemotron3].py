# Code generated from grammars/nemotron3.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:1dc9ad42865aa0aa, runtime ABI 2
r"""Response parser for Nemotron 3.

States, and what leaves them:

    content (start)    "<|im_end|>" | "<|endoftext|>"                            -> the end of the message
                       /\A\s*(?:<think>)/                                        -> reasoning_content
                       /<tool_call>\s*<function=(?P<name>[^<>\n]+)>/             -> tool_calls
    tool_calls         "<|im_end|>" | "<|endoftext|>"                            -> the end of the message
                       /(?:<\/function>|(?<=<\/parameter>))\s*(?:<\/tool_cal...  -> content
    reasoning_content  "<|im_end|>" | "<|endoftext|>"                            -> the end of the message
                       "</think>"                                                -> content
                       /<tool_call>\s*<function=(?P<name>[^<>\n]+)>/             -> tool_calls, if the close never comes: all is held till then

What the compiler proved, and this module leans on:

    P1  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P2  The anchor cannot overlap itself: the last place where it stands is its last match.
    P3  Closers stand in strings too: from the first such one on the text is held until one counts, and where none
        does, it was the first.
"""

from __future__ import annotations

from collections.abc import Iterable

import regex

import runtime as rt

rt.require_abi(2, __name__)

MODELS = (
    "nvidia/*Nemotron-3-*",
    "nvidia/*Nemotron-3.5-Lightning*",
)
TEMPLATES = (
    "f5ce4e58c5c847c9",
    "7b488a397f69a302",
)
_TAG_TOOL_CALLS = rt.Automaton(rt.seq("<parameter=", rt.plus(rt.one(r"[^>\n]")), ">"), r"<parameter=(?P<key>[^>\n]+)>")
_TAG2_TOOL_CALLS = regex.compile(r"</parameter>|(?<!>)(?=\n<parameter=[^>\n]+>\n)", regex.DOTALL)
_STOPS = rt.Words("<|endoftext|>", "<|im_end|>")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS = rt.Automaton(
    rt.seq("<tool_call>", rt.star(rt.one(r"\s")), "<function=", rt.plus(rt.one(r"[^<>\n]")), ">"),
    r"<tool_call>\s*<function=(?P<name>[^<>\n]+)>",
)
_CLOSES_TOOL_CALLS = rt.Automaton(
    rt.alt(
        rt.seq(
            rt.alt("</function>", rt.behind("(?<=</parameter>)")),
            rt.star(rt.one(r"\s")),
            rt.alt(
                rt.seq("</tool_call>", rt.look(rt.seq(rt.star(rt.one(r"\s")), "</parameter>"), negative=True)),
                rt.look("<tool_call>"),
            ),
        ),
        rt.seq(
            "</function>", rt.star(rt.one(r"\s")), rt.alt(rt.end(), rt.look("<|im_end|>"), rt.look("<|endoftext|>"))
        ),
    ),
    r"(?:</function>|(?<=</parameter>))\s*(?:</tool_call>(?!\s*</parameter>)|(?=<tool_call>))|</function>\s*(?:\Z|(?=<\|im_end\|>)|(?=<\|endoftext\|>))",
)
_OPENS_REASONING_CONTENT = rt.Automaton(rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<think>"), r"\A\s*(?:<think>)")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS)
_LEAVES_TOOL_CALLS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS)
_OPENS_BEHIND_TOOL_CALLS = rt.Watch(_OPENS_TOOL_CALLS)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS)


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

    # models  "nvidia/*Nemotron-3-*" | "nvidia/*Nemotron-3.5-Lightning*"
    # templates "f5ce4e58c5c847c9" | "7b488a397f69a302"
    # policy  blank skip, trim both, bad text, cut bad, aware, exact, coerce exact
    # default role = "assistant"
    # anchor  "<|im_start|>assistant\n"
    # stop    "<|im_end|>" | "<|endoftext|>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|im_start|>assistant\n")  # P2

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "<think>" when start
    #     close "</think>"
    #     ended by tool_calls unless closed
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_REASONING_CONTENT, text, at)  # P1
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

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: xml(pair /<parameter=(?P<key>[^>\n]+)>/ /<\/parameter>|(?<!>)(?=\n<parameter=[^>\n]+>\n)
    #           /, value = text(strip = false), trim = newline) {
    #     open  /<tool_call>\s*<function=(?P<name>[^<>\n]+)>/
    #     close /(?:<\/function>|(?<=<\/parameter>))\s*(?:<\/tool_call>(?!\s*<\/parameter>)|(?=<tool_call>))|<\/fu
    #           nction>\s*(?:\Z|(?=<\|im_end\|>)|(?=<\|endoftext\|>))/
    #     tolerate [trailing]
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS, ("</parameter>",)))  # P3
        first = aware.nearest(self, text, at, _LEAVES_TOOL_CALLS, _OPENS_BEHIND_TOOL_CALLS)  # P1
        if first is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls(self, body: str) -> object:
        content = self._tolerate(
            rt.read_pairs,
            self._if_closed(
                "trailing",
            ),
            body,
            _TAG_TOOL_CALLS,
            _TAG2_TOOL_CALLS,
            value=rt.without_newlines,
            exact=True,
        )
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": content}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS = rt.State(
        "tool_calls",
        _read_tool_calls,
        _close_tool_calls,
        dirty=True,
        bad="text",
        cut="bad",
        streams=("name", "name", ""),
    )

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
        return self._open(self.TOOL_CALLS, text, at, first.start, first.end, first.captures(text))

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
