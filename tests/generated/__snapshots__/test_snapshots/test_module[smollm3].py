# Code generated from grammars/smollm3.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:7c77b8b5f9eb5ceb, runtime ABI 1
"""Response parser for SmolLM3.

States, and what leaves them:

    content (start)    "<think>"       -> reasoning_content
                       "<tool_call>"   -> tool_calls
                       "<|im_end|>"    -> content, past the blanks
    tool_calls         "</tool_call>"  -> content, past the blanks
    reasoning_content  "</think>"      -> content, past the blanks

What the compiler proved, and this module leans on:

    P1  No delimiter of a state begins with another one: a complete one is final the moment it is seen.
    P2  Every delimiter of a state begins with the state's lead and has it nowhere else: text without it is plain,
        and a delimiter that has begun begins at the last one.
    P3  The blanks that end a closer may be none and capture nothing: the region closes before them, and the state
        that drops them keeps no text.
    P4  The anchor cannot overlap itself: the last place where it stands is its last match.
"""

from __future__ import annotations

from collections.abc import Iterable


import runtime as rt

rt.require_abi(1, __name__)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.Stream):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    # default role = "assistant"
    # anchor  "<|im_start|>assistant\n"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|im_start|>assistant\n")  # P4

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "<think>"
    #     close "</think>" blank after
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        start = text.find("</think>", at)
        if start < 0:
            begun = text.rfind("<", at)  # P2
            if begun >= 0 and "</think>".startswith(text[begun:]):
                return self._wait(text, at, begun)
            return self._pass(text, at)
        self._take(text, at, start)
        return self._close(text, start, start + 8, rt.BLANKS)  # P3

    def _close_reasoning_content(self, body: str) -> str:
        value = rt.read_text(body)
        self._message["reasoning_content"] = value
        return value

    REASONING_CONTENT = rt.State("reasoning_content", _read_reasoning_content, _close_reasoning_content, lead="<")  # P2

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: json {
    #     open  "<tool_call>"
    #     close "</tool_call>" blank after
    #     emit  {"type": "function", "function": content}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        start = text.find("</tool_call>", at)
        if start < 0:
            begun = text.rfind("<", at)  # P2
            if begun >= 0 and "</tool_call>".startswith(text[begun:]):
                return self._wait(text, at, begun)
            return self._pass(text, at)
        self._take(text, at, start)
        return self._close(text, start, start + 12, rt.BLANKS)  # P3

    def _close_tool_calls(self, body: str) -> object:
        content = rt.read_json(body)
        value = self._type_arguments({"type": "function", "function": content})
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS = rt.State("tool_calls", _read_tool_calls, _close_tool_calls, lead="<", dirty=True)  # P2

    # -- content -------------------------------------------------------------------------
    # field content: text joined "" {
    #     close "<|im_end|>" blank after
    # }

    def _read_content(self, text: str, at: int) -> int:
        begun, start = -1, text.find("<", at)  # P2
        while start >= 0:
            if text.startswith("<think>", start):  # P1
                self._take(text, at, start)
                return self._open(self.REASONING_CONTENT, text, start, start + 7)
            if text.startswith("<tool_call>", start):  # P1
                self._take(text, at, start)
                return self._open(self.TOOL_CALLS, text, start, start + 11)
            if text.startswith("<|im_end|>", start):  # P1
                self._take(text, at, start)
                return self._close(text, start, start + 10, rt.BLANKS)  # P3
            begun, start = start, text.find("<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if "<think>".startswith(tail) or "<tool_call>".startswith(tail) or "<|im_end|>".startswith(tail):
                return self._wait(text, at, begun)
        return self._pass(text, at)

    def _close_content(self, body: str) -> str:
        value = rt.read_text(body)
        self._message.setdefault("content", []).append(value)  # joined in _join
        return value

    OUTSIDE = CONTENT = rt.State("content", _read_content, _close_content, lead="<", takes_text=True)  # P2

    # -- what is joined ------------------------------------------------------------------

    @staticmethod
    def _join(message: rt.Message) -> None:
        if "content" in message:
            message["content"] = "".join(message["content"])
