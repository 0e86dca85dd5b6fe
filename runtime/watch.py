"""What leaves a state: its delimiters go in, by rank, out comes a search for the one that comes first.

Invariant: the winner is the same whatever follows: nothing that starts before it, or where it starts, is undecided.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from .scan import Delimiter, Search

if TYPE_CHECKING:
    from .automaton import Together


class Watch:
    """Delimiters by rank: the earliest start wins, then the longest, then the first that is named. What a module holds:
    immutable, shared by parsers and threads."""

    def __init__(self, *delimiters: Delimiter) -> None:
        self.delimiters = delimiters

    def search(self) -> Search:
        """A new search."""
        return _EachSearch(self.delimiters) if self.together is None else self.together.search()

    @cached_property
    def together(self) -> Together | None:
        """All of them as automata; None where one can be none."""
        from .automaton import Together

        ways = [delimiter.ways for delimiter in self.delimiters]
        known = tuple(one for one in ways if one is not None)
        return Together(known, self.delimiters) if len(known) == len(ways) else None


class _EachSearch(Search):
    """Each delimiter is searched for by itself."""

    __slots__ = ("_scans", "_winner")

    def __init__(self, delimiters: tuple[Delimiter, ...]) -> None:
        super().__init__()
        self._scans = [(delimiter, delimiter.scan()) for delimiter in delimiters]

    def captures(self, text: str) -> dict[str, str]:
        return self._winner.captures(text)

    def look(self, text: str, at: int, base: int, ended: bool) -> Search:
        hold, best = len(text), None
        for delimiter, scan in self._scans:
            scan.near(text, at, base, ended)
            if scan.end < 0:
                hold = min(hold, scan.start)
            elif best is None or (scan.start, scan.start - scan.end) < (best[1].start, best[1].start - best[1].end):
                best = delimiter, scan
        if best is not None and best[1].start < hold:
            self.found, self._winner = best
            self.start, self.end = self._winner.start, self._winner.end
        else:
            self.found, self.start, self.end = None, hold, -1
        return self
