"""Limits of a parse: in goes a parser class, out comes the same parser that refuses what is too much, or is no JSON.

Invariant: a limit is exact in characters and regions, whatever the pieces: N pass, N + 1 do not. It is a subclass: the
plain parser carries none of it. Of a region that is too long one character more than may be is kept.
"""

from __future__ import annotations

import copy
import math
from io import StringIO

from .aware import Aware
from .errors import LimitReached, ParseError, TooLong
from .json_body import JsonBody
from .states import LIMITED, State
from .stream import Stream, variant

TYPE_CHECKING = False  # typing is slow to import, and nothing here needs it to run
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from .aware import Body
    from .events import Event, Message
    from .options import Limits

DEEPEST = 100  # lists and objects in one another that `strict_json` lets pass
_ABSENT = object()


def guarded(parser: type[Stream]) -> type[Stream]:
    """The parser with limits."""
    return variant(parser, Guarded)


class Guarded(Stream):
    """A region that is too long is refused at its close. When there are too many, or too much text is undecided, the
    reading is over: the error comes once, and what follows is dropped."""

    __slots__ = (
        "_later",  # a text of which what stands behind a refused region has not been looked at
        "_later_at",  # where in it that begins
        "_most",  # characters of a region
        "_most_regions",
        "_reader",  # where the reader of the open region stood, whose text is not all kept; [] when nothing is to know
        "_regions",
        "_strict_json",
    )

    def __init__(self, *, limits: Limits | None = None, strict_json: bool = False, **options: Any) -> None:
        self._most = None if limits is None else limits.region
        self._most_regions = None if limits is None else limits.regions
        self._strict_json = strict_json
        self._regions, self._later, self._later_at = 0, "", 0
        self._reader: list[Any] = []
        super().__init__(**options)

    def feed(self, text: str) -> list[Event]:
        text, at = self._with_later(text), self._later_at
        events: list[Event] = []
        owed = self._owed  # by the prefix, behind which the reading is over
        while True:
            free = len(text) if self._most is None else max(1, self._most - self._undecided())
            piece, at = text[at : at + free], at + free  # so that no piece can go beyond a limit and come back
            try:
                events += super().feed(piece)
                if self._most is not None and self._undecided() > self._most:
                    raise self._too_much_undecided(self._most)
            except LimitReached as error:
                if error is not owed:
                    events += self._give_up(error)
                events += super().feed(text[at:])
                if not self._keeps_errors:
                    error.events = events
                    raise
                return events
            except ParseError as error:
                if at < len(text):
                    self._later, self._later_at = text, at
                error.events = events + error.events
                raise
            if at >= len(text):
                return events

    def _with_later(self, text: str) -> str:
        """What has not been looked at, from `_later_at` on, and the new text; without a copy, as in Stream.feed."""
        later, self._later = self._later, ""
        if not later:
            self._later_at = 0
            return later + text
        try:
            later += text
        except TypeError:
            self._later = later
            raise
        return later

    def finalize(self) -> tuple[Message, list[Event]]:
        events = self.feed("") if self._later else []
        try:
            message, last = super().finalize()
        except ParseError as error:
            error.events = events + error.events
            raise
        return message, events + last

    def state(self) -> dict[str, Any]:
        state = super().state()
        state |= {"held": state["held"] + self._later[self._later_at :], "regions": self._regions}
        beyond = self._body.tell() - len(state["body"])
        if beyond:
            reader = None if self._aware is None else self._aware.body
            state |= {"beyond": beyond, "reader": reader.state() if isinstance(reader, JsonBody) else self._reader}
        return state

    def _restore(self, state: dict[str, Any]) -> None:
        super()._restore(state)
        self._regions = state.get("regions", 0)
        if type(self._regions) is not int:
            raise TypeError("regions are counted")
        self._reader = state.get("reader", [])
        if self._reader:
            JsonBody().put_back(self._reader)  # raises
        self._later, self._held = self._held[self._at :], self._held[: self._at]  # to be read in pieces, as before
        self._later_at = 0

    def _lack(self, beyond: int) -> None:
        if type(beyond) is not int or beyond < 0:
            raise TypeError("characters are counted")
        if self._most is None or self._body.tell() + beyond <= self._most:
            super()._lack(beyond)
        text, size = self._body.getvalue(), self._body.tell() + beyond
        self._body = _Body(len(text), size - len(text))
        self._keep = self._body.write
        self._keep(text)

    # -- how much -------------------------------------------------------------------------------------------------

    def _undecided(self) -> int:
        """What is held, and the blanks that have opened nothing yet."""
        return len(self._held) - self._at + (0 if self._is_open else self._body.tell())

    def _renew_body(self, text: str) -> None:
        if self._most is None:
            super()._renew_body(text)
        else:
            self._body = _Body(self._most + 1)
            self._keep = self._body.write
            self._keep(text)

    def _enter(self, region: State, start: int, end: int) -> None:
        if self._regions == self._most_regions:
            reason = f"more than {self._regions:,} regions"
            place = {"start": self._base + start, "end": self._base + end}
            raise LimitReached(reason, field=region.chunk["field"], text="", **place)
        self._regions += 1
        self._reader = []
        super()._enter(region, start, end)

    def _watched(self, body: Callable[[], Body]) -> Aware:
        if self._aware is None:
            reader, limit, read = body(), -1 if self._most is None else self._most, 0
            if self._reader and isinstance(reader, JsonBody):
                reader.put_back(self._reader)
                read = self._body.tell()
            self._aware = Aware(reader, limit, read)
        return self._aware

    def _too_much_undecided(self, most: int) -> LimitReached:
        start = self._body_at + self._body.tell() if self._is_open else self._base + self._at
        self._base = start - self._at  # exact again where it lagged
        reason = f"more than {most:,} characters that may still become a delimiter"
        text, end = self._held[self._at :], self._base + len(self._held)
        if not self._is_open:
            blanks = self._body.getvalue()
            start, text = start - len(blanks), blanks + text
        error = LimitReached(reason, field=self._state.chunk["field"], text=text, start=start, end=end)
        error._message_so_far = self._message_later()
        return error

    def _give_up(self, error: LimitReached) -> list[Event]:
        """The events before the error, and what becomes of the text that is there."""
        self._events = error.events
        end = self._base + len(self._held)
        if self._is_open:
            error.start, error.text = self._opened_at, self._body.getvalue() + error.text
            if self._keeps_errors:
                self._events.append(
                    {
                        "type": "region_malformed",
                        "field": error.field,
                        "start": error.start,
                        "end": end,
                        "error": error,
                        "text": error.text,
                        "reason": "too-long",
                    }
                )
        else:
            self._drop(error.start - self._base, len(self._held), "limit")
        self._state, self._is_open = LIMITED, False
        self._base, self._held, self._at, self._wake, self._doze = end, "", 0, "", None
        self._captures = {}
        self._renew_body("")
        if self._keeps_errors:
            self.errors.append(error)
        return self._events

    # -- what a region may be -------------------------------------------------------------------------------------

    def _close(self, text: str, at: int, start: int, end: int, then: State | None = None, *, cut: str = "close") -> int:
        if at < start:
            self._take(text, at, start)
        if self._is_open and self._most is not None and self._body.tell() > self._most:
            self._state, cut = _closing(self._state, Guarded._refuse_length), "close"
        elif self._is_open and self._strict_json:
            region = self._state
            self._state = _closing(region, lambda parser, body: parser._close_strictly(region, body))
        return super()._close(text, start, start, end, then, cut=cut)

    def _refuse_length(self, body: str) -> Any:
        raise TooLong(f"longer than {self._most:,} characters")

    def _close_strictly(self, region: State, body: str) -> Any:
        """The region's value; where it is no JSON, the message is what it was."""
        assert region.close is not None, "an open region can be closed"
        key = region.chunk["field"]
        before = self._message.get(key, _ABSENT)
        size = len(before) if isinstance(before, list) else 0
        value = region.close(self, body)
        fault = fault_in_json(value)
        if fault:
            if before is _ABSENT:
                del self._message[key]
            else:
                self._message[key] = before
                if isinstance(before, list):
                    del before[size:]
            raise ValueError(fault)
        return value


class _Body(StringIO):
    """Text that grows, of which the first characters are kept."""

    def __init__(self, kept: int, beyond: int = 0) -> None:
        super().__init__()
        self._free = kept
        self._size = beyond  # what has been written and is not kept

    def write(self, text: str) -> int:
        self._size += len(text)
        if self._free:
            self._free -= super().write(text[: self._free])
        return len(text)

    def tell(self) -> int:
        """How much has been written."""
        return self._size


def _closing(region: State, close: Callable[[Any, str], Any]) -> State:
    """The region with another end."""
    other = copy.copy(region)
    other.close = close
    return other


def fault_in_json(value: Any) -> str:
    """Why no JSON text says the value; "" where one does, of DEEPEST levels at most."""
    pending = [(value, 0)]
    while pending:
        part, depth = pending.pop()
        if isinstance(part, str):
            try:
                part.encode()
            except UnicodeEncodeError:
                return "half of a character"
        elif isinstance(part, float):
            if not math.isfinite(part):
                return "a number that is not finite"
        elif isinstance(part, (dict, list)):
            if depth == DEEPEST:
                return f"nested deeper than {DEEPEST} levels"
            pending += [(inner, depth + 1) for inner in (part.values() if isinstance(part, dict) else part)]
            if isinstance(part, dict):
                pending += [(key, depth + 1) for key in part]
    return ""
