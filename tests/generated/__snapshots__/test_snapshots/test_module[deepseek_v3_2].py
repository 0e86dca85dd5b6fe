# Code generated from grammars/deepseek_v3_2.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:3856a6f08f1943de, runtime ABI 2
r"""Response parser for DeepSeek-V3.2.

States, and what leaves them:

    content (start)       "<\uff5cend\u2581of\u2581sentence\uff5c>"                 -> the end of the message
                          /\A\s*(?:<think>)/                                        -> reasoning_content
                          /(?:<\uff5cDSML\uff5cfunction_calls>\s*)?<\uff5cDSML...   -> tool_calls as pairs
                          /(?:<\uff5cDSML\uff5cfunction_calls>\s*)?<\uff5cDSML...   -> tool_calls as object
                          /(?:<\uff5cDSML\uff5cfunction_calls>\s*)?<\uff5cDSML...   -> tool_calls as bare
                          "<\uff5cDSML\uff5cfunction_calls>" | "</\uff5cDSML\uf...  -> content
    tool_calls as bare    "<\uff5cend\u2581of\u2581sentence\uff5c>"                 -> the end of the message
                          "</\uff5cDSML\uff5cinvoke>" | "/>"                        -> content
    tool_calls as object  "<\uff5cend\u2581of\u2581sentence\uff5c>"                 -> the end of the message
                          "</\uff5cDSML\uff5cinvoke>"                               -> content
    tool_calls as pairs   "<\uff5cend\u2581of\u2581sentence\uff5c>"                 -> the end of the message
                          /(?<=<\/\uff5cDSML\uff5cparameter>)\s*(?:<\/\uff5cDSM...  -> content
    reasoning_content     "<\uff5cend\u2581of\u2581sentence\uff5c>"                 -> the end of the message
                          "</think>"                                                -> content
                          /(?:<\uff5cDSML\uff5cfunction_calls>\s*)?<\uff5cDSML...   -> tool_calls as pairs, if the close never comes: all is hel...
                          /(?:<\uff5cDSML\uff5cfunction_calls>\s*)?<\uff5cDSML...   -> tool_calls as object, if the close never comes: all is he...
                          /(?:<\uff5cDSML\uff5cfunction_calls>\s*)?<\uff5cDSML...   -> tool_calls as bare, if the close never comes: all is held...

What the compiler proved, and this module leans on:

    P1  No delimiter of a state begins with another one: a complete one is final the moment it is seen.
    P2  Every delimiter of a state begins with the state's lead and has it nowhere else: text without it is plain,
        and a delimiter that has begun begins at the last one.
    P3  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P4  Closers stand in strings too: from the first such one on the text is held until one counts, and where none
        does, it was the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = ("deepseek-ai/DeepSeek-V3.2*",)
_TAG_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq(
        "<\uff5cDSML\uff5cparameter",
        rt.plus(rt.one(r"\s")),
        'name="',
        rt.plus(rt.one('[^"]')),
        '"',
        rt.plus(rt.one(r"\s")),
        'string="',
        rt.alt("true", "false"),
        '"',
        rt.star(rt.one(r"\s")),
        ">",
    ),
    '<\uff5cDSML\uff5cparameter\\s+name="(?P<key>[^"]+)"\\s+string="(?P<kind>true|false)"\\s*>',
)
_TAG2_TOOL_CALLS_PAIRS = re.compile("</\uff5cDSML\uff5cparameter>")
_ANCHOR = rt.Automaton(
    rt.alt(
        rt.seq("<\uff5cAssistant\uff5c>", rt.opt("</think>")),
        rt.seq("</function_results>", rt.star(rt.one(r"\s")), rt.opt("</think>")),
    ),
    "<\uff5cAssistant\uff5c>(?:</think>)?|</function_results>\\s*(?:</think>)?",
)
_STOPS = rt.Words("<\uff5cend\u2581of\u2581sentence\uff5c>")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq(
        rt.opt(rt.seq("<\uff5cDSML\uff5cfunction_calls>", rt.star(rt.one(r"\s")))),
        "<\uff5cDSML\uff5cinvoke",
        rt.plus(rt.one(r"\s")),
        'name="',
        rt.plus(rt.one('[^"]')),
        '"',
        rt.star(rt.one(r"\s")),
        ">",
        rt.star(rt.one(r"\s")),
        rt.look("<\uff5cDSML\uff5cparameter"),
    ),
    '(?:<\uff5cDSML\uff5cfunction_calls>\\s*)?<\uff5cDSML\uff5cinvoke\\s+name="(?P<name>[^"]+)"\\s*>\\s*(?=<\uff5cDSML\uff5cparameter)',
)
_OPENS_TOOL_CALLS_OBJECT = rt.Automaton(
    rt.seq(
        rt.opt(rt.seq("<\uff5cDSML\uff5cfunction_calls>", rt.star(rt.one(r"\s")))),
        "<\uff5cDSML\uff5cinvoke",
        rt.plus(rt.one(r"\s")),
        'name="',
        rt.plus(rt.one('[^"]')),
        '"',
        rt.star(rt.one(r"\s")),
        ">",
        rt.star(rt.one(r"\s")),
        rt.look("{"),
    ),
    '(?:<\uff5cDSML\uff5cfunction_calls>\\s*)?<\uff5cDSML\uff5cinvoke\\s+name="(?P<name>[^"]+)"\\s*>\\s*(?=\\{)',
)
_OPENS_TOOL_CALLS_BARE = rt.Automaton(
    rt.seq(
        rt.opt(rt.seq("<\uff5cDSML\uff5cfunction_calls>", rt.star(rt.one(r"\s")))),
        "<\uff5cDSML\uff5cinvoke",
        rt.plus(rt.one(r"\s")),
        'name="',
        rt.plus(rt.one('[^"]')),
        '"',
        rt.star(rt.one(r"\s")),
        rt.alt(rt.seq(">", rt.star(rt.one(r"\s")), rt.look("</\uff5cDSML\uff5cinvoke>")), rt.look("/>")),
    ),
    '(?:<\uff5cDSML\uff5cfunction_calls>\\s*)?<\uff5cDSML\uff5cinvoke\\s+name="(?P<name>[^"]+)"\\s*(?:>\\s*(?=</\uff5cDSML\uff5cinvoke>)|(?=/>))',
)
_CLOSES_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.alt(
        rt.seq(
            rt.behind("(?<=</\uff5cDSML\uff5cparameter>)"),
            rt.star(rt.one(r"\s")),
            rt.alt(
                rt.seq(
                    "</\uff5cDSML\uff5cinvoke>",
                    rt.look(
                        rt.seq(
                            rt.star(rt.one(r"\s")),
                            rt.alt(
                                rt.seq(
                                    "</\uff5cDSML\uff5cfunction_calls>",
                                    rt.look(
                                        rt.seq(rt.star(rt.one(r"\s")), "</\uff5cDSML\uff5cparameter>"), negative=True
                                    ),
                                ),
                                "<\uff5cend",
                                rt.end(),
                            ),
                        )
                    ),
                ),
                rt.look("<\uff5cDSML\uff5cinvoke"),
            ),
        ),
        rt.seq("</\uff5cDSML\uff5cinvoke>", rt.look(rt.seq(rt.star(rt.one(r"\s")), "<\uff5cDSML\uff5cinvoke"))),
    ),
    "(?<=</\uff5cDSML\uff5cparameter>)\\s*(?:</\uff5cDSML\uff5cinvoke>(?=\\s*(?:</\uff5cDSML\uff5cfunction_calls>(?!\\s*</\uff5cDSML\uff5cparameter>)|<\uff5cend|\\Z))|(?=<\uff5cDSML\uff5cinvoke))|</\uff5cDSML\uff5cinvoke>(?=\\s*<\uff5cDSML\uff5cinvoke)",
)
_CLOSES_TOOL_CALLS_BARE = rt.Words("</\uff5cDSML\uff5cinvoke>", "/>")
_OPENS_REASONING_CONTENT = rt.Automaton(rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<think>"), r"\A\s*(?:<think>)")
_STRAYS = rt.Words("</\uff5cDSML\uff5cfunction_calls>", "<\uff5cDSML\uff5cfunction_calls>")
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_OBJECT, _OPENS_TOOL_CALLS_BARE)
_LEAVES_TOOL_CALLS_PAIRS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_PAIRS)
_OPENS_BEHIND_TOOL_CALLS_PAIRS = rt.Watch(_OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_OBJECT, _OPENS_TOOL_CALLS_BARE)
_LEAVES_TOOL_CALLS_BARE = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_BARE)
_LEAVES_CONTENT = rt.Watch(
    _STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_OBJECT, _OPENS_TOOL_CALLS_BARE, _STRAYS
)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.LookingBack):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    BEHIND = 18

    COERCE = "exact"

    # models  "deepseek-ai/DeepSeek-V3.2*"
    # policy  blank skip, trim both, bad text, cut bad, aware, exact, coerce exact
    # default role = "assistant"
    # anchor  /<\uff5cAssistant\uff5c>(?:<\/think>)?|<\/function_results>\s*(?:<\/think>)?/
    # stop    "<\uff5cend\u2581of\u2581sentence\uff5c>"
    # stray   "<\uff5cDSML\uff5cfunction_calls>" | "</\uff5cDSML\uff5cfunction_calls>"

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

    # -- tool_calls as pairs -------------------------------------------------------------
    # field tool_calls[] as pairs: xml(pair /<\uff5cDSML\uff5cparameter\s+name="(?P<key>[^"]+)"\s+string="(?P<kind
    #           >true|false)"\s*>/ "</\uff5cDSML\uff5cparameter>", value by kind {"true": text(strip = false), "fa
    #           lse": json}) {
    #     open  /(?:<\uff5cDSML\uff5cfunction_calls>\s*)?<\uff5cDSML\uff5cinvoke\s+name="(?P<name>[^"]+)"\s*>\s*(?
    #           =<\uff5cDSML\uff5cparameter)/
    #     close /(?<=<\/\uff5cDSML\uff5cparameter>)\s*(?:<\/\uff5cDSML\uff5cinvoke>(?=\s*(?:<\/\uff5cDSML\uff5cfun
    #           ction_calls>(?!\s*<\/\uff5cDSML\uff5cparameter>)|<\uff5cend|\Z))|(?=<\uff5cDSML\uff5cinvoke))|<\/\
    #           uff5cDSML\uff5cinvoke>(?=\s*<\uff5cDSML\uff5cinvoke)/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_pairs(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS_PAIRS, ("</\uff5cDSML\uff5cparameter>",)))  # P4
        first = aware.nearest(self, text, at, _LEAVES_TOOL_CALLS_PAIRS, _OPENS_BEHIND_TOOL_CALLS_PAIRS)  # P3
        if first is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS_PAIRS)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_pairs(self, body: str) -> object:
        content = rt.read_pairs(
            body,
            _TAG_TOOL_CALLS_PAIRS,
            _TAG2_TOOL_CALLS_PAIRS,
            by="kind",
            readers={"true": lambda raw: raw, "false": rt.read_json},
            exact=True,
        )
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": content}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_PAIRS = rt.State(
        "tool_calls",
        _read_tool_calls_pairs,
        _close_tool_calls_pairs,
        label="pairs",
        dirty=True,
        bad="text",
        cut="bad",
        streams=("name", "name", ""),
    )

    # -- tool_calls as object ------------------------------------------------------------
    # field tool_calls[] as object: json {
    #     open  /(?:<\uff5cDSML\uff5cfunction_calls>\s*)?<\uff5cDSML\uff5cinvoke\s+name="(?P<name>[^"]+)"\s*>\s*(?
    #           =\{)/
    #     close "</\uff5cDSML\uff5cinvoke>"
    #     policy  aware
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_object(self, text: str, at: int) -> int:
        aware = self._watched(rt.JsonBody)  # P4
        begun, start = -1, text.find("<", aware.begin(self, at))  # P2
        while start >= 0:
            if text.startswith("<\uff5cend\u2581of\u2581sentence\uff5c>", start) and aware.allows(
                self, text, at, start
            ):  # P1
                return self._stop(text, at, start, start + 19)
            if text.startswith("</\uff5cDSML\uff5cinvoke>", start) and aware.allows(self, text, at, start):  # P1
                return self._close(text, at, start, start + 15)
            begun, start = start, aware.find(text, "<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if "<\uff5cend\u2581of\u2581sentence\uff5c>".startswith(tail) or "</\uff5cDSML\uff5cinvoke>".startswith(
                tail
            ):
                return aware.wait(self, text, at, begun)
        return aware.wait(self, text, at, len(text))

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
        cut="bad",
        streams=("json", "name", ""),
    )

    # -- tool_calls as bare --------------------------------------------------------------
    # field tool_calls[] as bare: text {
    #     open  /(?:<\uff5cDSML\uff5cfunction_calls>\s*)?<\uff5cDSML\uff5cinvoke\s+name="(?P<name>[^"]+)"\s*(?:>\s
    #           *(?=<\/\uff5cDSML\uff5cinvoke>)|(?=\/>))/
    #     close "</\uff5cDSML\uff5cinvoke>" | "/>"
    #     emit  {"type": "function", "function": {"name": name, "arguments": {}}}
    # }

    def _read_tool_calls_bare(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_TOOL_CALLS_BARE, text, at)  # P3
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_bare(self, body: str) -> object:
        value = self._type_arguments(
            {"type": "function", "function": {"name": self._captures["name"], "arguments": {}}}
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_BARE = rt.State("tool_calls", _read_tool_calls_bare, _close_tool_calls_bare, label="bare", bad="text")

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
        if first.found is _OPENS_TOOL_CALLS_PAIRS:
            return self._open(self.TOOL_CALLS_PAIRS, text, at, first.start, first.end, first.captures(text))
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
