# Code generated from grammars/functionary_v3_2.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:63587a0c27eef682, runtime ABI 2
r"""Response parser for Functionary v3.2.

States, and what leaves them:

    content (start)       "<|eot_id|>" | "<|end_of_text|>"                          -> the end of the message
                          />>>(?P<name>[\w.:\/-]+)\n(?=\s*\{)/                      -> tool_calls as object
                          />>>python\n(?!\s*\{)/                                    -> tool_calls as code
                          />>>all\n|\A>>>/                                          -> content
    tool_calls as code    "<|eot_id|>" | "<|end_of_text|>"                          -> the end of the message
                          /(?=>>>(?:all\n|[\w.:\/-]+\n\s*\{))/                      -> content
    tool_calls as object  the end of its value                                      -> content
                          before "<|eot_id|>" | "<|end_of_text|>", where it is ...  -> content
                          before />>>(?P<name>[\w.:\/-]+)\n(?=\s*\{)/, where it...  -> content
                          before />>>python\n(?!\s*\{)/, where it is none           -> content

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

MODELS = ("meetkai/functionary-*v3.2*",)
_STOPS = rt.Words("<|end_of_text|>", "<|eot_id|>")
_OPENS_TOOL_CALLS_OBJECT = rt.Capturing(
    rt.seq(">>>", rt.group("name", rt.plus(rt.one(r"[\w.:/-]"))), "\n", rt.look(rt.seq(rt.star(rt.one(r"\s")), "{")))
)
_OPENS_TOOL_CALLS_CODE = rt.Automaton(
    rt.seq(">>>python\n", rt.look(rt.seq(rt.star(rt.one(r"\s")), "{"), negative=True)), r">>>python\n(?!\s*\{)"
)
_CLOSES_TOOL_CALLS_CODE = rt.Automaton(
    rt.look(rt.seq(">>>", rt.alt("all\n", rt.seq(rt.plus(rt.one(r"[\w.:/-]")), "\n", rt.star(rt.one(r"\s")), "{")))),
    r"(?=>>>(?:all\n|[\w.:/-]+\n\s*\{))",
)
_STRAYS = rt.Automaton(rt.alt(">>>all\n", rt.seq(rt.behind("^"), ">>>")), r">>>all\n|\A>>>")
_INSIDE_TOOL_CALLS_OBJECT = rt.Watch(_STOPS, _OPENS_TOOL_CALLS_OBJECT, _OPENS_TOOL_CALLS_CODE)
_LEAVES_TOOL_CALLS_CODE = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_CODE)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_TOOL_CALLS_OBJECT, _OPENS_TOOL_CALLS_CODE, _STRAYS)


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

    # models  "meetkai/functionary-*v3.2*"
    # policy  blank skip, trim both, bad text, cut complete, coerce exact
    # default role = "assistant"
    # anchor  "<|start_header_id|>assistant<|end_header_id|>\n\n"
    # stop    "<|eot_id|>" | "<|end_of_text|>"
    # stray   />>>all\n|\A>>>/

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|start_header_id|>assistant<|end_header_id|>\n\n")  # P2

    # -- tool_calls as object ------------------------------------------------------------
    # field tool_calls[] as object: json {
    #     open  />>>(?P<name>[\w.:\/-]+)\n(?=\s*\{)/
    #     close value-end
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_object(self, text: str, at: int) -> int:
        return self._read_value(rt.JsonBody, text, at, _INSIDE_TOOL_CALLS_OBJECT)  # P3

    def _close_tool_calls_object(self, body: str) -> object:
        content = rt.read_json(body)
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": content}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_OBJECT = rt.State(
        "tool_calls",
        _read_tool_calls_object,
        _close_tool_calls_object,
        label="object",
        dirty=True,
        bad="text",
        open_ended=True,
        streams=("json", "name", ""),
    )

    # -- tool_calls as code --------------------------------------------------------------
    # field tool_calls[] as code: text {
    #     open  />>>python\n(?!\s*\{)/
    #     close /(?=>>>(?:all\n|[\w.:\/-]+\n\s*\{))/
    #     emit  {"type": "function", "function": {"name": "python", "arguments": {"code": content}}}
    # }

    def _read_tool_calls_code(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_TOOL_CALLS_CODE, text, at)  # P1
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_code(self, body: str) -> object:
        content = rt.read_text(body)
        value = self._type_arguments(
            {"type": "function", "function": {"name": "python", "arguments": {"code": content}}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_CODE = rt.State("tool_calls", _read_tool_calls_code, _close_tool_calls_code, label="code", bad="text")

    # -- content -------------------------------------------------------------------------
    # field content: text joined "" {}

    def _read_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_CONTENT, text, at)  # P1
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_OBJECT:
            return self._open(self.TOOL_CALLS_OBJECT, text, at, first.start, first.end, first.captures(text))
        if first.found is _OPENS_TOOL_CALLS_CODE:
            return self._open(self.TOOL_CALLS_CODE, text, at, first.start, first.end)
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
