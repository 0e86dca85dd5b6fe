# Code generated from grammars/beam.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:88e7b9ab5958aabd, runtime ABI 2
r"""Response parser for Beam.

States, and what leaves them:

    outside (start)    "<|return|>" | "<|endoftext|>"                            -> the end of the message
                       /<\|channel\|>(?:commentary\s*<\|message\|>|final(?:...   -> content
                       /<\|channel\|>analysis\s*<\|message\|>/                   -> reasoning_content
                       /(?:<\|channel\|>(?:analysis|commentary))?\s*to=(?:fu...  -> tool_calls
    tool_calls         "<|endoftext|>" | "<|return|>"                            -> the end of the message
                       "<|call|>" | "<|end|>" | "<|start|>assistant"             -> outside
                       before "<|channel|>"                                      -> outside
    content            "<|endoftext|>" | "<|return|>"                            -> the end of the message
                       "<|end|>" | "<|start|>assistant"                          -> outside
                       before "<|channel|>"                                      -> outside
    reasoning_content  "<|endoftext|>" | "<|return|>"                            -> the end of the message
                       "<|end|>" | "<|start|>assistant"                          -> outside
                       before "<|channel|>"                                      -> outside

What the compiler proved, and this module leans on:

    P1  No delimiter of a state begins with another one: a complete one is final the moment it is seen.
    P2  Every delimiter of a state begins with the state's lead and has it nowhere else: text without it is plain,
        and a delimiter that has begun begins at the last one.
    P3  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P4  The anchor cannot overlap itself: the last place where it stands is its last match.
    P5  Closers stand in strings too: from the first such one on the text is held until one counts, and where none
        does, it was the first.
"""

from __future__ import annotations

from collections.abc import Iterable

import regex

import runtime as rt

rt.require_abi(2, __name__)

_TAG_TOOL_CALLS = rt.Automaton(
    rt.seq(
        "<rfl:parameter", rt.plus(rt.one(r"\s")), 'name="', rt.plus(rt.one('[^"]')), '"', rt.star(rt.one(r"\s")), ">"
    ),
    '<rfl:parameter\\s+name="(?P<key>[^"]+)"\\s*>',
)
_TAG2_TOOL_CALLS = regex.compile('</rfl:parameter>|(?<!>)(?=\\n<rfl:parameter\\s+name="[^"]+"\\s*>\\n)', regex.DOTALL)
_STOPS = rt.Words("<|endoftext|>", "<|return|>")
_OPENS_CONTENT = rt.Automaton(
    rt.seq(
        "<|channel|>",
        rt.alt(
            rt.seq("commentary", rt.star(rt.one(r"\s")), "<|message|>"),
            rt.seq(
                "final",
                rt.opt(
                    rt.seq(
                        rt.star(rt.one(r"\s")),
                        rt.opt("<|constrain|>"),
                        rt.star(rt.one(r"\s")),
                        rt.star(rt.one(r"\w")),
                        rt.star(rt.one(r"\s")),
                        "<|message|>",
                    )
                ),
            ),
        ),
    ),
    r"<\|channel\|>(?:commentary\s*<\|message\|>|final(?:\s*(?:<\|constrain\|>)?\s*\w*\s*<\|message\|>)?)",
)
_OPENS_REASONING_CONTENT = rt.Automaton(
    rt.seq("<|channel|>analysis", rt.star(rt.one(r"\s")), "<|message|>"), r"<\|channel\|>analysis\s*<\|message\|>"
)
_OPENS_TOOL_CALLS = rt.Automaton(
    rt.seq(
        rt.opt(rt.seq("<|channel|>", rt.alt("analysis", "commentary"))),
        rt.star(rt.one(r"\s")),
        "to=",
        rt.opt("functions."),
        rt.plus(rt.one(r"[^\s<]")),
        rt.star(rt.one(r"\s")),
        rt.opt(rt.seq("<|channel|>", rt.alt("analysis", "commentary"), rt.star(rt.one(r"\s")))),
        rt.opt(rt.seq("<|constrain|>", rt.star(rt.one(r"\s")))),
        rt.opt("xml"),
        rt.star(rt.one(r"\s")),
        "<|message|>",
    ),
    r"(?:<\|channel\|>(?:analysis|commentary))?\s*to=(?:functions\.)?(?P<name>[^\s<]+)\s*(?:<\|channel\|>(?:analysis|commentary)\s*)?(?:<\|constrain\|>\s*)?(?:xml)?\s*<\|message\|>",
)
_LEAVES_REASONING_CONTENT = rt.AnyOf("<|endoftext|>", "<|return|>", "<|end|>", "<|start|>assistant", "<|channel|>")
_LEAVES_CONTENT = rt.AnyOf("<|endoftext|>", "<|return|>", "<|end|>", "<|start|>assistant", "<|channel|>")
_LEAVES_OUTSIDE = rt.Watch(_STOPS, _OPENS_CONTENT, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.Stream):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    COERCE = "exact"

    # policy  trim both, bad drop, cut bad, aware, exact, coerce exact
    # default role = "assistant"
    # anchor  "<|start|>assistant"
    # stop    "<|return|>" | "<|endoftext|>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|start|>assistant")  # P4

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text joined "\n" {
    #     open  /<\|channel\|>analysis\s*<\|message\|>/
    #     close /<\|end\|>|<\|start\|>assistant|(?=<\|channel\|>)/
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        found = _LEAVES_REASONING_CONTENT.search(text, at)
        if found is None:
            begun = text.rfind("<", at)  # P2
            if begun >= 0 and text[begun:] in _LEAVES_REASONING_CONTENT.begun:
                return self._wait(text, at, begun)
            return self._pass(text, at)
        start, end = found.span()  # P1
        word = found[0]
        if word in ("<|endoftext|>", "<|return|>"):
            return self._stop(text, at, start, end)
        if word in ("<|end|>", "<|start|>assistant"):
            return self._close(text, at, start, end)
        return self._close(text, at, start, start)

    def _close_reasoning_content(self, body: str) -> str:
        value = body
        self._message.setdefault("reasoning_content", []).append(value)  # joined in _join
        return value

    REASONING_CONTENT = rt.State(
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, lead="<", streams=("text", "\n", "both")
    )  # P2

    # -- content -------------------------------------------------------------------------
    # field content: text joined "\n\n" {
    #     open  /<\|channel\|>(?:commentary\s*<\|message\|>|final(?:\s*(?:<\|constrain\|>)?\s*\w*\s*<\|message\|>)
    #           ?)/
    #     close /<\|end\|>|<\|start\|>assistant|(?=<\|channel\|>)/
    # }

    def _read_content(self, text: str, at: int) -> int:
        found = _LEAVES_CONTENT.search(text, at)
        if found is None:
            begun = text.rfind("<", at)  # P2
            if begun >= 0 and text[begun:] in _LEAVES_CONTENT.begun:
                return self._wait(text, at, begun)
            return self._pass(text, at)
        start, end = found.span()  # P1
        word = found[0]
        if word in ("<|endoftext|>", "<|return|>"):
            return self._stop(text, at, start, end)
        if word in ("<|end|>", "<|start|>assistant"):
            return self._close(text, at, start, end)
        return self._close(text, at, start, start)

    def _close_content(self, body: str) -> str:
        value = body
        self._message.setdefault("content", []).append(value)  # joined in _join
        return value

    CONTENT = rt.State("content", _read_content, _close_content, lead="<", streams=("text", "\n\n", "both"))  # P2

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: xml(pair /<rfl:parameter\s+name="(?P<key>[^"]+)"\s*>/ /<\/rfl:parameter>|(?<!>)(?=\n<rfl
    #           :parameter\s+name="[^"]+"\s*>\n)/, value = text(strip = false), trim = newline) {
    #     open  /(?:<\|channel\|>(?:analysis|commentary))?\s*to=(?:functions\.)?(?P<name>[^\s<]+)\s*(?:<\|channel\
    #           |>(?:analysis|commentary)\s*)?(?:<\|constrain\|>\s*)?(?:xml)?\s*<\|message\|>/
    #     close /<\|call\|>|<\|end\|>|<\|start\|>assistant|(?=<\|channel\|>)/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS, ("</rfl:parameter>",)))  # P5
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|endoftext|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 13)
            if text.startswith("<|return|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 10)
            if text.startswith("<|call|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 8)
            if text.startswith("<|end|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 7)
            if text.startswith("<|start|>assistant", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 18)
            if text.startswith("<|channel|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start)
            if text.startswith("<|channel|>", start) and aware.gives_up(self, text, at, start):
                return at
            if text.startswith("<|channel|>analysis", start) and aware.gives_up(self, text, at, start):
                return at
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<|endoftext|>".startswith(tail)
                or "<|return|>".startswith(tail)
                or "<|call|>".startswith(tail)
                or "<|end|>".startswith(tail)
                or "<|start|>assistant".startswith(tail)
                or "<|channel|>".startswith(tail)
                or "<|channel|>".startswith(tail)
                or "<|channel|>analysis".startswith(tail)
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls(self, body: str) -> object:
        content = rt.read_pairs(body, _TAG_TOOL_CALLS, _TAG2_TOOL_CALLS, value=rt.without_newlines, exact=True)
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": content}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS = rt.State(
        "tool_calls",
        _read_tool_calls,
        _close_tool_calls,
        lead="<",
        dirty=True,
        bad="drop",
        cut="bad",
        streams=("name", "name", ""),
    )

    # -- outside -------------------------------------------------------------------------

    def _read_outside(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_OUTSIDE, text, at)  # P3
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _OPENS_CONTENT:
            return self._open(self.CONTENT, text, at, first.start, first.end)
        if first.found is _OPENS_REASONING_CONTENT:
            return self._open(self.REASONING_CONTENT, text, at, first.start, first.end)
        return self._open(self.TOOL_CALLS, text, at, first.start, first.end, first.captures(text))

    OUTSIDE = rt.State("outside", _read_outside)

    # -- what is joined ------------------------------------------------------------------

    @staticmethod
    def _join(message: rt.Message) -> None:
        if "reasoning_content" in message:
            message["reasoning_content"] = "\n".join(message["reasoning_content"]).strip()
        if "content" in message:
            message["content"] = "\n\n".join(message["content"]).strip()
