"""All ways of matching, side by side: an expression goes in, out come states, and the moves between them.

Invariant: a state lists the ways of matching that are still alive, the earlier start first, and of one start those that
a backtracking engine would try first; a way that stands where an earlier one does can never win, and is gone. So what
the first way says is what the engine says, and the states are finite: they are built when a text needs them, and kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product

from .program import END, MATCH, YES, Ahead, Either, Expression, Left, Mark, One, Program

KEPT = 40_000  # threads and moves that are kept; when there are more, all is forgotten and built anew
KEPT_CHARS = 10_000  # moves by character, which are found again by sign
MOST_TESTS = 4  # classes, or tests of the left, that are worth finding out what to skip

AFTER, BEFORE = -1, -2  # in a plan: the place behind the character just read, and the place before it

Conditions = frozenset[tuple[bool, "frozenset[Thread]"]]
"""Look-aheads still to come true: whether negative, and the ways inside that are alive."""
Thread = tuple[int, Conditions]
"""A place and what must come true for it to count."""
Plan = tuple[int, ...]
"""Where each new register comes from: the index of an old one, AFTER or BEFORE."""

FREE: Conditions = frozenset()
ANY = r"[\s\S]"

Threads = tuple[tuple[int, int, Conditions], ...]
"""The ways that are alive: number of the start, place, conditions."""


class State:
    """threads: (group, place, conditions); group 0 starts first. size: of its registers: a start for each group, then
    an end for each thread that has matched. moves: by character; by_sign: by the tests that a character passes.
    leaves: patterns of the characters that may change something; None until they are asked for."""

    __slots__ = ("by_sign", "decided", "ends", "groups", "leaves", "moves", "size", "threads")

    def __init__(self, threads: Threads) -> None:
        self.threads = threads
        self.groups = threads[-1][0] + 1 if threads else 0
        matched = [index for index, (_, place, _) in enumerate(threads) if place == MATCH]
        self.ends = {index: self.groups + order for order, index in enumerate(matched)}
        self.size = self.groups + len(matched)
        self.decided = bool(threads) and threads[0] == (0, MATCH, FREE)
        self.moves: dict[object, Move] = {}
        self.by_sign: dict[tuple[int, int, int], Move] = {}
        self.leaves: list[str] | None = None


Move = tuple[State, Plan | None]
"""The next state and its registers; None where they stay what they are."""


class Ways:
    """The states of one expression."""

    def __init__(self, expression: Expression) -> None:
        self._expression = expression
        self._states: dict[Threads, State] = {}
        self._signs: dict[str, int] = {}
        self._kept = self._kept_chars = 0
        self.followed = 0  # threads that were followed to build states: the work that was done
        self.forgot = False  # more states were met than can be kept
        self._begun: dict[tuple[int, int, int], tuple[tuple[int, Thread, int], ...]] = {}
        self._closures: dict[tuple[int, int], tuple[Thread, ...]] = {}

    @cached_property
    def program(self) -> Program:
        return Program(self._expression)

    @property
    def idle(self) -> State:
        """Nothing has begun."""
        return self._state(())

    @property
    def won(self) -> State:
        """A match has been decided: a start and an end."""
        return self._state(((0, MATCH, FREE),))

    # -- threads -----------------------------------------------------------------------------------------------------

    def closure(self, place: int, left: int) -> tuple[Thread, ...]:
        """Where the ways from a place need a character, or have ended, in order. left: which tests of the left pass."""
        known = self._closures.get((place, left))
        if known is None:
            known = self._closures[place, left] = tuple(self._closure(place, left))
            self.followed += len(known)
        return known

    def _closure(self, place: int, left: int) -> Iterator[Thread]:
        seen: set[Thread] = set()
        pending: list[Thread] = [(place, FREE)]
        while pending:
            thread = pending.pop()
            if thread in seen:
                continue
            seen.add(thread)
            at, conditions = self.program.places[thread[0]], thread[1]
            if isinstance(at, Either):
                pending += (at.second, conditions), (at.first, conditions)
            elif isinstance(at, Left):
                if left >> at.test & 1:
                    pending.append((at.then, conditions))
            elif isinstance(at, Ahead):
                more = judged(at.negative, self.closure(at.inside, left))
                if more is not None:
                    pending.append((at.then, conditions | more))
            elif isinstance(at, Mark):
                pending.append((at.then, conditions))
            else:
                yield thread

    def advance(self, thread: Thread, sign: int, left: int) -> Iterator[Thread]:
        """The threads that a thread becomes behind a character with this sign; `left` is for the place behind it."""
        place, conditions = thread
        more = self.conditions(conditions, sign, left)
        if more is None:
            return
        at = self.program.places[place]
        self.followed += 1
        if isinstance(at, One):
            if at.test < 0 or sign >> at.test & 1:
                threads = self.closure(at.then, left)
                self.followed += len(threads)
                for then, added in threads:
                    yield then, more | added
        elif place in (MATCH, YES):
            yield place, more

    def conditions(self, conditions: Conditions, sign: int, left: int) -> Conditions | None:
        """What is left of conditions behind a character; None when one has failed."""
        kept = FREE
        for negative, inside in conditions:
            more = judged(negative, (after for thread in inside for after in self.advance(thread, sign, left)))
            if more is None:
                return None
            kept |= more
        return kept

    def at_end(self, state: State) -> int:
        """The index of the first thread that has matched when no more text follows, -1 when there is none."""
        matched = (index for index in state.ends if hold_at_end(state.threads[index][2]))
        return next(matched, -1)

    # -- states ------------------------------------------------------------------------------------------------------

    def move(self, state: State, char: str, before: int, after: int) -> Move:
        """The move of a state by a character; before, after: which tests of the left pass around it."""
        key = (char, before, after) if self.program.lefts else char
        move = state.moves.get(key)
        if move is not None:
            return move
        move = self.by_sign(state, self.sign(char), before, after)
        self._kept_chars += 1
        if self._kept_chars > KEPT_CHARS:
            self._kept_chars = 1
            for known in self._states.values():
                known.moves.clear()
        state.moves[key] = move
        return move

    def sign(self, char: str) -> int:
        """Which tests a character passes, as bits."""
        sign = self._signs.get(char)
        if sign is None:
            if len(self._signs) >= KEPT_CHARS:
                self._signs = {}
            sign = self._signs[char] = self.program.sign(char)
        return sign

    def by_sign(self, state: State, sign: int, before: int, after: int) -> Move:
        move = state.by_sign.get((sign, before, after))
        if move is None:
            self._keep(1)
            move = state.by_sign[sign, before, after] = self.step(state, sign, before, after)
        return move

    def step(self, state: State, sign: int, before: int, after: int) -> Move:
        threads: list[tuple[int, int, Conditions]] = []
        groups: dict[int, int] = {}
        starts: list[int] = []
        ends: list[int] = []
        seen: set[Thread] = set()
        for start, thread, end in self._advanced(state, sign, before, after):
            if thread in seen:
                continue
            seen.add(thread)
            if start not in groups:
                groups[start] = len(groups)
                starts.append(start)
            threads.append((groups[start], *thread))
            if thread[0] == MATCH:
                ends.append(end)
                if thread[1] == FREE:
                    break  # certain: what comes later cannot win
        follow = self._state(tuple(threads))
        plan = (*starts, *ends)
        return follow, None if plan == tuple(range(len(plan))) else plan

    def _advanced(self, state: State, sign: int, before: int, after: int) -> Iterator[tuple[int, Thread, int]]:
        """(register of the start, thread, register of the end) for all ways alive behind the character."""
        for index, (group, place, conditions) in enumerate(state.threads):
            end = state.ends.get(index, AFTER)
            for thread in self.advance((place, conditions), sign, after):
                yield group, thread, end
        begun = self._begun.get((sign, before, after))
        if begun is None:
            begun = self._begun[sign, before, after] = tuple(self._beginning(sign, before, after))
            self._keep(len(begun))
        yield from begun

    def _beginning(self, sign: int, before: int, after: int) -> Iterator[tuple[int, Thread, int]]:
        """The same for the ways that begin with the character."""
        seen: set[Thread] = set()
        for place, conditions in self.closure(self.program.entry, before):
            end = BEFORE if place == MATCH else AFTER
            for thread in self.advance((place, conditions), sign, after):
                if thread not in seen:
                    seen.add(thread)
                    yield BEFORE, thread, end

    def _state(self, threads: Threads) -> State:
        state = self._states.get(threads)
        if state is None:
            self._keep(len(threads) + 1)
            state = self._states.setdefault(threads, State(threads))
        return state

    def _keep(self, more: int) -> None:
        self._kept += more
        if self._kept > KEPT:
            forgotten = list(self._states.values())
            self._states, self._begun, self._kept = {}, {}, more
            self.forgot = True
            for state in forgotten:
                state.moves.clear()
                state.by_sign.clear()

    # -- skipping ----------------------------------------------------------------------------------------------------

    def leaves(self, state: State) -> list[str]:
        """Patterns of the characters that may change something, one for each; ANY where there are no simple ones."""
        if state.leaves is None:
            state.leaves = self._leaves(state)
        return state.leaves

    def _leaves(self, state: State) -> list[str]:
        """Every way in which characters can pass the tests that matter is tried out: those of the literals, and for
        other characters every combination of the classes, the impossible ones too.
        """
        program = self.program
        if len(program.lefts) > MOST_TESTS // 2 or program.pasts:
            return [ANY]
        tests = self._tests(state)
        literals = {char: test for char, test in program.literals.items() if test in tests}
        classes = {source: test for source, test in program.classes.items() if test in tests}
        if len(classes) > MOST_TESTS:
            return [ANY]
        signs = {program.sign(char) for char in literals}
        signs.update(map(sum, product(*((0, 1 << test) for test in classes.values()))))
        staying = {sign for sign in signs if self._stays(state, sign)}
        leaving, parts = signs - staying, list[str]()
        for source, test, wanted in predicates(literals, classes):
            passing = {sign for sign in signs if sign >> test & 1 == wanted}
            if passing & leaving and not passing & staying:
                leaving -= passing
                parts.append(source)
        return [ANY] if leaving else parts

    def _stays(self, state: State, sign: int) -> bool:
        lefts = range(1 << len(self.program.lefts))
        return all(self.step(state, sign, before, after) == (state, None) for before in lefts for after in lefts)

    def _tests(self, state: State) -> set[int]:
        """The tests that decide where a character leads from a state, whatever stands to the left."""
        found: set[int] = set()
        threads = [(place, conditions) for _, place, conditions in state.threads]
        for left in range(1 << len(self.program.lefts)):
            threads += self.closure(self.program.entry, left)
        while threads:
            place, conditions = threads.pop()
            at = self.program.places[place]
            if isinstance(at, One) and at.test >= 0:
                found.add(at.test)
            for _, inside in conditions:
                threads += inside
        return found


def judged(negative: bool, inside: Iterable[Thread]) -> Conditions | None:
    """A look-ahead with these ways alive: what it still asks (nothing: it has come true), or None: it has failed."""
    alive = frozenset(inside)
    if (YES, FREE) in alive:
        return None if negative else FREE
    if alive:
        return frozenset([(negative, alive)])
    return FREE if negative else None


def hold_at_end(conditions: Conditions) -> bool:
    """Whether all conditions come true when no more text follows."""
    return all(
        negative != any(place in (END, YES) and hold_at_end(more) for place, more in inside)
        for negative, inside in conditions
    )


def predicates(literals: dict[str, int], classes: dict[str, int]) -> Iterator[tuple[str, int, int]]:
    """(pattern of one character, a test, whether passing it is what the pattern matches)"""
    for source, test in classes.items():
        yield source, test, 1
        if source.startswith("[^"):
            yield f"[{source[2:]}", test, 0
        elif source.startswith("["):
            yield f"[^{source[1:]}", test, 0
        else:
            yield (f"[^{source}]" if source.startswith("\\") else rf"(?!{source})[\s\S]"), test, 0
    for char, test in literals.items():
        yield re.escape(char), test, 1
