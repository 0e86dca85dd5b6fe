# Code generated from grammars/plamo3.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:84ab9ab82b5203bd, runtime ABI 2
r"""Response parser for PLaMo 3.

States, and what leaves them:

    content (start)       "<|plamo:tag|>"                                           -> the end of the message
                          /\A\s*(?:<\|plamo:begin_think:plamo\|>)/                  -> reasoning_content
                          /(?:<\|plamo:begin_tool_requests:plamo\|>\s*)?<\|plam...  -> tool_calls as object
                          /(?:<\|plamo:begin_tool_requests:plamo\|>\s*)?<\|plam...  -> tool_calls as bare
                          "<|plamo:begin_tool_requests:plamo|>" | "<|plamo:end_...  -> content
    tool_calls as bare    "<|plamo:tag|>"                                           -> the end of the message
                          "<|plamo:end_tool_arguments:plamo|>"                      -> content
    tool_calls as object  "<|plamo:tag|>"                                           -> the end of the message
                          "<|plamo:end_tool_arguments:plamo|>"                      -> content
                          before "<|plamo:end_tool_request:plamo|>" | "<|plamo:...  -> content
    reasoning_content     "<|plamo:tag|>"                                           -> the end of the message
                          "<|plamo:end_think:plamo|>"                               -> content
                          /(?:<\|plamo:begin_tool_requests:plamo\|>\s*)?<\|plam...  -> tool_calls as object, if the close never comes: all is he...
                          /(?:<\|plamo:begin_tool_requests:plamo\|>\s*)?<\|plam...  -> tool_calls as bare, if the close never comes: all is held...

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

MODELS = ("pfnet/plamo-3-*",)
_STOPS = rt.Words("<|plamo:tag|>")
_CLOSES_REASONING_CONTENT = rt.Words("<|plamo:end_think:plamo|>")
_OPENS_TOOL_CALLS_OBJECT = rt.Capturing(
    rt.seq(
        rt.opt(rt.seq("<|plamo:begin_tool_requests:plamo|>", rt.star(rt.one(r"\s")))),
        "<|plamo:begin_tool_request:plamo|>",
        rt.star(rt.one(r"\s")),
        "<|plamo:begin_tool_name:plamo|>",
        rt.star(rt.one(r"\s")),
        rt.group("name", rt.plus(rt.one(r"[^\s<]"))),
        rt.star(rt.one(r"\s")),
        "<|plamo:end_tool_name:plamo|>",
        rt.star(rt.one(r"\s")),
        "<|plamo:begin_tool_arguments:plamo|>",
        rt.opt("<|plamo:constrain|>json"),
        rt.opt("<|plamo:msg|>"),
        rt.star(rt.one(r"\s")),
        rt.look(rt.one(r"[^\s<]")),
    )
)
_OPENS_TOOL_CALLS_BARE = rt.Capturing(
    rt.seq(
        rt.opt(rt.seq("<|plamo:begin_tool_requests:plamo|>", rt.star(rt.one(r"\s")))),
        "<|plamo:begin_tool_request:plamo|>",
        rt.star(rt.one(r"\s")),
        "<|plamo:begin_tool_name:plamo|>",
        rt.star(rt.one(r"\s")),
        rt.group("name", rt.plus(rt.one(r"[^\s<]"))),
        rt.star(rt.one(r"\s")),
        "<|plamo:end_tool_name:plamo|>",
        rt.star(rt.one(r"\s")),
        "<|plamo:begin_tool_arguments:plamo|>",
        rt.opt("<|plamo:constrain|>json"),
        rt.opt("<|plamo:msg|>"),
        rt.star(rt.one(r"\s")),
        rt.look("<|plamo:end_tool_arguments:plamo|>"),
    )
)
_OPENS_REASONING_CONTENT = rt.Automaton(
    rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<|plamo:begin_think:plamo|>"),
    r"\A\s*(?:<\|plamo:begin_think:plamo\|>)",
)
_STRAYS = rt.Words(
    "<|plamo:begin_tool_requests:plamo|>",
    "<|plamo:end_tool_requests:plamo|>",
    "<|plamo:end_tool_request:plamo|>",
    "<|plamo:end_think:plamo|>",
)
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS_OBJECT, _OPENS_TOOL_CALLS_BARE)
_LEAVES_TOOL_CALLS_BARE = rt.AnyOf("<|plamo:tag|>", "<|plamo:end_tool_arguments:plamo|>")
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_OBJECT, _OPENS_TOOL_CALLS_BARE, _STRAYS)


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

    # models  "pfnet/plamo-3-*"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "<|plamo:tag|>assistant<|plamo:msg|>"
    # stop    "<|plamo:tag|>"
    # stray   "<|plamo:begin_tool_requests:plamo|>" | "<|plamo:end_tool_requests:plamo|>" | "<|plamo:end_tool_requ
    #           est:plamo|>" | "<|plamo:end_think:plamo|>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|plamo:tag|>assistant<|plamo:msg|>")  # P4

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "<|plamo:begin_think:plamo|>" when start
    #     close "<|plamo:end_think:plamo|>"
    #     ended by tool_calls unless closed
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_REASONING_CONTENT, text, at)  # P3
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
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, lead="<", streams=("text", "", "both")
    )

    # -- tool_calls as object ------------------------------------------------------------
    # field tool_calls[] as object: json {
    #     open  /(?:<\|plamo:begin_tool_requests:plamo\|>\s*)?<\|plamo:begin_tool_request:plamo\|>\s*<\|plamo:begi
    #           n_tool_name:plamo\|>\s*(?P<name>[^\s<]+)\s*<\|plamo:end_tool_name:plamo\|>\s*<\|plamo:begin_tool_a
    #           rguments:plamo\|>(?:<\|plamo:constrain\|>json)?(?:<\|plamo:msg\|>)?\s*(?=[^\s<])/
    #     close /<\|plamo:end_tool_arguments:plamo\|>|(?=<\|plamo:end_tool_request:plamo\|>)|(?=<\|plamo:begin_too
    #           l_request:plamo\|>)|(?=<\|plamo:end_tool_requests:plamo\|>)/
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_object(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P5
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|plamo:tag|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 13)
            if text.startswith("<|plamo:end_tool_arguments:plamo|>", start) and aware.allows(
                self, text, at, start
            ):  # P1
                return self._close(text, at, start, start + 34)
            if text.startswith("<|plamo:end_tool_request:plamo|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start)
            if text.startswith("<|plamo:begin_tool_request:plamo|>", start) and aware.allows(
                self, text, at, start
            ):  # P1
                return self._close(text, at, start, start)
            if text.startswith("<|plamo:end_tool_requests:plamo|>", start) and aware.allows(
                self, text, at, start
            ):  # P1
                return self._close(text, at, start, start)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<|plamo:tag|>".startswith(tail)
                or "<|plamo:end_tool_arguments:plamo|>".startswith(tail)
                or "<|plamo:end_tool_request:plamo|>".startswith(tail)
                or "<|plamo:begin_tool_request:plamo|>".startswith(tail)
                or "<|plamo:end_tool_requests:plamo|>".startswith(tail)
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
        bad="text",
        cut="complete",
        streams=("brace", "name", ""),
    )

    # -- tool_calls as bare --------------------------------------------------------------
    # field tool_calls[] as bare: text {
    #     open  /(?:<\|plamo:begin_tool_requests:plamo\|>\s*)?<\|plamo:begin_tool_request:plamo\|>\s*<\|plamo:begi
    #           n_tool_name:plamo\|>\s*(?P<name>[^\s<]+)\s*<\|plamo:end_tool_name:plamo\|>\s*<\|plamo:begin_tool_a
    #           rguments:plamo\|>(?:<\|plamo:constrain\|>json)?(?:<\|plamo:msg\|>)?\s*(?=<\|plamo:end_tool_argumen
    #           ts:plamo\|>)/
    #     close "<|plamo:end_tool_arguments:plamo|>"
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
        if word == "<|plamo:tag|>":
            return self._stop(text, at, start, end)
        return self._close(text, at, start, end)

    def _close_tool_calls_bare(self, body: str) -> object:
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": {}}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_BARE = rt.State(
        "tool_calls", _read_tool_calls_bare, _close_tool_calls_bare, lead="<", label="bare", bad="text"
    )  # P2

    # -- content -------------------------------------------------------------------------
    # field content: text joined "" {}

    def _read_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_CONTENT, text, at)  # P3
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _OPENS_REASONING_CONTENT:
            return self._open(self.REASONING_CONTENT, text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_OBJECT:
            return self._open(self.TOOL_CALLS_OBJECT, text, at, first.start, first.end, first.captures(text))
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
