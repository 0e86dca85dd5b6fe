# Code generated from grammars/granite4.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:1cd9d8045b88bb98, runtime ABI 2
r"""Response parser for Granite 4.

States, and what leaves them:

    content (start)     "<|end_of_text|>"                                         -> the end of the message
                        /\A\s*(?:<think>)/                                        -> reasoning_content
                        /<tool_call>(?=\s*[\[{])/                                 -> tool_calls as json
                        /<tool_call>\s*<function=(?P<name>[^>\n]+)>/              -> tool_calls as tags
    tool_calls as tags  "<|end_of_text|>"                                         -> the end of the message
                        /(?:<\/function>|(?<=<\/parameter>))\s*(?:<\/tool_cal...  -> content
    tool_calls as json  "<|end_of_text|>"                                         -> the end of the message
                        "</tool_call>"                                            -> content
                        before "<tool_call>"                                      -> content
    reasoning_content   "<|end_of_text|>"                                         -> the end of the message
                        "</think>"                                                -> content
                        /<tool_call>(?=\s*[\[{])/                                 -> tool_calls as json, if the close never comes: all is held...
                        /<tool_call>\s*<function=(?P<name>[^>\n]+)>/              -> tool_calls as tags, if the close never comes: all is held...

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

import regex

import runtime as rt

rt.require_abi(2, __name__)

MODELS = (
    "ibm-granite/granite-4.*",
    "fdtn-ai/antares-*",
)
_TAG_TOOL_CALLS_TAGS = rt.Automaton(
    rt.seq("<parameter=", rt.plus(rt.one(r"[^>\n]")), ">"), r"<parameter=(?P<key>[^>\n]+)>"
)
_TAG2_TOOL_CALLS_TAGS = regex.compile(r"</parameter>|(?<!>)(?=\n<parameter=[^>\n]+>\n)", regex.DOTALL)
_STOPS = rt.Words("<|end_of_text|>")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS_JSON = rt.Automaton(
    rt.seq("<tool_call>", rt.look(rt.seq(rt.star(rt.one(r"\s")), rt.one(r"[\[{]")))), r"<tool_call>(?=\s*[\[{])"
)
_OPENS_TOOL_CALLS_TAGS = rt.Automaton(
    rt.seq("<tool_call>", rt.star(rt.one(r"\s")), "<function=", rt.plus(rt.one(r"[^>\n]")), ">"),
    r"<tool_call>\s*<function=(?P<name>[^>\n]+)>",
)
_CLOSES_TOOL_CALLS_TAGS = rt.Automaton(
    rt.alt(
        rt.seq(
            rt.alt("</function>", rt.behind("(?<=</parameter>)")),
            rt.star(rt.one(r"\s")),
            rt.alt(
                rt.seq("</tool_call>", rt.look(rt.seq(rt.star(rt.one(r"\s")), "</parameter>"), negative=True)),
                rt.look("<tool_call>"),
            ),
        ),
        rt.seq("</function>", rt.star(rt.one(r"\s")), rt.end()),
    ),
    r"(?:</function>|(?<=</parameter>))\s*(?:</tool_call>(?!\s*</parameter>)|(?=<tool_call>))|</function>\s*\Z",
)
_OPENS_REASONING_CONTENT = rt.Automaton(rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<think>"), r"\A\s*(?:<think>)")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS_JSON, _OPENS_TOOL_CALLS_TAGS)
_LEAVES_TOOL_CALLS_TAGS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_TAGS)
_OPENS_BEHIND_TOOL_CALLS_TAGS = rt.Watch(_OPENS_TOOL_CALLS_JSON, _OPENS_TOOL_CALLS_TAGS)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_JSON, _OPENS_TOOL_CALLS_TAGS)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.LookingBack):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    BEHIND = 12

    COERCE = "exact"

    # models  "ibm-granite/granite-4.*" | "fdtn-ai/antares-*"
    # policy  blank skip, trim both, bad text, cut complete, aware, exact, coerce exact
    # default role = "assistant"
    # anchor  "<|start_of_role|>assistant<|end_of_role|>"
    # stop    "<|end_of_text|>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|start_of_role|>assistant<|end_of_role|>")  # P4

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

    # -- tool_calls as json --------------------------------------------------------------
    # field tool_calls[] as json: json {
    #     open  /<tool_call>(?=\s*[\[{])/
    #     close /<\/tool_call>|(?=<tool_call>)/
    #     extend
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments ?? content.
    #           parameters ?? {}}}
    # }

    def _read_tool_calls_json(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P5
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|end_of_text|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 15)
            if text.startswith("</tool_call>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 12)
            if text.startswith("<tool_call>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if "<|end_of_text|>".startswith(tail) or "</tool_call>".startswith(tail) or "<tool_call>".startswith(tail):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls_json(self, body: str) -> object:
        items = rt.items(self._tolerate(rt.read_json, ("commas", "escapes", "newlines", "trailing"), body))
        value = [
            {
                "type": "function",
                "function": {
                    "name": rt.item(content, "name"),
                    "arguments": rt.either(rt.seek(content, "arguments"), rt.seek(content, "parameters"), {}),
                },
            }
            for content in items
        ]
        value = self._decode_arguments(value)
        value = self._type_arguments(value)
        self._message.setdefault("tool_calls", []).extend(value)
        return value

    TOOL_CALLS_JSON = rt.State(
        "tool_calls",
        _read_tool_calls_json,
        _close_tool_calls_json,
        label="json",
        dirty=True,
        bad="text",
        cut="complete",
    )

    # -- tool_calls as tags --------------------------------------------------------------
    # field tool_calls[] as tags: xml(pair /<parameter=(?P<key>[^>\n]+)>/ /<\/parameter>|(?<!>)(?=\n<parameter=[^>
    #           \n]+>\n)/, value = text(strip = false), trim = newline) {
    #     open  /<tool_call>\s*<function=(?P<name>[^>\n]+)>/
    #     close /(?:<\/function>|(?<=<\/parameter>))\s*(?:<\/tool_call>(?!\s*<\/parameter>)|(?=<tool_call>))|<\/fu
    #           nction>\s*\Z/
    #     policy  cut bad
    #     tolerate [trailing]
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_tags(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS_TAGS, ("</parameter>",)))  # P5
        first = aware.nearest(self, text, at, _LEAVES_TOOL_CALLS_TAGS, _OPENS_BEHIND_TOOL_CALLS_TAGS)  # P3
        if first is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS_TAGS)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_tags(self, body: str) -> object:
        content = self._tolerate(
            rt.read_pairs,
            self._if_closed(
                "trailing",
            ),
            body,
            _TAG_TOOL_CALLS_TAGS,
            _TAG2_TOOL_CALLS_TAGS,
            value=rt.without_newlines,
            exact=True,
        )
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": content}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_TAGS = rt.State(
        "tool_calls",
        _read_tool_calls_tags,
        _close_tool_calls_tags,
        label="tags",
        dirty=True,
        bad="text",
        cut="bad",
        streams=("name", "name", ""),
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
        return self._open(self.TOOL_CALLS_TAGS, text, at, first.start, first.end, first.captures(text))

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
