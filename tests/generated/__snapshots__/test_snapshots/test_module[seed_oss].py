# Code generated from grammars/seed_oss.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:fa3f7e37692c3717, runtime ABI 2
r"""Response parser for Seed-OSS.

States, and what leaves them:

    content (start)    "<seed:eos>"                                              -> the end of the message
                       /\A\s*(?:<seed:think>)/                                   -> reasoning_content
                       /<seed:tool_call>\s*<function=(?P<name>[^<>\n]+)>/        -> tool_calls
                       "</seed:think>"                                           -> content
    tool_calls         "<seed:eos>"                                              -> the end of the message
                       /(?:<\/function>|(?<=<\/parameter>))\s*(?:<\/seed:too...  -> content
    reasoning_content  "<seed:eos>"                                              -> the end of the message
                       "</seed:think>"                                           -> content
                       /<seed:tool_call>\s*<function=(?P<name>[^<>\n]+)>/        -> tool_calls, if the close never comes: all is held till then

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

MODELS = ("ByteDance-Seed/Seed-OSS-*",)
_TAG_TOOL_CALLS = rt.Automaton(rt.seq("<parameter=", rt.plus(rt.one(r"[^>\n]")), ">"), r"<parameter=(?P<key>[^>\n]+)>")
_TAG2_TOOL_CALLS = re.compile("</parameter>")
_STOPS = rt.Words("<seed:eos>")
_CLOSES_REASONING_CONTENT = rt.Words("</seed:think>")
_OPENS_TOOL_CALLS = rt.Automaton(
    rt.seq("<seed:tool_call>", rt.star(rt.one(r"\s")), "<function=", rt.plus(rt.one(r"[^<>\n]")), ">"),
    r"<seed:tool_call>\s*<function=(?P<name>[^<>\n]+)>",
)
_CLOSES_TOOL_CALLS = rt.Automaton(
    rt.alt(
        rt.seq(
            rt.alt("</function>", rt.behind("(?<=</parameter>)")),
            rt.star(rt.one(r"\s")),
            rt.alt(
                rt.seq("</seed:tool_call>", rt.look(rt.seq(rt.star(rt.one(r"\s")), "</parameter>"), negative=True)),
                rt.look("<seed:tool_call>"),
            ),
        ),
        rt.seq("</function>", rt.star(rt.one(r"\s")), rt.alt(rt.end(), rt.look("<seed:eos>"))),
    ),
    r"(?:</function>|(?<=</parameter>))\s*(?:</seed:tool_call>(?!\s*</parameter>)|(?=<seed:tool_call>))|</function>\s*(?:\Z|(?=<seed:eos>))",
)
_OPENS_REASONING_CONTENT = rt.Automaton(
    rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<seed:think>"), r"\A\s*(?:<seed:think>)"
)
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS)
_LEAVES_TOOL_CALLS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS)
_OPENS_BEHIND_TOOL_CALLS = rt.Watch(_OPENS_TOOL_CALLS)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS, _CLOSES_REASONING_CONTENT)


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

    # models  "ByteDance-Seed/Seed-OSS-*"
    # policy  blank skip, trim both, bad text, cut bad, aware, exact, coerce exact
    # default role = "assistant"
    # anchor  "<seed:bos>assistant\n"
    # stop    "<seed:eos>"
    # stray   "</seed:think>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<seed:bos>assistant\n")  # P2

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "<seed:think>" when start
    #     close "</seed:think>"
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
    # field tool_calls[]: xml(pair /<parameter=(?P<key>[^>\n]+)>/ "</parameter>", value = text(strip = false)) {
    #     open  /<seed:tool_call>\s*<function=(?P<name>[^<>\n]+)>/
    #     close /(?:<\/function>|(?<=<\/parameter>))\s*(?:<\/seed:tool_call>(?!\s*<\/parameter>)|(?=<seed:tool_cal
    #           l>))|<\/function>\s*(?:\Z|(?=<seed:eos>))/
    #     tolerate [trailing]
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS, ("</parameter>",)))  # P3
        first = aware.nearest(self, text, at, _LEAVES_TOOL_CALLS, _OPENS_BEHIND_TOOL_CALLS)  # P1
        if first is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls(self, body: str) -> object:
        content = self._tolerate(
            rt.read_pairs,
            self._if_closed(
                "trailing",
            ),
            body,
            _TAG_TOOL_CALLS,
            _TAG2_TOOL_CALLS,
            exact=True,
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
        dirty=True,
        bad="text",
        cut="bad",
        streams=("name", "name", ""),
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
