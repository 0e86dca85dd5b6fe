# Code generated from grammars/lfm2.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:1b9085ff374813a5, runtime ABI 2
r"""Response parser for LFM2 and LFM2.5.

States, and what leaves them:

    content (start)       "<|im_end|>" | "<|endoftext|>"                 -> the end of the message
                          "<think>"                                      -> reasoning_content
                          /<\|tool_call_start\|>\s*(?=\[?\s*\{)/         -> tool_calls as json
                          /<\|tool_call_start\|>\s*/                     -> tool_calls as python
                          "</think>"                                     -> content
    tool_calls as python  "<|endoftext|>" | "<|im_end|>"                 -> the end of the message
                          "<|tool_call_end|>"                            -> content
    tool_calls as json    "<|endoftext|>" | "<|im_end|>"                 -> the end of the message
                          "<|tool_call_end|>"                            -> content
    reasoning_content     "<|im_end|>" | "<|endoftext|>"                 -> the end of the message
                          "</think>"                                     -> content
                          before /<\|tool_call_start\|>\s*(?=\[?\s*\{)/  -> content
                          before /<\|tool_call_start\|>\s*/              -> content

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

from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = (
    "LiquidAI/LFM2-*",
    "LiquidAI/LFM2.5-*",
)
TEMPLATES = ("382e6b8ebf0b44b2",)
_STOPS = rt.Words("<|endoftext|>", "<|im_end|>")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS_JSON = rt.Automaton(
    rt.seq("<|tool_call_start|>", rt.star(rt.one(r"\s")), rt.look(rt.seq(rt.opt("["), rt.star(rt.one(r"\s")), "{"))),
    r"<\|tool_call_start\|>\s*(?=\[?\s*\{)",
)
_OPENS_TOOL_CALLS_PYTHON = rt.Automaton(
    rt.seq("<|tool_call_start|>", rt.star(rt.one(r"\s"))), r"<\|tool_call_start\|>\s*"
)
_OPENS_REASONING_CONTENT = rt.Words("<think>")
_LEAVES_REASONING_CONTENT = rt.Watch(
    _STOPS, _CLOSES_REASONING_CONTENT, _OPENS_TOOL_CALLS_JSON, _OPENS_TOOL_CALLS_PYTHON
)
_LEAVES_CONTENT = rt.Watch(
    _STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_JSON, _OPENS_TOOL_CALLS_PYTHON, _CLOSES_REASONING_CONTENT
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

    # models  "LiquidAI/LFM2-*" | "LiquidAI/LFM2.5-*"
    # templates "382e6b8ebf0b44b2"
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
        return rt.behind_last_word(prefix, "<|im_start|>assistant\n")  # P4

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text joined "\n" {
    #     open  "<think>"
    #     close "</think>"
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
        if first.found is _OPENS_TOOL_CALLS_JSON:
            return self._close(text, at, first.start, first.start)
        return self._close(text, at, first.start, first.start)

    def _close_reasoning_content(self, body: str) -> str:
        value = body
        self._message.setdefault("reasoning_content", []).append(value)  # joined in _join
        return value

    REASONING_CONTENT = rt.State(
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, lead="<", streams=("text", "\n", "both")
    )

    # -- tool_calls as json --------------------------------------------------------------
    # field tool_calls[] as json: json {
    #     open  /<\|tool_call_start\|>\s*(?=\[?\s*\{)/
    #     close "<|tool_call_end|>"
    #     extend
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments ?? {}}}
    # }

    def _read_tool_calls_json(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P5
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|endoftext|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 13)
            if text.startswith("<|im_end|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 10)
            if text.startswith("<|tool_call_end|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 17)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<|endoftext|>".startswith(tail)
                or "<|im_end|>".startswith(tail)
                or "<|tool_call_end|>".startswith(tail)
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls_json(self, body: str) -> object:
        items = rt.items(self._tolerate(rt.read_json, ("commas", "escapes", "newlines", "trailing"), body))
        value = [
            {
                "type": "function",
                "function": {
                    "name": rt.item(content, "name"),
                    "arguments": rt.either(rt.seek(content, "arguments"), {}),
                },
            }
            for content in items
        ]
        value = self._decode_arguments(value)
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).extend(value)
        return value

    TOOL_CALLS_JSON = rt.State(
        "tool_calls",
        _read_tool_calls_json,
        _close_tool_calls_json,
        lead="<",
        label="json",
        dirty=True,
        bad="text",
        cut="complete",
    )

    # -- tool_calls as python ------------------------------------------------------------
    # field tool_calls[] as python: python-call-list {
    #     open  /<\|tool_call_start\|>\s*/
    #     close "<|tool_call_end|>"
    #     extend
    #     tolerate [commas, escapes, newlines]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments}}
    # }

    def _read_tool_calls_python(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.QuotedBody(newlines=True))  # P5
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|endoftext|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 13)
            if text.startswith("<|im_end|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 10)
            if text.startswith("<|tool_call_end|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 17)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<|endoftext|>".startswith(tail)
                or "<|im_end|>".startswith(tail)
                or "<|tool_call_end|>".startswith(tail)
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls_python(self, body: str) -> object:
        items = rt.items(self._tolerate(rt.read_call_list, ("commas", "escapes", "newlines"), body))
        value = [
            {
                "type": "function",
                "function": {"name": rt.item(content, "name"), "arguments": rt.item(content, "arguments")},
            }
            for content in items
        ]
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).extend(value)
        return value

    TOOL_CALLS_PYTHON = rt.State(
        "tool_calls",
        _read_tool_calls_python,
        _close_tool_calls_python,
        lead="<",
        label="python",
        dirty=True,
        bad="text",
        cut="complete",
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
        if first.found is _OPENS_TOOL_CALLS_JSON:
            return self._open(self.TOOL_CALLS_JSON, text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_PYTHON:
            return self._open(self.TOOL_CALLS_PYTHON, text, at, first.start, first.end)
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
