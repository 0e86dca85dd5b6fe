"""Two readings of one response: by transformers, told only at its end, and by a parser of ours, in any pieces.

In goes a template or a module with a prefix, tools and text; out comes a Reading. Invariant: a Reading holds all that a
caller can see, so two that are equal cannot be told apart, and `difference` says in words where they are not.
"""

from __future__ import annotations

import copy
import json
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from transformers.utils.chat_parsing import ResponseParser

from runtime import MissingField, ParseError

SECONDS = 0.5  # of CPU time for one response; delimiters can make the reference loop for ever
Event = dict[str, Any]
Meddle = Callable[[Any], Any]


class Hang(BaseException):
    """A parser did not come back: no Exception, so that no handler of its own takes it."""


@dataclass
class Reading:
    """events: merged; where an error was raised stands {"type": "error", "at": its index in errors}.

    errors: what stood in each, the exception first. message: None when the response was not read to its end.
    whole: what was parsed, the prefix behind its anchor and the text; "" from the reference.
    """

    events: list[Event] = field(default_factory=list)
    errors: list[tuple[BaseException, dict[str, Any]]] = field(default_factory=list)
    message: dict[str, Any] | None = None
    whole: str = ""


class ToldAtTheEnd(ResponseParser):
    """transformers' parser, which looks at nothing before it has everything: plain leftmost matching."""

    def _process(self, events: list[Event], eos: bool) -> None:
        if eos:
            self.seen = events
            super()._process(events, True)


def theirs(template: dict[str, Any], text: str, *, prefix: str = "", tools: Any = None) -> Reading:
    """What the text means. A first error ends the reading; its events are kept."""
    reading = Reading()
    parser = ToldAtTheEnd(template, prefix, tools=copy.deepcopy(tools))
    parser.seen = []
    try:
        with limited():
            parser.feed(text)
            reading.message, _ = parser.finalize()
    except (Exception, Hang) as error:
        reading.errors.append((error, {}))
        parser.seen = [] if isinstance(error, Hang) else [*parser.seen, {"type": "error", "at": 0}]
    reading.events = merged(parser.seen)
    return reading


@contextmanager
def limited() -> Iterator[None]:
    def stop(*_: object) -> None:
        raise Hang

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS, SECONDS)  # again, should an exception get lost
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def ours(
    module: ModuleType,
    chunks: list[str],
    *,
    prefix: str = "",
    tools: Any = None,
    meddle: Meddle | None = None,
    **options: Any,
) -> Reading:
    """The same, to the end whatever is refused on the way. meddle: takes the parser between calls, gives it back."""
    reading = Reading()
    events: list[Event] = []

    def refused(error: ParseError) -> None:
        events.extend(error.events)
        events.append({"type": "error", "at": len(reading.errors)})
        reading.errors.append((error, place(error)))

    with silent(), limited():
        parser = module.Parser(prefix=prefix, tools=copy.deepcopy(tools), **options)
        reading.whole = prefix[len(prefix) - parser.prefix_end :] + "".join(chunks)
        events.extend(parser.initial_events)
        for chunk in chunks:
            try:
                events.extend(parser.feed(chunk))
            except ParseError as error:
                refused(error)
            if meddle:
                parser = meddle(parser)
        while reading.message is None:
            try:
                reading.message, last = parser.finalize()
            except MissingField as error:
                refused(error)
                break
            except ParseError as error:
                refused(error)
            else:
                events.extend(last)
    reading.events = merged(events)
    reading.errors += [(error, place(error)) for error in parser.errors]
    return reading


@contextmanager
def silent() -> Iterator[None]:
    """Without the warning that the anchor is not there."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def place(error: ParseError) -> dict[str, Any]:
    """All that an error carries, but for the events of the call, which depend on the call."""
    return {
        "type": type(error),
        "reason": error.reason,
        "field": error.field,
        "text": error.text,
        "start": error.start,
        "end": error.end,
        "message": copy.deepcopy(error.message),
    }


def merged(events: list[Event]) -> list[Event]:
    """Adjacent chunks of a region as one, adjacent dropped stretches of a rule as one."""
    out: list[Event] = []
    for event in events:
        last = out[-1] if out else {}
        if event["type"] == last.get("type") == "region_chunk" and event["field"] == last["field"]:
            last["text"] += event["text"]
            if "end" in event:
                last["end"] = event["end"]
        elif event["type"] == last.get("type") == "text_dropped" and event["rule"] == last["rule"]:
            last["end"] = event["end"]
        else:
            out.append(event.copy())
    return out


def difference(expected: Reading, found: Reading) -> str:
    """Where ours is not what the reference is, "" where it is.

    A ValueError of ours is right where the reference stumbles (AttributeError, TypeError, RecursionError, an error of
    the pattern engine) or hangs.
    """
    if expected.errors:
        wanted = expected.errors[0][0]
        family = KeyError if isinstance(wanted, KeyError) else ValueError
        if not found.errors:
            return f"error: {wanted!r}, ours has none"
        if not isinstance(found.errors[0][0], family):
            return f"error: {wanted!r}, ours is {found.errors[0][0]!r}"
        if not isinstance(wanted, (ValueError, KeyError)):
            return ""
        upto = next(n for n, event in enumerate(found.events) if event["type"] == "error")
        return unequal("events before the error", expected.events[:-1], found.events[:upto])
    if found.errors:
        return f"error: the reference has none, ours is {found.errors[0][0]!r}"
    return unequal("message", expected.message, found.message) or unequal("events", expected.events, found.events)


def same(expected: Reading, found: Reading) -> str:
    """Where two readings of ours differ."""
    return (
        unequal("errors", [place for _, place in expected.errors], [place for _, place in found.errors])
        or unequal("message", expected.message, found.message)
        or unequal("events", expected.events, found.events)
    )


def unequal(what: str, expected: Any, found: Any) -> str:
    """Where two values differ, their types and the order of their keys included: all that repr shows."""
    if repr(expected) == repr(found):
        return ""
    if isinstance(expected, list) and isinstance(found, list):
        for number, (one, other) in enumerate(zip(expected, found, strict=False)):
            if repr(one) != repr(other):
                return f"{what}, number {number}: {one!r} is not {other!r}"
        return f"{what}: {len(expected)} are not {len(found)}: {(expected + found)[min(len(expected), len(found))]!r}"
    return f"{what}: {expected!r} is not {found!r}"


def resumed(parser: Any, **options: Any) -> Any:
    """The parser as another process would go on with it."""
    return type(parser).resume(json.loads(json.dumps(parser.state())), **options)
