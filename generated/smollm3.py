# Code generated from grammars/smollm3.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:a3dc931a99b1797d, runtime ABI 2
"""Response parser for SmolLM3.

States, and what leaves them:

    content (start)    "<|endoftext|>" | "<|im_end|>"  -> the end of the message
                       "<think>"                       -> reasoning_content
                       "<tool_call>"                   -> tool_calls
                       "</think>"                      -> content
    tool_calls         "<|endoftext|>" | "<|im_end|>"  -> the end of the message
                       "</tool_call>"                  -> content
                       before "<tool_call>"            -> content
    reasoning_content  "<|endoftext|>" | "<|im_end|>"  -> the end of the message
                       "</think>"                      -> content

What the compiler proved, and this module leans on:

    P1  No delimiter of a state begins with another one: a complete one is final the moment it is seen.
    P2  Every delimiter of a state begins with the state's lead and has it nowhere else: text without it is plain,
        and a delimiter that has begun begins at the last one.
    P3  The anchor cannot overlap itself: the last place where it stands is its last match.
    P4  Closers stand in strings too: from the first such one on the text is held until one counts, and where none
        does, it was the first.
"""

from __future__ import annotations

from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = ("HuggingFaceTB/SmolLM3-*",)
_LEAVES_REASONING_CONTENT = rt.AnyOf("<|endoftext|>", "<|im_end|>", "</think>")
_LEAVES_CONTENT = rt.AnyOf("<|endoftext|>", "<|im_end|>", "<think>", "<tool_call>", "</think>")


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.Stream):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    COERCE = "exact"

    # models  "HuggingFaceTB/SmolLM3-*"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "<|im_start|>assistant\n"
    # stop    "<|im_end|>" | "<|endoftext|>"
    # stray   "</think>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|im_start|>assistant\n")  # P3

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text joined "\n" {
    #     open  "<think>"
    #     close "</think>"
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        found = _LEAVES_REASONING_CONTENT.search(text, at)
        if found is None:
            begun = text.rfind("<", at)  # P2
            if begun >= 0 and text[begun:] in _LEAVES_REASONING_CONTENT.begun:
                return self._wait(text, at, begun)
            return self._pass(text, at)
        start, end = found.span()  # P1
        word = found[0]
        if word in ("<|endoftext|>", "<|im_end|>"):
            return self._stop(text, at, start, end)
        return self._close(text, at, start, end)

    def _close_reasoning_content(self, body: str) -> str:
        value = body
        self._message.setdefault("reasoning_content", []).append(value)  # joined in _join
        return value

    REASONING_CONTENT = rt.State(
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, lead="<", streams=("text", "\n", "both")
    )  # P2

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: json {
    #     open  "<tool_call>"
    #     close /<\/tool_call>|(?=<tool_call>)/
    #     extend
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments ?? content.
    #           parameters ?? {}}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P4
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|endoftext|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 13)
            if text.startswith("<|im_end|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 10)
            if text.startswith("</tool_call>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 12)
            if text.startswith("<tool_call>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<|endoftext|>".startswith(tail)
                or "<|im_end|>".startswith(tail)
                or "</tool_call>".startswith(tail)
                or "<tool_call>".startswith(tail)
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls(self, body: str) -> object:
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

    TOOL_CALLS = rt.State(
        "tool_calls", _read_tool_calls, _close_tool_calls, lead="<", dirty=True, bad="text", cut="complete"
    )

    # -- content -------------------------------------------------------------------------
    # field content: text joined "" {}

    def _read_content(self, text: str, at: int) -> int:
        found = _LEAVES_CONTENT.search(text, at)
        if found is None:
            begun = text.rfind("<", at)  # P2
            if begun >= 0 and text[begun:] in _LEAVES_CONTENT.begun:
                return self._wait(text, at, begun)
            return self._pass(text, at)
        start, end = found.span()  # P1
        word = found[0]
        if word in ("<|endoftext|>", "<|im_end|>"):
            return self._stop(text, at, start, end)
        if word == "<think>":
            return self._open(self.REASONING_CONTENT, text, at, start, end)
        if word == "<tool_call>":
            return self._open(self.TOOL_CALLS, text, at, start, end)
        return self._stray(text, at, start, end)

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
    )  # P2

    # -- what is joined ------------------------------------------------------------------

    @staticmethod
    def _join(message: rt.Message) -> None:
        if "reasoning_content" in message:
            message["reasoning_content"] = "\n".join(message["reasoning_content"]).strip()
        if "content" in message:
            message["content"] = "".join(message["content"]).strip()
