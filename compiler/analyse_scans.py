"""What an automaton can come to: delimiters go in, out comes whether reading them stays linear, and whether two clash.

Invariant: where it is not sure, the worse is said: a pattern too large to look through is not linear, and two that are
too large to compare clash.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from runtime.automaton import Automaton
from runtime.program import MATCH
from runtime.ways import Conditions, Threads, hold_at_end

from .automaton import automaton
from .pattern import ANY, Cat, Char, Look, Node, Rep, Unsupported, nullable

MOST = 50_000  # threads to follow, in which two delimiters can be compared, within a tenth of a second
MOST_OF_ALL = 400_000  # the same for all delimiters of a grammar, within half a second
WIDEST = 64  # ways that may be alive at once: each costs time at every character

Waiting = tuple[Threads, int]
"""The threads of a state, and the register in it of the end of a match that is not decided yet."""


class Effort:
    """How much may still be followed of the delimiters of one grammar."""

    def __init__(self) -> None:
        self.left = MOST_OF_ALL


def linear(node: Node, effort: Effort | None = None) -> Unsupported | None:
    """What keeps a scan for the delimiter from being linear in the text, however the text is cut; None: nothing.

    Where there is nothing, all states that a text can lead to have been met, and fit into what an automaton keeps. So a
    character costs the lookup of a move, and at most WIDEST registers.

    A match may be found only when text behind it has been read, and that text is read once more, from the end of the
    match. That is harmless where the text in question is bounded, or where no match can begin in it.
    """
    if _is_far_look(node):
        return None
    try:
        machine = automaton(node)
        moves = list(_waits(machine, effort or Effort()))
    except Unsupported as outside:
        return outside
    onwards: dict[Waiting, set[Waiting]] = {}
    for begin, end, _ in moves:
        onwards.setdefault(begin, set()).add(end)
    for begin, end, harmless in moves:
        if not harmless and begin in _reached(end, onwards):
            return Unsupported("a match that may wait for text far behind it")
    return None


def both_empty(open_: Node, close: Node) -> bool:
    """Whether there can be a place where both match without a character."""
    if not (nullable(open_) and nullable(close)):
        return False
    try:
        machines = automaton(open_), automaton(close)
    except Unsupported:
        return True
    first, second = map(set, map(_empty_matches, machines))
    return any(_together(machines, (one, other)) for one in first for other in second)


def _is_far_look(node: Node) -> bool:
    """`(?=.*?LITERAL)`: what it looks at is looked for once, and then known."""
    if not (isinstance(node, Look) and node.ahead and not node.negative and isinstance(node.node, Cat)):
        return False
    run, *rest = node.node.items
    lazy = isinstance(run, Rep) and (run.node, run.low, run.high, run.mode) == (ANY, 0, None, "?")
    return lazy and all(isinstance(item, Char) and item.literal for item in rest)


# -- waiting --------------------------------------------------------------------------------------------------------


def _waits(machine: Automaton, effort: Effort) -> Iterator[tuple[Waiting, Waiting, bool]]:
    """Every move by which an undecided match stays as it is, and whether no match can begin at its character."""
    signs = {machine.program.sign(char) for char in _characters(machine)}
    _look_back(machine, signs, effort)
    seen = {(threads, left) for threads in [machine.idle.threads] for left in _lefts(machine)}
    pending = [(machine.idle, left) for left in _lefts(machine)]
    while pending:
        state, before = pending.pop()
        for sign, after in product(signs, _later(machine)):
            follow, plan = machine.by_sign(state, sign, before, after)
            if machine.followed > effort.left or machine.forgot:
                raise Unsupported("more states than can be looked through")
            if len(follow.threads) + sum(_threads(conditions) for _, _, conditions in follow.threads) > WIDEST:
                raise Unsupported(f"more than {WIDEST} ways that are alive at once")
            harmless = not machine.by_sign(machine.idle, sign, before, after)[0].threads
            for index in follow.ends.values():
                source = index if plan is None else plan[index]
                if source >= 0:
                    yield (state.threads, source), (follow.threads, index), harmless
            if not follow.decided and (follow.threads, after) not in seen:
                seen.add((follow.threads, after))
                pending.append((follow, after))
    effort.left -= machine.followed


def _look_back(machine: Automaton, signs: set[int], effort: Effort) -> None:
    """The same for what runs along with the text. Raises Unsupported."""
    runs = machine.runs
    if runs is None:
        return
    begin = runs.move(frozenset(), 0, 0)
    seen, pending = {begin}, [begin]
    while pending:
        alive = pending.pop()
        for sign, left in product(signs, _lefts(machine)):
            follow = runs.move(alive, sign, left)
            if machine.followed > effort.left or runs.forgot:
                raise Unsupported("more states than can be looked through")
            if len(follow) + sum(_threads(conditions) for _, conditions in follow) > WIDEST:
                raise Unsupported(f"more than {WIDEST} ways that are alive at once")
            if follow not in seen:
                seen.add(follow)
                pending.append(follow)


def _reached(begin: Waiting, onwards: dict[Waiting, set[Waiting]]) -> set[Waiting]:
    seen, pending = {begin}, [begin]
    while pending:
        for then in onwards.get(pending.pop(), set()) - seen:
            seen.add(then)
            pending.append(then)
    return seen


# -- clashing -------------------------------------------------------------------------------------------------------


def _empty_matches(machine: Automaton) -> Iterator[Conditions]:
    for left in _lefts(machine):
        for place, conditions in machine.closure(machine.program.entry, left):
            if place == MATCH:
                yield conditions


def _together(machines: tuple[Automaton, Automaton], begin: tuple[Conditions, Conditions]) -> bool:
    """Whether some text, not the empty one, makes both come true."""
    one, other = machines
    signs = {(one.program.sign(char), other.program.sign(char)) for char in _characters(*machines)}
    pending, seen, followed = [begin], {begin}, 0
    while pending and followed <= MOST:
        mine, yours = pending.pop()
        ways = len(signs) * len(_later(one)) * len(_later(other))
        followed += (_threads(mine) + _threads(yours) + 1) * ways
        for (my_sign, your_sign), my_left, your_left in product(signs, _later(one), _later(other)):
            mine_after = one.conditions(mine, my_sign, my_left)
            yours_after = other.conditions(yours, your_sign, your_left)
            if mine_after is None or yours_after is None:
                continue
            if hold_at_end(mine_after) and hold_at_end(yours_after):
                return True
            if (mine_after, yours_after) not in seen:
                seen.add((mine_after, yours_after))
                pending.append((mine_after, yours_after))
    return bool(pending)


def _threads(conditions: Conditions) -> int:
    return sum(1 + _threads(more) for _, inside in conditions for _, more in inside)


# -- characters -----------------------------------------------------------------------------------------------------


def _lefts(machine: Automaton) -> range:
    """All that can pass to the left of a place, as bits."""
    return range(1 << len(machine.program.lefts))


def _later(machine: Automaton) -> list[int]:
    """The same for a place that is not the start."""
    return [left for left in _lefts(machine) if not left & machine.program.start]


def _characters(*machines: Automaton) -> set[str]:
    """Characters of all sorts that the classes in delimiters tell apart."""
    named = {char for machine in machines for source in machine.program.classes for char in source}
    fixed = {char for machine in machines for char in machine.program.literals}
    return (
        named | fixed | set(map(chr, (*range(0x250), *range(0x2000, 0x2070), 0x661, 0x3000, 0x65E5, 0xFF5C, 0x1F600)))
    )
