# Code generated from grammars/gemma4.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:2b453dc6c5b2c5cc, runtime ABI 1
r"""Response parser for Gemma 4.

States, and what leaves them:

    content (start)    "<|channel>thought\n"                                 -> reasoning_content
                       /<\|tool_call>call:(?P<name>[^{\s]+)\s*(?=\{)/        -> tool_calls
                       "<turn|>" | "<|tool_response>" | "<eos>" blank after  -> content
    tool_calls         "<tool_call|>"                                        -> content, past the blanks
    reasoning_content  "<channel|>"                                          -> content, past the blanks

What the compiler proved, and this module leans on:

    P1  Every delimiter of a state begins with the state's lead and has it nowhere else: text without it is plain,
        and a delimiter that has begun begins at the last one.
    P2  The blanks that end a closer may be none and capture nothing: the region closes before them, and the state
        that drops them keeps no text.
    P3  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable


import runtime as rt

rt.require_abi(1, __name__)

_ANCHOR = re.compile("<tool_response\\|>|<\\|turn>model\n")
_OPENS_REASONING_CONTENT = rt.Words("<|channel>thought\n")
_OPENS_TOOL_CALLS = rt.Automaton(
    rt.seq("<|tool_call>call:", rt.plus(rt.one(r"[^{\s]")), rt.star(rt.one(r"\s")), rt.look("{")),
    r"<\|tool_call>call:(?P<name>[^{\s]+)\s*(?=\{)",
)
_CLOSES_CONTENT = rt.Automaton(
    rt.seq(rt.alt("<|tool_response>", "<turn|>", "<eos>"), rt.star(rt.one(r"\s"))),
    r"(?:<\|tool_response>|<turn\|>|<eos>)\s*",
)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.Stream):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    # default role = "assistant"
    # anchor  "<|turn>model\n" | "<tool_response|>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_match(prefix, _ANCHOR)

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "<|channel>thought\n"
    #     close "<channel|>" blank after
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        start = text.find("<channel|>", at)
        if start < 0:
            begun = text.rfind("<", at)  # P1
            if begun >= 0 and "<channel|>".startswith(text[begun:]):
                return self._wait(text, at, begun)
            return self._pass(text, at)
        self._take(text, at, start)
        return self._close(text, start, start + 10, rt.BLANKS)  # P2

    def _close_reasoning_content(self, body: str) -> str:
        value = rt.read_text(body)
        self._message["reasoning_content"] = value
        return value

    REASONING_CONTENT = rt.State("reasoning_content", _read_reasoning_content, _close_reasoning_content, lead="<")  # P1

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: json(unquoted_keys, string_delims = [["<|\"|>", "<|\"|>"]]) {
    #     open  /<\|tool_call>call:(?P<name>[^{\s]+)\s*(?=\{)/
    #     close "<tool_call|>" blank after
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        start = text.find("<tool_call|>", at)
        if start < 0:
            begun = text.rfind("<", at)  # P1
            if begun >= 0 and "<tool_call|>".startswith(text[begun:]):
                return self._wait(text, at, begun)
            return self._pass(text, at)
        self._take(text, at, start)
        return self._close(text, start, start + 12, rt.BLANKS)  # P2

    def _close_tool_calls(self, body: str) -> object:
        content = rt.read_json(body, unquoted_keys=True, string_delims=(('<|"|>', '<|"|>'),))
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": content}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS = rt.State("tool_calls", _read_tool_calls, _close_tool_calls, lead="<", dirty=True)  # P1

    # -- content -------------------------------------------------------------------------
    # field content: text joined "" {
    #     close "<turn|>" | "<|tool_response>" | "<eos>" blank after
    # }

    def _read_content(self, text: str, at: int) -> int:
        first = rt.First(text)
        opens_reasoning_content = first.weigh(self._near(_OPENS_REASONING_CONTENT, text, at))
        opens_tool_calls = first.weigh(self._near(_OPENS_TOOL_CALLS, text, at))
        first.weigh(self._near(_CLOSES_CONTENT, text, at))
        found = first.decided()  # P3
        if found is None:
            return self._wait(text, at, first.hold)
        self._take(text, at, found.start)
        if found is opens_reasoning_content:
            return self._open(self.REASONING_CONTENT, text, found.start, found.end)

        if found is opens_tool_calls:
            return self._open(self.TOOL_CALLS, text, found.start, found.end, found.captures(text))

        return self._close(text, found.start, found.end)

    def _close_content(self, body: str) -> str:
        value = rt.read_text(body)
        self._message.setdefault("content", []).append(value)  # joined in _join
        return value

    OUTSIDE = CONTENT = rt.State("content", _read_content, _close_content, lead="<", takes_text=True)

    # -- what is joined ------------------------------------------------------------------

    @staticmethod
    def _join(message: rt.Message) -> None:
        if "content" in message:
            message["content"] = "".join(message["content"])
