# Code generated from grammars/xlam.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:581e6c5e8b2936dd, runtime ABI 2
r"""Response parser for xLAM.

States, and what leaves them:

    content (start)       "<|eot_id|>" | "<|im_end|>" | "<|end_of_text|>" | "<|...  -> the end of the message
                          /\A\s*(?:<think>)/                                        -> reasoning_content
                          /\A\s*(?:(?=\[\s*\{\s*"name"\s*:))/                       -> tool_calls as bare
                          /(?<=<\/think>)\s*(?=\[\s*\{\s*"name"\s*:)/               -> tool_calls as bare
                          /\[TOOL_CALLS\]\s*(?=[\[{])/                              -> tool_calls as bare
                          /```(?:json)?\s*(?=\[\s*\{\s*"name"\s*:\s*"[\w.:\/-]{...  -> tool_calls as fenced
                          /<tool_call>(?=\s*[\[{])/                                 -> tool_calls as tagged
    tool_calls as tagged  "<|end_of_text|>" | "<|endoftext|>" | "<|eot_id|>" | ...  -> the end of the message
                          "</tool_call>"                                            -> content
                          before "<tool_call>"                                      -> content
    tool_calls as fenced  "<|eot_id|>" | "<|im_end|>" | "<|end_of_text|>" | "<|...  -> the end of the message
                          "```"                                                     -> content
    tool_calls as bare    the end of its value                                      -> content
                          before "<|eot_id|>" | "<|im_end|>" | "<|end_of_text|>...  -> content
                          before /\[TOOL_CALLS\]\s*(?=[\[{])/, where it is none     -> content
                          before /```(?:json)?\s*(?=\[\s*\{\s*"name"\s*:\s*"[\w...  -> content
                          before /<tool_call>(?=\s*[\[{])/, where it is none        -> content
    reasoning_content     "<|eot_id|>" | "<|im_end|>" | "<|end_of_text|>" | "<|...  -> the end of the message
                          "</think>"                                                -> content
                          /\A\s*(?:(?=\[\s*\{\s*"name"\s*:))/                       -> tool_calls as bare, if the close never comes: all is held...
                          /(?<=<\/think>)\s*(?=\[\s*\{\s*"name"\s*:)/               -> tool_calls as bare, if the close never comes: all is held...
                          /\[TOOL_CALLS\]\s*(?=[\[{])/                              -> tool_calls as bare, if the close never comes: all is held...
                          /```(?:json)?\s*(?=\[\s*\{\s*"name"\s*:\s*"[\w.:\/-]{...  -> tool_calls as fenced, if the close never comes: all is he...
                          /<tool_call>(?=\s*[\[{])/                                 -> tool_calls as tagged, if the close never comes: all is he...

What the compiler proved, and this module leans on:

    P1  No delimiter of a state begins with another one: a complete one is final the moment it is seen.
    P2  Every delimiter of a state begins with the state's lead and has it nowhere else: text without it is plain,
        and a delimiter that has begun begins at the last one.
    P3  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P4  Closers stand in strings too: from the first such one on the text is held until one counts, and where none
        does, it was the first.
    P5  Delimiters stand in a value's strings, too: from the first one on the text is held until the value ends, and
        where it turns out to be none, it ends before that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = ("Salesforce/*xLAM-2-*",)
_ANCHOR = re.compile("<\\|start_header_id\\|>assistant<\\|end_header_id\\|>\n\n|<\\|im_start\\|>assistant\n")
_STOPS = rt.Words("<|end_of_text|>", "<|endoftext|>", "<|eot_id|>", "<|im_end|>")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS_BARE = rt.Automaton(
    rt.seq(
        rt.behind("^"),
        rt.star(rt.one(r"\s")),
        rt.look(
            rt.seq("[", rt.star(rt.one(r"\s")), "{", rt.star(rt.one(r"\s")), '"name"', rt.star(rt.one(r"\s")), ":")
        ),
    ),
    '\\A\\s*(?:(?=\\[\\s*\\{\\s*"name"\\s*:))',
)
_OPENS_TOOL_CALLS_BARE_2 = rt.Automaton(
    rt.seq(
        rt.behind("(?<=</think>)"),
        rt.star(rt.one(r"\s")),
        rt.look(
            rt.seq("[", rt.star(rt.one(r"\s")), "{", rt.star(rt.one(r"\s")), '"name"', rt.star(rt.one(r"\s")), ":")
        ),
    ),
    '(?<=</think>)\\s*(?=\\[\\s*\\{\\s*"name"\\s*:)',
)
_OPENS_TOOL_CALLS_BARE_3 = rt.Automaton(
    rt.seq("[TOOL_CALLS]", rt.star(rt.one(r"\s")), rt.look(rt.one(r"[\[{]"))), r"\[TOOL_CALLS\]\s*(?=[\[{])"
)
_OPENS_TOOL_CALLS_FENCED = rt.Automaton(
    rt.seq(
        "```",
        rt.opt("json"),
        rt.star(rt.one(r"\s")),
        rt.look(
            rt.seq(
                "[",
                rt.star(rt.one(r"\s")),
                "{",
                rt.star(rt.one(r"\s")),
                '"name"',
                rt.star(rt.one(r"\s")),
                ":",
                rt.star(rt.one(r"\s")),
                '"',
                rt.rep(rt.one(r"[\w.:/-]"), 1, 128),
                '"',
                rt.star(rt.one(r"\s")),
                ",",
                rt.star(rt.one(r"\s")),
                '"arguments"',
                rt.star(rt.one(r"\s")),
                ":",
            )
        ),
    ),
    '```(?:json)?\\s*(?=\\[\\s*\\{\\s*"name"\\s*:\\s*"[\\w.:/-]{1,128}"\\s*,\\s*"arguments"\\s*:)',
)
_OPENS_TOOL_CALLS_TAGGED = rt.Automaton(
    rt.seq("<tool_call>", rt.look(rt.seq(rt.star(rt.one(r"\s")), rt.one(r"[\[{]")))), r"<tool_call>(?=\s*[\[{])"
)
_CLOSES_TOOL_CALLS_FENCED = rt.Words("```")
_OPENS_REASONING_CONTENT = rt.Automaton(rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<think>"), r"\A\s*(?:<think>)")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(
    _OPENS_TOOL_CALLS_BARE,
    _OPENS_TOOL_CALLS_BARE_2,
    _OPENS_TOOL_CALLS_BARE_3,
    _OPENS_TOOL_CALLS_FENCED,
    _OPENS_TOOL_CALLS_TAGGED,
)
_INSIDE_TOOL_CALLS_BARE = rt.Watch(_STOPS, _OPENS_TOOL_CALLS_BARE_3, _OPENS_TOOL_CALLS_FENCED, _OPENS_TOOL_CALLS_TAGGED)
_LEAVES_TOOL_CALLS_FENCED = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_FENCED)
_LEAVES_CONTENT = rt.Watch(
    _STOPS,
    _OPENS_REASONING_CONTENT,
    _OPENS_TOOL_CALLS_BARE,
    _OPENS_TOOL_CALLS_BARE_2,
    _OPENS_TOOL_CALLS_BARE_3,
    _OPENS_TOOL_CALLS_FENCED,
    _OPENS_TOOL_CALLS_TAGGED,
)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.LookingBack):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    BEHIND = 8

    COERCE = "exact"

    # models  "Salesforce/*xLAM-2-*"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "<|start_header_id|>assistant<|end_header_id|>\n\n" | "<|im_start|>assistant\n"
    # stop    "<|eot_id|>" | "<|im_end|>" | "<|end_of_text|>" | "<|endoftext|>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_match(prefix, _ANCHOR)

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "<think>" when start
    #     close "</think>"
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
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, streams=("text", "", "both")
    )

    # -- tool_calls as bare --------------------------------------------------------------
    # field tool_calls[] as bare: json {
    #     open  /(?=\[\s*\{\s*"name"\s*:)/ when start
    #     open  /(?<=<\/think>)\s*(?=\[\s*\{\s*"name"\s*:)/
    #     open  /\[TOOL_CALLS\]\s*(?=[\[{])/
    #     close value-end
    #     extend
    #     tolerate [commas, escapes, newlines, double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments ?? {}}}
    # }

    def _read_tool_calls_bare(self, text: str, at: int) -> int:
        return self._read_value(rt.JsonBody, text, at, _INSIDE_TOOL_CALLS_BARE)  # P5

    def _close_tool_calls_bare(self, body: str) -> object:
        items = rt.items(self._tolerate(rt.read_json, ("commas", "escapes", "newlines"), body))
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
        value = self._decode_arguments(value)
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

    # -- tool_calls as fenced ------------------------------------------------------------
    # field tool_calls[] as fenced: json {
    #     open  /```(?:json)?\s*(?=\[\s*\{\s*"name"\s*:\s*"[\w.:\/-]{1,128}"\s*,\s*"arguments"\s*:)/
    #     close "```"
    #     extend
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments ?? {}}}
    # }

    def _read_tool_calls_fenced(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P4
        first = aware.nearest(self, text, at, _LEAVES_TOOL_CALLS_FENCED)  # P3
        if first is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS_FENCED)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_fenced(self, body: str) -> object:
        items = rt.items(self._tolerate(rt.read_json, ("commas", "escapes", "newlines", "trailing"), body))
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
        value = self._decode_arguments(value)
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).extend(value)
        return value

    TOOL_CALLS_FENCED = rt.State(
        "tool_calls",
        _read_tool_calls_fenced,
        _close_tool_calls_fenced,
        label="fenced",
        dirty=True,
        bad="text",
        cut="complete",
    )

    # -- tool_calls as tagged ------------------------------------------------------------
    # field tool_calls[] as tagged: json {
    #     open  /<tool_call>(?=\s*[\[{])/
    #     close /<\/tool_call>|(?=<tool_call>)/
    #     extend
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments ?? {}}}
    # }

    def _read_tool_calls_tagged(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P4
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|end_of_text|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 15)
            if text.startswith("<|endoftext|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 13)
            if text.startswith("<|eot_id|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 10)
            if text.startswith("<|im_end|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 10)
            if text.startswith("</tool_call>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 12)
            if text.startswith("<tool_call>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<|end_of_text|>".startswith(tail)
                or "<|endoftext|>".startswith(tail)
                or "<|eot_id|>".startswith(tail)
                or "<|im_end|>".startswith(tail)
                or "</tool_call>".startswith(tail)
                or "<tool_call>".startswith(tail)
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls_tagged(self, body: str) -> object:
        items = rt.items(self._tolerate(rt.read_json, ("commas", "escapes", "newlines", "trailing"), body))
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
        value = self._decode_arguments(value)
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).extend(value)
        return value

    TOOL_CALLS_TAGGED = rt.State(
        "tool_calls",
        _read_tool_calls_tagged,
        _close_tool_calls_tagged,
        label="tagged",
        dirty=True,
        bad="text",
        cut="complete",
    )

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
        if first.found is _OPENS_TOOL_CALLS_BARE:
            return self._open(self.TOOL_CALLS_BARE, text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_BARE_2:
            return self._open(self.TOOL_CALLS_BARE, text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_BARE_3:
            return self._open(self.TOOL_CALLS_BARE, text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_FENCED:
            return self._open(self.TOOL_CALLS_FENCED, text, at, first.start, first.end)
        return self._open(self.TOOL_CALLS_TAGGED, text, at, first.start, first.end)

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
