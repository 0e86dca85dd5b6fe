# Code generated from grammars/gemma4.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:1c74688ada6debd8, runtime ABI 2
r"""Response parser for Gemma 4.

States, and what leaves them:

    content (start)    "<turn|>" | "<|tool_response>" | "<eos>"                  -> the end of the message
                       "<|channel>thought"                                       -> reasoning_content
                       /<\|tool_call>\s*call:\s*(?P<name>[^{(\s]+)\s*(?=\{)/     -> tool_calls
                       "<channel|>" | "<|turn>model\n"                           -> content
    tool_calls         "<|tool_response>" | "<turn|>" | "<eos>"                  -> the end of the message
                       "<tool_call|>"                                            -> content
                       before "<|tool_call>"                                     -> content
    reasoning_content  "<turn|>" | "<|tool_response>" | "<eos>"                  -> the end of the message
                       "<channel|>"                                              -> content
                       before /<\|tool_call>\s*call:\s*(?P<name>[^{(\s]+)\s*...  -> content

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
    "google/gemma-4-*",
    "google/diffusiongemma-*",
)
TEMPLATES = (
    "6847389d64a3b36d",
    "70bda2b37d9f01e7",
)
_ANCHOR = re.compile("<tool_response\\|>|<\\|turn>model\n")
_STOPS = rt.Words("<|tool_response>", "<turn|>", "<eos>")
_CLOSES_REASONING_CONTENT = rt.Words("<channel|>")
_OPENS_TOOL_CALLS = rt.Automaton(
    rt.seq(
        "<|tool_call>",
        rt.star(rt.one(r"\s")),
        "call:",
        rt.star(rt.one(r"\s")),
        rt.plus(rt.one(r"[^{(\s]")),
        rt.star(rt.one(r"\s")),
        rt.look("{"),
    ),
    r"<\|tool_call>\s*call:\s*(?P<name>[^{(\s]+)\s*(?=\{)",
)
_OPENS_REASONING_CONTENT = rt.Words("<|channel>thought")
_STRAYS = rt.Words("<|turn>model\n", "<channel|>")
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

    # models  "google/gemma-4-*" | "google/diffusiongemma-*"
    # templates "6847389d64a3b36d" | "70bda2b37d9f01e7"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "<|turn>model\n" | "<tool_response|>"
    # stop    "<turn|>" | "<|tool_response>" | "<eos>"
    # stray   "<channel|>" | "<|turn>model\n"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_match(prefix, _ANCHOR)

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text joined "\n" {
    #     open  "<|channel>thought"
    #     close "<channel|>"
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
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, lead="<", streams=("text", "\n", "both")
    )

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: json(unquoted_keys, string_delims = [["<|\"|>", "<|\"|>"], ["'", "'"]]) {
    #     open  /<\|tool_call>\s*call:\s*(?P<name>[^{(\s]+)\s*(?=\{)/
    #     close /<tool_call\|>|(?=<\|tool_call>)/
    #     tolerate [commas, escapes, newlines, trailing]
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        aware = self._watched(
            lambda: rt.JsonBody(
                unquoted_keys=True,
                string_delims=(
                    ('<|"|>', '<|"|>'),
                    ("'", "'"),
                ),
            )
        )  # P4
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|tool_response>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 16)
            if text.startswith("<turn|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 7)
            if text.startswith("<eos>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 5)
            if text.startswith("<tool_call|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 12)
            if text.startswith("<|tool_call>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<|tool_response>".startswith(tail)
                or "<turn|>".startswith(tail)
                or "<eos>".startswith(tail)
                or "<tool_call|>".startswith(tail)
                or "<|tool_call>".startswith(tail)
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls(self, body: str) -> object:
        content = self._tolerate(
            rt.read_json,
            ("commas", "escapes", "newlines", "trailing"),
            body,
            unquoted_keys=True,
            string_delims=(
                ('<|"|>', '<|"|>'),
                ("'", "'"),
            ),
            lexed=True,
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
