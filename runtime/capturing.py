"""Groups in linear time: an expression with its groups goes in, a scanner that needs no other engine comes out.

Invariant: the ways of one match are followed side by side, in the order in which a backtracking engine tries them; of
two that stand alike the first stays. Which one has won is known at the end. From there it is gone back, character by
character, and of each mark the last place is noted: a character costs the same, however many groups there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import ways
from .automaton import Automaton
from .program import MATCH, Ahead, Either, Expression, Left, Mark, One
from .ways import FREE, Thread, hold_at_end, judged

BLOCK = 1_024  # characters of which it is remembered at once how the ways came over them

Origins = tuple[tuple[int, tuple[int, ...]], ...]
"""For each way the way before the character that it comes from, and the marks that it has passed since."""
Step = tuple["Stage", Origins]


class Stage:
    """Where all ways of a match stand. moves: by what is read, and what passes on the left behind it."""

    __slots__ = ("moves", "threads")

    def __init__(self, threads: tuple[Thread, ...]) -> None:
        self.threads = threads
        self.moves: dict[tuple[int, int], Step] = {}

    @property
    def is_certain(self) -> bool:
        """Nothing that follows changes what has won."""
        return not self.threads or self.threads[0] == (MATCH, FREE)


class Capturing(Automaton):
    """An automaton that finds its groups by itself: slower than a pattern, where that is linear too."""

    def __init__(self, expression: Expression) -> None:
        super().__init__(expression, "")
        self._stages: dict[tuple[Thread, ...], Stage] = {}
        self._entries: dict[int, Step] = {}
        self._kept_stages = 0

    @property
    def groups(self) -> Iterable[str]:
        return self.program.groups

    def captures(self, text: str, start: int, past: Sequence[int] = ()) -> dict[str, str]:
        marks = self._marks(text, start, past)
        spans = zip(self.groups, marks[::2], marks[1::2], strict=True)
        return {name: text[begin:end] for name, begin, end in spans if end >= 0}

    def _marks(self, text: str, start: int, past: Sequence[int]) -> list[int]:
        """Where each mark was passed last, -1 where it was not."""
        marks = [-1] * (2 * len(self.program.groups))
        stage, entry = self._enter(self._left(text, start, past))
        begins: list[Stage] = []
        end = start
        while end < len(text) and not stage.is_certain:
            if (end - start) % BLOCK == 0:
                begins.append(stage)
            stage = self._move(stage, text, end, past)[0]
            end += 1
        matched = (index for index, (place, asked) in enumerate(stage.threads) if place == MATCH and hold_at_end(asked))
        won = next(matched, -1)
        if won < 0:
            return marks
        while begins:
            begin, stage, steps = start + BLOCK * (len(begins) - 1), begins.pop(), list[Origins]()
            for at in range(begin, end):
                stage, origins = self._move(stage, text, at, past)
                steps.append(origins)
            for at in range(end, begin, -1):
                won, passed = steps.pop()[won]
                _note(marks, passed, at)
            end = begin
        _note(marks, entry[won][1], start)
        return marks

    def _enter(self, left: int) -> Step:
        """Where a match begins."""
        step = self._entries.get(left)
        if step is None:
            found: dict[Thread, tuple[int, tuple[int, ...]]] = {}
            self._walk((self.program.entry, FREE), left, 0, set(), found)
            step = self._entries[left] = self._stage(found)
        return step

    def _move(self, stage: Stage, text: str, at: int, past: Sequence[int]) -> Step:
        """Over the character at a place."""
        sign, left = self.sign(text[at]), self._left(text, at + 1, past)
        step = stage.moves.get((sign, left))
        if step is None:
            step = self._stage(self._over(stage, sign, left))
            stage.moves[sign, left] = step
        return step

    def _over(self, stage: Stage, sign: int, left: int) -> dict[Thread, tuple[int, tuple[int, ...]]]:
        found: dict[Thread, tuple[int, tuple[int, ...]]] = {}
        seen: set[Thread] = set()
        for index, (place, conditions) in enumerate(stage.threads):
            more = self.conditions(conditions, sign, left)
            if more is None:
                continue
            here = self.program.places[place]
            if place == MATCH:
                found.setdefault((MATCH, more), (index, ()))
            elif isinstance(here, One) and (here.test < 0 or sign >> here.test & 1):
                self._walk((here.then, more), left, index, seen, found)
            if (MATCH, FREE) in found:
                break  # certain: what comes later cannot win
        return found

    def _walk(
        self,
        begin: Thread,
        left: int,
        index: int,
        seen: set[Thread],
        found: dict[Thread, tuple[int, tuple[int, ...]]],
    ) -> None:
        """Note the ways from a place to where they need a character, or have matched."""
        pending: list[tuple[Thread, tuple[int, ...]]] = [(begin, ())]
        while pending and (MATCH, FREE) not in found:
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
                pending.append(((here.then, conditions), (*passed, here.number)))
            else:
                found.setdefault(thread, (index, passed))

    def _stage(self, found: dict[Thread, tuple[int, tuple[int, ...]]]) -> Step:
        threads, origins = tuple(found), tuple(found.values())
        self._kept_stages += len(origins) + sum(len(passed) for _, passed in origins)
        if self._kept_stages > ways.KEPT:
            for stage in self._stages.values():
                stage.moves.clear()
            self._stages, self._entries, self._kept_stages = {}, {}, 0
        return self._stages.setdefault(threads, Stage(threads)), origins

    def _left(self, text: str, at: int, past: Sequence[int]) -> int:
        if past:
            return past[at]
        return self.program.left_sign(text, at) if self.program.lefts else 0


def _note(marks: list[int], passed: Iterable[int], place: int) -> None:
    """Later places are known by now, and count."""
    for mark in passed:
        if marks[mark] < 0:
            marks[mark] = place
