"""A body of tag pairs while it arrives: pieces go in, what comes out is whether a value is open at their end.

Invariant: a value is open from its opener on, until a closer of values and blanks stand last; however a body is cut,
the answer is the same.
"""

from __future__ import annotations

from typing import Any

from .read_text import BLANKS
from .snapshot import alike

KEPT = 512  # of the characters behind which a closer is looked for; a closer is shorter


class TagBody:
    """opener: has `finditer`. closers: the fixed strings that can end a value. For `Aware`, which reads along once it
    is known that a value has been opened; a body of tags can always go on, so it is never `dead`."""

    __slots__ = ("_blanks", "_closers", "_opener", "_tail", "dead", "end")
    is_value = False  # it has no end of its own

    def __init__(self, opener: Any, closers: tuple[str, ...]) -> None:
        self._opener, self._closers = opener, closers
        self._tail = self._blanks = ""  # what has been read, but for the blanks at its end
        self.dead = False
        self.end = -1

    @property
    def in_string(self) -> bool:
        """A value is open."""
        return not self._tail.endswith(self._closers)

    def surely_outside(self, body: str) -> bool:
        """Whether no value is open at the end of this whole body."""
        return body.rstrip(BLANKS).endswith(self._closers) or next(iter(self._opener.finditer(body)), None) is None

    def twin(self) -> TagBody:
        """A reader that goes on apart from this one."""
        return alike(self)

    def read(self, piece: str) -> None:
        """The next characters of the body."""
        shown = piece.rstrip(BLANKS)
        if shown:
            self._tail = (self._tail + self._blanks + shown)[-KEPT:]
            self._blanks = ""
        self._blanks = (self._blanks + piece[len(shown) :])[-KEPT:]
