"""Looking for the first of several delimiters, a character at a time for all: automata go in, a search comes out.

Invariant: the first match is the one that starts first, then the longest, then that of the delimiter named first, and
it is found only when nothing that follows can change it. No text is read beyond that, and what has been read for a
delimiter is not read for it again when another one has won.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from .lookbehind import Past, Runs
from .program import Expression, compiled
from .scan import Delimiter, Scan, Search
from .ways import ANY, KEPT, Plan, State, Ways

PATIENCE = 8  # turns a state takes on itself before it learns to skip


class Automaton(Ways, Delimiter):
    """A delimiter that is scanned for in linear time. pattern: the same for `regex`, which takes the captures."""

    def __init__(self, expression: Expression, pattern: str) -> None:
        super().__init__(expression)
        self.text = pattern

    @property
    def ways(self) -> Automaton:
        return self

    def scan(self) -> Scan:
        return _AutomatonScan(self)

    def past(self) -> Past | None:
        """What runs along with a search, for look-behinds that ask for it."""
        return Past(self, self.runs) if self.runs else None

    @cached_property
    def runs(self) -> Runs | None:
        """What all searches share of that."""
        return Runs(self) if self.program.pasts else None

    def captures(self, text: str, start: int, past: Sequence[int] = ()) -> dict[str, str]:
        """The groups that took part in the match decided at `start`; past: `Past.signs`, counted from text[0]."""
        match = self.pattern.match(text, start) if self.pattern.groupindex else None
        return {name: value for name, value in match.groupdict().items() if value is not None} if match else {}

    def finditer(self, text: str) -> Iterator[Found]:
        """All matches in a text that is complete, none of which may be empty; as compiled patterns give them."""
        search = self.alone.search()
        while search.look(text, max(search.end, 0), 0, True).found:
            yield Found(self, text, search.start, search.end)

    @cached_property
    def alone(self) -> Together:
        """The search for nothing else."""
        return Together((self,), (self,))

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return compiled(self.text)

    @property
    def groups(self) -> Iterable[str]:
        """The names of all groups."""
        return self.pattern.groupindex


class Found(NamedTuple):
    """One match, with what is asked of a match here; its groups are looked for when they are asked for."""

    automaton: Automaton
    text: str
    begin: int
    stop: int

    def start(self) -> int:
        return self.begin

    def end(self) -> int:
        return self.stop

    def groupdict(self, default: Any = None) -> dict[str, Any]:
        found = self.automaton.captures(self.text, self.begin)
        return {name: found.get(name, default) for name in self.automaton.groups}


class _AutomatonScan(Scan):
    __slots__ = ("_search_alone",)

    def __init__(self, automaton: Automaton) -> None:
        super().__init__()
        self._search_alone = automaton.alone.search()

    def captures(self, text: str) -> dict[str, str]:
        return self._search_alone.captures(text)

    def _search(self, text: str, start: int, base: int, ended: bool) -> None:
        found = self._search_alone.look(text, start, base, ended)
        self.start, self.end = found.start, found.end


# -- several at once -------------------------------------------------------------------------------------------------


Registers = tuple[int, ...]
"""Of each state one after the other, counted as `base` counts."""
Pasts = tuple[Past | None, ...]
"""What runs along with a search, for automata with look-behinds that ask for it."""
Signs = tuple[tuple[int, int], ...]
"""Which tests of the left pass before a character and behind it, for each automaton; none where no one asks."""
Move = tuple["Joint", Plan | None]
"""The next joint and its registers; None where they stay what they are."""


class Joint:
    """A state of each automaton, and their registers side by side.

    offsets: of each one's registers. begun: the registers of the first starts. undecided: those of them that belong to
    matches which are not decided; decided: (rank, register of the start, register of the end) of the others.
    leave: finds the next character that may change something, once that is known.
    """

    __slots__ = ("begun", "decided", "leave", "moves", "offsets", "size", "states", "turns", "undecided")

    def __init__(self, states: tuple[State, ...]) -> None:
        self.states = states
        self.offsets, self.begun, self.undecided = list[int](), list[int](), list[int]()
        self.decided: list[tuple[int, int, int]] = []
        self.size = 0
        for rank, state in enumerate(states):
            self.offsets.append(self.size)
            if state.decided:
                self.decided.append((rank, self.size, self.size + state.ends[0]))
            elif state.threads:
                self.undecided.append(self.size)
            if state.threads:
                self.begun.append(self.size)
            self.size += state.size
        self.moves: dict[object, Move] = {}
        self.leave: Callable[..., re.Match[str] | None] | None = None
        self.turns = 0 if self.begun else PATIENCE - 1

    def first(self, registers: Registers) -> tuple[int, int, int] | None:
        """(rank, start, end) of the match that wins whatever follows."""
        if not self.decided:
            return None
        start, size, rank = min(
            (registers[start], registers[start] - registers[end], rank) for rank, start, end in self.decided
        )
        if any(registers[begun] <= start for begun in self.undecided):
            return None
        return rank, start, start - size


class Together:
    """Some automata, by rank, that are read side by side, and what each of them looks for."""

    def __init__(self, automata: tuple[Automaton, ...], delimiters: tuple[Delimiter, ...]) -> None:
        self.automata, self.delimiters = automata, delimiters
        self._joints: dict[tuple[State, ...], Joint] = {}
        self._kept = 0

    def search(self) -> Search:
        """A new search."""
        return _TogetherSearch(self)

    def pasts(self) -> Pasts:
        """What runs along with a new search."""
        return tuple(automaton.past() for automaton in self.automata)

    @cached_property
    def idle(self) -> Joint:
        """Nothing has begun."""
        return self.joint(automaton.idle for automaton in self.automata)

    @cached_property
    def sees_left(self) -> bool:
        """Whether any of them looks at what stands to the left."""
        return any(automaton.program.lefts for automaton in self.automata)

    def joint(self, states: Iterable[State]) -> Joint:
        key = tuple(states)
        joint = self._joints.get(key)
        if joint is None:
            self._keep(len(key))
            joint = self._joints.setdefault(key, Joint(key))
        return joint

    def signs(self, text: str, at: int, base: int, pasts: Pasts) -> Signs:
        """Which tests of the left pass before text[at] and behind it, for each automaton."""
        return tuple(
            (
                (past.signs[base + at], past.signs[base + at + 1])
                if past is not None
                else (automaton.program.left_sign(text, at), automaton.program.left_sign(text, at + 1))
            )
            for automaton, past in zip(self.automata, pasts, strict=True)
        )

    def move(self, joint: Joint, key: object, char: str, signs: Signs) -> Move:
        """Where a character leads, kept under `key`. A match that is decided stays what it is."""
        states, plan = list[State](), list[int]()
        for rank, (automaton, state) in enumerate(zip(self.automata, joint.states, strict=True)):
            before, after = signs[rank] if signs else (0, 0)
            follow, mine = (state, None) if state.decided else automaton.move(state, char, before, after)
            states.append(follow)
            sources = range(follow.size) if mine is None else mine
            plan += [source if source < 0 else joint.offsets[rank] + source for source in sources]
        then = self.joint(states)
        move = then, None if plan == list(range(joint.size)) else tuple(plan)
        joint.moves[key] = move
        self._keep(1)
        return move

    def learn(self, joint: Joint) -> None:
        """Note one more turn of a joint on itself; after some, find out which characters leave it."""
        joint.turns += 1
        if joint.turns == PATIENCE:
            pairs = zip(self.automata, joint.states, strict=True)
            leaves = {leave for automaton, state in pairs if not state.decided for leave in automaton.leaves(state)}
            if ANY not in leaves:
                joint.leave = compiled("|".join(sorted(leaves)) or "(?!)").search

    def read(
        self, joint: Joint, registers: Registers, text: str, at: int, end: int, base: int, pasts: Pasts
    ) -> tuple[Joint, Registers, int]:
        """What text[at:end] leads to, or as much of it as decides what comes first; and where that ends."""
        sees_left = self.sees_left
        signs: Signs = ()
        while at < end:
            if joint.leave is not None:
                leaving = joint.leave(text, at, end)
                if leaving is None:
                    return joint, registers, end
                at = leaving.start()
            char = text[at]
            key: object = char
            if sees_left:
                signs = self.signs(text, at, base, pasts)
                key = char, signs
            follow, plan = joint.moves.get(key) or self.move(joint, key, char, signs)
            at += 1
            if plan is not None:
                places = *registers, base + at - 1, base + at
                registers = tuple([places[source] for source in plan])
            elif follow is joint:
                if joint.turns < PATIENCE:
                    self.learn(joint)
                continue
            joint = follow
            if joint.decided and joint.first(registers):
                break
        return joint, registers, at

    def at_end(self, joint: Joint, registers: Registers) -> tuple[Joint, Registers]:
        """The same when no more text follows: what was undecided is decided, or was no match."""
        states, final = list[State](), list[int]()
        for automaton, state, mine in self.each(joint, registers):
            if not state.decided and state.threads:
                won = automaton.at_end(state)
                mine = (mine[state.threads[won][0]], mine[state.ends[won]]) if won >= 0 else ()
                state = automaton.won if won >= 0 else automaton.idle
            states.append(state)
            final += mine
        return self.joint(states), tuple(final)

    def each(self, joint: Joint, registers: Registers) -> Iterator[tuple[Automaton, State, Registers]]:
        """The automata, with what is known of each."""
        for automaton, state, offset in zip(self.automata, joint.states, joint.offsets, strict=True):
            yield automaton, state, registers[offset : offset + state.size]

    def _keep(self, more: int) -> None:
        self._kept += more
        if self._kept > KEPT:
            forgotten = list(self._joints.values())
            self._joints, self._kept = {}, more
            for joint in forgotten:
                joint.moves.clear()


class _TogetherSearch(Search):
    __slots__ = ("_joint", "_pasts", "_rank", "_read", "_registers", "_together")

    def __init__(self, together: Together) -> None:
        super().__init__()
        self._together = together
        self._joint = together.idle
        self._registers: Registers = ()
        self._read = 0  # how far the text has been read, counted as `base` counts
        self._pasts = together.pasts()
        self._rank = -1

    def captures(self, text: str) -> dict[str, str]:
        past = self._pasts[self._rank]
        return self._together.automata[self._rank].captures(text, self.start, () if past is None else past.signs)

    def look(self, text: str, at: int, base: int, ended: bool) -> Search:
        together, begin, size = self._together, base + at, len(text)
        if together.sees_left:
            for past in self._pasts:
                if past is not None:
                    past.read(text, base, ended)
                    size = max(at, min(size, past.known - 1 - base))
        if self._read <= begin:
            self._joint, self._registers, self._read = together.idle, (), begin
        else:
            for begun in self._joint.begun:
                if self._registers[begun] < begin:
                    self._go_back(text, begin, base)
                    break
        joint, registers = self._joint, self._registers
        first = joint.first(registers)
        if first is None:
            joint, registers, read = together.read(joint, registers, text, self._read - base, size, base, self._pasts)
            first = joint.first(registers)
            if first is None and ended:
                joint, registers = together.at_end(joint, registers)
                first = joint.first(registers)
            self._joint, self._registers, self._read = joint, registers, base + read
        if first is not None:
            self._rank, start, end = first
            self.found, self.start, self.end = together.delimiters[self._rank], start - base, end - base
            return self
        self.found, self.end = None, -1
        if joint.begun:
            self.start = min([registers[begun] for begun in joint.begun]) - base
            self.doze = joint.leave
        else:
            self.start, self.doze = size, None
        return self

    def _go_back(self, text: str, begin: int, base: int) -> None:
        """Read once more what lies behind `begin`, for those whose matches began before."""
        states, registers = list[State](), list[int]()
        for rank, (automaton, state, mine) in enumerate(self._together.each(self._joint, self._registers)):
            if mine and mine[0] < begin:
                alone, end = automaton.alone, self._read - base
                joint, mine, _ = alone.read(alone.idle, (), text, begin - base, end, base, self._pasts[rank : rank + 1])
                [state] = joint.states
            states.append(state)
            registers += mine
        self._joint, self._registers = self._together.joint(states), tuple(registers)
