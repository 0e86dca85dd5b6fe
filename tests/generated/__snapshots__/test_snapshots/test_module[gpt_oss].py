# Code generated from grammars/gpt_oss.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:69c43dfc50a3a298, runtime ABI 1
r"""Response parser for gpt-oss (harmony).

States, and what leaves them:

    outside (start)    "<|channel|>final<|message|>" | "<|channel|>commentar...  -> content
                       "<|channel|>analysis<|message|>"                          -> reasoning_content
                       /(?:<\|channel\|>(?:commentary|analysis))?\s*to=(?:fu...  -> tool_calls
    tool_calls         "<|return|>" | "<|call|>" | "<|end|>"                     -> outside
    content            "<|return|>" | "<|end|>"                                  -> outside
    reasoning_content  "<|return|>" | "<|end|>"                                  -> outside

What the compiler proved, and this module leans on:

    P1  No delimiter of a state begins with another one: a complete one is final the moment it is seen.
    P2  Every delimiter of a state begins with the state's lead and has it nowhere else: text without it is plain,
        and a delimiter that has begun begins at the last one.
    P3  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P4  The anchor cannot overlap itself: the last place where it stands is its last match.
"""

from __future__ import annotations

from collections.abc import Iterable


import runtime as rt

rt.require_abi(1, __name__)

_OPENS_CONTENT = rt.Words("<|channel|>commentary<|message|>", "<|channel|>final<|message|>")
_OPENS_REASONING_CONTENT = rt.Words("<|channel|>analysis<|message|>")
_OPENS_TOOL_CALLS = rt.Automaton(
    rt.seq(
        rt.opt(rt.seq("<|channel|>", rt.alt("commentary", "analysis"))),
        rt.star(rt.one(r"\s")),
        "to=",
        rt.opt("functions."),
        rt.plus(rt.one(r"[^\s<]")),
        rt.star(rt.one(r"\s")),
        rt.opt(rt.seq("<|channel|>", rt.alt("commentary", "analysis"), rt.star(rt.one(r"\s")))),
        rt.opt(rt.seq("<|constrain|>", rt.star(rt.one(r"\s")))),
        rt.opt(rt.alt("json", "code")),
        rt.star(rt.one(r"\s")),
        "<|message|>",
    ),
    r"(?:<\|channel\|>(?:commentary|analysis))?\s*to=(?:functions\.)?(?P<name>[^\s<]+)\s*(?:<\|channel\|>(?:commentary|analysis)\s*)?(?:<\|constrain\|>\s*)?(?:json|code)?\s*<\|message\|>",
)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.Stream):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    # default role = "assistant"
    # anchor  "<|start|>assistant"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|start|>assistant")  # P4

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text joined "\n" {
    #     open  "<|channel|>analysis<|message|>"
    #     close "<|end|>" | "<|return|>"
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        begun, start = -1, text.find("<", at)  # P2
        while start >= 0:
            if text.startswith("<|return|>", start):  # P1
                self._take(text, at, start)
                return self._close(text, start, start + 10)
            if text.startswith("<|end|>", start):  # P1
                self._take(text, at, start)
                return self._close(text, start, start + 7)
            begun, start = start, text.find("<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if "<|return|>".startswith(tail) or "<|end|>".startswith(tail):
                return self._wait(text, at, begun)
        return self._pass(text, at)

    def _close_reasoning_content(self, body: str) -> str:
        value = rt.read_text(body)
        self._message.setdefault("reasoning_content", []).append(value)  # joined in _join
        return value

    REASONING_CONTENT = rt.State("reasoning_content", _read_reasoning_content, _close_reasoning_content, lead="<")  # P2

    # -- content -------------------------------------------------------------------------
    # field content: text joined "\n\n" {
    #     open  "<|channel|>final<|message|>" | "<|channel|>commentary<|message|>"
    #     close "<|return|>" | "<|end|>"
    # }

    def _read_content(self, text: str, at: int) -> int:
        begun, start = -1, text.find("<", at)  # P2
        while start >= 0:
            if text.startswith("<|return|>", start):  # P1
                self._take(text, at, start)
                return self._close(text, start, start + 10)
            if text.startswith("<|end|>", start):  # P1
                self._take(text, at, start)
                return self._close(text, start, start + 7)
            begun, start = start, text.find("<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if "<|return|>".startswith(tail) or "<|end|>".startswith(tail):
                return self._wait(text, at, begun)
        return self._pass(text, at)

    def _close_content(self, body: str) -> str:
        value = rt.read_text(body)
        self._message.setdefault("content", []).append(value)  # joined in _join
        return value

    CONTENT = rt.State("content", _read_content, _close_content, lead="<")  # P2

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: json {
    #     open  /(?:<\|channel\|>(?:commentary|analysis))?\s*to=(?:functions\.)?(?P<name>[^\s<]+)\s*(?:<\|channel\
    #           |>(?:commentary|analysis)\s*)?(?:<\|constrain\|>\s*)?(?:json|code)?\s*<\|message\|>/
    #     close "<|call|>" | "<|end|>" | "<|return|>"
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        begun, start = -1, text.find("<", at)  # P2
        while start >= 0:
            if text.startswith("<|return|>", start):  # P1
                self._take(text, at, start)
                return self._close(text, start, start + 10)
            if text.startswith("<|call|>", start):  # P1
                self._take(text, at, start)
                return self._close(text, start, start + 8)
            if text.startswith("<|end|>", start):  # P1
                self._take(text, at, start)
                return self._close(text, start, start + 7)
            begun, start = start, text.find("<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if "<|return|>".startswith(tail) or "<|call|>".startswith(tail) or "<|end|>".startswith(tail):
                return self._wait(text, at, begun)
        return self._pass(text, at)

    def _close_tool_calls(self, body: str) -> object:
        content = rt.read_json(body)
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": content}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS = rt.State("tool_calls", _read_tool_calls, _close_tool_calls, lead="<", dirty=True)  # P2

    # -- outside -------------------------------------------------------------------------

    def _read_outside(self, text: str, at: int) -> int:
        first = rt.First(text)
        opens_content = first.weigh(self._near(_OPENS_CONTENT, text, at))
        opens_reasoning_content = first.weigh(self._near(_OPENS_REASONING_CONTENT, text, at))
        first.weigh(self._near(_OPENS_TOOL_CALLS, text, at))
        found = first.decided()  # P3
        if found is None:
            return self._wait(text, at, first.hold)
        self._take(text, at, found.start)
        if found is opens_content:
            return self._open(self.CONTENT, text, found.start, found.end)

        if found is opens_reasoning_content:
            return self._open(self.REASONING_CONTENT, text, found.start, found.end)

        return self._open(self.TOOL_CALLS, text, found.start, found.end, found.captures(text))

    OUTSIDE = rt.State("outside", _read_outside)

    # -- what is joined ------------------------------------------------------------------

    @staticmethod
    def _join(message: rt.Message) -> None:
        if "reasoning_content" in message:
            message["reasoning_content"] = "\n".join(message["reasoning_content"])
        if "content" in message:
            message["content"] = "\n\n".join(message["content"])
