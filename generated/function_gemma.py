# Code generated from grammars/function_gemma.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:3ba2c8fb52e6c6d5, runtime ABI 2
r"""Response parser for FunctionGemma.

States, and what leaves them:

    content (start)    "<end_of_turn>" | "<start_function_response>" | "<eos>"   -> the end of the message
                       /\A\s*(?:<think>)/                                        -> reasoning_content
                       /<start_function_call>\s*call:\s*(?P<name>[^{\s]+)\s*...  -> tool_calls
    tool_calls         "<start_function_response>" | "<end_of_turn>" | "<eos>"   -> the end of the message
                       "<end_function_call>"                                     -> content
                       before "<start_function_call>"                            -> content
    reasoning_content  "<end_of_turn>" | "<start_function_response>" | "<eos>"   -> the end of the message
                       "</think>"                                                -> content
                       /<start_function_call>\s*call:\s*(?P<name>[^{\s]+)\s*...  -> tool_calls, if the close never comes: all is held till then

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

MODELS = ("google/functiongemma-*",)
_ANCHOR = re.compile("<end_function_response>|<start_of_turn>model\n")
_STOPS = rt.Words("<start_function_response>", "<end_of_turn>", "<eos>")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS = rt.Automaton(
    rt.seq(
        "<start_function_call>",
        rt.star(rt.one(r"\s")),
        "call:",
        rt.star(rt.one(r"\s")),
        rt.plus(rt.one(r"[^{\s]")),
        rt.star(rt.one(r"\s")),
        rt.look("{"),
    ),
    r"<start_function_call>\s*call:\s*(?P<name>[^{\s]+)\s*(?=\{)",
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

    # models  "google/functiongemma-*"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "<start_of_turn>model\n" | "<end_function_response>"
    # stop    "<end_of_turn>" | "<start_function_response>" | "<eos>"

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
    # field tool_calls[]: json(unquoted_keys, string_delims = [["<escape>", "<escape>"]]) {
    #     open  /<start_function_call>\s*call:\s*(?P<name>[^{\s]+)\s*(?=\{)/
    #     close /<end_function_call>|(?=<start_function_call>)/
    #     tolerate [commas, escapes, newlines, trailing]
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.JsonBody(unquoted_keys=True, string_delims=(("<escape>", "<escape>"),)))  # P4
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<start_function_response>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 25)
            if text.startswith("<end_of_turn>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 13)
            if text.startswith("<eos>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 5)
            if text.startswith("<end_function_call>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 19)
            if text.startswith("<start_function_call>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<start_function_response>".startswith(tail)
                or "<end_of_turn>".startswith(tail)
                or "<eos>".startswith(tail)
                or "<end_function_call>".startswith(tail)
                or "<start_function_call>".startswith(tail)
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls(self, body: str) -> object:
        content = self._tolerate(
            rt.read_json,
            ("commas", "escapes", "newlines", "trailing"),
            body,
            unquoted_keys=True,
            string_delims=(("<escape>", "<escape>"),),
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
        return self._open(self.TOOL_CALLS, text, at, first.start, first.end, first.captures(text))

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
