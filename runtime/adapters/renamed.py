"""Other names for fields: a parser goes in, out comes one whose events and messages use those names.

Invariant: nothing else changes; a name that is not among the given ones stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..stream import Stream


class Renamed:
    """initial_events, feed, finalize and partial of a parser. names: what each field is called, by its own name."""

    def __init__(self, parser: Stream, names: Mapping[str, str]) -> None:
        self._parser, self._names = parser, names
        self.initial_events = self._events(parser.initial_events)

    def feed(self, text: str) -> list[Any]:
        return self._events(self._parser.feed(text))

    def finalize(self) -> tuple[dict[str, Any], list[Any]]:
        message, events = self._parser.finalize()
        return renamed(message, self._names), self._events(events)

    def partial(self) -> dict[str, dict[str, Any]]:
        so_far = self._parser.partial()
        return {"message": renamed(so_far["message"], self._names), "open": renamed(so_far["open"], self._names)}

    @property
    def errors(self) -> list[Any]:
        return self._parser.errors

    def _events(self, events: list[Any]) -> list[Any]:
        return [
            {**event, "field": self._names.get(event["field"], event["field"])} if "field" in event else event
            for event in events
        ]


def renamed(message: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """The message under other names, in its order."""
    return {names.get(key, key): value for key, value in message.items()}
