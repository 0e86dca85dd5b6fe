# Code generated from grammars/minimax_m2.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:228803d699c273df, runtime ABI 2
r"""Response parser for MiniMax-M2.

States, and what leaves them:

    content (start)      "[e~["                                                    -> the end of the message
                         /\A\s*(?:<think>)/                                        -> reasoning_content
                         /(?:<minimax:tool_call>|(?<=<\/invoke>)|(?<=<\/parame...  -> tool_calls as pairs
                         /(?:<minimax:tool_call>|(?<=<\/invoke>)|(?<=<\/parame...  -> tool_calls as bare
                         "</minimax:tool_call>"                                    -> content
    tool_calls as bare   "[e~["                                                    -> the end of the message
                         "</invoke>"                                               -> content
    tool_calls as pairs  "[e~["                                                    -> the end of the message
                         /(?<=<\/parameter>)\s*<\/invoke>(?=\s*(?:<\/minimax:t...  -> content
    reasoning_content    "[e~["                                                    -> the end of the message
                         "</think>"                                                -> content
                         /(?:<minimax:tool_call>|(?<=<\/invoke>)|(?<=<\/parame...  -> tool_calls as pairs, if the close never comes: all is hel...
                         /(?:<minimax:tool_call>|(?<=<\/invoke>)|(?<=<\/parame...  -> tool_calls as bare, if the close never comes: all is held...

What the compiler proved, and this module leans on:

    P1  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P2  The anchor cannot overlap itself: the last place where it stands is its last match.
    P3  Closers stand in strings too: from the first such one on the text is held until one counts, and where none
        does, it was the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = ("MiniMaxAI/MiniMax-M2*",)
_TAG_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq("<parameter name=", rt.opt(rt.one("[\"']")), rt.plus(rt.one("[^\"'>]")), rt.opt(rt.one("[\"']")), ">"),
    "<parameter name=[\"']?(?P<key>[^\"'>]+)[\"']?>",
)
_TAG2_TOOL_CALLS_PAIRS = re.compile("</parameter>")
_STOPS = rt.Words("[e~[")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq(
        rt.alt("<minimax:tool_call>", rt.behind("(?<=</invoke>)"), rt.behind("(?<=</parameter>)")),
        rt.star(rt.one(r"\s")),
        "<invoke name=",
        rt.opt(rt.one("[\"']")),
        rt.plus(rt.one("[^\"'>]")),
        rt.opt(rt.one("[\"']")),
        ">",
        rt.star(rt.one(r"\s")),
        rt.look(rt.alt(rt.one(r"\s"), "</invoke>"), negative=True),
    ),
    "(?:<minimax:tool_call>|(?<=</invoke>)|(?<=</parameter>))\\s*<invoke name=[\"']?(?P<name>[^\"'>]+)[\"']?>\\s*(?!\\s|</invoke>)",
)
_OPENS_TOOL_CALLS_BARE = rt.Automaton(
    rt.seq(
        rt.alt("<minimax:tool_call>", rt.behind("(?<=</invoke>)"), rt.behind("(?<=</parameter>)")),
        rt.star(rt.one(r"\s")),
        "<invoke name=",
        rt.opt(rt.one("[\"']")),
        rt.plus(rt.one("[^\"'>]")),
        rt.opt(rt.one("[\"']")),
        ">",
        rt.star(rt.one(r"\s")),
        rt.look("</invoke>"),
    ),
    "(?:<minimax:tool_call>|(?<=</invoke>)|(?<=</parameter>))\\s*<invoke name=[\"']?(?P<name>[^\"'>]+)[\"']?>\\s*(?=</invoke>)",
)
_CLOSES_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.alt(
        rt.seq(
            rt.behind("(?<=</parameter>)"),
            rt.star(rt.one(r"\s")),
            "</invoke>",
            rt.look(
                rt.seq(
                    rt.star(rt.one(r"\s")),
                    rt.alt(
                        rt.seq(
                            "</minimax:tool_call>",
                            rt.look(rt.seq(rt.star(rt.one(r"\s")), "</parameter>"), negative=True),
                        ),
                        "[e~[",
                        rt.end(),
                    ),
                )
            ),
        ),
        rt.seq("</invoke>", rt.look(rt.seq(rt.star(rt.one(r"\s")), "<invoke"))),
        rt.seq(rt.behind("(?<=</parameter>)"), rt.look(rt.seq(rt.star(rt.one(r"\s")), "\n<invoke"))),
    ),
    r"(?<=</parameter>)\s*</invoke>(?=\s*(?:</minimax:tool_call>(?!\s*</parameter>)|\[e~\[|\Z))|</invoke>(?=\s*<invoke)|(?<=</parameter>)(?=\s*\n<invoke)",
)
_CLOSES_TOOL_CALLS_BARE = rt.Words("</invoke>")
_OPENS_REASONING_CONTENT = rt.Automaton(rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<think>"), r"\A\s*(?:<think>)")
_STRAYS = rt.Words("</minimax:tool_call>")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE)
_LEAVES_TOOL_CALLS_PAIRS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_PAIRS)
_OPENS_BEHIND_TOOL_CALLS_PAIRS = rt.Watch(_OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE)
_LEAVES_TOOL_CALLS_BARE = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_BARE)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE, _STRAYS)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.LookingBack):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    BEHIND = 12

    COERCE = "exact"

    # models  "MiniMaxAI/MiniMax-M2*"
    # policy  blank skip, trim both, bad text, cut bad, aware, exact, coerce exact
    # default role = "assistant"
    # anchor  "]~b]ai\n"
    # stop    "[e~["
    # stray   "</minimax:tool_call>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "]~b]ai\n")  # P2

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "<think>" when start
    #     close "</think>"
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

    # -- tool_calls as pairs -------------------------------------------------------------
    # field tool_calls[] as pairs: xml(pair /<parameter name=["']?(?P<key>[^"'>]+)["']?>/ "</parameter>", value =
    #           text(strip = false)) {
    #     open  /(?:<minimax:tool_call>|(?<=<\/invoke>)|(?<=<\/parameter>))\s*<invoke name=["']?(?P<name>[^"'>]+)[
    #           "']?>\s*(?!\s|<\/invoke>)/
    #     close /(?<=<\/parameter>)\s*<\/invoke>(?=\s*(?:<\/minimax:tool_call>(?!\s*<\/parameter>)|\[e~\[|\Z))|<\/
    #           invoke>(?=\s*<invoke)|(?<=<\/parameter>)(?=\s*\n<invoke)/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_pairs(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS_PAIRS, ("</parameter>",)))  # P3
        first = aware.nearest(self, text, at, _LEAVES_TOOL_CALLS_PAIRS, _OPENS_BEHIND_TOOL_CALLS_PAIRS)  # P1
        if first is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS_PAIRS)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_pairs(self, body: str) -> object:
        content = rt.read_pairs(body, _TAG_TOOL_CALLS_PAIRS, _TAG2_TOOL_CALLS_PAIRS, exact=True)
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": content}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_PAIRS = rt.State(
        "tool_calls",
        _read_tool_calls_pairs,
        _close_tool_calls_pairs,
        label="pairs",
        dirty=True,
        bad="text",
        cut="bad",
        streams=("name", "name", ""),
    )

    # -- tool_calls as bare --------------------------------------------------------------
    # field tool_calls[] as bare: text {
    #     open  /(?:<minimax:tool_call>|(?<=<\/invoke>)|(?<=<\/parameter>))\s*<invoke name=["']?(?P<name>[^"'>]+)[
    #           "']?>\s*(?=<\/invoke>)/
    #     close "</invoke>"
    #     emit  {"type": "function", "function": {"name": name, "arguments": {}}}
    # }

    def _read_tool_calls_bare(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_TOOL_CALLS_BARE, text, at)  # P1
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_bare(self, body: str) -> object:
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": {}}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_BARE = rt.State("tool_calls", _read_tool_calls_bare, _close_tool_calls_bare, label="bare", bad="text")

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
        if first.found is _OPENS_TOOL_CALLS_PAIRS:
            return self._open(self.TOOL_CALLS_PAIRS, text, at, first.start, first.end, first.captures(text))
        if first.found is _OPENS_TOOL_CALLS_BARE:
            return self._open(self.TOOL_CALLS_BARE, text, at, first.start, first.end, first.captures(text))
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
