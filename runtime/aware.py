"""Closers that a body may hold in its strings: a region's text goes in as it arrives, out comes which closer counts.

Invariant: a closer outside of strings counts, and any closer once the body can no longer become valid. From the first
one that stands in a string on the text is held, until one counts; where none does, before the body is found to be no
value or the text ends, it was the first.
"""

from __future__ import annotations

from .snapshot import alike

TYPE_CHECKING = False  # typing is slow to import, and nothing here needs it to run
if TYPE_CHECKING:
    from .json_body import JsonBody
    from .quoted_body import QuotedBody
    from .scan import Delimiter, Search
    from .stream import Stream
    from .tag_body import TagBody
    from .watch import Watch

    Body = JsonBody | QuotedBody | TagBody


class Aware:
    """What is known of the open region of a parser. Offsets count from the start of its body."""

    __slots__ = ("_first", "_follows", "_gave_up", "_limit", "_read", "_searched", "body", "hold")

    def __init__(self, body: Body, limit: int = -1, read: int = 0) -> None:
        self.body = body
        self._limit = limit  # a body that is longer cannot become valid, and is not all kept; -1: there is none
        self._follows = False  # the reader reads along; before, quotes are counted where a closer stands
        self._read = read  # how much of the body the reader has seen
        self._first = -1  # the first closer that stands in a string
        self._gave_up = False  # that one it was
        self._searched = 0  # no closer that is still in question stands before
        self.hold = 0  # where in the text a closer may have begun, after `nearest` found none

    def twin(self) -> Aware:
        """The same for a parser that goes on apart from this one."""
        twin = alike(self)
        twin.body = self.body.twin()
        return twin

    def begin(self, parser: Stream, at: int) -> int:
        """Where in the text to look for closers."""
        return max(at, self._searched - parser._offset_in_body(at))

    def allows(self, parser: Stream, text: str, at: int, start: int) -> bool:
        """Whether the closer at text[start] counts. text[at] is the first character that the region has not taken."""
        if self._gave_up:
            return parser._offset_in_body(at) + start == self._first
        if self._is_too_long(parser._offset_in_body(at) + start):
            return not self._give_up()
        if not self._follows:
            if self.body.surely_outside(parser._taken() + text[at:start]):
                return True
            self._follows = True
        self._see(parser, text, at, start)
        if self.body.dead:
            return not self._give_up()
        if not self.body.in_string:
            return True
        if self._first < 0:
            self._first = parser._offset_in_body(at) + start
        return False

    def find(self, text: str, lead: str, at: int) -> int:
        """Where to look next; -1 also when the first closer has just turned out to be the one."""
        return -1 if self._gave_up else text.find(lead, at)

    def nearest(
        self,
        parser: Stream,
        text: str,
        at: int,
        closers: Watch,
        openers: Watch | None = None,
        later: Watch | None = None,
    ) -> Search | None:
        """The search for closers, where it has found the first one that counts; None while there is none, and `hold`
        is then where one may have begun. openers: of all regions, where those mean anything; later: those that count
        right behind a closer."""
        ends_from = opens_from = self.begin(parser, at)
        while True:
            if self._gave_up:
                for watch in filter(None, (closers, openers, later)):
                    parser._searches.pop(watch, None)  # a search only goes on: these begin again at the first closer
                ends_from = self.begin(parser, at)
            ends, begins, begun = parser._first(closers, text, at, ends_from), None, len(text)
            if self._first >= 0 and not self._gave_up and openers:  # before, no opener says anything
                begins = parser._first(openers, text, at, opens_from)
                begun = begins.start
            if begins is not None and begins.found is not None and begun < ends.start:
                self.gives_up(parser, text, at, begun)
                opens_from = begun + 1
            elif ends.found is None or begun < ends.start:
                self.hold = min(ends.start, begun)
                return None
            elif self._gave_up or self.allows(parser, text, at, ends.start):
                return ends
            else:
                behind = parser._first(later, text, at, ends.end) if later else None
                if behind is not None and behind.start == ends.end:
                    if behind.found is None and not parser._ended:
                        self.hold = ends.start
                        return None
                    if behind.found is not None:
                        self.gives_up(parser, text, at, behind.start)
                ends_from, opens_from = max(ends.end, ends.start + 1), ends.start

    def gives_up(self, parser: Stream, text: str, at: int, start: int) -> bool:
        """Whether the opener of another region at text[start], in an open value, says that the first closer counted."""
        if not self._follows or self._gave_up:
            return False
        if self._is_too_long(parser._offset_in_body(at) + start):
            return self._give_up()
        self._see(parser, text, at, start)
        return self.body.in_string and self._give_up()

    def wait(self, parser: Stream, text: str, at: int, hold: int, *ends: Delimiter) -> int:
        """No closer counts so far; `hold` is where one may have begun. Returns where to read on, as State.read does.

        ends: closers that are scanned for, as `Stream._wait_or_cut` takes them.
        """
        if self._gave_up:  # the state is asked again, and finds the first closer
            return at
        offset = parser._offset_in_body(at)
        too_long = self._is_too_long(offset + hold)
        if self._follows and not too_long:
            self._see(parser, text, at, hold)
        if (too_long or self.body.dead or parser._ended) and self._give_up():
            return at
        self._searched = offset + hold
        return parser._wait_or_cut(text, at, hold if self._first < 0 else min(hold, self._first - offset), *ends)

    def value_end(self, parser: Stream, text: str, at: int) -> int:
        """Where in the text the one value of the body ends, or where it cannot go on; -1: not yet."""
        self._see(parser, text, at, len(text))
        offset = parser._offset_in_body(at)
        return self.body.end - offset if self.body.end >= 0 else -1

    @property
    def is_value(self) -> bool:
        """Whether what ends at `value_end` is a value."""
        return self.body.is_value

    def _is_too_long(self, size: int) -> bool:
        return 0 <= self._limit < size

    def _give_up(self) -> bool:
        """Go back to the first closer, if there is one."""
        if self._first < 0:
            return False
        self._gave_up, self._searched = True, self._first
        return True

    def _see(self, parser: Stream, text: str, at: int, end: int) -> None:
        """Let the reader see the body up to text[end]."""
        offset = parser._offset_in_body(at)
        if self._read < offset + at:  # taken where no closer could be
            self.body.read(parser._taken()[self._read :])
            self._read = offset + at
        if self._read < offset + end:
            self.body.read(text[self._read - offset : end])
            self._read = offset + end
