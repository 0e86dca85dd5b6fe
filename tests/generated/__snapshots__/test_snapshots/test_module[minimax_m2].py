# Code generated from grammars/minimax_m2.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:ee958722591e7729, runtime ABI 2
r"""Response parser for MiniMax-M2.

States, and what leaves them:

    content (start)    "[e~["                                                    -> the end of the message
                       /\A\s*(?:<think>)/                                        -> reasoning_content
                       /<minimax:tool_call>\s*<invoke name=["']?(?P<name>[^"...  -> tool_calls
                       "</minimax:tool_call>"                                    -> content
    behind tool_calls  /\s*(?:<invoke name=["']?(?P<name>[^"'>]+)["']?>)/        -> tool_calls
                       anything else                                             -> as outside of regions
    tool_calls         "[e~["                                                    -> the end of the message
                       /<\/invoke>(?!\s*(?:<\/minimax:tool_call>\s*)?<\/para...  -> behind tool_calls
    reasoning_content  "[e~["                                                    -> the end of the message
                       "</think>"                                                -> content
                       /<minimax:tool_call>\s*<invoke name=["']?(?P<name>[^"...  -> tool_calls, if the close never comes: all is held till then

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
_TAG_TOOL_CALLS = rt.Automaton(
    rt.seq("<parameter name=", rt.opt(rt.one("[\"']")), rt.plus(rt.one("[^\"'>]")), rt.opt(rt.one("[\"']")), ">"),
    "<parameter name=[\"']?(?P<key>[^\"'>]+)[\"']?>",
)
_TAG2_TOOL_CALLS = re.compile("</parameter>")
_STOPS = rt.Words("[e~[")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS = rt.Automaton(
    rt.seq(
        "<minimax:tool_call>",
        rt.star(rt.one(r"\s")),
        "<invoke name=",
        rt.opt(rt.one("[\"']")),
        rt.plus(rt.one("[^\"'>]")),
        rt.opt(rt.one("[\"']")),
        ">",
    ),
    "<minimax:tool_call>\\s*<invoke name=[\"']?(?P<name>[^\"'>]+)[\"']?>",
)
_CLOSES_TOOL_CALLS = rt.Automaton(
    rt.alt(
        rt.seq(
            "</invoke>",
            rt.look(
                rt.seq(
                    rt.star(rt.one(r"\s")),
                    rt.opt(rt.seq("</minimax:tool_call>", rt.star(rt.one(r"\s")))),
                    "</parameter>",
                ),
                negative=True,
            ),
        ),
        rt.seq(
            rt.behind("(?<=</parameter>)"),
            rt.look(
                rt.seq(
                    rt.star(rt.one(r"\s")),
                    "<invoke name=",
                    rt.star(rt.one("[^>]")),
                    ">",
                    rt.star(rt.one(r"\s")),
                    "<parameter",
                )
            ),
        ),
    ),
    r"</invoke>(?!\s*(?:</minimax:tool_call>\s*)?</parameter>)|(?<=</parameter>)(?=\s*<invoke name=[^>]*>\s*<parameter)",
)
_OPENS_TOOL_CALLS_2 = rt.Automaton(
    rt.seq(
        rt.star(rt.one(r"\s")),
        "<invoke name=",
        rt.opt(rt.one("[\"']")),
        rt.plus(rt.one("[^\"'>]")),
        rt.opt(rt.one("[\"']")),
        ">",
    ),
    "\\s*(?:<invoke name=[\"']?(?P<name>[^\"'>]+)[\"']?>)",
)
_OPENS_REASONING_CONTENT = rt.Automaton(rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<think>"), r"\A\s*(?:<think>)")
_STRAYS = rt.Words("</minimax:tool_call>")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS)
_LEAVES_TOOL_CALLS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS)
_OPENS_BEHIND_TOOL_CALLS = rt.Watch(_OPENS_TOOL_CALLS)
_LATER_TOOL_CALLS = rt.Watch(_OPENS_TOOL_CALLS_2)
_LEAVES_BEHIND_TOOL_CALLS = rt.Watch(_OPENS_TOOL_CALLS_2)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS, _STRAYS)


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

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: xml(pair /<parameter name=["']?(?P<key>[^"'>]+)["']?>/ "</parameter>", value = text(stri
    #           p = false)) {
    #     open  /<minimax:tool_call>\s*<invoke name=["']?(?P<name>[^"'>]+)["']?>/
    #     open  /<invoke name=["']?(?P<name>[^"'>]+)["']?>/ when after tool_calls
    #     close /<\/invoke>(?!\s*(?:<\/minimax:tool_call>\s*)?<\/parameter>)|(?<=<\/parameter>)(?=\s*<invoke name=
    #           [^>]*>\s*<parameter)/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS, ("</parameter>",)))  # P3
        first = aware.nearest(
            self, text, at, _LEAVES_TOOL_CALLS, _OPENS_BEHIND_TOOL_CALLS, later=_LATER_TOOL_CALLS
        )  # P1
        if first is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end, self.BEHIND_TOOL_CALLS)

    def _close_tool_calls(self, body: str) -> object:
        content = rt.read_pairs(body, _TAG_TOOL_CALLS, _TAG2_TOOL_CALLS, exact=True)
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": content}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS = rt.State(
        "tool_calls",
        _read_tool_calls,
        _close_tool_calls,
        dirty=True,
        bad="text",
        cut="bad",
        streams=("name", "name", ""),
    )

    # -- behind tool_calls ---------------------------------------------------------------

    def _read_behind_tool_calls(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_BEHIND_TOOL_CALLS, text, at)
        if self._goes_on(first, text, at):
            return at
        if first.found is None:
            return self._wait(text, at, at)
        return self._open(self.TOOL_CALLS, text, at, first.start, first.end, first.captures(text))

    BEHIND_TOOL_CALLS = rt.State("behind tool_calls", _read_behind_tool_calls, is_behind=True)

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
