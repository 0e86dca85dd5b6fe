# Code generated from grammars/hunyuan_v3.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:0c056ded5ba4d489, runtime ABI 2
r"""Response parser for Hunyuan 3 (Hy3).

States, and what leaves them:

    content (start)       /<[|\uff5c]hy_eos(?::[^<>|\uff5c]*)?[|\uff5c]>/           -> the end of the message
                          /\A\s*(?:<think(?::[^<>]*)?>)/                            -> reasoning_content
                          /(?:<tool_calls(?::[^<>]*)?>\s*)?<tool_call(?::[^<>]*...  -> tool_calls as pairs
                          /(?:<tool_calls(?::[^<>]*)?>\s*)?<tool_call(?::[^<>]*...  -> tool_calls as object
                          /(?:<tool_calls(?::[^<>]*)?>\s*)?<tool_call(?::[^<>]*...  -> tool_calls as bare
                          /<\/tool_calls(?::[^<>]*)?>|(?<=\})\s*<(?:\/|end_of_)...  -> content
    tool_calls as bare    /<[|\uff5c]hy_eos(?::[^<>|\uff5c]*)?[|\uff5c]>/           -> the end of the message
                          /<\/tool_call(?::[^<>]*)?>/                               -> content
    tool_calls as object  the end of its value                                      -> content
                          before /<[|\uff5c]hy_eos(?::[^<>|\uff5c]*)?[|\uff5c]>...  -> content
    tool_calls as pairs   /<[|\uff5c]hy_eos(?::[^<>|\uff5c]*)?[|\uff5c]>/           -> the end of the message
                          /(?<=<\/arg_value(?::[^<>]*)?>)\s*(?:<\/tool_call(?::...  -> content
    reasoning_content     /<[|\uff5c]hy_eos(?::[^<>|\uff5c]*)?[|\uff5c]>/           -> the end of the message
                          /<\/think(?::[^<>]*)?>/                                   -> content
                          /(?:<tool_calls(?::[^<>]*)?>\s*)?<tool_call(?::[^<>]*...  -> tool_calls as pairs, if the close never comes: all is hel...
                          /(?:<tool_calls(?::[^<>]*)?>\s*)?<tool_call(?::[^<>]*...  -> tool_calls as object, if the close never comes: all is he...
                          /(?:<tool_calls(?::[^<>]*)?>\s*)?<tool_call(?::[^<>]*...  -> tool_calls as bare, if the close never comes: all is held...

What the compiler proved, and this module leans on:

    P1  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P2  Delimiters stand in a value's strings, too: from the first one on the text is held until the value ends, and
        where it turns out to be none, it ends before that one.
"""

from __future__ import annotations

from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = (
    "tencent/Hy3*",
    "tencent/HY-V4*",
)
_TAG_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq(
        "<arg_key",
        rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))),
        ">",
        rt.plus(rt.one("[^<]")),
        "</arg_key",
        rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))),
        ">",
        rt.star(rt.one(r"\s")),
        "<arg_value",
        rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))),
        ">",
    ),
    r"<arg_key(?::[^<>]*)?>(?P<key>[^<]+)</arg_key(?::[^<>]*)?>\s*<arg_value(?::[^<>]*)?>",
)
_TAG2_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq("</arg_value", rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))), ">"), "</arg_value(?::[^<>]*)?>"
)
_ANCHOR = rt.Automaton(
    rt.seq(
        "<",
        rt.one("[|\uff5c]"),
        "hy_Assistant",
        rt.opt(rt.seq(":", rt.star(rt.one("[^<>|\uff5c]")))),
        rt.one("[|\uff5c]"),
        ">",
    ),
    "<[|\uff5c]hy_Assistant(?::[^<>|\uff5c]*)?[|\uff5c]>",
)
_STOPS = rt.Automaton(
    rt.seq(
        "<",
        rt.one("[|\uff5c]"),
        "hy_eos",
        rt.opt(rt.seq(":", rt.star(rt.one("[^<>|\uff5c]")))),
        rt.one("[|\uff5c]"),
        ">",
    ),
    "<[|\uff5c]hy_eos(?::[^<>|\uff5c]*)?[|\uff5c]>",
)
_CLOSES_REASONING_CONTENT = rt.Automaton(
    rt.seq("</think", rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))), ">"), "</think(?::[^<>]*)?>"
)
_OPENS_TOOL_CALLS_PAIRS = rt.Capturing(
    rt.seq(
        rt.opt(rt.seq("<tool_calls", rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))), ">", rt.star(rt.one(r"\s")))),
        "<tool_call",
        rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))),
        ">",
        rt.star(rt.one(r"\s")),
        rt.group("name", rt.plus(rt.one(r"[^\s<]"))),
        rt.star(rt.one(r"\s")),
        rt.opt(rt.seq("<tool_sep", rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))), ">", rt.star(rt.one(r"\s")))),
        rt.look("<arg_key"),
    )
)
_OPENS_TOOL_CALLS_OBJECT = rt.Capturing(
    rt.seq(
        rt.opt(rt.seq("<tool_calls", rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))), ">", rt.star(rt.one(r"\s")))),
        "<tool_call",
        rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))),
        ">",
        rt.star(rt.one(r"\s")),
        rt.group("name", rt.plus(rt.one(r"[^\s<]"))),
        rt.star(rt.one(r"\s")),
        "<tool_sep",
        rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))),
        ">",
        rt.star(rt.one(r"\s")),
        rt.look("{"),
    )
)
_OPENS_TOOL_CALLS_BARE = rt.Capturing(
    rt.seq(
        rt.opt(rt.seq("<tool_calls", rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))), ">", rt.star(rt.one(r"\s")))),
        "<tool_call",
        rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))),
        ">",
        rt.star(rt.one(r"\s")),
        rt.group("name", rt.plus(rt.one(r"[^\s<]"))),
        rt.star(rt.one(r"\s")),
        rt.opt(rt.seq("<tool_sep", rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))), ">", rt.star(rt.one(r"\s")))),
        rt.look("</tool_call"),
    )
)
_CLOSES_TOOL_CALLS_PAIRS = rt.Capturing(
    rt.alt(
        rt.seq(
            rt.past(rt.seq("</arg_value", rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))), ">")),
            rt.star(rt.one(r"\s")),
            rt.alt(
                rt.seq(
                    "</tool_call",
                    rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))),
                    ">",
                    rt.look(rt.seq(rt.star(rt.one(r"\s")), "</arg_value"), negative=True),
                ),
                rt.look(
                    rt.seq(
                        "<tool_call",
                        rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))),
                        ">",
                        rt.star(rt.one(r"\s")),
                        rt.one(r"[^\s<]"),
                    )
                ),
            ),
        ),
        rt.seq(
            "</tool_call",
            rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))),
            ">",
            rt.look(
                rt.seq(
                    rt.star(rt.one(r"\s")),
                    "<tool_call",
                    rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))),
                    ">",
                    rt.star(rt.one(r"\s")),
                    rt.one(r"[^\s<]"),
                )
            ),
        ),
    )
)
_CLOSES_TOOL_CALLS_BARE = rt.Automaton(
    rt.seq("</tool_call", rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))), ">"), "</tool_call(?::[^<>]*)?>"
)
_OPENS_REASONING_CONTENT = rt.Automaton(
    rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<think", rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))), ">"),
    r"\A\s*(?:<think(?::[^<>]*)?>)",
)
_STRAYS = rt.Automaton(
    rt.alt(
        rt.seq("</tool_calls", rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))), ">"),
        rt.seq(
            rt.behind(r"(?<=\})"),
            rt.star(rt.one(r"\s")),
            "<",
            rt.alt("/", "end_of_"),
            "tool_call",
            rt.opt(rt.seq(":", rt.star(rt.one("[^<>]")))),
            ">",
        ),
    ),
    r"</tool_calls(?::[^<>]*)?>|(?<=\})\s*<(?:/|end_of_)tool_call(?::[^<>]*)?>",
)
_LEAVES_REASONING_CONTENT = rt.Watch(_STOPS, _CLOSES_REASONING_CONTENT)
_LATE_REASONING_CONTENT = rt.Watch(_OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_OBJECT, _OPENS_TOOL_CALLS_BARE)
_LEAVES_TOOL_CALLS_PAIRS = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_PAIRS)
_INSIDE_TOOL_CALLS_OBJECT = rt.Watch(_STOPS)
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

    BEHIND = 9223372036854775807

    COERCE = "exact"

    # models  "tencent/Hy3*" | "tencent/HY-V4*"
    # policy  blank skip, trim both, bad text, cut bad, exact, coerce exact
    # default role = "assistant"
    # anchor  /<[|\uff5c]hy_Assistant(?::[^<>|\uff5c]*)?[|\uff5c]>/
    # stop    /<[|\uff5c]hy_eos(?::[^<>|\uff5c]*)?[|\uff5c]>/
    # stray   /<\/tool_calls(?::[^<>]*)?>|(?<=\})\s*<(?:\/|end_of_)tool_call(?::[^<>]*)?>/

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_match(prefix, _ANCHOR)

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  /<think(?::[^<>]*)?>/ when start
    #     close /<\/think(?::[^<>]*)?>/
    #     ended by tool_calls unless closed
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_REASONING_CONTENT, text, at)  # P1
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
    # field tool_calls[] as pairs: xml(pair /<arg_key(?::[^<>]*)?>(?P<key>[^<]+)<\/arg_key(?::[^<>]*)?>\s*<arg_val
    #           ue(?::[^<>]*)?>/ /<\/arg_value(?::[^<>]*)?>/, value = text(strip = false)) {
    #     open  /(?:<tool_calls(?::[^<>]*)?>\s*)?<tool_call(?::[^<>]*)?>\s*(?P<name>[^\s<]+)\s*(?:<tool_sep(?::[^<
    #           >]*)?>\s*)?(?=<arg_key)/
    #     close /(?<=<\/arg_value(?::[^<>]*)?>)\s*(?:<\/tool_call(?::[^<>]*)?>(?!\s*<\/arg_value)|(?=<tool_call(?:
    #           :[^<>]*)?>\s*[^\s<]))|<\/tool_call(?::[^<>]*)?>(?=\s*<tool_call(?::[^<>]*)?>\s*[^\s<])/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_pairs(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_TOOL_CALLS_PAIRS, text, at)  # P1
        if first.found is None:
            return self._wait_or_cut(text, at, first.start, _CLOSES_TOOL_CALLS_PAIRS, _STOPS)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_pairs(self, body: str) -> object:
        content = rt.read_pairs(body, _TAG_TOOL_CALLS_PAIRS, _TAG2_TOOL_CALLS_PAIRS, exact=True)
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
    #     open  /(?:<tool_calls(?::[^<>]*)?>\s*)?<tool_call(?::[^<>]*)?>\s*(?P<name>[^\s<]+)\s*<tool_sep(?::[^<>]*
    #           )?>\s*(?=\{)/
    #     close value-end
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_object(self, text: str, at: int) -> int:
        return self._read_value(rt.JsonBody, text, at, _INSIDE_TOOL_CALLS_OBJECT)  # P2

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

    # -- tool_calls as bare --------------------------------------------------------------
    # field tool_calls[] as bare: text {
    #     open  /(?:<tool_calls(?::[^<>]*)?>\s*)?<tool_call(?::[^<>]*)?>\s*(?P<name>[^\s<]+)\s*(?:<tool_sep(?::[^<
    #           >]*)?>\s*)?(?=<\/tool_call)/
    #     close /<\/tool_call(?::[^<>]*)?>/
    #     emit  {"type": "function", "function": {"name": name, "arguments": {}}}
    # }

    def _read_tool_calls_bare(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_TOOL_CALLS_BARE, text, at)  # P1
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
        first = self._first(_LEAVES_CONTENT, text, at)  # P1
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
