# Code generated from grammars/cohere_command4.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:2854dcdd4cbbc4a4, runtime ABI 2
"""Response parser for Cohere Command 4.

States, and what leaves them:

    content (start)    "<|END_OF_TURN_TOKEN|>"                                   -> the end of the message
                       "<|START_THINKING|>"                                      -> reasoning_content
                       "<|START_ACTION|>"                                        -> tool_calls
                       "<|START_RESPONSE|>" | "<|END_RESPONSE|>" | "<|END_TH...  -> content
    tool_calls         "<|END_OF_TURN_TOKEN|>"                                   -> the end of the message
                       "<|END_ACTION|>"                                          -> content
    reasoning_content  "<|END_OF_TURN_TOKEN|>"                                   -> the end of the message
                       "<|START_RESPONSE|>" | "<|END_THINKING|>" | "<|START_...  -> content
                       before "<|START_ACTION|>"                                 -> content

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

MODELS = ("CohereLabs/command-a-plus-*",)
_LEAVES_REASONING_CONTENT = rt.AnyOf(
    "<|END_OF_TURN_TOKEN|>", "<|START_RESPONSE|>", "<|END_THINKING|>", "<|START_TEXT|>", "<|START_ACTION|>"
)
_LEAVES_CONTENT = rt.AnyOf(
    "<|END_OF_TURN_TOKEN|>",
    "<|START_THINKING|>",
    "<|START_ACTION|>",
    "<|START_RESPONSE|>",
    "<|END_RESPONSE|>",
    "<|END_THINKING|>",
    "<|START_TEXT|>",
    "<|END_TEXT|>",
)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.Stream):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    COERCE = "exact"

    # models  "CohereLabs/command-a-plus-*"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "<|CHATBOT_TOKEN|>"
    # stop    "<|END_OF_TURN_TOKEN|>"
    # stray   "<|START_TEXT|>" | "<|END_TEXT|>" | "<|START_RESPONSE|>" | "<|END_RESPONSE|>" | "<|END_THINKING|>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|CHATBOT_TOKEN|>")  # P3

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text joined "\n" {
    #     open  "<|START_THINKING|>"
    #     close "<|END_THINKING|>" | "<|START_TEXT|>" | "<|START_RESPONSE|>"
    #     ended by tool_calls
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
        if word == "<|END_OF_TURN_TOKEN|>":
            return self._stop(text, at, start, end)
        if word in ("<|START_RESPONSE|>", "<|END_THINKING|>", "<|START_TEXT|>"):
            return self._close(text, at, start, end)
        return self._close(text, at, start, start)

    def _close_reasoning_content(self, body: str) -> str:
        value = body
        self._message.setdefault("reasoning_content", []).append(value)  # joined in _join
        return value

    REASONING_CONTENT = rt.State(
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, lead="<", streams=("text", "\n", "both")
    )  # P2

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: json {
    #     open  "<|START_ACTION|>"
    #     close "<|END_ACTION|>"
    #     extend
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "id"?: content.tool_call_id, "function": {"name": content.tool_name, "argumen
    #           ts": content.parameters ?? {}}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P4
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|END_OF_TURN_TOKEN|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 21)
            if text.startswith("<|END_ACTION|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 14)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if "<|END_OF_TURN_TOKEN|>".startswith(tail) or "<|END_ACTION|>".startswith(tail):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls(self, body: str) -> object:
        items = rt.items(self._tolerate(rt.read_json, ("commas", "escapes", "newlines", "trailing"), body))
        value = [
            {
                "type": "function",
                **rt.member("id", rt.seek(content, "tool_call_id")),
                "function": {
                    "name": rt.item(content, "tool_name"),
                    "arguments": rt.either(rt.seek(content, "parameters"), {}),
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
        if word == "<|END_OF_TURN_TOKEN|>":
            return self._stop(text, at, start, end)
        if word == "<|START_THINKING|>":
            return self._open(self.REASONING_CONTENT, text, at, start, end)
        if word == "<|START_ACTION|>":
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
