"""Groups in linear time: an expression with its groups goes in, a scanner that needs no other engine comes out.

Invariant: the ways of one match are followed side by side, in the order in which a backtracking engine tries them, each
with the marks that it has passed. Of two that stand alike the first stays: its marks are those of the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .automaton import FREE, Automaton, Conditions, Thread, hold_at_end, judged
from .program import MATCH, Ahead, Either, Expression, Left, Mark, One

Marks = tuple[int, ...]
"""Where each mark was passed last, -1 where it was not."""
Way = tuple[Thread, Marks]


class Capturing(Automaton):
    """An automaton that finds its groups by itself: slower by far than a pattern, where that is linear too."""

    def __init__(self, expression: Expression) -> None:
        super().__init__(expression, "")

    @property
    def groups(self) -> Iterable[str]:
        return self.program.groups

    def captures(self, text: str, start: int, past: Sequence[int] = ()) -> dict[str, str]:
        marks = self._marks(text, start, past)
        spans = zip(self.groups, marks[::2], marks[1::2], strict=True)
        return {name: text[begin:end] for name, begin, end in spans if end >= 0}

    def _marks(self, text: str, start: int, past: Sequence[int]) -> Marks:
        nowhere = (-1,) * (2 * len(self.program.groups))
        ways = list(_first_of_each(self._from(self.program.entry, FREE, nowhere, start, self._left(text, start, past))))
        for at in range(start, len(text)):
            if not ways or ways[0][0] == (MATCH, FREE):
                break
            ways = list(_first_of_each(self._over(ways, text, at, self._left(text, at + 1, past))))
        return next((marks for (place, asked), marks in ways if place == MATCH and hold_at_end(asked)), nowhere)

    def _over(self, ways: Iterable[Way], text: str, at: int, left: int) -> Iterator[Way]:
        """The ways behind the character at a place, in order; left: what passes on the left there."""
        sign = self.program.sign(text[at])
        for (place, conditions), marks in ways:
            more = self.conditions(conditions, sign, left)
            if more is None:
                continue
            here = self.program.places[place]
            if place == MATCH:
                yield (place, more), marks
            elif isinstance(here, One) and (here.test < 0 or sign >> here.test & 1):
                yield from self._from(here.then, more, marks, at + 1, left)

    def _from(self, place: int, asked: Conditions, marks: Marks, at: int, left: int) -> Iterator[Way]:
        """The ways from a place to where they need a character, or have matched."""
        seen: set[Thread] = set()
        pending: list[Way] = [((place, asked), marks)]
        while pending:
            thread, passed = pending.pop()
            if thread in seen:
                continue
            seen.add(thread)
            here, conditions = self.program.places[thread[0]], thread[1]
            if isinstance(here, Either):
                pending += ((here.second, conditions), passed), ((here.first, conditions), passed)
            elif isinstance(here, Left):
                if left >> here.test & 1:
                    pending.append(((here.then, conditions), passed))
            elif isinstance(here, Ahead):
                more = judged(here.negative, self.closure(here.inside, left))
                if more is not None:
                    pending.append(((here.then, conditions | more), passed))
            elif isinstance(here, Mark):
                now = (*passed[: here.number], at, *passed[here.number + 1 :])
                pending.append(((here.then, conditions), now))
            else:
                yield thread, passed

    def _left(self, text: str, at: int, past: Sequence[int]) -> int:
        if past:
            return past[at]
        return self.program.left_sign(text, at) if self.program.lefts else 0


def _first_of_each(ways: Iterable[Way]) -> Iterator[Way]:
    """Of ways that stand alike the first; none behind one that is sure to have matched."""
    seen: set[Thread] = set()
    for thread, marks in ways:
        if thread not in seen:
            seen.add(thread)
            yield thread, marks
            if thread == (MATCH, FREE):
                return
