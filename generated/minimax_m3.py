# Code generated from grammars/minimax_m3.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:c203b56b4fdbebd0, runtime ABI 2
r"""Response parser for MiniMax-M3.

States, and what leaves them:

    content (start)    "[e~["                                                    -> the end of the message
                       /\A\s*(?:<mm:think>)/                                     -> reasoning_content
                       /(?:\]<\]minimax\[>\[\s*<tool_call>\s*)?\]<\]minimax...   -> tool_calls
                       /\]<\]minimax\[>\[\s*<\/tool_call>|\A(?:\s*<\/mm:thin...  -> content
    tool_calls         "[e~["                                                    -> the end of the message
                       /(?<=>)\s*\]<\]minimax\[>\[\s*<\/invoke>|\]<\]minimax...  -> content
    reasoning_content  "[e~["                                                    -> the end of the message
                       "</mm:think>"                                             -> content
                       /(?:\]<\]minimax\[>\[\s*<tool_call>\s*)?\]<\]minimax...   -> tool_calls, if the close never comes: all is held till then

What the compiler proved, and this module leans on:

    P1  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P2  The anchor cannot overlap itself: the last place where it stands is its last match.
"""

from __future__ import annotations

from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = ("MiniMaxAI/MiniMax-M3*",)
_TAG_TOOL_CALLS = rt.Automaton(
    rt.seq(
        "]<]minimax[>[",
        rt.star(rt.one(r"\s")),
        "<",
        rt.look("tool_call>", negative=True),
        rt.plus(rt.one('[^<>/\\s"]')),
        ">",
    ),
    '\\]<\\]minimax\\[>\\[\\s*<(?!tool_call>)(?P<key>[^<>/\\s"]+)>',
)
_STOPS = rt.Words("[e~[")
_CLOSES_REASONING_CONTENT = rt.Words("</mm:think>")
_OPENS_TOOL_CALLS = rt.Capturing(
    rt.seq(
        rt.opt(rt.seq("]<]minimax[>[", rt.star(rt.one(r"\s")), "<tool_call>", rt.star(rt.one(r"\s")))),
        "]<]minimax[>[",
        rt.star(rt.one(r"\s")),
        "<invoke name=",
        rt.opt(rt.one("[\"']")),
        rt.group("name", rt.plus(rt.one("[^\"'<>]"))),
        rt.opt(rt.one("[\"']")),
        ">",
    )
)
_CLOSES_TOOL_CALLS = rt.Automaton(
    rt.alt(
        rt.seq(rt.behind("(?<=>)"), rt.star(rt.one(r"\s")), "]<]minimax[>[", rt.star(rt.one(r"\s")), "</invoke>"),
        rt.seq(
            "]<]minimax[>[",
            rt.star(rt.one(r"\s")),
            "</invoke>",
            rt.look(rt.seq(rt.star(rt.one(r"\s")), "]<]minimax[>[", rt.star(rt.one(r"\s")), "<invoke name=")),
        ),
    ),
    r"(?<=>)\s*\]<\]minimax\[>\[\s*</invoke>|\]<\]minimax\[>\[\s*</invoke>(?=\s*\]<\]minimax\[>\[\s*<invoke name=)",
)
_OPENS_REASONING_CONTENT = rt.Automaton(
    rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<mm:think>"), r"\A\s*(?:<mm:think>)"
)
_STRAYS = rt.Automaton(
    rt.alt(
        rt.seq("]<]minimax[>[", rt.star(rt.one(r"\s")), "</tool_call>"),
        rt.seq(rt.behind("^"), rt.plus(rt.seq(rt.star(rt.one(r"\s")), "</mm:think>"))),
    ),
    r"\]<\]minimax\[>\[\s*</tool_call>|\A(?:\s*</mm:think>)+",
)
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS)
_LEAVES_TOOL_CALLS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS)
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

    COERCE = "elements"

    # models  "MiniMaxAI/MiniMax-M3*"
    # policy  blank skip, trim both, bad text, cut bad, exact, coerce elements
    # default role = "assistant"
    # anchor  "]~b]ai\n"
    # stop    "[e~["
    # stray   /\]<\]minimax\[>\[\s*<\/tool_call>|\A(?:\s*<\/mm:think>)+/

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "]~b]ai\n")  # P2

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "<mm:think>" when start
    #     close "</mm:think>"
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
    # field tool_calls[]: xml(pair /\]<\]minimax\[>\[\s*<(?!tool_call>)(?P<key>[^<>\/\s"]+)>/ "]<]minimax[>[</{key
    #           }>", value = text(strip = false), nested, merge_duplicates) {
    #     open  /(?:\]<\]minimax\[>\[\s*<tool_call>\s*)?\]<\]minimax\[>\[\s*<invoke name=["']?(?P<name>[^"'<>]+)["
    #           ']?>/
    #     close /(?<=>)\s*\]<\]minimax\[>\[\s*<\/invoke>|\]<\]minimax\[>\[\s*<\/invoke>(?=\s*\]<\]minimax\[>\[\s*<
    #           invoke name=)/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_TOOL_CALLS, text, at)  # P1
        if first.found is None:
            return self._wait_or_cut(text, at, first.start, _CLOSES_TOOL_CALLS, _STOPS)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls(self, body: str) -> object:
        content = rt.read_pairs(
            body, _TAG_TOOL_CALLS, ("]<]minimax[>[</", ">"), items="item", merge_duplicates=True, exact=True
        )
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": content}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS = rt.State("tool_calls", _read_tool_calls, _close_tool_calls, dirty=True, bad="text", cut="bad")

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
            return self._open(self.TOOL_CALLS, text, at, first.start, first.end, first.captures(text))
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
