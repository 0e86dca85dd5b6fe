# Code generated from grammars/dots.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:1c36d027bfef9222, runtime ABI 2
r"""Response parser for dots.

States, and what leaves them:

    content (start)       "<|endofresponse|>"                                       -> the end of the message
                          /\A\s*(?:<think>)/                                        -> reasoning_content
                          /(?:<dots_function_call>\s*)+<invoke\s+name\s*=\s*["'...  -> tool_calls as tags
                          /(?:<dots_function_call>\s*)+(?=\{)/                      -> tool_calls as object
                          "</dots_function_call>"                                   -> content
    behind tool_calls     /\s*(?:<invoke\s+name\s*=\s*["']?(?P<name>[^"'<>]+)["...  -> tool_calls as tags
                          anything else                                             -> as outside of regions
    tool_calls as object  "<|endofresponse|>"                                       -> the end of the message
                          "</dots_function_call>"                                   -> behind tool_calls
    tool_calls as tags    "<|endofresponse|>"                                       -> the end of the message
                          /<\/invoke>(?!\s*(?:<\/dots_function_call>\s*)?<\/par...  -> behind tool_calls
    reasoning_content     "<|endofresponse|>"                                       -> the end of the message
                          "</think>"                                                -> content
                          /(?:<dots_function_call>\s*)+<invoke\s+name\s*=\s*["'...  -> tool_calls as tags, if the close never comes: all is held...
                          /(?:<dots_function_call>\s*)+(?=\{)/                      -> tool_calls as object, if the close never comes: all is he...

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

import re
from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = (
    "dots-studio/dots*",
    "rednote-hilab/dots.llm*",
)
_TAG_TOOL_CALLS_TAGS = rt.Capturing(
    rt.seq(
        "<parameter",
        rt.plus(rt.one(r"\s")),
        "name",
        rt.star(rt.one(r"\s")),
        "=",
        rt.star(rt.one(r"\s")),
        rt.opt(rt.one("[\"']")),
        rt.group("key", rt.plus(rt.one("[^\"'<>]"))),
        rt.opt(rt.one("[\"']")),
        rt.star(rt.one(r"\s")),
        ">",
    )
)
_TAG2_TOOL_CALLS_TAGS = re.compile("</parameter>")
_STOPS = rt.Words("<|endofresponse|>")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS_TAGS = rt.Capturing(
    rt.seq(
        rt.plus(rt.seq("<dots_function_call>", rt.star(rt.one(r"\s")))),
        "<invoke",
        rt.plus(rt.one(r"\s")),
        "name",
        rt.star(rt.one(r"\s")),
        "=",
        rt.star(rt.one(r"\s")),
        rt.opt(rt.one("[\"']")),
        rt.group("name", rt.plus(rt.one("[^\"'<>]"))),
        rt.opt(rt.one("[\"']")),
        rt.star(rt.one(r"\s")),
        ">",
    )
)
_OPENS_TOOL_CALLS_OBJECT = rt.Automaton(
    rt.seq(rt.plus(rt.seq("<dots_function_call>", rt.star(rt.one(r"\s")))), rt.look("{")),
    r"(?:<dots_function_call>\s*)+(?=\{)",
)
_CLOSES_TOOL_CALLS_TAGS = rt.Automaton(
    rt.alt(
        rt.seq(
            "</invoke>",
            rt.look(
                rt.seq(
                    rt.star(rt.one(r"\s")),
                    rt.opt(rt.seq("</dots_function_call>", rt.star(rt.one(r"\s")))),
                    "</parameter>",
                ),
                negative=True,
            ),
        ),
        rt.seq(
            rt.behind("(?<=</parameter>)"),
            rt.look(
                rt.seq(
                    rt.star(rt.one(r"\s")),
                    "<invoke",
                    rt.plus(rt.one(r"\s")),
                    "name",
                    rt.star(rt.one("[^>]")),
                    ">",
                    rt.star(rt.one(r"\s")),
                    "<parameter",
                )
            ),
        ),
    ),
    r"</invoke>(?!\s*(?:</dots_function_call>\s*)?</parameter>)|(?<=</parameter>)(?=\s*<invoke\s+name[^>]*>\s*<parameter)",
)
_OPENS_TOOL_CALLS_TAGS_2 = rt.Capturing(
    rt.seq(
        rt.star(rt.one(r"\s")),
        "<invoke",
        rt.plus(rt.one(r"\s")),
        "name",
        rt.star(rt.one(r"\s")),
        "=",
        rt.star(rt.one(r"\s")),
        rt.opt(rt.one("[\"']")),
        rt.group("name", rt.plus(rt.one("[^\"'<>]"))),
        rt.opt(rt.one("[\"']")),
        rt.star(rt.one(r"\s")),
        ">",
    )
)
_OPENS_REASONING_CONTENT = rt.Automaton(rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<think>"), r"\A\s*(?:<think>)")
_STRAYS = rt.Words("</dots_function_call>")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS_TAGS, _OPENS_TOOL_CALLS_OBJECT)
_LEAVES_TOOL_CALLS_TAGS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_TAGS)
_OPENS_BEHIND_TOOL_CALLS_TAGS = rt.Watch(_OPENS_TOOL_CALLS_TAGS, _OPENS_TOOL_CALLS_OBJECT)
_LATER_TOOL_CALLS_TAGS = rt.Watch(_OPENS_TOOL_CALLS_TAGS_2)
_LEAVES_BEHIND_TOOL_CALLS = rt.Watch(_OPENS_TOOL_CALLS_TAGS_2)
_LEAVES_CONTENT = rt.Watch(_STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_TAGS, _OPENS_TOOL_CALLS_OBJECT, _STRAYS)


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

    # models  "dots-studio/dots*" | "rednote-hilab/dots.llm*"
    # policy  blank skip, trim both, bad text, cut bad, aware, exact, coerce exact
    # default role = "assistant"
    # anchor  "<|response|>"
    # stop    "<|endofresponse|>"
    # stray   "</dots_function_call>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|response|>")  # P4

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

    # -- tool_calls as tags --------------------------------------------------------------
    # field tool_calls[] as tags: xml(pair /<parameter\s+name\s*=\s*["']?(?P<key>[^"'<>]+)["']?\s*>/ "</parameter>
    #           ", value = text(strip = false), trim = newline) {
    #     open  /(?:<dots_function_call>\s*)+<invoke\s+name\s*=\s*["']?(?P<name>[^"'<>]+)["']?\s*>/
    #     open  /<invoke\s+name\s*=\s*["']?(?P<name>[^"'<>]+)["']?\s*>/ when after tool_calls
    #     close /<\/invoke>(?!\s*(?:<\/dots_function_call>\s*)?<\/parameter>)|(?<=<\/parameter>)(?=\s*<invoke\s+na
    #           me[^>]*>\s*<parameter)/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_tags(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS_TAGS, ("</parameter>",)))  # P5
        first = aware.nearest(
            self, text, at, _LEAVES_TOOL_CALLS_TAGS, _OPENS_BEHIND_TOOL_CALLS_TAGS, later=_LATER_TOOL_CALLS_TAGS
        )  # P3
        if first is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS_TAGS)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end, self.BEHIND_TOOL_CALLS)

    def _close_tool_calls_tags(self, body: str) -> object:
        content = rt.read_pairs(
            body, _TAG_TOOL_CALLS_TAGS, _TAG2_TOOL_CALLS_TAGS, value=rt.without_newlines, exact=True
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

    # -- tool_calls as object ------------------------------------------------------------
    # field tool_calls[] as object: json {
    #     open  /(?:<dots_function_call>\s*)+(?=\{)/
    #     close "</dots_function_call>"
    #     tolerate [commas, escapes, newlines, trailing, double-encoded]
    #     emit  {"type": "function", "function": {"name": content.name, "arguments": content.arguments ?? content.
    #           parameters ?? {}}}
    # }

    def _read_tool_calls_object(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P5
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<|endofresponse|>", start) and aware.allows(self, text, at, start):  # P1
                return self._stop(text, at, start, start + 17)
            if text.startswith("</dots_function_call>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 21, self.BEHIND_TOOL_CALLS)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if "<|endofresponse|>".startswith(tail) or "</dots_function_call>".startswith(tail):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

    def _close_tool_calls_object(self, body: str) -> object:
        content = self._tolerate(rt.read_json, ("commas", "escapes", "newlines", "trailing"), body)
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

    TOOL_CALLS_OBJECT = rt.State(
        "tool_calls",
        _read_tool_calls_object,
        _close_tool_calls_object,
        label="object",
        dirty=True,
        bad="text",
        cut="bad",
    )

    # -- behind tool_calls ---------------------------------------------------------------

    def _read_behind_tool_calls(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_BEHIND_TOOL_CALLS, text, at)
        if self._goes_on(first, text, at):
            return at
        if first.found is None:
            return self._wait(text, at, at)
        return self._open(self.TOOL_CALLS_TAGS, text, at, first.start, first.end, first.captures(text))

    BEHIND_TOOL_CALLS = rt.State("behind tool_calls", _read_behind_tool_calls, is_behind=True)

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
        if first.found is _OPENS_TOOL_CALLS_TAGS:
            return self._open(self.TOOL_CALLS_TAGS, text, at, first.start, first.end, first.captures(text))
        if first.found is _OPENS_TOOL_CALLS_OBJECT:
            return self._open(self.TOOL_CALLS_OBJECT, text, at, first.start, first.end)
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
