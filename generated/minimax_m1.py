# Code generated from grammars/minimax_m1.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:7865dfe57573c774, runtime ABI 1
r"""Response parser for MiniMax-M1.

States, and what leaves them:

    content (start)    "<end_of_sentence>"         -> the end of the message
                       /\A\s*(?:<think>)/          -> reasoning_content
                       /<tool_calls>(?=\s*\{)/     -> tool_calls
    tool_calls         "<end_of_sentence>"         -> the end of the message
                       /(?<=\})\s*<\/tool_calls>/  -> content
    reasoning_content  "<end_of_sentence>"         -> the end of the message
                       "</think>"                  -> content
                       /<tool_calls>(?=\s*\{)/     -> tool_calls, if the close never comes: all is held till then

What the compiler proved, and this module leans on:

    P1  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P2  The anchor cannot overlap itself: the last place where it stands is its last match.
"""

from __future__ import annotations

from collections.abc import Iterable

import runtime as rt

rt.require_abi(1, __name__)

MODELS = ("MiniMaxAI/MiniMax-M1-*",)
_STOPS = rt.Words("<end_of_sentence>")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS = rt.Automaton(
    rt.seq("<tool_calls>", rt.look(rt.seq(rt.star(rt.one(r"\s")), "{"))), r"<tool_calls>(?=\s*\{)"
)
_CLOSES_TOOL_CALLS = rt.Automaton(
    rt.seq(rt.behind(r"(?<=\})"), rt.star(rt.one(r"\s")), "</tool_calls>"), r"(?<=\})\s*</tool_calls>"
)
_OPENS_REASONING_CONTENT = rt.Automaton(rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<think>"), r"\A\s*(?:<think>)")


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

    # models  "MiniMaxAI/MiniMax-M1-*"
    # policy  blank skip, trim both, bad text, cut complete, coerce exact
    # default role = "assistant"
    # anchor  "<beginning_of_sentence>ai name=MiniMax AI\n"
    # stop    "<end_of_sentence>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<beginning_of_sentence>ai name=MiniMax AI\n")  # P2

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "<think>" when start
    #     close "</think>"
    #     ended by tool_calls unless closed
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        first, opener = rt.First(text), rt.First(text)
        stops = first.weigh(self._near(_STOPS, text, at))
        closes_reasoning_content = first.weigh(self._near(_CLOSES_REASONING_CONTENT, text, at))
        opener.weigh(self._near(_OPENS_TOOL_CALLS, text, at))
        found, ends = first.decided(), opener.decided()  # P1
        if found is None or found is not closes_reasoning_content:
            if not self._ended and (found is None or (ends is None and opener.begun < found.start)):
                return self._wait(text, at, min(first.hold, opener.begun))
            if ends is not None and (found is None or ends.start < found.start):
                return self._close(text, at, ends.start, ends.start)
            if found is None:
                return self._wait(text, at, len(text))
        if found is stops:
            return self._stop(text, at, found.start, found.end)

        return self._close(text, at, found.start, found.end)

    def _close_reasoning_content(self, body: str) -> str:
        value = body.strip()
        self._message["reasoning_content"] = value
        return value

    REASONING_CONTENT = rt.State(
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, streams=("text", "", "both")
    )

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: json-lines {
    #     open  /<tool_calls>(?=\s*\{)/
    #     close /(?<=\})\s*<\/tool_calls>/
    #     extend
    #     tolerate [double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments ?? {}}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        first = rt.First(text)
        stops = first.weigh(self._near(_STOPS, text, at))
        first.weigh(self._near(_CLOSES_TOOL_CALLS, text, at))
        found = first.decided()  # P1
        if found is None:
            return self._wait_or_cut(text, at, first.hold, _CLOSES_TOOL_CALLS, _STOPS)
        if found is stops:
            return self._stop(text, at, found.start, found.end)

        return self._close(text, at, found.start, found.end)

    def _close_tool_calls(self, body: str) -> object:
        items = rt.items(rt.read_json_lines(body))
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

    TOOL_CALLS = rt.State("tool_calls", _read_tool_calls, _close_tool_calls, dirty=True, bad="text", cut="complete")

    # -- content -------------------------------------------------------------------------
    # field content: text joined "" {}

    def _read_content(self, text: str, at: int) -> int:
        first = rt.First(text)
        stops = first.weigh(self._near(_STOPS, text, at))
        opens_reasoning_content = first.weigh(self._near(_OPENS_REASONING_CONTENT, text, at))
        first.weigh(self._near(_OPENS_TOOL_CALLS, text, at))
        found = first.decided()  # P1
        if found is None:
            return self._wait(text, at, first.hold)
        if found is stops:
            return self._stop(text, at, found.start, found.end)

        if found is opens_reasoning_content:
            return self._open(self.REASONING_CONTENT, text, at, found.start, found.end)

        return self._open(self.TOOL_CALLS, text, at, found.start, found.end)

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
