"""Which of several delimiters comes first: in go their searches one by one, out comes the winner or what to hold.

Invariant: the winner is the same whatever follows: nothing that starts before it, or where it starts, is undecided.
"""

from __future__ import annotations

from .scan import Scan


class First:
    """hold: the text before it is free whatever comes. Weigh in order of rank: openers by field, then the closer."""

    __slots__ = ("_best", "hold")

    def __init__(self, text: str) -> None:
        self.hold = len(text)
        self._best: Scan | None = None

    def weigh(self, scan: Scan) -> Scan:
        """Take one more search into account: the earliest start wins, then the longest, then the first weighed."""
        best = self._best
        if scan.end < 0:
            self.hold = min(self.hold, scan.start)
        elif best is None or (scan.start, scan.start - scan.end) < (best.start, best.start - best.end):
            self._best = scan
        return scan

    @property
    def begun(self) -> int:
        """Where the first of them begins, or may begin."""
        return self.hold if self._best is None else min(self.hold, self._best.start)

    def decided(self) -> Scan | None:
        """The winner, or None while what is undecided could still win."""
        best = self._best
        return best if best is not None and best.start < self.hold else None
