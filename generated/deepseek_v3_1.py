# Code generated from grammars/deepseek_v3_1.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:c88ac20352b49319, runtime ABI 2
r"""Response parser for DeepSeek-V3.1.

States, and what leaves them:

    content (start)    "<\uff5cend\u2581of\u2581sentence\uff5c>"                 -> the end of the message
                       "<think>"                                                 -> reasoning_content
                       /<\uff5ctool\u2581call\u2581begin\uff5c>\s*(?P<name>[...  -> tool_calls
                       "<\uff5ctool\u2581calls\u2581begin\uff5c>" | "<\uff5c...  -> content
    tool_calls         "<\uff5cend\u2581of\u2581sentence\uff5c>"                 -> the end of the message
                       "<\uff5ctool\u2581call\u2581end\uff5c>"                   -> content
                       before "<\uff5ctool\u2581call\u2581begin\uff5c>" | "<...  -> content
    reasoning_content  "<\uff5cend\u2581of\u2581sentence\uff5c>"                 -> the end of the message
                       /<\/think>|(?=<\uff5ctool\u2581calls\u2581begin\uff5c>)/  -> content
                       before /<\uff5ctool\u2581call\u2581begin\uff5c>\s*(?P...  -> content

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
    "deepseek-ai/DeepSeek-V3.1*",
    "deepseek-ai/DeepSeek-V3.2-Exp*",
)
_ANCHOR = re.compile("<\uff5ctool\u2581output\u2581end\uff5c>|<\uff5cAssistant\uff5c>")
_STOPS = rt.Words("<\uff5cend\u2581of\u2581sentence\uff5c>")
_CLOSES_REASONING_CONTENT = rt.Automaton(
    rt.alt("</think>", rt.look("<\uff5ctool\u2581calls\u2581begin\uff5c>")),
    "</think>|(?=<\uff5ctool\u2581calls\u2581begin\uff5c>)",
)
_OPENS_TOOL_CALLS = rt.Capturing(
    rt.seq(
        "<\uff5ctool\u2581call\u2581begin\uff5c>",
        rt.star(rt.one(r"\s")),
        rt.group("name", rt.plus(rt.one("[^<]"), lazy=True)),
        rt.star(rt.one(r"\s")),
        "<\uff5ctool\u2581sep\uff5c>",
    )
)
_OPENS_REASONING_CONTENT = rt.Words("<think>")
_STRAYS = rt.Words("<\uff5ctool\u2581calls\u2581begin\uff5c>", "<\uff5ctool\u2581calls\u2581end\uff5c>", "</think>")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT, _OPENS_TOOL_CALLS)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS, _STRAYS)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.Stream):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    COERCE = "exact"

    # models  "deepseek-ai/DeepSeek-V3.1*" | "deepseek-ai/DeepSeek-V3.2-Exp*"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "<\uff5cAssistant\uff5c>" | "<\uff5ctool\u2581output\u2581end\uff5c>"
    # stop    "<\uff5cend\u2581of\u2581sentence\uff5c>"
    # stray   "<\uff5ctool\u2581calls\u2581begin\uff5c>" | "<\uff5ctool\u2581calls\u2581end\uff5c>" | "</think>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_match(prefix, _ANCHOR)

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text joined "\n" {
    #     open  "<think>"
    #     close /<\/think>|(?=<\uff5ctool\u2581calls\u2581begin\uff5c>)/
    #     ended by tool_calls
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_REASONING_CONTENT, text, at)  # P3
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _CLOSES_REASONING_CONTENT:
            return self._close(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.start)

    def _close_reasoning_content(self, body: str) -> str:
        value = body
        self._message.setdefault("reasoning_content", []).append(value)  # joined in _join
        return value

    REASONING_CONTENT = rt.State(
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, streams=("text", "\n", "both")
    )

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: json {
    #     open  /<\uff5ctool\u2581call\u2581begin\uff5c>\s*(?P<name>[^<]+?)\s*<\uff5ctool\u2581sep\uff5c>/
    #     close /<\uff5ctool\u2581call\u2581end\uff5c>|(?=<\uff5ctool\u2581call\u2581begin\uff5c>)|(?=<\uff5ctool\
    #           u2581calls\u2581end\uff5c>)/
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P4
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<\uff5cend\u2581of\u2581sentence\uff5c>", start) and aware.allows(
                self, text, at, start
            ):  # P1
                return self._stop(text, at, start, start + 19)
            if text.startswith("<\uff5ctool\u2581call\u2581end\uff5c>", start) and aware.allows(
                self, text, at, start
            ):  # P1
                return self._close(text, at, start, start + 17)
            if text.startswith("<\uff5ctool\u2581call\u2581begin\uff5c>", start) and aware.allows(
                self, text, at, start
            ):  # P1
                return self._close(text, at, start, start)
            if text.startswith("<\uff5ctool\u2581calls\u2581end\uff5c>", start) and aware.allows(
                self, text, at, start
            ):  # P1
                return self._close(text, at, start, start)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<\uff5cend\u2581of\u2581sentence\uff5c>".startswith(tail)
                or "<\uff5ctool\u2581call\u2581end\uff5c>".startswith(tail)
                or "<\uff5ctool\u2581call\u2581begin\uff5c>".startswith(tail)
                or "<\uff5ctool\u2581calls\u2581end\uff5c>".startswith(tail)
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls(self, body: str) -> object:
        content = self._tolerate(rt.read_json, ("commas", "escapes", "newlines", "trailing"), body)
        value = {"type": "function", "function": {"name": self._captures["name"], "arguments": content}}
        value = self._decode_arguments(value)
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS = rt.State(
        "tool_calls",
        _read_tool_calls,
        _close_tool_calls,
        lead="<",
        dirty=True,
        bad="text",
        cut="complete",
        streams=("brace", "name", ""),
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
        if first.found is _OPENS_TOOL_CALLS:
            return self._open(self.TOOL_CALLS, text, at, first.start, first.end, first.captures(text))
        return self._stray(text, at, first.start, first.end)

    def _close_content(self, body: str) -> str:
        value = body
        self._message.setdefault("content", []).append(value)  # joined in _join
        return value

    OUTSIDE = CONTENT = rt.State(
        "content",
        _read_content,
        _close_content,
        lead="<",
        takes_text=True,
        skips_blanks=True,
        streams=("text", "", "both"),
    )

    # -- what is joined ------------------------------------------------------------------

    @staticmethod
    def _join(message: rt.Message) -> None:
        if "reasoning_content" in message:
            message["reasoning_content"] = "\n".join(message["reasoning_content"]).strip()
        if "content" in message:
            message["content"] = "".join(message["content"]).strip()
