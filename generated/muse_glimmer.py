# Code generated from grammars/muse_glimmer.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:d792abb12dcd8867, runtime ABI 2
r"""Response parser for Muse Glimmer.

States, and what leaves them:

    content (start)      /(?:<\|start\|>assistant)? to=self<\|message\|>/          -> reasoning_content
                         /<atem:invoke name="(?P<name>[^"]+)">\s*(?!\s|<\/atem...  -> tool_calls as pairs
                         /<atem:invoke name="(?P<name>[^"]+)">\s*(?=<\/atem:in...  -> tool_calls as bare
                         /(?:<\|start\|>assistant)?(?: to=(?!self<)[^\s<]+)?<...   -> content
    tool_calls as bare   "</atem:invoke>"                                          -> content
    tool_calls as pairs  /(?<=<\/atem:parameter>)\s*<\/atem:invoke>(?=\s*(?:<...   -> content
    reasoning_content    "<|eom|>" | "<|eot|>"                                     -> content
                         before "<|start|>assistant"                               -> content

What the compiler proved, and this module leans on:

    P1  No delimiter of a state begins with another one: a complete one is final the moment it is seen.
    P2  Every delimiter of a state begins with the state's lead and has it nowhere else: text without it is plain,
        and a delimiter that has begun begins at the last one.
    P3  Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, then
        the field's name; one that is undecided blocks what does not start before it.
    P4  The anchor cannot overlap itself: the last place where it stands is its last match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import runtime as rt

rt.require_abi(2, __name__)

MODELS = ("meta-models/Muse-Glimmer-*",)
_TAG_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq('<atem:parameter name="', rt.plus(rt.one('[^"]')), '">'), '<atem:parameter name="(?P<key>[^"]+)">'
)
_TAG2_TOOL_CALLS_PAIRS = re.compile("</atem:parameter>")
_CLOSES_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.alt(
        rt.seq(
            rt.behind("(?<=</atem:parameter>)"),
            rt.star(rt.one(r"\s")),
            "</atem:invoke>",
            rt.look(
                rt.seq(
                    rt.star(rt.one(r"\s")),
                    rt.alt(
                        rt.seq(
                            "</atem:function_calls>",
                            rt.look(rt.seq(rt.star(rt.one(r"\s")), "</atem:parameter>"), negative=True),
                        ),
                        "<|eo",
                        rt.end(),
                    ),
                )
            ),
        ),
        rt.seq("</atem:invoke>", rt.look(rt.seq(rt.star(rt.one(r"\s")), "<atem:invoke"))),
        rt.seq(rt.behind("(?<=</atem:parameter>)"), rt.opt("\n"), rt.look("<atem:invoke")),
    ),
    r"(?<=</atem:parameter>)\s*</atem:invoke>(?=\s*(?:</atem:function_calls>(?!\s*</atem:parameter>)|<\|eo|\Z))|</atem:invoke>(?=\s*<atem:invoke)|(?<=</atem:parameter>)\n?(?=<atem:invoke)",
)
_OPENS_REASONING_CONTENT = rt.Words("<|start|>assistant to=self<|message|>", " to=self<|message|>")
_OPENS_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq(
        '<atem:invoke name="',
        rt.plus(rt.one('[^"]')),
        '">',
        rt.star(rt.one(r"\s")),
        rt.look(rt.alt(rt.one(r"\s"), "</atem:invoke>"), negative=True),
    ),
    '<atem:invoke name="(?P<name>[^"]+)">\\s*(?!\\s|</atem:invoke>)',
)
_OPENS_TOOL_CALLS_BARE = rt.Automaton(
    rt.seq('<atem:invoke name="', rt.plus(rt.one('[^"]')), '">', rt.star(rt.one(r"\s")), rt.look("</atem:invoke>")),
    '<atem:invoke name="(?P<name>[^"]+)">\\s*(?=</atem:invoke>)',
)
_STRAYS = rt.Automaton(
    rt.alt(
        rt.seq(
            rt.opt("<|start|>assistant"),
            rt.opt(rt.seq(" to=", rt.look("self<", negative=True), rt.plus(rt.one(r"[^\s<]")))),
            "<|message|>",
        ),
        "<|eom|>",
        "<|eot|>",
        rt.seq("<", rt.opt("/"), "atem:function_calls>"),
    ),
    r"(?:<\|start\|>assistant)?(?: to=(?!self<)[^\s<]+)?<\|message\|>|<\|eom\|>|<\|eot\|>|</?atem:function_calls>",
)
_LEAVES_REASONING_CONTENT = rt.AnyOf("<|eom|>", "<|eot|>", "<|start|>assistant")
_LEAVES_TOOL_CALLS_PAIRS = rt.Watch(_CLOSES_TOOL_CALLS_PAIRS)
_LEAVES_CONTENT = rt.Watch(_OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_PAIRS, _OPENS_TOOL_CALLS_BARE, _STRAYS)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.LookingBack):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    BEHIND = 17

    COERCE = "exact"

    # models  "meta-models/Muse-Glimmer-*"
    # policy  blank skip, trim both, bad text, cut bad, exact, coerce exact
    # default role = "assistant"
    # anchor  "<|start|>assistant"
    # stray   /(?:<\|start\|>assistant)?(?: to=(?!self<)[^\s<]+)?<\|message\|>|<\|eom\|>|<\|eot\|>|<\/?atem:functi
    #           on_calls>/

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|start|>assistant")  # P4

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text joined "\n" {
    #     open  /(?:<\|start\|>assistant)? to=self<\|message\|>/
    #     close /<\|eom\|>|<\|eot\|>|(?=<\|start\|>assistant)/
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        found = _LEAVES_REASONING_CONTENT.search(text, at)
        if found is None:
            begun = text.rfind("<", at)  # P2
            if begun >= 0 and text[begun:] in _LEAVES_REASONING_CONTENT.begun:
                return self._wait(text, at, begun)
            return self._pass(text, at)
        start, end = found.span()  # P1
        word = found[0]
        if word in ("<|eom|>", "<|eot|>"):
            return self._close(text, at, start, end)
        return self._close(text, at, start, start)

    def _close_reasoning_content(self, body: str) -> str:
        value = body
        self._message.setdefault("reasoning_content", []).append(value)  # joined in _join
        return value

    REASONING_CONTENT = rt.State(
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, streams=("text", "\n", "both")
    )

    # -- tool_calls as pairs -------------------------------------------------------------
    # field tool_calls[] as pairs: xml(pair /<atem:parameter name="(?P<key>[^"]+)">/ "</atem:parameter>", value =
    #           text(strip = false)) {
    #     open  /<atem:invoke name="(?P<name>[^"]+)">\s*(?!\s|<\/atem:invoke>)/
    #     close /(?<=<\/atem:parameter>)\s*<\/atem:invoke>(?=\s*(?:<\/atem:function_calls>(?!\s*<\/atem:parameter>
    #           )|<\|eo|\Z))|<\/atem:invoke>(?=\s*<atem:invoke)|(?<=<\/atem:parameter>)\n?(?=<atem:invoke)/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_pairs(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_TOOL_CALLS_PAIRS, text, at)
        if first.found is None:
            return self._wait_or_cut(text, at, first.start, _CLOSES_TOOL_CALLS_PAIRS)
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

    # -- tool_calls as bare --------------------------------------------------------------
    # field tool_calls[] as bare: text {
    #     open  /<atem:invoke name="(?P<name>[^"]+)">\s*(?=<\/atem:invoke>)/
    #     close "</atem:invoke>"
    #     emit  {"type": "function", "function": {"name": name, "arguments": {}}}
    # }

    def _read_tool_calls_bare(self, text: str, at: int) -> int:
        start = text.find("</atem:invoke>", at)
        if start < 0:
            begun = text.rfind("<", at)  # P2
            if begun >= 0 and "</atem:invoke>".startswith(text[begun:]):
                return self._wait(text, at, begun)
            return self._pass(text, at)
        return self._close(text, at, start, start + 14)

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
        if first.found is _OPENS_REASONING_CONTENT:
            return self._open(self.REASONING_CONTENT, text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_PAIRS:
            return self._open(self.TOOL_CALLS_PAIRS, text, at, first.start, first.end, first.captures(text))
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
        if "reasoning_content" in message:
            message["reasoning_content"] = "\n".join(message["reasoning_content"]).strip()
        if "content" in message:
            message["content"] = "".join(message["content"]).strip()
