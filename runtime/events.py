"""What a parser hands out, as types: events one by one, the message at the end.

Invariant: without `spans=True` an event has exactly the keys that version 1 of response templates names.
"""

from __future__ import annotations

from typing import Any, Literal, TypedDict

Message = dict[str, Any]


class Spanned(TypedDict, total=False):
    """With `spans=True` only: offsets into the whole text, which is the prefix behind its anchor and the generation."""

    start: int
    end: int


class RegionOpen(Spanned):
    """A region starts. With spans, `captures` holds what the named groups of an explicit opener took."""

    type: Literal["region_open"]
    field: str


class RegionChunk(Spanned):
    """Text of the open region. `dirty`: the value is parsed from it at the close, the text is not part of the value."""

    type: Literal["region_chunk"]
    field: str
    text: str
    dirty: bool


class Repairable(Spanned, total=False):
    """What a region's close says with `spans=True` only. repaired: its body was refused at first."""

    repaired: Literal[True]


class RegionClose(Repairable):
    """The region ended; `value` is parsed, shaped and typed."""

    type: Literal["region_close"]
    field: str
    value: Any


class RegionMalformed(TypedDict):
    """In place of a close when errors are kept: the chunks of the region are void. `error` is the ParseError."""

    type: Literal["region_malformed"]
    field: str
    start: int
    end: int
    error: Any
    text: str
    reason: Literal["unreadable", "incomplete", "unknown-tool", "too-long"]


class TextDropped(TypedDict):
    """With `spans=True` only: text that is in no delimiter and in no chunk, and the rule that dropped it."""

    type: Literal["text_dropped"]
    start: int
    end: int
    rule: Literal["blank", "no-field", "idle-close", "stop", "stray", "limit"]


Event = RegionOpen | RegionChunk | RegionClose | RegionMalformed | TextDropped


class Partial(TypedDict):
    """What is certain before the end: the message of all closed regions, and the text of the open one by its field."""

    message: Message
    open: dict[str, str]
