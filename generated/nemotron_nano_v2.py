# Code generated from grammars/nemotron_nano_v2.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:b10506fbf9b74ba9, runtime ABI 2
r"""Response parser for Nemotron Nano 2.

States, and what leaves them:

    content (start)    "<SPECIAL_12>" | "<|eot_id|>"  -> the end of the message
                       /\A\s*(?:<think>)/             -> reasoning_content
                       /<TOOLCALL>(?=\s*[\[{])/       -> tool_calls
    tool_calls         "<SPECIAL_12>" | "<|eot_id|>"  -> the end of the message
                       "</TOOLCALL>"                  -> content
                       before "<TOOLCALL>"            -> content
    reasoning_content  "<SPECIAL_12>" | "<|eot_id|>"  -> the end of the message
                       "</think>"                     -> content
                       /<TOOLCALL>(?=\s*[\[{])/       -> tool_calls, if the close never comes: all is held till then

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
    "nvidia/*Nemotron-Nano-*-v2*",
    "nvidia/Llama-3_3-Nemotron-Super-49B-v1_5*",
)
_ANCHOR = re.compile("<\\|start_header_id\\|>assistant<\\|end_header_id\\|>\n\n|<SPECIAL_11>Assistant\n")
_STOPS = rt.Words("<SPECIAL_12>", "<|eot_id|>")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS = rt.Automaton(
    rt.seq("<TOOLCALL>", rt.look(rt.seq(rt.star(rt.one(r"\s")), rt.one(r"[\[{]")))), r"<TOOLCALL>(?=\s*[\[{])"
)
_OPENS_REASONING_CONTENT = rt.Automaton(rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<think>"), r"\A\s*(?:<think>)")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.LookingBack):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    BEHIND = 1

    COERCE = "exact"

    # models  "nvidia/*Nemotron-Nano-*-v2*" | "nvidia/Llama-3_3-Nemotron-Super-49B-v1_5*"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "<SPECIAL_11>Assistant\n" | "<|start_header_id|>assistant<|end_header_id|>\n\n"
    # stop    "<SPECIAL_12>" | "<|eot_id|>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_match(prefix, _ANCHOR)

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
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, lead="<", streams=("text", "", "both")
    )

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: json {
    #     open  /<TOOLCALL>(?=\s*[\[{])/
    #     close /<\/TOOLCALL>|(?=<TOOLCALL>)/
    #     extend
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments ?? {}}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P4
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<SPECIAL_12>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 12)
            if text.startswith("<|eot_id|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 10)
            if text.startswith("</TOOLCALL>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 11)
            if text.startswith("<TOOLCALL>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<SPECIAL_12>".startswith(tail)
                or "<|eot_id|>".startswith(tail)
                or "</TOOLCALL>".startswith(tail)
                or "<TOOLCALL>".startswith(tail)
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
                    "arguments": rt.either(rt.seek(content, "arguments"), {}),
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
        first = self._first(_LEAVES_CONTENT, text, at)  # P3
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _OPENS_REASONING_CONTENT:
            return self._open(self.REASONING_CONTENT, text, at, first.start, first.end)
        return self._open(self.TOOL_CALLS, text, at, first.start, first.end)

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
