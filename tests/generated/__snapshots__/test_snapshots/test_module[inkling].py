# Code generated from grammars/inkling.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:504eb7895725af11, runtime ABI 2
r"""Response parser for Inkling.

States, and what leaves them:

    content (start)      "<|content_model_end_sampling|>" | "<|endoftext|>"        -> the end of the message
                         /(?:<\|message_model\|>)?<\|content_thinking\|>/          -> reasoning_content
                         /(?:<\|message_model\|>\s*(?P<name>[^\s<]+)?\s*)?<\|c...  -> tool_calls as next
                         /\A\s*(?:(?P<name>[^\s<]+)\s*<\|content_invoke_tool_j...  -> tool_calls as first
                         /(?:<\|message_model\|>[^<]*)?(?:<\|content_text\|>|<...  -> content
    tool_calls as first  "<|content_model_end_sampling|>" | "<|endoftext|>"        -> the end of the message
                         "<|end_message|>"                                         -> content
                         before "<|message_model|>"                                -> content
    tool_calls as next   "<|content_model_end_sampling|>" | "<|endoftext|>"        -> the end of the message
                         "<|end_message|>"                                         -> content
                         before "<|message_model|>"                                -> content
    reasoning_content    "<|content_model_end_sampling|>" | "<|endoftext|>"        -> the end of the message
                         /<\|end_message\|>|(?=<\|message_model\|>)/               -> content
                         before /(?:<\|message_model\|>\s*(?P<name>[^\s<]+)?\s...  -> content
                         before /\A\s*(?:(?P<name>[^\s<]+)\s*<\|content_invoke...  -> content

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

MODELS = ("thinkingmachines/Inkling*",)
_STOPS = rt.Words("<|content_model_end_sampling|>", "<|endoftext|>")
_CLOSES_REASONING_CONTENT = rt.Automaton(
    rt.alt("<|end_message|>", rt.look("<|message_model|>")), r"<\|end_message\|>|(?=<\|message_model\|>)"
)
_OPENS_TOOL_CALLS_NEXT = rt.Automaton(
    rt.seq(
        rt.opt(
            rt.seq(
                "<|message_model|>", rt.star(rt.one(r"\s")), rt.opt(rt.plus(rt.one(r"[^\s<]"))), rt.star(rt.one(r"\s"))
            )
        ),
        "<|content_invoke_tool_json|>",
    ),
    r"(?:<\|message_model\|>\s*(?P<name>[^\s<]+)?\s*)?<\|content_invoke_tool_json\|>",
)
_OPENS_TOOL_CALLS_FIRST = rt.Automaton(
    rt.seq(
        rt.behind("^"),
        rt.star(rt.one(r"\s")),
        rt.plus(rt.one(r"[^\s<]")),
        rt.star(rt.one(r"\s")),
        "<|content_invoke_tool_json|>",
    ),
    r"\A\s*(?:(?P<name>[^\s<]+)\s*<\|content_invoke_tool_json\|>)",
)
_OPENS_REASONING_CONTENT = rt.Words("<|message_model|><|content_thinking|>", "<|content_thinking|>")
_STRAYS = rt.Automaton(
    rt.alt(
        rt.seq(
            rt.opt(rt.seq("<|message_model|>", rt.star(rt.one("[^<]")))),
            rt.alt("<|content_text|>", "<|content_invoke_tool_text|>", "<|content_tool_error|>", "<|content_xml|>"),
        ),
        "<|end_message|>",
    ),
    r"(?:<\|message_model\|>[^<]*)?(?:<\|content_text\|>|<\|content_invoke_tool_text\|>|<\|content_tool_error\|>|<\|content_xml\|>)|<\|end_message\|>",
)
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT, _OPENS_TOOL_CALLS_NEXT, _OPENS_TOOL_CALLS_FIRST)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_NEXT, _OPENS_TOOL_CALLS_FIRST, _STRAYS)


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

    # models  "thinkingmachines/Inkling*"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "<|message_model|>"
    # stop    "<|content_model_end_sampling|>" | "<|endoftext|>"
    # stray   /(?:<\|message_model\|>[^<]*)?(?:<\|content_text\|>|<\|content_invoke_tool_text\|>|<\|content_tool_e
    #           rror\|>|<\|content_xml\|>)|<\|end_message\|>/

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|message_model|>")  # P4

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text joined "\n" {
    #     open  /(?:<\|message_model\|>)?<\|content_thinking\|>/
    #     close /<\|end_message\|>|(?=<\|message_model\|>)/
    #     ended by tool_calls
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_REASONING_CONTENT, text, at)  # P3
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _CLOSES_REASONING_CONTENT:
            return self._close(text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_NEXT:
            return self._close(text, at, first.start, first.start)
        return self._close(text, at, first.start, first.start)

    def _close_reasoning_content(self, body: str) -> str:
        value = body
        self._message.setdefault("reasoning_content", []).append(value)  # joined in _join
        return value

    REASONING_CONTENT = rt.State(
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, streams=("text", "\n", "both")
    )

    # -- tool_calls as next --------------------------------------------------------------
    # field tool_calls[] as next: json {
    #     open  /(?:<\|message_model\|>\s*(?P<name>[^\s<]+)?\s*)?<\|content_invoke_tool_json\|>/
    #     close /<\|end_message\|>|(?=<\|message_model\|>)/
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name ?? name, "arguments": content.args ?? conte
    #           nt.arguments ?? {}}}
    # }

    def _read_tool_calls_next(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P5
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|content_model_end_sampling|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 30)
            if text.startswith("<|endoftext|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 13)
            if text.startswith("<|end_message|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 15)
            if text.startswith("<|message_model|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<|content_model_end_sampling|>".startswith(tail)
                or "<|endoftext|>".startswith(tail)
                or "<|end_message|>".startswith(tail)
                or "<|message_model|>".startswith(tail)
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls_next(self, body: str) -> object:
        content = self._tolerate(rt.read_json, ("commas", "escapes", "newlines", "trailing"), body)
        value = {
            "type": "function",
            "function": {
                "name": rt.either(rt.seek(content, "name"), rt.seek(self._captures, "name")),
                "arguments": rt.either(rt.seek(content, "args"), rt.seek(content, "arguments"), {}),
            },
        }
        value = self._decode_arguments(value)
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_NEXT = rt.State(
        "tool_calls",
        _read_tool_calls_next,
        _close_tool_calls_next,
        lead="<",
        label="next",
        dirty=True,
        bad="text",
        cut="complete",
    )

    # -- tool_calls as first -------------------------------------------------------------
    # field tool_calls[] as first: json {
    #     open  /(?P<name>[^\s<]+)\s*<\|content_invoke_tool_json\|>/ when start
    #     close /<\|end_message\|>|(?=<\|message_model\|>)/
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name ?? name, "arguments": content.args ?? conte
    #           nt.arguments ?? {}}}
    # }

    def _read_tool_calls_first(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P5
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|content_model_end_sampling|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 30)
            if text.startswith("<|endoftext|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 13)
            if text.startswith("<|end_message|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 15)
            if text.startswith("<|message_model|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<|content_model_end_sampling|>".startswith(tail)
                or "<|endoftext|>".startswith(tail)
                or "<|end_message|>".startswith(tail)
                or "<|message_model|>".startswith(tail)
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls_first(self, body: str) -> object:
        content = self._tolerate(rt.read_json, ("commas", "escapes", "newlines", "trailing"), body)
        value = {
            "type": "function",
            "function": {
                "name": rt.either(rt.seek(content, "name"), rt.seek(self._captures, "name")),
                "arguments": rt.either(rt.seek(content, "args"), rt.seek(content, "arguments"), {}),
            },
        }
        value = self._decode_arguments(value)
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_FIRST = rt.State(
        "tool_calls",
        _read_tool_calls_first,
        _close_tool_calls_first,
        lead="<",
        label="first",
        dirty=True,
        bad="text",
        cut="complete",
    )

    # -- content -------------------------------------------------------------------------
    # field content: text joined "\n" {}

    def _read_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_CONTENT, text, at)  # P3
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _OPENS_REASONING_CONTENT:
            return self._open(self.REASONING_CONTENT, text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_NEXT:
            return self._open(self.TOOL_CALLS_NEXT, text, at, first.start, first.end, first.captures(text))
        if first.found is _OPENS_TOOL_CALLS_FIRST:
            return self._open(self.TOOL_CALLS_FIRST, text, at, first.start, first.end, first.captures(text))
        return self._stray(text, at, first.start, first.end)

    def _close_content(self, body: str) -> str:
        value = body
        self._message.setdefault("content", []).append(value)  # joined in _join
        return value

    OUTSIDE = CONTENT = rt.State(
        "content", _read_content, _close_content, takes_text=True, skips_blanks=True, streams=("text", "\n", "both")
    )

    # -- what is joined ------------------------------------------------------------------

    @staticmethod
    def _join(message: rt.Message) -> None:
        if "reasoning_content" in message:
            message["reasoning_content"] = "\n".join(message["reasoning_content"]).strip()
        if "content" in message:
            message["content"] = "\n".join(message["content"]).strip()
