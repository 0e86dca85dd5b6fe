# Code generated from grammars/llm_jp.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:2ece51eb4e878386, runtime ABI 2
r"""Response parser for LLM-jp-4.

States, and what leaves them:

    outside (start)       "<|return|>" | "<|endoftext|>"                            -> the end of the message
                          /<\|channel\|>(?:commentary\s*<\|message\|>|final(?:...   -> content
                          /<\|channel\|>analysis\s*<\|message\|>/                   -> reasoning_content
                          /(?:<\|channel\|>(?:commentary|analysis))?\s*to=funct...  -> tool_calls as object
                          /(?:<\|channel\|>(?:commentary|analysis))?\s*to=funct...  -> tool_calls as bare
    tool_calls as bare    "<|endoftext|>" | "<|return|>"                            -> the end of the message
                          "<|start|>assistant" | "<|call|>" | "<|end|>"             -> outside
    tool_calls as object  "<|endoftext|>" | "<|return|>"                            -> the end of the message
                          "<|start|>assistant" | "<|call|>" | "<|end|>"             -> outside
    content               "<|endoftext|>" | "<|return|>"                            -> the end of the message
                          "<|end|>" | "<|start|>assistant"                          -> outside
                          before "<|channel|>"                                      -> outside
    reasoning_content     "<|endoftext|>" | "<|return|>"                            -> the end of the message
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

import runtime as rt

rt.require_abi(2, __name__)

MODELS = ("llm-jp/llm-jp-4*",)
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
_OPENS_TOOL_CALLS_OBJECT = rt.Capturing(
    rt.seq(
        rt.opt(rt.seq("<|channel|>", rt.alt("commentary", "analysis"))),
        rt.star(rt.one(r"\s")),
        "to=functions.",
        rt.group("name", rt.plus(rt.one(r"[^\s<]"))),
        rt.star(rt.one(r"\s")),
        rt.opt(rt.seq("<|channel|>", rt.alt("commentary", "analysis"), rt.star(rt.one(r"\s")))),
        rt.opt(rt.seq("<|constrain|>", rt.star(rt.one(r"\s")))),
        rt.opt("json"),
        rt.star(rt.one(r"\s")),
        "<|message|>",
        rt.star(rt.one(r"\s")),
        rt.look(rt.one(r"[^\s<]")),
    )
)
_OPENS_TOOL_CALLS_BARE = rt.Capturing(
    rt.seq(
        rt.opt(rt.seq("<|channel|>", rt.alt("commentary", "analysis"))),
        rt.star(rt.one(r"\s")),
        "to=functions.",
        rt.group("name", rt.plus(rt.one(r"[^\s<]"))),
        rt.star(rt.one(r"\s")),
        rt.opt(rt.seq("<|channel|>", rt.alt("commentary", "analysis"), rt.star(rt.one(r"\s")))),
        rt.opt(rt.seq("<|constrain|>", rt.star(rt.one(r"\s")))),
        rt.opt("json"),
        rt.star(rt.one(r"\s")),
        "<|message|>",
        rt.star(rt.one(r"\s")),
        rt.look("<"),
    )
)
_LEAVES_REASONING_CONTENT = rt.AnyOf("<|endoftext|>", "<|return|>", "<|end|>", "<|start|>assistant", "<|channel|>")
_LEAVES_CONTENT = rt.AnyOf("<|endoftext|>", "<|return|>", "<|end|>", "<|start|>assistant", "<|channel|>")
_LEAVES_TOOL_CALLS_BARE = rt.AnyOf("<|endoftext|>", "<|return|>", "<|start|>assistant", "<|call|>", "<|end|>")
_LEAVES_OUTSIDE = rt.Watch(
    _STOPS, _OPENS_CONTENT, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_OBJECT, _OPENS_TOOL_CALLS_BARE
)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.Stream):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    COERCE = "exact"

    # models  "llm-jp/llm-jp-4*"
    # policy  trim both, bad drop, cut complete, aware, coerce exact
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

    # -- tool_calls as object ------------------------------------------------------------
    # field tool_calls[] as object: json {
    #     open  /(?:<\|channel\|>(?:commentary|analysis))?\s*to=functions\.(?P<name>[^\s<]+)\s*(?:<\|channel\|>(?:
    #           commentary|analysis)\s*)?(?:<\|constrain\|>\s*)?(?:json)?\s*<\|message\|>\s*(?=[^\s<])/
    #     close "<|call|>" | "<|end|>" | "<|start|>assistant"
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_object(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P5
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|endoftext|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 13)
            if text.startswith("<|return|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 10)
            if text.startswith("<|start|>assistant", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 18)
            if text.startswith("<|call|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 8)
            if text.startswith("<|end|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 7)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<|endoftext|>".startswith(tail)
                or "<|return|>".startswith(tail)
                or "<|start|>assistant".startswith(tail)
                or "<|call|>".startswith(tail)
                or "<|end|>".startswith(tail)
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls_object(self, body: str) -> object:
        content = self._tolerate(rt.read_json, ("commas", "escapes", "newlines", "trailing"), body)
        value = {"type": "function", "function": {"name": self._captures["name"], "arguments": content}}
        value = self._decode_arguments(value)
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_OBJECT = rt.State(
        "tool_calls",
        _read_tool_calls_object,
        _close_tool_calls_object,
        lead="<",
        label="object",
        dirty=True,
        bad="drop",
        cut="complete",
        streams=("brace", "name", ""),
    )

    # -- tool_calls as bare --------------------------------------------------------------
    # field tool_calls[] as bare: text {
    #     open  /(?:<\|channel\|>(?:commentary|analysis))?\s*to=functions\.(?P<name>[^\s<]+)\s*(?:<\|channel\|>(?:
    #           commentary|analysis)\s*)?(?:<\|constrain\|>\s*)?(?:json)?\s*<\|message\|>\s*(?=<)/
    #     close "<|call|>" | "<|end|>" | "<|start|>assistant"
    #     emit  {"type": "function", "function": {"name": name, "arguments": {}}}
    # }

    def _read_tool_calls_bare(self, text: str, at: int) -> int:
        found = _LEAVES_TOOL_CALLS_BARE.search(text, at)
        if found is None:
            begun = text.rfind("<", at)  # P2
            if begun >= 0 and text[begun:] in _LEAVES_TOOL_CALLS_BARE.begun:
                return self._wait(text, at, begun)
            return self._pass(text, at)
        start, end = found.span()  # P1
        word = found[0]
        if word in ("<|endoftext|>", "<|return|>"):
            return self._stop(text, at, start, end)
        return self._close(text, at, start, end)

    def _close_tool_calls_bare(self, body: str) -> object:
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": {}}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_BARE = rt.State(
        "tool_calls", _read_tool_calls_bare, _close_tool_calls_bare, lead="<", label="bare", bad="drop"
    )  # P2

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
        if first.found is _OPENS_TOOL_CALLS_OBJECT:
            return self._open(self.TOOL_CALLS_OBJECT, text, at, first.start, first.end, first.captures(text))
        return self._open(self.TOOL_CALLS_BARE, text, at, first.start, first.end, first.captures(text))

    OUTSIDE = rt.State("outside", _read_outside)

    # -- what is joined ------------------------------------------------------------------

    @staticmethod
    def _join(message: rt.Message) -> None:
        if "reasoning_content" in message:
            message["reasoning_content"] = "\n".join(message["reasoning_content"]).strip()
        if "content" in message:
            message["content"] = "\n\n".join(message["content"]).strip()
