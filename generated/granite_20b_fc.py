# Code generated from grammars/granite_20b_fc.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:20a79938308479b5, runtime ABI 2
r"""Response parser for Granite 20B function calling.

States, and what leaves them:

    content (start)  "<|endoftext|>"                                      -> the end of the message
                     /<function_call>\s*(?=\{)/                           -> tool_calls
    tool_calls       the end of its value                                 -> content
                     before "<|endoftext|>", where it is none             -> content
                     before /<function_call>\s*(?=\{)/, where it is none  -> content

What the compiler proved, and this module leans on:

    P1  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P2  The anchor cannot overlap itself: the last place where it stands is its last match.
    P3  Delimiters stand in a value's strings, too: from the first one on the text is held until the value ends, and
        where it turns out to be none, it ends before that one.
"""

from __future__ import annotations

from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = ("ibm-granite/granite-20b-functioncalling",)
_STOPS = rt.Words("<|endoftext|>")
_OPENS_TOOL_CALLS = rt.Automaton(
    rt.seq("<function_call>", rt.star(rt.one(r"\s")), rt.look("{")), r"<function_call>\s*(?=\{)"
)
_INSIDE_TOOL_CALLS = rt.Watch(_STOPS, _OPENS_TOOL_CALLS)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_TOOL_CALLS)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.Stream):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    COERCE = "exact"

    # models  "ibm-granite/granite-20b-functioncalling"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "\nASSISTANT:"
    # stop    "<|endoftext|>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "\nASSISTANT:")  # P2

    # -- tool_calls ----------------------------------------------------------------------
    # field tool_calls[]: json {
    #     open  /<function_call>\s*(?=\{)/
    #     close value-end
    #     tolerate [commas, escapes, newlines, double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments ?? content.
    #           parameters ?? {}}}
    # }

    def _read_tool_calls(self, text: str, at: int) -> int:
        return self._read_value(rt.JsonBody, text, at, _INSIDE_TOOL_CALLS)  # P3

    def _close_tool_calls(self, body: str) -> object:
        content = self._tolerate(rt.read_json, ("commas", "escapes", "newlines"), body)
        value = {
            "type": "function",
            "function": {
                "name": rt.item(content, "name"),
                "arguments": rt.either(rt.seek(content, "arguments"), rt.seek(content, "parameters"), {}),
            },
        }
        value = self._decode_arguments(value)
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS = rt.State("tool_calls", _read_tool_calls, _close_tool_calls, dirty=True, bad="text", open_ended=True)

    # -- content -------------------------------------------------------------------------
    # field content: text joined "" {}

    def _read_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_CONTENT, text, at)  # P1
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._open(self.TOOL_CALLS, text, at, first.start, first.end)

    def _close_content(self, body: str) -> str:
        value = body
        self._message.setdefault("content", []).append(value)  # joined in _join
        return value

    OUTSIDE = CONTENT = rt.State(
        "content",
        _read_content,
        _close_content,
        lead="<",
        takes_text=True,
        skips_blanks=True,
        streams=("text", "", "both"),
    )

    # -- what is joined ------------------------------------------------------------------

    @staticmethod
    def _join(message: rt.Message) -> None:
        if "content" in message:
            message["content"] = "".join(message["content"]).strip()
