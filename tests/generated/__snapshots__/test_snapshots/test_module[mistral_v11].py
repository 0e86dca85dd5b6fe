# Code generated from grammars/mistral_v11.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:4177bfcaf6b409a4, runtime ABI 2
r"""Response parser for Mistral, tokenizer v11 and later.

States, and what leaves them:

    content (start)    "</s>"                                                    -> the end of the message
                       "[THINK]" | "<think>"                                     -> reasoning_content
                       /\[TOOL_CALLS\]\s*(?P<name>[^\[{\s]+)\s*(?:\[CALL_ID...   -> tool_calls
                       "[/THINK]" | "</think>"                                   -> content
    tool_calls         the end of its value                                      -> content
                       before "</s>", where it is none                           -> content
                       before "[THINK]" | "<think>", where it is none            -> content
                       before /\[TOOL_CALLS\]\s*(?P<name>[^\[{\s]+)\s*(?:\[C...  -> content
    reasoning_content  "</s>"                                                    -> the end of the message
                       "[/THINK]" | "</think>"                                   -> content
                       before /\[TOOL_CALLS\]\s*(?P<name>[^\[{\s]+)\s*(?:\[C...  -> content

What the compiler proved, and this module leans on:

    P1  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P2  Delimiters stand in a value's strings, too: from the first one on the text is held until the value ends, and
        where it turns out to be none, it ends before that one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = (
    "mistralai/Mistral-Small-3.2-*",
    "mistralai/Mistral-Small-4-*",
    "mistralai/Magistral-Small-2509*",
    "mistralai/Ministral-3-*",
    "mistralai/Devstral-*-2512*",
)
_ANCHOR = re.compile(r"\[/TOOL_RESULTS\]|\[/INST\]")
_STOPS = rt.Words("</s>")
_CLOSES_REASONING_CONTENT = rt.Words("[/THINK]", "</think>")
_OPENS_TOOL_CALLS = rt.Capturing(
    rt.seq(
        "[TOOL_CALLS]",
        rt.star(rt.one(r"\s")),
        rt.group("name", rt.plus(rt.one(r"[^\[{\s]"))),
        rt.star(rt.one(r"\s")),
        rt.opt(
            rt.seq(
                "[CALL_ID]", rt.star(rt.one(r"\s")), rt.group("id", rt.plus(rt.one(r"[^\[\s]"))), rt.star(rt.one(r"\s"))
            )
        ),
        rt.alt("[ARGS]", rt.look("{")),
    )
)
_OPENS_REASONING_CONTENT = rt.Words("[THINK]", "<think>")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT, _OPENS_TOOL_CALLS)
_INSIDE_TOOL_CALLS = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS, _CLOSES_REASONING_CONTENT)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.Stream):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    COERCE = "exact"

    # models  "mistralai/Mistral-Small-3.2-*" | "mistralai/Mistral-Small-4-*" | "mistralai/Magistral-Small-2509*"
    #           | "mistralai/Ministral-3-*" | "mistralai/Devstral-*-2512*"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "[/INST]" | "[/TOOL_RESULTS]"
    # stop    "</s>"
    # stray   "[/THINK]" | "</think>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_match(prefix, _ANCHOR)

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text joined "\n" {
    #     open  "[THINK]" | "<think>"
    #     close "[/THINK]" | "</think>"
    #     ended by tool_calls
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_REASONING_CONTENT, text, at)  # P1
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _CLOSES_REASONING_CONTENT:
            return self._close(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.start)

    def _close_reasoning_content(self, body: str) -> str:
        value = body
        self._message.setdefault("reasoning_content", []).append(value)  # joined in _join
        return value

    REASONING_CONTENT = rt.State(
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, streams=("text", "\n", "both")
    )

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: json {
    #     open  /\[TOOL_CALLS\]\s*(?P<name>[^\[{\s]+)\s*(?:\[CALL_ID\]\s*(?P<id>[^\[\s]+)\s*)?(?:\[ARGS\]|(?=\{))/
    #     close value-end
    #     tolerate [double-encoded]
    #     emit  {"type": "function", "id"?: id, "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        return self._read_value(rt.JsonBody, text, at, _INSIDE_TOOL_CALLS)  # P2

    def _close_tool_calls(self, body: str) -> object:
        content = rt.read_json(body)
        value = {
            "type": "function",
            **rt.member("id", rt.seek(self._captures, "id")),
            "function": {"name": self._captures["name"], "arguments": content},
        }
        value = self._decode_arguments(value)
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS = rt.State(
        "tool_calls",
        _read_tool_calls,
        _close_tool_calls,
        dirty=True,
        bad="text",
        open_ended=True,
        streams=("json", "name", "id"),
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
        if "reasoning_content" in message:
            message["reasoning_content"] = "\n".join(message["reasoning_content"]).strip()
        if "content" in message:
            message["content"] = "".join(message["content"]).strip()
