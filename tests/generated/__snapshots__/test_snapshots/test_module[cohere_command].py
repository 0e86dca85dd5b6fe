# Code generated from grammars/cohere_command.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:f61f054a50af197c, runtime ABI 1
"""Response parser for Cohere Command.

States, and what leaves them:

    outside (start)    "<|START_RESPONSE|>"                          -> content
                       "<|START_THINKING|>"                          -> reasoning_content
                       "<|START_ACTION|>"                            -> tool_calls
    content            "<|END_OF_TURN_TOKEN|>" | "<|END_RESPONSE|>"  -> outside
    tool_calls         "<|END_ACTION|>"                              -> outside
    reasoning_content  "<|END_THINKING|>"                            -> outside

What the compiler proved, and this module leans on:

    P1  No delimiter of a state begins with another one: a complete one is final the moment it is seen.
    P2  Every delimiter of a state begins with the state's lead and has it nowhere else: text without it is plain,
        and a delimiter that has begun begins at the last one.
    P3  The anchor cannot overlap itself: the last place where it stands is its last match.
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
    # anchor  "<|CHATBOT_TOKEN|>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|CHATBOT_TOKEN|>")  # P3

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "<|START_THINKING|>"
    #     close "<|END_THINKING|>"
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        start = text.find("<|END_THINKING|>", at)
        if start < 0:
            begun = text.rfind("<", at)  # P2
            if begun >= 0 and "<|END_THINKING|>".startswith(text[begun:]):
                return self._wait(text, at, begun)
            return self._pass(text, at)
        self._take(text, at, start)
        return self._close(text, start, start + 16)

    def _close_reasoning_content(self, body: str) -> str:
        value = rt.read_text(body)
        self._message["reasoning_content"] = value
        return value

    REASONING_CONTENT = rt.State("reasoning_content", _read_reasoning_content, _close_reasoning_content, lead="<")  # P2

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls: json {
    #     open  "<|START_ACTION|>"
    #     close "<|END_ACTION|>"
    #     emit  each {"type": "function", "id": tool_call_id, "function": {"name": tool_name, "arguments": paramet
    #           ers}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        start = text.find("<|END_ACTION|>", at)
        if start < 0:
            begun = text.rfind("<", at)  # P2
            if begun >= 0 and "<|END_ACTION|>".startswith(text[begun:]):
                return self._wait(text, at, begun)
            return self._pass(text, at)
        self._take(text, at, start)
        return self._close(text, start, start + 14)

    def _close_tool_calls(self, body: str) -> object:
        content = rt.read_json(body)
        value = self._type_arguments(
            [
                {
                    "type": "function",
                    "id": scope["tool_call_id"],
                    "function": {"name": scope["tool_name"], "arguments": scope["parameters"]},
                }
                for scope in rt.scopes(content, self._captures)
            ]
        )
        self._message["tool_calls"] = value
        return value

    TOOL_CALLS = rt.State("tool_calls", _read_tool_calls, _close_tool_calls, lead="<", dirty=True)  # P2

    # -- content -------------------------------------------------------------------------
    # field content: text {
    #     open  "<|START_RESPONSE|>"
    #     close "<|END_RESPONSE|>" | "<|END_OF_TURN_TOKEN|>"
    # }

    def _read_content(self, text: str, at: int) -> int:
        begun, start = -1, text.find("<", at)  # P2
        while start >= 0:
            if text.startswith("<|END_OF_TURN_TOKEN|>", start):  # P1
                self._take(text, at, start)
                return self._close(text, start, start + 21)
            if text.startswith("<|END_RESPONSE|>", start):  # P1
                self._take(text, at, start)
                return self._close(text, start, start + 16)
            begun, start = start, text.find("<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if "<|END_OF_TURN_TOKEN|>".startswith(tail) or "<|END_RESPONSE|>".startswith(tail):
                return self._wait(text, at, begun)
        return self._pass(text, at)

    def _close_content(self, body: str) -> str:
        value = rt.read_text(body)
        self._message["content"] = value
        return value

    CONTENT = rt.State("content", _read_content, _close_content, lead="<")  # P2

    # -- outside -------------------------------------------------------------------------

    def _read_outside(self, text: str, at: int) -> int:
        begun, start = -1, text.find("<", at)  # P2
        while start >= 0:
            if text.startswith("<|START_RESPONSE|>", start):  # P1
                self._take(text, at, start)
                return self._open(self.CONTENT, text, start, start + 18)
            if text.startswith("<|START_THINKING|>", start):  # P1
                self._take(text, at, start)
                return self._open(self.REASONING_CONTENT, text, start, start + 18)
            if text.startswith("<|START_ACTION|>", start):  # P1
                self._take(text, at, start)
                return self._open(self.TOOL_CALLS, text, start, start + 16)
            begun, start = start, text.find("<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<|START_RESPONSE|>".startswith(tail)
                or "<|START_THINKING|>".startswith(tail)
                or "<|START_ACTION|>".startswith(tail)
            ):
                return self._wait(text, at, begun)
        return self._pass(text, at)

    OUTSIDE = rt.State("outside", _read_outside, lead="<")  # P2
