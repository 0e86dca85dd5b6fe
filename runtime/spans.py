"""`spans=True`: in goes a parser class, out comes the same parser whose events say where in the whole text they stand.

Invariant: delimiter spans, chunks and dropped stretches tile the text. It is a subclass: the plain parser carries
none of it.
"""

from __future__ import annotations

import re
from typing import Any

from .events import Event
from .read_text import BLANK
from .states import State
from .stream import Stream, variant

_BLANKS = "".join(re.findall(BLANK, "".join(map(chr, range(0x3001)))))


def spanned(parser: type[Stream]) -> type[Stream]:
    """The parser with spans."""
    return parser if issubclass(parser, Spanned) else variant(parser, Spanned)


class Spanned(Stream):
    """A delimiter's span leaves out the blanks that end it; they are reported as dropped."""

    __slots__ = ()

    def feed(self, text: str) -> list[Event]:
        if text and self._wake not in text:
            start = self._base + len(self._held)
            self._base += len(text)
            self._keep(text)
            event = self._chunk.copy()
            event["text"], event["start"], event["end"] = text, start, start + len(text)
            return [event]
        return super().feed(text)

    def _take(self, text: str, start: int, end: int) -> None:
        known = len(self._events)
        super()._take(text, start, end)
        if len(self._events) > known and self._events[-1]["type"] == "region_chunk":
            event: Any = self._events[-1]
            self._mark(event, end - len(event["text"]), end)  # blanks may have been waiting in front of it

    def _wait(self, text: str, at: int, hold: int) -> int:
        if not self._ended:
            self._take(text, at, hold)
            offset = self._base + hold
            super()._wait(text, hold, hold)
            self._base = offset - self._at
            return -1
        return super()._wait(text, at, hold)

    def _pass(self, text: str, at: int) -> int:
        return self._wait(text, at, len(text))

    def _enter(self, region: State, start: int, end: int) -> None:
        super()._enter(region, start, end)
        self._mark(self._events[-1], start, end)

    def _open(
        self, region: State, text: str, at: int, start: int, end: int, captures: dict[str, str] | None = None
    ) -> int:
        super()._open(region, text, at, start, end, captures)
        event: Any = self._events[-1]
        event["captures"] = self._captures.copy()
        shown = _without_blanks(text, start, end)
        self._mark(event, start, shown)
        self._drop(shown, end, "blank")
        return end

    def _close(self, text: str, at: int, start: int, end: int, then: State | None = None, *, cut: str = "close") -> int:
        if at < start:
            self._take(text, at, start)
        was_open, known = self._is_open, len(self._events)
        super()._close(text, start, start, end, then, cut=cut)
        shown = _without_blanks(text, start, end)
        if not was_open:
            self._drop(start, shown, "idle-close")
        elif self._events[known]["type"] == "region_close":
            self._mark(self._events[known], start, shown)
            if self._repaired:
                closed: Any = self._events[known]
                closed["repaired"] = True
        else:  # malformed, with all that belongs to it
            return end
        self._drop(shown, end, "blank")
        return end

    def _give(self, raw: str, start: int) -> None:
        super()._give(raw, start)
        self._mark(self._events[-1], start, start + len(raw))

    def _drop(self, start: int, end: int, rule: Any) -> None:
        if start < end:
            self._events.append(
                {"type": "text_dropped", "start": self._base + start, "end": self._base + end, "rule": rule}
            )

    def _mark(self, event: Any, start: int, end: int) -> None:
        event["start"], event["end"] = self._base + start, self._base + end


def _without_blanks(text: str, start: int, end: int) -> int:
    """Where the delimiter text[start:end] ends, but for the blanks at its end."""
    return start + len(text[start:end].rstrip(_BLANKS))
