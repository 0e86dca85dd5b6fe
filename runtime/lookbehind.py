"""Look-behinds that no bounded piece of text decides: a text goes in from its start, out comes where each one passes.

Invariant: each runs over the text once, forward, all its starts at once; what it looks ahead at in turn is waited for,
so that a place is known when nothing that follows can change it.
"""

from __future__ import annotations

from .ways import FREE, Conditions, Thread, Ways, hold_at_end

KEPT = 40_000  # threads and moves that are remembered; when there are more, all are forgotten

Alive = frozenset[Thread]


class Runs:
    """What is alive of the look-behinds of one delimiter, and where characters lead: kept once, for all searches."""

    __slots__ = ("_kept", "_moves", "_ways", "forgot")

    def __init__(self, ways: Ways) -> None:
        self._ways = ways
        self._moves: dict[tuple[Alive, int, int], Alive] = {}
        self._kept = 0
        self.forgot = False  # more was met than can be kept

    def move(self, alive: Alive, sign: int, left: int) -> Alive:
        """What is alive behind a character."""
        key = alive, sign, left
        follow = self._moves.get(key)
        if follow is None:
            ways = self._ways
            follow = frozenset(after for thread in alive for after in ways.advance(thread, sign, left)).union(
                *(ways.closure(entry, left) for entry in ways.program.pasts)
            )
            self._kept += 1 + len(follow)
            if self._kept > KEPT:
                self._moves, self._kept, self.forgot = {}, 0, True
            self._moves[key] = follow
        return follow


class Past:
    """The look-behinds without a bound of one delimiter, for one search.

    signs: for each place in the text so far, counted from its start, the tests of the left that pass, as bits. Only the
    first `known` of them are sure.
    """

    __slots__ = ("_alive", "_pending", "_runs", "_ways", "known", "signs")

    def __init__(self, ways: Ways, runs: Runs) -> None:
        self._ways, self._runs = ways, runs
        self._alive: Alive = frozenset()
        self._pending: list[tuple[int, int, Conditions]] = []  # (place, bit, what it waits for)
        self.signs = bytearray()
        self.known = 0

    def read(self, text: str, base: int, ended: bool) -> None:
        """Go on to the end of the text. base: where text[0] stands; all that has not been read stands in the text."""
        program = self._ways.program
        for at in range(len(self.signs) - base, len(text) + 1):
            left = program.left_sign(text, at)
            sign = self._ways.sign(text[at - 1]) if self.signs else 0
            self.signs.append(left ^ program.negative_pasts)
            self._pending = [
                (place, bit, more)
                for place, bit, conditions in self._pending
                if (more := self._ways.conditions(conditions, sign, left)) is not None
                and not self._ask(place, bit, more)
            ]
            self._alive = self._runs.move(self._alive, sign, left)
            for place, conditions in self._alive:
                bit = program.passing.get(place, 0)
                if bit and not self._ask(base + at, bit, conditions):
                    self._pending.append((base + at, bit, conditions))
        if ended:
            for place, bit, conditions in self._pending:
                if hold_at_end(conditions):
                    self._ask(place, bit, FREE)
            self._pending.clear()
        self.known = self._pending[0][0] if self._pending else len(self.signs)

    def _ask(self, place: int, bit: int, conditions: Conditions) -> bool:
        """Note it when a look-behind passes at a place for sure."""
        if conditions == FREE:
            negative = self._ways.program.negative_pasts & bit
            self.signs[place] = self.signs[place] & ~bit if negative else self.signs[place] | bit
            return True
        return False
