# Code generated from grammars/granite3.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:cf770dcf1935e644, runtime ABI 2
r"""Response parser for Granite 3.

States, and what leaves them:

    content (start)    "<|end_of_text|>"                                         -> the end of the message
                       /\A\s*(?:Here is my thought process:|<think>)/            -> reasoning_content
                       /(?:<\|tool_call\|>|<tool_call>)\s*(?=[\[{])/             -> tool_calls
                       "<response>" | "</response>"                              -> content
    tool_calls         the end of its value                                      -> content
                       before "<|end_of_text|>", where it is none                -> content
                       before /(?:<\|tool_call\|>|<tool_call>)\s*(?=[\[{])/,...  -> content
    reasoning_content  "<|end_of_text|>"                                         -> the end of the message
                       "</think>" | "Here is my response:"                       -> content
                       /(?:<\|tool_call\|>|<tool_call>)\s*(?=[\[{])/             -> tool_calls, if the close never comes: all is held till then

What the compiler proved, and this module leans on:

    P1  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P2  Delimiters stand in a value's strings, too: from the first one on the text is held until the value ends, and
        where it turns out to be none, it ends before that one.
"""

from __future__ import annotations

from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = ("ibm-granite/granite-3.*",)
_ANCHOR = rt.Automaton(
    rt.seq("<|start_of_role|>assistant", rt.star(rt.one("[^<]")), "<|end_of_role|>"),
    r"<\|start_of_role\|>assistant[^<]*<\|end_of_role\|>",
)
_STOPS = rt.Words("<|end_of_text|>")
_CLOSES_REASONING_CONTENT = rt.Words("Here is my response:", "</think>")
_OPENS_TOOL_CALLS = rt.Automaton(
    rt.seq(rt.alt("<|tool_call|>", "<tool_call>"), rt.star(rt.one(r"\s")), rt.look(rt.one(r"[\[{]"))),
    r"(?:<\|tool_call\|>|<tool_call>)\s*(?=[\[{])",
)
_OPENS_REASONING_CONTENT = rt.Automaton(
    rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), rt.alt("Here is my thought process:", "<think>")),
    r"\A\s*(?:Here is my thought process:|<think>)",
)
_STRAYS = rt.Words("</response>", "<response>")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS)
_INSIDE_TOOL_CALLS = rt.Watch(_STOPS, _OPENS_TOOL_CALLS)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS, _STRAYS)


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

    # models  "ibm-granite/granite-3.*"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  /<\|start_of_role\|>assistant[^<]*<\|end_of_role\|>/
    # stop    "<|end_of_text|>"
    # stray   "<response>" | "</response>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_match(prefix, _ANCHOR)

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "<think>" | "Here is my thought process:" when start
    #     close "</think>" | "Here is my response:"
    #     ended by tool_calls unless closed
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_REASONING_CONTENT, text, at)  # P1
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
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, streams=("text", "", "both")
    )

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: json {
    #     open  /(?:<\|tool_call\|>|<tool_call>)\s*(?=[\[{])/
    #     close value-end
    #     extend
    #     tolerate [commas, escapes, newlines, double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments ?? content.
    #           parameters ?? {}}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        return self._read_value(rt.JsonBody, text, at, _INSIDE_TOOL_CALLS)  # P2

    def _close_tool_calls(self, body: str) -> object:
        items = rt.items(self._tolerate(rt.read_json, ("commas", "escapes", "newlines"), body))
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

    TOOL_CALLS = rt.State("tool_calls", _read_tool_calls, _close_tool_calls, dirty=True, bad="text", open_ended=True)

    # -- content -------------------------------------------------------------------------
    # field content: text joined "" {}

    def _read_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_CONTENT, text, at)  # P1
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _OPENS_REASONING_CONTENT:
            return self._open(self.REASONING_CONTENT, text, at, first.start, first.end)
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
