"""One reading of one response, step by step: in go a parser module and a text, out comes a Recording to look at.

Invariant: the stretches tile all that the parser read, and what it held after a step is what it was fed and had not yet
read; both follow from the offsets of its events, so the time taken grows with the text.
"""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from types import ModuleType
from typing import Any, Literal

from runtime.errors import ParseError
from runtime.events import Message

Kind = Literal["open", "text", "close", "dropped", "malformed"]
_KINDS: dict[str, Kind] = {
    "region_open": "open",
    "region_chunk": "text",
    "region_close": "close",
    "text_dropped": "dropped",
    "region_malformed": "malformed",
}


@dataclass(frozen=True)
class Generation:
    """A response as it was recorded: the prompt that it continues, its text, the request's tools."""

    text: str
    prefix: str = ""
    tools: Any = None
    title: str = ""


@dataclass(frozen=True)
class Stretch:
    """text[start:end] is one delimiter, or text of one region, or dropped. note: captures, or why it was dropped."""

    start: int
    end: int
    kind: Kind
    field: str = ""
    note: str = ""


@dataclass(frozen=True)
class Hold:
    """text[start:end] was held, as the longest; its first character waited while `waited` characters came in."""

    start: int
    end: int
    waited: int


@dataclass(frozen=True)
class Change:
    """How the message grew: its keys in order, values that are new, values to be put behind the ones there."""

    keys: tuple[str, ...]
    new: dict[str, Any]
    more: dict[str, Any]


@dataclass(frozen=True)
class Step:
    """After one call: how much was fed, how much of it was read, the call's events, and what it did to the message."""

    fed: int
    read: int
    events: list[dict[str, Any]]
    change: Change | None


@dataclass(frozen=True)
class Recording:
    """text: the prefix behind its anchor, then the generation from `prefix_end` on; all offsets are in it.

    fields: those with regions, in order. steps: the prefix, one a piece, the end. has_anchor: the prefix is empty or
    contains the anchor.
    """

    generation: Generation
    text: str
    prefix_end: int
    has_anchor: bool
    fields: tuple[str, ...]
    steps: tuple[Step, ...]
    message: Message
    errors: tuple[ParseError, ...]

    def stretches(self) -> list[Stretch]:
        """What each piece of the text was, in order; the chunks of a region are one."""
        found: list[Stretch] = []
        is_fresh = True
        for event in chain.from_iterable(step.events for step in self.steps):
            here = _stretch(event)
            if here.kind == "malformed":
                while found and found[-1].start >= here.start:
                    found.pop()
            continues = here.kind in ("text", "dropped")
            if found and here.end <= found[-1].end:  # it is empty, or stands in a malformed region
                is_fresh = is_fresh or not continues
                continue
            last = found[-1] if found and continues and not is_fresh else None
            if last and (last.kind, last.field, last.note, last.end) == (here.kind, here.field, here.note, here.start):
                found[-1] = Stretch(last.start, here.end, here.kind, here.field, here.note)
            elif here.start < here.end:
                found.append(here)
            is_fresh = not continues
        return found

    def holds(self) -> list[Hold]:
        """What had to wait, in order."""
        found: list[Hold] = []
        start = since = longest = -1
        for step in self.steps:
            if start >= 0 and step.read > start:
                found.append(Hold(start, longest, step.fed - since))
                start = -1
            if step.read < step.fed:
                start, since = (step.read, step.fed) if start < 0 else (start, since)
                longest = step.fed
        return found

    def place_of(self, error: ParseError) -> tuple[int, int]:
        """The stretch to point at: the character that JSON stumbled over, or the region's first line."""
        cause = error.__cause__
        if isinstance(cause, json.JSONDecodeError) and cause.doc == error.text:
            body = self._body_of(error) + min(cause.pos, max(0, len(error.text) - 1))
            return body, body + 1
        line_end = self.text.find("\n", error.start, error.end)
        return error.start, error.end if line_end < 0 else line_end

    def _body_of(self, error: ParseError) -> int:
        opens = (e for step in self.steps for e in step.events if e["type"] == "region_open")
        return next(
            (int(e["end"]) for e in opens if e["start"] == error.start and e["field"] == error.field), error.start
        )


def record(module: ModuleType, generation: Generation, *, piece: int = 1) -> Recording:
    """Read a generation in pieces of `piece` characters. Raises ValueError or TypeError for tools that are none."""
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        parser = module.Parser(prefix=generation.prefix, tools=generation.tools, spans=True, on_error="keep")
    text, begin = generation.text, parser.prefix_end
    steps = [_Step(begin, parser.initial_events, parser.partial()["message"])]
    for at in range(0, len(text), piece):
        events = parser.feed(text[at : at + piece])
        settled = any(event["type"] in ("region_close", "region_malformed") for event in events)
        steps.append(
            _Step(begin + min(at + piece, len(text)), events, parser.partial()["message"] if settled else None)
        )
    message, events = parser.finalize()
    steps.append(_Step(begin + len(text), events, message))
    return Recording(
        generation,
        generation.prefix[len(generation.prefix) - begin :] + text,
        begin,
        not warned,
        tuple(dict.fromkeys(event["field"] for step in steps for event in step.events if "field" in event)),
        tuple(_with_changes(steps)),
        message,
        tuple(parser.errors),
    )


@dataclass(frozen=True)
class _Step:
    fed: int
    events: list[dict[str, Any]]
    message: Message | None


def _with_changes(steps: list[_Step]) -> Iterator[Step]:
    read, before = 0, dict[str, Any]()
    for step in steps:
        read = max([read, *(event["end"] for event in step.events)])
        yield Step(step.fed, read, step.events, None if step.message is None else change(before, step.message))
        before = before if step.message is None else step.message


def change(before: Message, after: Message) -> Change | None:
    """What makes `after` of `before`; None when they are equal."""
    new, more = dict[str, Any](), dict[str, Any]()
    for key, value in after.items():
        had = before.get(key)
        if (key in before and type(had) is type(value) is list and value[: len(had)] == had) or (
            key in before and type(had) is type(value) is str and value.startswith(had)
        ):
            more |= {key: value[len(had) :]} if len(value) > len(had) else {}
        elif key not in before or json.dumps(had) != json.dumps(value):
            new[key] = value
    keys = tuple(after)
    return Change(keys, new, more) if new or more or keys != tuple(before) else None


def _stretch(event: dict[str, Any]) -> Stretch:
    note = event.get("rule", "")
    if event.get("captures"):
        note = ", ".join(f"{name}={taken!r}" for name, taken in event["captures"].items())
    return Stretch(event["start"], event["end"], _KINDS[event["type"]], event.get("field", ""), note)
