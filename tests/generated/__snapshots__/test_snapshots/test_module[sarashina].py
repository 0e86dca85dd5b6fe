# Code generated from grammars/sarashina.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:5e6ad6b58c751caa, runtime ABI 2
r"""Response parser for Sarashina.

States, and what leaves them:

    content (start)       "</s>"                                     -> the end of the message
                          /<\|tool_calls\|>\s*(?=[\[{])/             -> tool_calls as marked
                          /\A\s*(?:(?=\[\s*\{\s*['"]name['"]\s*:))/  -> tool_calls as bare
    tool_calls as bare    "</s>"                                     -> the end of the message
    tool_calls as marked  "</s>"                                     -> the end of the message
                          /(?<=[\]}])(?=\s*[^\s,\]}])/               -> content

What the compiler proved, and this module leans on:

    P1  Every delimiter of a state begins with the state's lead and has it nowhere else: text without it is plain,
        and a delimiter that has begun begins at the last one.
    P2  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P3  The anchor cannot overlap itself: the last place where it stands is its last match.
    P4  Closers stand in strings too: from the first such one on the text is held until one counts, and where none
        does, it was the first.
"""

from __future__ import annotations

from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = ("sbintuitions/sarashina*",)
_STOPS = rt.Words("</s>")
_CLOSES_TOOL_CALLS_MARKED = rt.Automaton(
    rt.seq(rt.behind(r"(?<=[\]}])"), rt.look(rt.seq(rt.star(rt.one(r"\s")), rt.one(r"[^\s,\]}]")))),
    r"(?<=[\]}])(?=\s*[^\s,\]}])",
)
_OPENS_TOOL_CALLS_MARKED = rt.Automaton(
    rt.seq("<|tool_calls|>", rt.star(rt.one(r"\s")), rt.look(rt.one(r"[\[{]"))), r"<\|tool_calls\|>\s*(?=[\[{])"
)
_OPENS_TOOL_CALLS_BARE = rt.Automaton(
    rt.seq(
        rt.behind("^"),
        rt.star(rt.one(r"\s")),
        rt.look(
            rt.seq(
                "[",
                rt.star(rt.one(r"\s")),
                "{",
                rt.star(rt.one(r"\s")),
                rt.one("['\"]"),
                "name",
                rt.one("['\"]"),
                rt.star(rt.one(r"\s")),
                ":",
            )
        ),
    ),
    "\\A\\s*(?:(?=\\[\\s*\\{\\s*['\"]name['\"]\\s*:))",
)
_LEAVES_TOOL_CALLS_MARKED = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_MARKED)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_TOOL_CALLS_MARKED, _OPENS_TOOL_CALLS_BARE)


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

    # models  "sbintuitions/sarashina*"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "<|assistant|>"
    # stop    "</s>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|assistant|>")  # P3

    # -- tool_calls as marked ------------------------------------------------------------
    # field tool_calls[] as marked: python {
    #     open  /<\|tool_calls\|>\s*(?=[\[{])/
    #     close /(?<=[\]}])(?=\s*[^\s,\]}])/
    #     extend
    #     tolerate [newlines, trailing]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments ?? {}}}
    # }

    def _read_tool_calls_marked(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.QuotedBody(newlines=True))  # P4
        first = aware.nearest(self, text, at, _LEAVES_TOOL_CALLS_MARKED)  # P2
        if first is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS_MARKED)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_marked(self, body: str) -> object:
        items = rt.items(self._tolerate(rt.read_python, ("newlines", "trailing"), body))
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
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).extend(value)
        return value

    TOOL_CALLS_MARKED = rt.State(
        "tool_calls",
        _read_tool_calls_marked,
        _close_tool_calls_marked,
        label="marked",
        dirty=True,
        bad="text",
        cut="complete",
    )

    # -- tool_calls as bare --------------------------------------------------------------
    # field tool_calls[] as bare: python {
    #     open  /(?=\[\s*\{\s*['"]name['"]\s*:)/ when start
    #     extend
    #     tolerate [newlines, trailing]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments ?? {}}}
    # }

    def _read_tool_calls_bare(self, text: str, at: int) -> int:
        start = text.find("</s>", at)
        if start < 0:
            begun = text.rfind("<", at)  # P1
            if begun >= 0 and "</s>".startswith(text[begun:]):
                return self._wait(text, at, begun)
            return self._pass(text, at)
        return self._stop(text, at, start, start + 4)

    def _close_tool_calls_bare(self, body: str) -> object:
        items = rt.items(self._tolerate(rt.read_python, ("newlines", "trailing"), body))
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
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).extend(value)
        return value

    TOOL_CALLS_BARE = rt.State(
        "tool_calls",
        _read_tool_calls_bare,
        _close_tool_calls_bare,
        label="bare",
        dirty=True,
        bad="text",
        open_ended=True,
    )

    # -- content -------------------------------------------------------------------------
    # field content: text joined "" {}

    def _read_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_CONTENT, text, at)  # P2
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_MARKED:
            return self._open(self.TOOL_CALLS_MARKED, text, at, first.start, first.end)
        return self._open(self.TOOL_CALLS_BARE, text, at, first.start, first.end)

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
