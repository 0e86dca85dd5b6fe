"""A whole response at once: a parser class and the text go in, the message comes out; no events are made.

Invariant: the states are the parser's own, so the meaning is the same; only what serves pieces and events is left out.
What a state refuses is read again by the stream, which says what and where.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import takewhile

from .emit import without_empty
from .read_text import past_blanks
from .states import BLANKS, State
from .stream import Stream, tools_of, variant

TYPE_CHECKING = False  # typing is slow to import, and nothing here needs it to run
if TYPE_CHECKING:
    from typing import Any

    from .events import Message
    from .scan import Delimiter, Search
    from .watch import Watch


def parse_whole(
    kind: type[Stream], text: str, prefix: str, tools: Iterable[Any] | None, options: Mapping[str, Any]
) -> Message:
    """The message of one whole response. Refused regions: the first one's error, with the message and all errors."""
    tools = list(tools) if tools is not None else None  # it may have to be read twice
    if not options and isinstance(prefix, str):
        rest = kind._after_anchor(prefix) if prefix else ""
        if rest is not None:
            try:
                message = _read_at_once(kind, rest + text, tools)
                if kind._lacking(message) is None:
                    return without_empty(message, kind._defaults())
            except (ValueError, KeyError, RecursionError):
                pass  # the stream says what and where
    return _parse_streamed(kind(prefix=prefix, tools=tools, **options), text)


def _read_at_once(kind: type[Stream], text: str, tools: Iterable[Any] | None) -> Message:
    parser: Stream = object.__new__(vars(kind).get("_as_AtOnce") or variant(kind, AtOnce))
    parser._tools = tools_of(tools, kind.COERCE) if tools else None
    parser._message = kind._defaults()
    parser._state = kind.OUTSIDE
    parser._is_open, parser._ended = False, True
    parser._captures = {}
    parser._searches = {}
    at = 0
    while at >= 0:
        at = parser._state.read(parser, text, at)
    message = parser._message
    parser._join(message)
    return message


def _parse_streamed(parser: Stream, text: str) -> Message:
    raises, parser._keeps_errors = not parser._keeps_errors, True  # no exception until all is read
    owed, parser._owed = parser._owed, None  # a refused region of the prefix
    assert not isinstance(owed, RuntimeError), "a parser reads one response"
    events = parser.feed(text)
    message, last = parser.finalize()
    errors = parser.errors if owed is None else [owed, *parser.errors]
    if raises and any(error.policy == "raise" for error in errors):
        first = next(error for error in errors if error.policy == "raise")
        first.later = [error for error in errors if error is not first]
        if first is not owed:
            first.events = list(takewhile(lambda event: event.get("error") is not first, events + last))
        first._message_so_far = lambda: message
        raise first
    return message


class AtOnce(Stream):
    """The text of a region is a slice between its delimiters: _body_at says where it begins."""

    __slots__ = ()

    def _take(self, text: str, start: int, end: int) -> None:
        if start < end and not self._is_open and self._state.close is not None:
            if self._state.skips_blanks and text[start:end].isspace():
                return
            self._is_open = True
            self._body_at = start

    def _skip(self, end: int) -> None:
        """No blanks are kept here."""

    def _wait(self, text: str, at: int, hold: int) -> int:
        end = len(text)
        self._take(text, at, end)
        if self._state.cut != "close" and self._is_open:
            raise ValueError("the text ends before the region does")
        self._close(text, end, end, end)
        return -1

    def _offset_in_body(self, at: int) -> int:
        return -self._body_at

    def _taken(self) -> str:
        return ""  # before its region closes

    def _pass(self, text: str, at: int) -> int:
        return self._wait(text, at, len(text))

    def _wait_on(self, search: Search, text: str, at: int) -> int:
        return self._wait(text, at, search.start)

    def _wait_or_cut(self, text: str, at: int, hold: int, *ends: Delimiter) -> int:
        return self._wait(text, at, hold)

    def _first(self, watch: Watch, text: str, at: int, begin: int = 0) -> Search:
        search = self._searches.get(watch)
        if search is None:
            search = self._searches[watch] = watch.search()
        return search.look(text, max(at, begin), 0, True)

    def _open(
        self, region: State, text: str, at: int, start: int, end: int, captures: dict[str, str] | None = None
    ) -> int:
        if at < start or self._is_open:
            self._close(text, at, start, start)
        if captures is not None:
            self._captures = captures
        self._state = region
        self._is_open = True
        self._aware = None
        self._body_at = end
        return end

    def _close(self, text: str, at: int, start: int, end: int, then: State | None = None, *, cut: str = "close") -> int:
        region = self._state
        self._state = then if then is not None and then is not BLANKS else self.OUTSIDE
        if region.close is not None:
            if self._is_open:
                self._is_open = False
                at = self._body_at
            elif at == start or (region.skips_blanks and text[at:start].isspace()):
                at = -1  # nothing has opened
            if at >= 0:
                self._unknown = region.unknown
                region.close(self, text[at:start])
        if self._captures:
            self._captures = {}
        return past_blanks(text, end) if then is BLANKS else end
