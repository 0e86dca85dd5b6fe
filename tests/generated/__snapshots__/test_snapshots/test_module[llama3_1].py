# Code generated from grammars/llama3_1.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:78ebec852204de71, runtime ABI 2
r"""Response parser for Llama 3.1 to 3.3.

States, and what leaves them:

    content (start)        "<|eot_id|>" | "<|eom_id|>" | "<|end_of_text|>"           -> the end of the message
                           /\A\s*(?:(?:<\|python_tag\|>)?\s*(?=\{))/                 -> tool_calls as json
                           /<\|python_tag\|>\s*(?P<name>[A-Za-z_]\w*)\.(?=call\()/   -> tool_calls as builtin
                           "<|python_tag|>"                                          -> content
    behind tool_calls      /\s*(?:;?\s*(?=\{))/                                      -> tool_calls as json
                           anything else                                             -> as outside of regions
    tool_calls as builtin  "<|end_of_text|>" | "<|eot_id|>" | "<|eom_id|>"           -> the end of the message
    tool_calls as json     the end of its value                                      -> behind tool_calls
                           before "<|eot_id|>" | "<|eom_id|>" | "<|end_of_text|>...  -> content
                           before /<\|python_tag\|>\s*(?P<name>[A-Za-z_]\w*)\.(?...  -> content

What the compiler proved, and this module leans on:

    P1  No delimiter of a state begins with another one: a complete one is final the moment it is seen.
    P2  Every delimiter of a state begins with the state's lead and has it nowhere else: text without it is plain,
        and a delimiter that has begun begins at the last one.
    P3  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P4  The anchor cannot overlap itself: the last place where it stands is its last match.
    P5  Delimiters stand in a value's strings, too: from the first one on the text is held until the value ends, and
        where it turns out to be none, it ends before that one.
"""

from __future__ import annotations

from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = (
    "meta-llama/Llama-3.1-*-Instruct*",
    "meta-llama/Meta-Llama-3.1-*-Instruct*",
    "meta-llama/Llama-3.2-*-Instruct*",
    "meta-llama/Llama-3.3-*-Instruct*",
)
TEMPLATES = ("f5e6807dda663f6a",)
_STOPS = rt.Words("<|end_of_text|>", "<|eot_id|>", "<|eom_id|>")
_OPENS_TOOL_CALLS_BUILTIN = rt.Automaton(
    rt.seq(
        "<|python_tag|>",
        rt.star(rt.one(r"\s")),
        rt.seq(rt.one("[A-Za-z_]"), rt.star(rt.one(r"\w"))),
        ".",
        rt.look("call("),
    ),
    r"<\|python_tag\|>\s*(?P<name>[A-Za-z_]\w*)\.(?=call\()",
)
_OPENS_TOOL_CALLS_JSON = rt.Automaton(
    rt.seq(rt.star(rt.one(r"\s")), rt.opt(";"), rt.star(rt.one(r"\s")), rt.look("{")), r"\s*(?:;?\s*(?=\{))"
)
_OPENS_TOOL_CALLS_JSON_2 = rt.Automaton(
    rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), rt.opt("<|python_tag|>"), rt.star(rt.one(r"\s")), rt.look("{")),
    r"\A\s*(?:(?:<\|python_tag\|>)?\s*(?=\{))",
)
_STRAYS = rt.Words("<|python_tag|>")
_INSIDE_TOOL_CALLS_JSON = rt.Watch(_STOPS, _OPENS_TOOL_CALLS_BUILTIN)
_LEAVES_TOOL_CALLS_BUILTIN = rt.AnyOf("<|end_of_text|>", "<|eot_id|>", "<|eom_id|>")
_LEAVES_BEHIND_TOOL_CALLS = rt.Watch(_OPENS_TOOL_CALLS_JSON)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_TOOL_CALLS_JSON_2, _OPENS_TOOL_CALLS_BUILTIN, _STRAYS)


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

    # models  "meta-llama/Llama-3.1-*-Instruct*" | "meta-llama/Meta-Llama-3.1-*-Instruct*" | "meta-llama/Llama-3.2
    #           -*-Instruct*" | "meta-llama/Llama-3.3-*-Instruct*"
    # templates "f5e6807dda663f6a"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "<|start_header_id|>assistant<|end_header_id|>\n\n"
    # stop    "<|eot_id|>" | "<|eom_id|>" | "<|end_of_text|>"
    # stray   "<|python_tag|>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|start_header_id|>assistant<|end_header_id|>\n\n")  # P4

    # -- tool_calls as json --------------------------------------------------------------
    # field tool_calls[] as json: json {
    #     open  /(?:<\|python_tag\|>)?\s*(?=\{)/ when start
    #     open  /;?\s*(?=\{)/ when after tool_calls
    #     close value-end
    #     tolerate [double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.parameters ?? content
    #           .arguments}}
    # }

    def _read_tool_calls_json(self, text: str, at: int) -> int:
        return self._read_value(rt.JsonBody, text, at, _INSIDE_TOOL_CALLS_JSON, then=self.BEHIND_TOOL_CALLS)  # P5

    def _close_tool_calls_json(self, body: str) -> object:
        content = rt.read_json(body)
        value = {
            "type": "function",
            "function": {
                "name": rt.item(content, "name"),
                "arguments": rt.either(rt.seek(content, "parameters"), rt.seek(content, "arguments")),
            },
        }
        value = self._decode_arguments(value)
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_JSON = rt.State(
        "tool_calls",
        _read_tool_calls_json,
        _close_tool_calls_json,
        label="json",
        dirty=True,
        bad="text",
        open_ended=True,
    )

    # -- tool_calls as builtin -----------------------------------------------------------
    # field tool_calls[] as builtin: call-list(brackets = false) {
    #     open  /<\|python_tag\|>\s*(?P<name>[A-Za-z_]\w*)\.(?=call\()/
    #     extend
    #     emit  {"type": "function", "function": {"name": name, "arguments": content.arguments}}
    # }

    def _read_tool_calls_builtin(self, text: str, at: int) -> int:
        found = _LEAVES_TOOL_CALLS_BUILTIN.search(text, at)
        if found is None:
            begun = text.rfind("<", at)  # P2
            if begun >= 0 and text[begun:] in _LEAVES_TOOL_CALLS_BUILTIN.begun:
                return self._wait(text, at, begun)
            return self._pass(text, at)
        start, end = found.span()  # P1
        return self._stop(text, at, start, end)

    def _close_tool_calls_builtin(self, body: str) -> object:
        items = rt.items(rt.read_call_list(body, brackets=False))
        value = [
            {
                "type": "function",
                "function": {"name": self._captures["name"], "arguments": rt.item(content, "arguments")},
            }
            for content in items
        ]
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).extend(value)
        return value

    TOOL_CALLS_BUILTIN = rt.State(
        "tool_calls",
        _read_tool_calls_builtin,
        _close_tool_calls_builtin,
        lead="<",
        label="builtin",
        dirty=True,
        bad="text",
        open_ended=True,
    )  # P2

    # -- behind tool_calls ---------------------------------------------------------------

    def _read_behind_tool_calls(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_BEHIND_TOOL_CALLS, text, at)
        if self._goes_on(first, text, at):
            return at
        if first.found is None:
            return self._wait(text, at, at)
        return self._open(self.TOOL_CALLS_JSON, text, at, first.start, first.end)

    BEHIND_TOOL_CALLS = rt.State("behind tool_calls", _read_behind_tool_calls, is_behind=True)

    # -- content -------------------------------------------------------------------------
    # field content: text joined "" {}

    def _read_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_CONTENT, text, at)  # P3
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_JSON_2:
            return self._open(self.TOOL_CALLS_JSON, text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_BUILTIN:
            return self._open(self.TOOL_CALLS_BUILTIN, text, at, first.start, first.end, first.captures(text))
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
