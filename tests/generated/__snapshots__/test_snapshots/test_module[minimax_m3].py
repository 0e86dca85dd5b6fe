# Code generated from grammars/minimax_m3.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:38598f5e4f591417, runtime ABI 1
r"""Response parser for MiniMax-M3.

States, and what leaves them:

    content (start)    "[e~["                                                    -> the end of the message
                       /\A\s*(?:<mm:think>)/                                     -> reasoning_content
                       /(?:\]<\]minimax\[>\[\s*<tool_call>\s*)?\]<\]minimax...   -> tool_calls
                       /\]<\]minimax\[>\[\s*<\/tool_call>|\A(?:\s*<\/mm:thin...  -> content
    tool_calls         "[e~["                                                    -> the end of the message
                       /(?<=>)\s*\]<\]minimax\[>\[\s*<\/invoke>(?=\s*(?:[\[...   -> content
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

rt.require_abi(1, __name__)

MODELS = ("MiniMaxAI/MiniMax-M3*",)
_TAG_TOOL_CALLS = rt.Automaton(
    rt.seq("]<]minimax[>[", rt.star(rt.one(r"\s")), "<", rt.plus(rt.one("[^<>/]")), ">"),
    r"\]<\]minimax\[>\[\s*<(?P<key>[^<>/]+)>",
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
        rt.seq(
            rt.behind("(?<=>)"),
            rt.star(rt.one(r"\s")),
            "]<]minimax[>[",
            rt.star(rt.one(r"\s")),
            "</invoke>",
            rt.look(rt.seq(rt.star(rt.one(r"\s")), rt.alt(rt.one(r"[\[\]]"), rt.end()))),
        ),
        rt.seq(
            "]<]minimax[>[",
            rt.star(rt.one(r"\s")),
            "</invoke>",
            rt.look(rt.seq(rt.star(rt.one(r"\s")), "]<]minimax[>[", rt.star(rt.one(r"\s")), "<invoke name=")),
        ),
    ),
    r"(?<=>)\s*\]<\]minimax\[>\[\s*</invoke>(?=\s*(?:[\[\]]|\Z))|\]<\]minimax\[>\[\s*</invoke>(?=\s*\]<\]minimax\[>\[\s*<invoke name=)",
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
    # field tool_calls[]: xml(pair /\]<\]minimax\[>\[\s*<(?P<key>[^<>\/]+)>/ "]<]minimax[>[</{key}>", value = text
    #           (strip = false), nested, merge_duplicates) {
    #     open  /(?:\]<\]minimax\[>\[\s*<tool_call>\s*)?\]<\]minimax\[>\[\s*<invoke name=["']?(?P<name>[^"'<>]+)["
    #           ']?>/
    #     close /(?<=>)\s*\]<\]minimax\[>\[\s*<\/invoke>(?=\s*(?:[\[\]]|\Z))|\]<\]minimax\[>\[\s*<\/invoke>(?=\s*\
    #           ]<\]minimax\[>\[\s*<invoke name=)/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
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
        first = rt.First(text)
        stops = first.weigh(self._near(_STOPS, text, at))
        opens_reasoning_content = first.weigh(self._near(_OPENS_REASONING_CONTENT, text, at))
        opens_tool_calls = first.weigh(self._near(_OPENS_TOOL_CALLS, text, at))
        first.weigh(self._near(_STRAYS, text, at))
        found = first.decided()  # P1
        if found is None:
            return self._wait(text, at, first.hold)
        if found is stops:
            return self._stop(text, at, found.start, found.end)

        if found is opens_reasoning_content:
            return self._open(self.REASONING_CONTENT, text, at, found.start, found.end)

        if found is opens_tool_calls:
            return self._open(self.TOOL_CALLS, text, at, found.start, found.end, found.captures(text))

        return self._stray(text, at, found.start, found.end)

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
