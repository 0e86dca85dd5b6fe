"""A body of calls, of a Python literal or of lines of JSON while it arrives: pieces go in, what comes out is whether a
string is open.

Invariant: however a body is cut, the state behind it is the same, and each character is looked at once. `dead` means
that no continuation makes the body one that its reader takes; a body that is not dead may be refused all the same.
"""

from __future__ import annotations

import re

from .snapshot import alike

_OUTSIDE = re.compile(r"""["'\\]""")
_INSIDE = {quote: re.compile(rf"[{quote}\\]") for quote in "\"'"}
_INSIDE_ONE_LINE = {quote: re.compile(rf"[{quote}\\\n\r]") for quote in "\"'"}


class QuotedBody:
    """in_string: the next character is inside of a string. newlines: strings may hold line breaks. For `Aware`."""

    __slots__ = ("_escaped", "_inside", "_quote", "dead", "end")
    is_value = False  # it has no end of its own

    def __init__(self, *, newlines: bool = False) -> None:
        self._inside = _INSIDE if newlines else _INSIDE_ONE_LINE
        self._quote = ""  # that of the open string
        self._escaped = False  # what comes next stands behind a backslash
        self.dead = False
        self.end = -1

    @property
    def in_string(self) -> bool:
        return bool(self._quote)

    def surely_outside(self, body: str) -> bool:
        """Whether the end of this whole body is outside of its strings, told by a look for quotes."""
        return '"' not in body and "'" not in body

    def twin(self) -> QuotedBody:
        """A reader that goes on apart from this one."""
        return alike(self)

    def read(self, piece: str) -> None:
        """The next characters of the body."""
        at = 0
        if self._escaped and piece:
            self._escaped, at = False, 1
        while not self.dead:
            found = (self._inside[self._quote] if self._quote else _OUTSIDE).search(piece, at)
            if found is None:
                return
            at = found.end()
            if found[0] == "\\" and self._quote:
                self._escaped = at == len(piece)
                at += 1
            elif found[0] in "\\\n\r":  # a backslash outside of strings, a line break inside
                self.dead = True
            else:
                self._quote = "" if self._quote else found[0]
