# Code generated from grammars/cohere_cmd5.grammar by `respc generate`; DO NOT EDIT.
# grammar sha256:a96657b10ef67550, runtime ABI 2
r"""Response parser for Cohere, preset cmd5.

States, and what leaves them:

    content (start)       "<|END_OF_TURN_TOKEN|>"                                   -> the end of the message
                          "<|START_THINKING|>"                                      -> reasoning_content
                          /(?:<cofl:tool_calls>\s*)?<cofl:tool_call(?:\s+id="(?...  -> tool_calls as flat
                          /(?:<cofl:tool_calls>\s*)?<cofl:tool_call(?:\s+id="(?...  -> tool_calls as nested
                          /(?:<cofl:tool_calls>\s*)?<cofl:tool_call(?:\s+id="(?...  -> tool_calls as bare
                          "<|START_TEXT|>" | "<|END_TEXT|>" | "<|START_RESPONSE...  -> content
    tool_calls as bare    "<|END_OF_TURN_TOKEN|>"                                   -> the end of the message
                          "</cofl:tool_call>"                                       -> content
    tool_calls as nested  "<|END_OF_TURN_TOKEN|>"                                   -> the end of the message
                          /(?<=<\/cofl:value>)\s*(?:<\/cofl:tool_call>|(?=<cofl...  -> content
    tool_calls as flat    "<|END_OF_TURN_TOKEN|>"                                   -> the end of the message
                          /<\/cofl:tool_call>|(?<=<\/cofl:tool_param>)(?=\s*<co...  -> content
    reasoning_content     "<|END_OF_TURN_TOKEN|>"                                   -> the end of the message
                          "<|END_THINKING|>" | "<|START_TEXT|>" | "<|START_RESP...  -> content
                          before /(?:<cofl:tool_calls>\s*)?<cofl:tool_call(?:\s...  -> content
                          before /(?:<cofl:tool_calls>\s*)?<cofl:tool_call(?:\s...  -> content
                          before /(?:<cofl:tool_calls>\s*)?<cofl:tool_call(?:\s...  -> content

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

_TAG_TOOL_CALLS_FLAT = rt.Automaton(
    rt.seq(
        "<cofl:tool_param",
        rt.plus(rt.one(r"\s")),
        'name="',
        rt.star(rt.one('[^"]')),
        '"',
        rt.plus(rt.one(r"\s")),
        'string="',
        rt.alt("true", "false"),
        '"',
        rt.star(rt.one(r"\s")),
        ">",
    ),
    '<cofl:tool_param\\s+name="(?P<key>[^"]*)"\\s+string="(?P<kind>true|false)"\\s*>',
)
_TAG2_TOOL_CALLS_FLAT = re.compile("</cofl:tool_param>")
_TAG_TOOL_CALLS_NESTED = rt.Capturing(
    rt.seq(
        "<cofl:value",
        rt.opt(rt.seq(rt.plus(rt.one(r"\s")), 'name="', rt.group("key", rt.star(rt.one('[^"]'))), '"')),
        rt.plus(rt.one(r"\s")),
        'type="',
        rt.group("kind", rt.alt("raw", "json", "dict", "list")),
        '"',
        rt.star(rt.one(r"\s")),
        ">",
    )
)
_TAG2_TOOL_CALLS_NESTED = re.compile("</cofl:value>")
_STOPS = rt.Words("<|END_OF_TURN_TOKEN|>")
_CLOSES_REASONING_CONTENT = rt.Words("<|START_RESPONSE|>", "<|END_THINKING|>", "<|START_TEXT|>")
_OPENS_TOOL_CALLS_FLAT = rt.Capturing(
    rt.seq(
        rt.opt(rt.seq("<cofl:tool_calls>", rt.star(rt.one(r"\s")))),
        "<cofl:tool_call",
        rt.opt(rt.seq(rt.plus(rt.one(r"\s")), 'id="', rt.group("id", rt.star(rt.one('[^"]'))), '"')),
        rt.plus(rt.one(r"\s")),
        'name="',
        rt.group("name", rt.plus(rt.one('[^"]'))),
        '"',
        rt.star(rt.one(r"\s")),
        ">",
        rt.star(rt.one(r"\s")),
        rt.look("<cofl:tool_param"),
    )
)
_OPENS_TOOL_CALLS_NESTED = rt.Capturing(
    rt.seq(
        rt.opt(rt.seq("<cofl:tool_calls>", rt.star(rt.one(r"\s")))),
        "<cofl:tool_call",
        rt.opt(rt.seq(rt.plus(rt.one(r"\s")), 'id="', rt.group("id", rt.star(rt.one('[^"]'))), '"')),
        rt.plus(rt.one(r"\s")),
        'name="',
        rt.group("name", rt.plus(rt.one('[^"]'))),
        '"',
        rt.star(rt.one(r"\s")),
        ">",
        rt.star(rt.one(r"\s")),
        rt.look("<cofl:value"),
    )
)
_OPENS_TOOL_CALLS_BARE = rt.Capturing(
    rt.seq(
        rt.opt(rt.seq("<cofl:tool_calls>", rt.star(rt.one(r"\s")))),
        "<cofl:tool_call",
        rt.opt(rt.seq(rt.plus(rt.one(r"\s")), 'id="', rt.group("id", rt.star(rt.one('[^"]'))), '"')),
        rt.plus(rt.one(r"\s")),
        'name="',
        rt.group("name", rt.plus(rt.one('[^"]'))),
        '"',
        rt.star(rt.one(r"\s")),
        ">",
        rt.star(rt.one(r"\s")),
        rt.look("</cofl:tool_call>"),
    )
)
_CLOSES_TOOL_CALLS_FLAT = rt.Automaton(
    rt.alt(
        "</cofl:tool_call>",
        rt.seq(
            rt.behind("(?<=</cofl:tool_param>)"),
            rt.look(rt.seq(rt.star(rt.one(r"\s")), "<cofl:tool_call", rt.one(r"\s"))),
        ),
    ),
    r"</cofl:tool_call>|(?<=</cofl:tool_param>)(?=\s*<cofl:tool_call\s)",
)
_OPENS_REASONING_CONTENT = rt.Words("<|START_THINKING|>")
_CLOSES_TOOL_CALLS_NESTED = rt.Automaton(
    rt.seq(
        rt.behind("(?<=</cofl:value>)"),
        rt.star(rt.one(r"\s")),
        rt.alt("</cofl:tool_call>", rt.look(rt.seq("<cofl:tool_call", rt.one(r"\s")))),
    ),
    r"(?<=</cofl:value>)\s*(?:</cofl:tool_call>|(?=<cofl:tool_call\s))",
)
_STRAYS = rt.Words(
    "<|START_RESPONSE|>", "</cofl:tool_calls>", "<|END_RESPONSE|>", "<|END_THINKING|>", "<|START_TEXT|>", "<|END_TEXT|>"
)
_LEAVES_REASONING_CONTENT = rt.Watch(
    _STOPS, _CLOSES_REASONING_CONTENT, _OPENS_TOOL_CALLS_FLAT, _OPENS_TOOL_CALLS_NESTED, _OPENS_TOOL_CALLS_BARE
)
_LEAVES_TOOL_CALLS_FLAT = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_FLAT)
_OPENS_BEHIND_TOOL_CALLS_FLAT = rt.Watch(
    _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_FLAT, _OPENS_TOOL_CALLS_NESTED, _OPENS_TOOL_CALLS_BARE
)
_LEAVES_TOOL_CALLS_NESTED = rt.Watch(_STOPS, _CLOSES_TOOL_CALLS_NESTED)
_LEAVES_TOOL_CALLS_BARE = rt.AnyOf("<|END_OF_TURN_TOKEN|>", "</cofl:tool_call>")
_LEAVES_CONTENT = rt.Watch(
    _STOPS, _OPENS_REASONING_CONTENT, _OPENS_TOOL_CALLS_FLAT, _OPENS_TOOL_CALLS_NESTED, _OPENS_TOOL_CALLS_BARE, _STRAYS
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

    # policy  blank skip, trim both, bad text, cut bad, aware, exact, coerce exact
    # default role = "assistant"
    # anchor  "<|CHATBOT_TOKEN|>"
    # stop    "<|END_OF_TURN_TOKEN|>"
    # stray   "<|START_TEXT|>" | "<|END_TEXT|>" | "<|START_RESPONSE|>" | "<|END_RESPONSE|>" | "<|END_THINKING|>" |
    #            "</cofl:tool_calls>"

    @staticmethod
    def _defaults() -> rt.Message:
        return {"role": "assistant"}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        return rt.behind_last_word(prefix, "<|CHATBOT_TOKEN|>")  # P4

    # -- reasoning_content ---------------------------------------------------------------
    # field reasoning_content: text joined "\n" {
    #     open  "<|START_THINKING|>"
    #     close "<|END_THINKING|>" | "<|START_TEXT|>" | "<|START_RESPONSE|>"
    #     ended by tool_calls
    # }

    def _read_reasoning_content(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_REASONING_CONTENT, text, at)  # P3
        if first.found is None:
            return self._wait_on(first, text, at)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        if first.found is _CLOSES_REASONING_CONTENT:
            return self._close(text, at, first.start, first.end)
        if first.found is _OPENS_TOOL_CALLS_FLAT:
            return self._close(text, at, first.start, first.start)
        if first.found is _OPENS_TOOL_CALLS_NESTED:
            return self._close(text, at, first.start, first.start)
        return self._close(text, at, first.start, first.start)

    def _close_reasoning_content(self, body: str) -> str:
        value = body
        self._message.setdefault("reasoning_content", []).append(value)  # joined in _join
        return value

    REASONING_CONTENT = rt.State(
        "reasoning_content", _read_reasoning_content, _close_reasoning_content, streams=("text", "\n", "both")
    )

    # -- tool_calls as flat --------------------------------------------------------------
    # field tool_calls[] as flat: xml(pair /<cofl:tool_param\s+name="(?P<key>[^"]*)"\s+string="(?P<kind>true|false
    #           )"\s*>/ "</cofl:tool_param>", value by kind {"true": text(strip = false), "false": json}, entities
    #           ) {
    #     open  /(?:<cofl:tool_calls>\s*)?<cofl:tool_call(?:\s+id="(?P<id>[^"]*)")?\s+name="(?P<name>[^"]+)"\s*>\s
    #           *(?=<cofl:tool_param)/
    #     close /<\/cofl:tool_call>|(?<=<\/cofl:tool_param>)(?=\s*<cofl:tool_call\s)/
    #     emit  {"type": "function", "id"?: id, "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_flat(self, text: str, at: int) -> int:
        aware = self._watched(lambda: rt.TagBody(_TAG_TOOL_CALLS_FLAT, ("</cofl:tool_param>",)))  # P5
        first = aware.nearest(self, text, at, _LEAVES_TOOL_CALLS_FLAT, _OPENS_BEHIND_TOOL_CALLS_FLAT)  # P3
        if first is None:
            return aware.wait(self, text, at, aware.hold, _STOPS, _CLOSES_TOOL_CALLS_FLAT)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_flat(self, body: str) -> object:
        content = rt.read_pairs(
            body,
            _TAG_TOOL_CALLS_FLAT,
            _TAG2_TOOL_CALLS_FLAT,
            by="kind",
            readers={"true": rt.without_entities, "false": lambda raw: rt.read_json(rt.without_entities(raw))},
            entities=True,
            exact=True,
        )
        value = self._type_arguments(
            {
                "type": "function",
                **rt.member("id", rt.seek(self._captures, "id")),
                "function": {"name": self._captures["name"], "arguments": content},
            }
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_FLAT = rt.State(
        "tool_calls",
        _read_tool_calls_flat,
        _close_tool_calls_flat,
        label="flat",
        dirty=True,
        bad="text",
        cut="bad",
        streams=("name", "name", "id"),
    )

    # -- tool_calls as nested ------------------------------------------------------------
    # field tool_calls[] as nested: xml(pair /<cofl:value(?:\s+name="(?P<key>[^"]*)")?\s+type="(?P<kind>raw|json|d
    #           ict|list)"\s*>/ "</cofl:value>", value by kind {"raw": text(strip = false), "json": json, "dict":
    #           kv-lines, "list": json-lines}, nested, entities) {
    #     open  /(?:<cofl:tool_calls>\s*)?<cofl:tool_call(?:\s+id="(?P<id>[^"]*)")?\s+name="(?P<name>[^"]+)"\s*>\s
    #           *(?=<cofl:value)/
    #     close /(?<=<\/cofl:value>)\s*(?:<\/cofl:tool_call>|(?=<cofl:tool_call\s))/
    #     emit  {"type": "function", "id"?: id, "function": {"name": name, "arguments": content}}
    # }

    def _read_tool_calls_nested(self, text: str, at: int) -> int:
        first = self._first(_LEAVES_TOOL_CALLS_NESTED, text, at)  # P3
        if first.found is None:
            return self._wait_or_cut(text, at, first.start, _CLOSES_TOOL_CALLS_NESTED, _STOPS)
        if first.found is _STOPS:
            return self._stop(text, at, first.start, first.end)
        return self._close(text, at, first.start, first.end)

    def _close_tool_calls_nested(self, body: str) -> object:
        content = rt.read_pairs(
            body,
            _TAG_TOOL_CALLS_NESTED,
            _TAG2_TOOL_CALLS_NESTED,
            items="item",
            by="kind",
            readers={
                "raw": rt.without_entities,
                "json": lambda raw: rt.read_json(rt.without_entities(raw)),
                "dict": lambda raw: rt.read_kv_lines(rt.without_entities(raw), exact=True),
                "list": lambda raw: rt.read_json_lines(rt.without_entities(raw)),
            },
            entities=True,
            exact=True,
        )
        value = self._type_arguments(
            {
                "type": "function",
                **rt.member("id", rt.seek(self._captures, "id")),
                "function": {"name": self._captures["name"], "arguments": content},
            }
        )
        self._message.setdefault("tool_calls", []).append(value)
        return value

    TOOL_CALLS_NESTED = rt.State(
        "tool_calls",
        _read_tool_calls_nested,
        _close_tool_calls_nested,
        label="nested",
        dirty=True,
        bad="text",
        cut="bad",
    )

    # -- tool_calls as bare --------------------------------------------------------------
    # field tool_calls[] as bare: text {
    #     open  /(?:<cofl:tool_calls>\s*)?<cofl:tool_call(?:\s+id="(?P<id>[^"]*)")?\s+name="(?P<name>[^"]+)"\s*>\s
    #           *(?=<\/cofl:tool_call>)/
    #     close "</cofl:tool_call>"
    #     emit  {"type": "function", "id"?: id, "function": {"name": name, "arguments": {}}}
    # }

    def _read_tool_calls_bare(self, text: str, at: int) -> int:
        found = _LEAVES_TOOL_CALLS_BARE.search(text, at)
        if found is None:
            begun = text.rfind("<", at)  # P2
            if begun >= 0 and text[begun:] in _LEAVES_TOOL_CALLS_BARE.begun:
                return self._wait(text, at, begun)
            return self._pass(text, at)
        start, end = found.span()  # P1
        word = found[0]
        if word == "<|END_OF_TURN_TOKEN|>":
            return self._stop(text, at, start, end)
        return self._close(text, at, start, end)

    def _close_tool_calls_bare(self, body: str) -> object:
        value = self._type_arguments(
            {
                "type": "function",
                **rt.member("id", rt.seek(self._captures, "id")),
                "function": {"name": self._captures["name"], "arguments": {}},
            }
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
        if first.found is _OPENS_TOOL_CALLS_FLAT:
            return self._open(self.TOOL_CALLS_FLAT, text, at, first.start, first.end, first.captures(text))
        if first.found is _OPENS_TOOL_CALLS_NESTED:
            return self._open(self.TOOL_CALLS_NESTED, text, at, first.start, first.end, first.captures(text))
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
