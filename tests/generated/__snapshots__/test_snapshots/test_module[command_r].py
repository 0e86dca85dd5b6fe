# Code generated from grammars/command_r.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:39b2263358412b0d, runtime ABI 2
r"""Response parser for Command R.

States, and what leaves them:

    content (start)  "<|END_OF_TURN_TOKEN|>" | "<EOS_TOKEN>"  -> the end of the message
                     /Action:\s*```json\s*(?=\[)/             -> tool_calls
    tool_calls       "<|END_OF_TURN_TOKEN|>" | "<EOS_TOKEN>"  -> the end of the message
                     "```"                                    -> content

What the compiler proved, and this module leans on:

    P1  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P2  The anchor cannot overlap itself: the last place where it stands is its last match.
    P3  Closers stand in strings too: from the first such one on the text is held until one counts, and where none
        does, it was the first.
"""

from __future__ import annotations

from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = (
    "Cohere*/c4ai-command-r-v01*",
    "Cohere*/c4ai-command-r-plus*",
    "Cohere*/c4ai-command-r-08-2024*",
)
_STOPS = rt.Words("<|END_OF_TURN_TOKEN|>", "<EOS_TOKEN>")
_CLOSES_TOOL_CALLS = rt.Words("```")
_OPENS_TOOL_CALLS = rt.Automaton(
    rt.seq("Action:", rt.star(rt.one(r"\s")), "```json", rt.star(rt.one(r"\s")), rt.look("[")),
    r"Action:\s*```json\s*(?=\[)",
)
_LEAVES_TOOL_CALLS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_TOOL_CALLS)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.Stream):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    COERCE = "exact"

    # models  "Cohere*/c4ai-command-r-v01*" | "Cohere*/c4ai-command-r-plus*" | "Cohere*/c4ai-command-r-08-2024*"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>"
    # stop    "<|END_OF_TURN_TOKEN|>" | "<EOS_TOKEN>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>")  # P2

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: json {
    #     open  /Action:\s*```json\s*(?=\[)/
    #     close "```"
    #     extend
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "function": {"name": content.tool_name, "arguments": content.parameters ?? {}
    #           }}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P3
        first = aware.nearest(self, text, at, _LEAVES_TOOL_CALLS)  # P1
        if first is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls(self, body: str) -> object:
        items = rt.items(self._tolerate(rt.read_json, ("commas", "escapes", "newlines", "trailing"), body))
        value = [
            {
                "type": "function",
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

    TOOL_CALLS = rt.State("tool_calls", _read_tool_calls, _close_tool_calls, dirty=True, bad="text", cut="complete")

    # -- content -------------------------------------------------------------------------
    # field content: text joined "" {}

    def _read_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_CONTENT, text, at)  # P1
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
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
