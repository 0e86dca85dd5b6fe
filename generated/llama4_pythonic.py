# Code generated from grammars/llama4_pythonic.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:b0f68fa2f86f0592, runtime ABI 2
r"""Response parser for Llama 4 (and 3.2) with Python calls.

States, and what leaves them:

    content (start)  "<|eot|>" | "<|eom|>" | "<|eot_id|>" | "<|eom_id|>"       -> the end of the message
                     /\A\s*(?:(?:<\|python_start\|>)?\s*(?=\[\s*[A-Za-z_][...  -> tool_calls
                     "<|python_start|>" | "<|python_end|>"                     -> content
    tool_calls       "<|eot_id|>" | "<|eom_id|>" | "<|eot|>" | "<|eom|>"       -> the end of the message
                     "<|python_end|>"                                          -> content

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

MODELS = ("meta-llama/Llama-4-*",)
_ANCHOR = re.compile(
    "<\\|start_header_id\\|>assistant<\\|end_header_id\\|>\n\n|<\\|header_start\\|>assistant<\\|header_end\\|>\n\n"
)
_STOPS = rt.Words("<|eot_id|>", "<|eom_id|>", "<|eot|>", "<|eom|>")
_OPENS_TOOL_CALLS = rt.Automaton(
    rt.seq(
        rt.behind("^"),
        rt.star(rt.one(r"\s")),
        rt.opt("<|python_start|>"),
        rt.star(rt.one(r"\s")),
        rt.look(rt.seq("[", rt.star(rt.one(r"\s")), rt.one("[A-Za-z_]"), rt.star(rt.one(r"[\w.-]")), "(")),
    ),
    r"\A\s*(?:(?:<\|python_start\|>)?\s*(?=\[\s*[A-Za-z_][\w.-]*\())",
)
_STRAYS = rt.Words("<|python_start|>", "<|python_end|>")
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_TOOL_CALLS, _STRAYS)


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

    # models  "meta-llama/Llama-4-*"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "<|header_start|>assistant<|header_end|>\n\n" | "<|start_header_id|>assistant<|end_header_id|>\n\n"
    # stop    "<|eot|>" | "<|eom|>" | "<|eot_id|>" | "<|eom_id|>"
    # stray   "<|python_start|>" | "<|python_end|>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_match(prefix, _ANCHOR)

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: python-call-list {
    #     open  /(?:<\|python_start\|>)?\s*(?=\[\s*[A-Za-z_][\w.-]*\()/ when start
    #     close "<|python_end|>"
    #     extend
    #     tolerate [escapes, newlines]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.QuotedBody(newlines=True))  # P4
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|eot_id|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 10)
            if text.startswith("<|eom_id|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 10)
            if text.startswith("<|eot|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 7)
            if text.startswith("<|eom|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 7)
            if text.startswith("<|python_end|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 14)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<|eot_id|>".startswith(tail)
                or "<|eom_id|>".startswith(tail)
                or "<|eot|>".startswith(tail)
                or "<|eom|>".startswith(tail)
                or "<|python_end|>".startswith(tail)
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls(self, body: str) -> object:
        items = rt.items(self._tolerate(rt.read_call_list, ("escapes", "newlines"), body))
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
        if first.found is _OPENS_TOOL_CALLS:
            return self._open(self.TOOL_CALLS, text, at, first.start, first.end)
        return self._stray(text, at, first.start, first.end)

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
