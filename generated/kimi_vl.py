# Code generated from grammars/kimi_vl.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:f5f88f32766c87ac, runtime ABI 2
r"""Response parser for Kimi-VL Thinking.

States, and what leaves them:

    content (start)    "<|im_end|>" | "[EOS]"        -> the end of the message
                       /\A\s*(?:\u25c1think\u25b7)/  -> reasoning_content
                       "\u25c1/think\u25b7"          -> content
    reasoning_content  "<|im_end|>" | "[EOS]"        -> the end of the message
                       "\u25c1/think\u25b7"          -> content

What the compiler proved, and this module leans on:

    P1  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P2  The anchor cannot overlap itself: the last place where it stands is its last match.
"""

from __future__ import annotations

from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = ("moonshotai/Kimi-VL-*",)
_STOPS = rt.Words("<|im_end|>", "[EOS]")
_CLOSES_REASONING_CONTENT = rt.Words("\u25c1/think\u25b7")
_OPENS_REASONING_CONTENT = rt.Automaton(
    rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "\u25c1think\u25b7"), "\\A\\s*(?:\u25c1think\u25b7)"
)
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _CLOSES_REASONING_CONTENT)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.LookingBack):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    BEHIND = 1

    # models  "moonshotai/Kimi-VL-*"
    # policy  blank skip, trim both
    # default role = "assistant"
    # anchor  "<|im_assistant|>assistant<|im_middle|>"
    # stop    "<|im_end|>" | "[EOS]"
    # stray   "\u25c1/think\u25b7"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|im_assistant|>assistant<|im_middle|>")  # P2

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "\u25c1think\u25b7" when start
    #     close "\u25c1/think\u25b7"
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_REASONING_CONTENT, text, at)  # P1
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
