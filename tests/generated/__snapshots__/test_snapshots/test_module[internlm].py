# Code generated from grammars/internlm.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:c95bccae42fbbb69, runtime ABI 2
r"""Response parser for InternLM.

States, and what leaves them:

    content (start)       "<|im_end|>"                                              -> the end of the message
                          /\A\s*(?:<think>)/                                        -> reasoning_content
                          /<\|action_start\|>\s*<\|plugin\|>\s*(?=\{)(?!\{\s*"n...  -> tool_calls as json
                          /<\|action_start\|>\s*<\|plugin\|>\s*(?=\{\s*"name"\s...  -> tool_calls as python
    tool_calls as python  "<|im_end|>"                                              -> the end of the message
                          "<|action_end|>"                                          -> content
                          before "<|action_start|>"                                 -> content
    tool_calls as json    "<|im_end|>"                                              -> the end of the message
                          "<|action_end|>"                                          -> content
                          before "<|action_start|>"                                 -> content
    reasoning_content     "<|im_end|>"                                              -> the end of the message
                          "</think>"                                                -> content
                          /<\|action_start\|>\s*<\|plugin\|>\s*(?=\{)(?!\{\s*"n...  -> tool_calls as json, if the close never comes: all is held...
                          /<\|action_start\|>\s*<\|plugin\|>\s*(?=\{\s*"name"\s...  -> tool_calls as python, if the close never comes: all is he...

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

MODELS = (
    "internlm/internlm*",
    "internlm/Intern-S1*",
)
_STOPS = rt.Words("<|im_end|>")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS_JSON = rt.Automaton(
    rt.seq(
        "<|action_start|>",
        rt.star(rt.one(r"\s")),
        "<|plugin|>",
        rt.star(rt.one(r"\s")),
        rt.look("{"),
        rt.look(
            rt.seq(
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
                '"',
                rt.alt("parameters", "arguments"),
                '"',
                rt.star(rt.one(r"\s")),
                ":",
                rt.star(rt.one(r"\s")),
                "{",
                rt.star(rt.one(r"\s")),
                "'",
            ),
            negative=True,
        ),
    ),
    '<\\|action_start\\|>\\s*<\\|plugin\\|>\\s*(?=\\{)(?!\\{\\s*"name"\\s*:\\s*"[\\w.:/-]{1,128}"\\s*,\\s*"(?:parameters|arguments)"\\s*:\\s*\\{\\s*\')',
)
_OPENS_TOOL_CALLS_PYTHON = rt.Automaton(
    rt.seq(
        "<|action_start|>",
        rt.star(rt.one(r"\s")),
        "<|plugin|>",
        rt.star(rt.one(r"\s")),
        rt.look(
            rt.seq(
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
                '"',
                rt.alt("parameters", "arguments"),
                '"',
                rt.star(rt.one(r"\s")),
                ":",
                rt.star(rt.one(r"\s")),
                "{",
                rt.star(rt.one(r"\s")),
                "'",
            )
        ),
    ),
    '<\\|action_start\\|>\\s*<\\|plugin\\|>\\s*(?=\\{\\s*"name"\\s*:\\s*"[\\w.:/-]{1,128}"\\s*,\\s*"(?:parameters|arguments)"\\s*:\\s*\\{\\s*\')',
)
_OPENS_REASONING_CONTENT = rt.Automaton(rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<think>"), r"\A\s*(?:<think>)")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS_JSON, _OPENS_TOOL_CALLS_PYTHON)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_JSON, _OPENS_TOOL_CALLS_PYTHON)


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

    # models  "internlm/internlm*" | "internlm/Intern-S1*"
    # policy  blank skip, trim both, bad text, cut complete, aware, coerce exact
    # default role = "assistant"
    # anchor  "<|im_start|>assistant\n"
    # stop    "<|im_end|>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|im_start|>assistant\n")  # P4

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
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, lead="<", streams=("text", "", "both")
    )

    # -- tool_calls as json --------------------------------------------------------------
    # field tool_calls[] as json: json {
    #     open  /<\|action_start\|>\s*<\|plugin\|>\s*(?=\{)(?!\{\s*"name"\s*:\s*"[\w.:\/-]{1,128}"\s*,\s*"(?:param
    #           eters|arguments)"\s*:\s*\{\s*')/
    #     close /<\|action_end\|>|(?=<\|action_start\|>)/
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.parameters ?? content
    #           .arguments ?? {}}}
    # }

    def _read_tool_calls_json(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P5
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|im_end|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 10)
            if text.startswith("<|action_end|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 14)
            if text.startswith("<|action_start|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<|im_end|>".startswith(tail)
                or "<|action_end|>".startswith(tail)
                or "<|action_start|>".startswith(tail)
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls_json(self, body: str) -> object:
        content = self._tolerate(rt.read_json, ("commas", "escapes", "newlines", "trailing"), body)
        value = {
            "type": "function",
            "function": {
                "name": rt.item(content, "name"),
                "arguments": rt.either(rt.seek(content, "parameters"), rt.seek(content, "arguments"), {}),
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
        lead="<",
        label="json",
        dirty=True,
        bad="text",
        cut="complete",
    )

    # -- tool_calls as python ------------------------------------------------------------
    # field tool_calls[] as python: python {
    #     open  /<\|action_start\|>\s*<\|plugin\|>\s*(?=\{\s*"name"\s*:\s*"[\w.:\/-]{1,128}"\s*,\s*"(?:parameters|
    #           arguments)"\s*:\s*\{\s*')/
    #     close /<\|action_end\|>|(?=<\|action_start\|>)/
    #     tolerate [newlines, trailing]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.parameters ?? content
    #           .arguments ?? {}}}
    # }

    def _read_tool_calls_python(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.QuotedBody(newlines=True))  # P5
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|im_end|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 10)
            if text.startswith("<|action_end|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 14)
            if text.startswith("<|action_start|>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if (
                "<|im_end|>".startswith(tail)
                or "<|action_end|>".startswith(tail)
                or "<|action_start|>".startswith(tail)
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls_python(self, body: str) -> object:
        content = self._tolerate(rt.read_python, ("newlines", "trailing"), body)
        value = self._type_arguments(
            {
                "type": "function",
                "function": {
                    "name": rt.item(content, "name"),
                    "arguments": rt.either(rt.seek(content, "parameters"), rt.seek(content, "arguments"), {}),
                },
            }
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_PYTHON = rt.State(
        "tool_calls",
        _read_tool_calls_python,
        _close_tool_calls_python,
        lead="<",
        label="python",
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
        if first.found is _OPENS_TOOL_CALLS_JSON:
            return self._open(self.TOOL_CALLS_JSON, text, at, first.start, first.end)
        return self._open(self.TOOL_CALLS_PYTHON, text, at, first.start, first.end)

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
