# Code generated from grammars/step3.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:3a2d144290a4c789, runtime ABI 1
r"""Response parser for Step3.

States, and what leaves them:

    content (start)      "<|EOT|>"                                                 -> the end of the message
                         /\A\s*(?:<think>)/                                        -> reasoning_content
                         /(?:<\uff5ctool_calls_begin\uff5c>\s*)?<\uff5ctool_ca...  -> tool_calls as pairs
                         /(?:<\uff5ctool_calls_begin\uff5c>\s*)?<\uff5ctool_ca...  -> tool_calls as bare
                         "<\uff5ctool_calls_begin\uff5c>" | "<\uff5ctool_call_...  -> content
    tool_calls as bare   "<|EOT|>"                                                 -> the end of the message
                         "</steptml:invoke>"                                       -> content
    tool_calls as pairs  "<|EOT|>"                                                 -> the end of the message
                         /(?<=<\/steptml:parameter>)\s*(?:<\/steptml:invoke>\s...  -> content
    reasoning_content    "<|EOT|>"                                                 -> the end of the message
                         "</think>"                                                -> content
                         /(?:<\uff5ctool_calls_begin\uff5c>\s*)?<\uff5ctool_ca...  -> tool_calls as pairs, if the close never comes: all is hel...
                         /(?:<\uff5ctool_calls_begin\uff5c>\s*)?<\uff5ctool_ca...  -> tool_calls as bare, if the close never comes: all is held...

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

rt.require_abi(1, __name__)

MODELS = ("stepfun-ai/step3*",)
_TAG_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq('<steptml:parameter name="', rt.plus(rt.one('[^"]')), '">'), '<steptml:parameter name="(?P<key>[^"]+)">'
)
_TAG2_TOOL_CALLS_PAIRS = re.compile("</steptml:parameter>")
_STOPS = rt.Words("<|EOT|>")
_CLOSES_REASONING_CONTENT = rt.Words("</think>")
_OPENS_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.seq(
        rt.opt(rt.seq("<\uff5ctool_calls_begin\uff5c>", rt.star(rt.one(r"\s")))),
        "<\uff5ctool_call_begin\uff5c>",
        rt.star(rt.one(r"\s")),
        "function",
        rt.star(rt.one(r"\s")),
        "<\uff5ctool_sep\uff5c>",
        rt.star(rt.one(r"\s")),
        '<steptml:invoke name="',
        rt.plus(rt.one('[^"]')),
        '">',
        rt.star(rt.one(r"\s")),
        rt.look(rt.alt(rt.one(r"\s"), "</steptml:invoke>"), negative=True),
    ),
    '(?:<\uff5ctool_calls_begin\uff5c>\\s*)?<\uff5ctool_call_begin\uff5c>\\s*function\\s*<\uff5ctool_sep\uff5c>\\s*<steptml:invoke name="(?P<name>[^"]+)">\\s*(?!\\s|</steptml:invoke>)',
)
_OPENS_TOOL_CALLS_BARE = rt.Automaton(
    rt.seq(
        rt.opt(rt.seq("<\uff5ctool_calls_begin\uff5c>", rt.star(rt.one(r"\s")))),
        "<\uff5ctool_call_begin\uff5c>",
        rt.star(rt.one(r"\s")),
        "function",
        rt.star(rt.one(r"\s")),
        "<\uff5ctool_sep\uff5c>",
        rt.star(rt.one(r"\s")),
        '<steptml:invoke name="',
        rt.plus(rt.one('[^"]')),
        '">',
        rt.star(rt.one(r"\s")),
        rt.look("</steptml:invoke>"),
    ),
    '(?:<\uff5ctool_calls_begin\uff5c>\\s*)?<\uff5ctool_call_begin\uff5c>\\s*function\\s*<\uff5ctool_sep\uff5c>\\s*<steptml:invoke name="(?P<name>[^"]+)">\\s*(?=</steptml:invoke>)',
)
_CLOSES_TOOL_CALLS_PAIRS = rt.Automaton(
    rt.alt(
        rt.seq(
            rt.behind("(?<=</steptml:parameter>)"),
            rt.star(rt.one(r"\s")),
            rt.alt(
                rt.seq(
                    "</steptml:invoke>",
                    rt.star(rt.one(r"\s")),
                    rt.opt("<\uff5ctool_call_end\uff5c>"),
                    rt.look(
                        rt.seq(
                            rt.star(rt.one(r"\s")),
                            rt.alt(
                                rt.seq(
                                    "<\uff5ctool_calls_end\uff5c>",
                                    rt.look(rt.seq(rt.star(rt.one(r"\s")), "</steptml:parameter>"), negative=True),
                                ),
                                "<|EOT",
                                rt.end(),
                            ),
                        )
                    ),
                ),
                rt.look("<\uff5ctool_call_begin\uff5c>"),
            ),
        ),
        rt.seq(
            "</steptml:invoke>",
            rt.star(rt.one(r"\s")),
            rt.opt("<\uff5ctool_call_end\uff5c>"),
            rt.look(rt.seq(rt.star(rt.one(r"\s")), "<\uff5ctool_call_begin\uff5c>")),
        ),
    ),
    "(?<=</steptml:parameter>)\\s*(?:</steptml:invoke>\\s*(?:<\uff5ctool_call_end\uff5c>)?(?=\\s*(?:<\uff5ctool_calls_end\uff5c>(?!\\s*</steptml:parameter>)|<\\|EOT|\\Z))|(?=<\uff5ctool_call_begin\uff5c>))|</steptml:invoke>\\s*(?:<\uff5ctool_call_end\uff5c>)?(?=\\s*<\uff5ctool_call_begin\uff5c>)",
)
_OPENS_REASONING_CONTENT = rt.Automaton(rt.seq(rt.behind("^"), rt.star(rt.one(r"\s")), "<think>"), r"\A\s*(?:<think>)")
_STRAYS = rt.Words(
    "<\uff5ctool_calls_begin\uff5c>", "<\uff5ctool_calls_end\uff5c>", "<\uff5ctool_call_end\uff5c>", "</think>"
)


def parse(
    text: str, *, prefix: str, tools: Iterable[object] | None = None, **options: rt.Unpack[rt.Options]
) -> rt.Message:
    """Parse one whole response; `prefix` is the prompt that it continues."""
    return rt.parse_whole(Parser, text, prefix, tools, options)


class Parser(rt.LookingBack):
    """Parse one response piece by piece: feed() -> events, finalize() -> message and the last events."""

    __slots__ = ()

    BEHIND = 20

    COERCE = "exact"

    # models  "stepfun-ai/step3*"
    # policy  blank skip, trim both, bad text, cut bad, aware, exact, coerce exact
    # default role = "assistant"
    # anchor  "<|BOT|>assistant\n"
    # stop    "<|EOT|>"
    # stray   "<\uff5ctool_calls_begin\uff5c>" | "<\uff5ctool_call_end\uff5c>" | "<\uff5ctool_calls_end\uff5c>" |
    #           "</think>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|BOT|>assistant\n")  # P4

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text {
    #     open  "<think>" when start
    #     close "</think>"
    #     ended by tool_calls unless closed
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        first, opener = rt.First(text), rt.First(text)
        stops = first.weigh(self._near(_STOPS, text, at))
        closes_reasoning_content = first.weigh(self._near(_CLOSES_REASONING_CONTENT, text, at))
        opener.weigh(self._near(_OPENS_TOOL_CALLS_PAIRS, text, at))
        opener.weigh(self._near(_OPENS_TOOL_CALLS_BARE, text, at))
        found, ends = first.decided(), opener.decided()  # P3
        if found is None or found is not closes_reasoning_content:
            if not self._ended and (found is None or (ends is None and opener.begun < found.start)):
                return self._wait(text, at, min(first.hold, opener.begun))
            if ends is not None and (found is None or ends.start < found.start):
                return self._close(text, at, ends.start, ends.start)
            if found is None:
                return self._wait(text, at, len(text))
        if found is stops:
            return self._stop(text, at, found.start, found.end)

        return self._close(text, at, found.start, found.end)

    def _close_reasoning_content(self, body: str) -> str:
        value = body.strip()
        self._message["reasoning_content"] = value
        return value

    REASONING_CONTENT = rt.State(
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, streams=("text", "", "both")
    )

    # -- tool_calls as pairs -------------------------------------------------------------
    # field tool_calls[] as pairs: xml(pair /<steptml:parameter name="(?P<key>[^"]+)">/ "</steptml:parameter>", va
    #           lue = text(strip = false)) {
    #     open  /(?:<\uff5ctool_calls_begin\uff5c>\s*)?<\uff5ctool_call_begin\uff5c>\s*function\s*<\uff5ctool_sep\
    #           uff5c>\s*<steptml:invoke name="(?P<name>[^"]+)">\s*(?!\s|<\/steptml:invoke>)/
    #     close /(?<=<\/steptml:parameter>)\s*(?:<\/steptml:invoke>\s*(?:<\uff5ctool_call_end\uff5c>)?(?=\s*(?:<\u
    #           ff5ctool_calls_end\uff5c>(?!\s*<\/steptml:parameter>)|<\|EOT|\Z))|(?=<\uff5ctool_call_begin\uff5c>
    #           ))|<\/steptml:invoke>\s*(?:<\uff5ctool_call_end\uff5c>)?(?=\s*<\uff5ctool_call_begin\uff5c>)/
    #     emit  {"type": "function", "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_pairs(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS_PAIRS, ("</steptml:parameter>",)))  # P5
        closer, found = aware.nearest(
            self,
            text,
            at,
            (
                _STOPS,
                _CLOSES_TOOL_CALLS_PAIRS,
            ),
            (
                _OPENS_TOOL_CALLS_PAIRS,
                _OPENS_TOOL_CALLS_BARE,
            ),
        )  # P3
        if found is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS_PAIRS)
        if closer is _STOPS:
            return self._stop(text, at, found.start, found.end)

        return self._close(text, at, found.start, found.end)

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
    #     open  /(?:<\uff5ctool_calls_begin\uff5c>\s*)?<\uff5ctool_call_begin\uff5c>\s*function\s*<\uff5ctool_sep\
    #           uff5c>\s*<steptml:invoke name="(?P<name>[^"]+)">\s*(?=<\/steptml:invoke>)/
    #     close "</steptml:invoke>"
    #     emit  {"type": "function", "function": {"name": name, "arguments": {}}}
    # }

    def _read_tool_calls_bare(self, text: str, at: int) -> int:
        begun, start = -1, text.find("<", at)  # P2
        while start >= 0:
            if text.startswith("<|EOT|>", start):  # P1
                return self._stop(text, at, start, start + 7)
            if text.startswith("</steptml:invoke>", start):  # P1
                return self._close(text, at, start, start + 17)
            begun, start = start, text.find("<", start + 1)
        if begun >= 0:
            tail = text[begun:]
            if "<|EOT|>".startswith(tail) or "</steptml:invoke>".startswith(tail):
                return self._wait(text, at, begun)
        return self._pass(text, at)

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
        first = rt.First(text)
        stops = first.weigh(self._near(_STOPS, text, at))
        opens_reasoning_content = first.weigh(self._near(_OPENS_REASONING_CONTENT, text, at))
        opens_tool_calls_pairs = first.weigh(self._near(_OPENS_TOOL_CALLS_PAIRS, text, at))
        opens_tool_calls_bare = first.weigh(self._near(_OPENS_TOOL_CALLS_BARE, text, at))
        first.weigh(self._near(_STRAYS, text, at))
        found = first.decided()  # P3
        if found is None:
            return self._wait(text, at, first.hold)
        if found is stops:
            return self._stop(text, at, found.start, found.end)

        if found is opens_reasoning_content:
            return self._open(self.REASONING_CONTENT, text, at, found.start, found.end)

        if found is opens_tool_calls_pairs:
            return self._open(self.TOOL_CALLS_PAIRS, text, at, found.start, found.end, found.captures(text))

        if found is opens_tool_calls_bare:
            return self._open(self.TOOL_CALLS_BARE, text, at, found.start, found.end, found.captures(text))

        return self._stray(text, at, found.start, found.end)

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
