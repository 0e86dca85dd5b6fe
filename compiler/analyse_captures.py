"""How the groups of a match can be told: a delimiter's tree goes in, facts about an engine's way through it come out.

Invariant: `straight` is claimed only where a backtracking engine that starts at a match needs time linear in it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, product

import regex

from .pattern import (
    ANY,
    EMPTY,
    Alt,
    Cat,
    Char,
    Edge,
    Group,
    Look,
    Node,
    Rep,
    captures,
    children,
    firsts,
    nullable,
    walk,
    width,
)

BOUNDED = 100  # characters that are tried in no time
MOST_WAYS = 4_096  # through a pattern; a loop, and a choice of little text, counts as two
FAR = 24  # characters that are looked at to tell two ways apart
MOST_BRANCHES = 24
MOST_OPENINGS = 32
GAP = Rep(ANY, 0, None, "?")
BLANKS = Rep(Char(r"\s"), 0, None)
NEWLINE = Rep(Char("\n", "\n"), 0, 1)

Items = tuple[Node, ...]


@dataclass(frozen=True)
class Pair:
    r"""`OPENING (?P<key>CLASS+) MIDDLE BEFORE (?P<value>.*?) AFTER CLOSING`, or `(?:CLOSING|(?=NEXT)|\Z)` at its end.

    before, after: `\s*`, `\n?` or "". following: the NEXT, "" when there is none. at_end: whether there is the `\Z`.
    """

    opening: str
    key: str
    middle: str
    closing: str
    before: str
    after: str
    following: str
    at_end: bool


def pair(node: Node) -> Pair | None:
    """The pair that the node is. What ends a value starts with no blank, and no key runs into the middle."""
    items = list(node.items) if isinstance(node, Cat) else []
    opening = _fixed(items)
    key = items.pop(0) if items else None
    middle = _fixed(items)
    before = _gap(items)
    value = items.pop(0) if items else None
    after = _gap(items)
    closing, following, at_end = _ending(items)
    if items or not (opening and middle and closing) or value != Group(GAP, "value"):
        return None
    run = key.node if isinstance(key, Group) and key.name == "key" else None
    if not (isinstance(run, Rep) and isinstance(run.node, Char) and (run.low, run.high, run.mode) == (1, None, "")):
        return None
    if _overlap(run.node.source, regex.escape(middle[0])) or any(
        regex.match(r"\s", end) for end in (closing, following)
    ):
        return None
    return Pair(opening, run.node.source, middle, closing, before, after, following, at_end)


def _gap(items: list[Node]) -> str:
    """The blanks that the items begin with, as a pattern. They are taken from them."""
    for gap, source in ((BLANKS, r"\s*"), (NEWLINE, r"\n?")):
        if items[:1] == [gap]:
            items.pop(0)
            return source
    return ""


def _ending(items: list[Node]) -> tuple[str, str, bool]:
    """(CLOSING, NEXT, whether the end counts), all that is left of the items. They are taken from them."""
    if len(items) != 1 or not isinstance(items[0], Alt):
        return _fixed(items), "", False
    closing, following, at_end = _fixed_whole(items[0].items[0]), "", False
    for way in items[0].items[1:]:
        if isinstance(way, Look) and way.ahead and not way.negative and not following and not at_end:
            following = _fixed_whole(way.node)
            known = bool(following)
        else:
            known = at_end = isinstance(way, Edge) and way.kind == "Z" and not at_end
        if not known:
            return "", "", False
    items.clear()
    return closing, following, at_end


def _fixed_whole(node: Node) -> str:
    """The fixed string that the node is, "" when it is none."""
    items: list[Node] = list(node.items) if isinstance(node, Cat) else [node]
    text = _fixed(items)
    return "" if items else text


def _fixed(items: list[Node]) -> str:
    """The fixed string that the items begin with, which is taken from them."""
    text = ""
    while items and isinstance(items[0], Char) and items[0].literal is not None:
        text += items[0].literal
        items.pop(0)
    return text


def straight(node: Node) -> bool:
    """Whether the engine, which starts at a match, goes through it without trying many ways in vain.

    True without groups: nothing is asked of the engine then.
    """
    return not captures(node) or _is_straight((node,), (), MOST_WAYS)


def _is_straight(items: Items, since: tuple[Char, ...], most: int, forked: bool = False) -> bool:
    """since: what begins behind the last lazy loop, and is tried at many places: no loop may run over the next of them.
    most: ways that may still part here. forked: what was met since then decided on a way, which another of those places
    may not go.
    """
    if not items or not most:
        return bool(most)
    item, rest = items[0], items[1:]
    if isinstance(item, Cat):
        return _is_straight((*item.items, *rest), since, most, forked)
    if isinstance(item, Group):
        return _is_straight((item.node, *rest), since, most, forked)
    if isinstance(item, (Char, Edge)):
        return _is_straight(rest, since, most, forked)
    if _is_bounded(item):
        return _is_straight(rest, since, most // 2, forked)
    if isinstance(item, Alt):
        ways = [(branch, *rest) for branch in item.items]
    elif isinstance(item, Rep) and (item.low, item.high) == (0, 1):
        ways = [(item.node, *rest), rest]
    elif isinstance(item, Rep) and isinstance(item.node, Char) and item.high is None:
        if item.mode == "?":
            leaves = _leaves_lazily(item, rest, since, forked)
            return leaves and _is_straight(rest, tuple(firsts(Cat(rest))), most // 2)
        leaves = not _overlaps([item.node], since) and _stays_near(item.node, rest, item)
        return (leaves or _ends(rest, since)) and _is_straight(rest, since, most // 2, forked)
    else:
        return False
    most = most // len(ways) if len(ways) <= MOST_BRANCHES else 0
    apart = most > 0 and all(_apart(one, other) for one, other in combinations(ways, 2))
    return apart and all(_is_straight(way, since, most, forked or bool(since)) for way in ways)


def _is_bounded(node: Node) -> bool:
    """Whether trying it takes a bounded time."""
    if isinstance(node, (Alt, Rep, Look)):
        return width(node.node if isinstance(node, Look) else node)[1] <= BOUNDED and all(
            map(_is_bounded, children(node))
        )
    return isinstance(node, (Char, Edge)) or (isinstance(node, (Cat, Group)) and all(map(_is_bounded, children(node))))


def _ends(rest: Items, since: tuple[Char, ...]) -> bool:
    """Whether what follows a loop takes a bounded time wherever it is tried, and nothing is tried again."""
    return not since and all(map(_is_bounded, rest)) and width(Cat(rest))[1] <= BOUNDED


def _leaves_lazily(loop: Rep, rest: Items, since: tuple[Char, ...], forked: bool) -> bool:
    """Whether the engine leaves a lazy loop at the first place where what follows can match."""
    if _ends(rest, since):
        return True
    if loop == GAP:
        return not nullable(Cat(rest)) and not forked
    return not since and not nullable(Cat(rest)) and not any(map(_is_lazy, (p for item in rest for p in walk(item))))


def _is_lazy(node: Node) -> bool:
    return isinstance(node, Rep) and node.mode == "?"


def _stays_near(one: Char, rest: Items, loop: Rep) -> bool:
    """Whether nothing that follows can run on inside the loop's run, where the engine has left it too early."""
    for item in rest:
        if isinstance(item, Char) and not _overlap(one.source, item.source):
            return True
        for part in walk(item):
            if isinstance(part, Rep) and part.high is None and part not in (loop, GAP):
                if not isinstance(part.node, Char) or _overlap(one.source, part.node.source):
                    return False
            elif part == GAP:
                return not _overlaps([one], firsts(_without(Cat(rest), loop)))
    return True


def _without(node: Node, loop: Rep) -> Node:
    """What follows a greedy loop, without loops that only take what it has taken, and without gaps."""
    if node in (loop, GAP) and isinstance(node, Rep) and node.low == 0:
        return EMPTY
    if isinstance(node, Cat):
        return Cat(tuple(_without(item, loop) for item in node.items))
    if isinstance(node, Alt):
        return Alt(tuple(_without(item, loop) for item in node.items))
    if isinstance(node, Group):
        return _without(node.node, loop)
    return replace(node, node=_without(node.node, loop)) if isinstance(node, Rep) and node.high == 1 else node


# -- telling ways apart -----------------------------------------------------------------------------------------------


def _apart(one: Items, other: Items) -> bool:
    """Whether the first characters show which way a text goes."""
    return all(any(map(_differ, mine, yours)) for mine, yours in product(_openings(one), _openings(other)))


def _differ(one: Char, other: Char) -> bool:
    return not _overlap(one.source, other.source)


def _openings(items: Items) -> list[tuple[Char, ...]]:
    """What a way can begin with: characters in a row, as far as they are certain."""
    found: list[tuple[Char, ...]] = []
    pending: list[tuple[tuple[Char, ...], Items]] = [((), items)]
    while pending:
        row, left = pending.pop()
        if not left or len(row) == FAR or len(found) > MOST_OPENINGS:
            found.append(row)
            continue
        item, rest = left[0], left[1:]
        if isinstance(item, Char):
            pending.append(((*row, item), rest))
        elif isinstance(item, (Alt, Cat)):
            branches = [(branch,) for branch in item.items] if isinstance(item, Alt) else [item.items]
            pending += [(row, (*branch, *rest)) for branch in branches]
        elif isinstance(item, Group):
            pending.append((row, (item.node, *rest)))
        elif isinstance(item, Rep) and isinstance(item.node, Char):
            found.append((*row, item.node))
            pending += [(row, rest)] if item.low == 0 else []
        elif isinstance(item, Rep) and item.high == 1:
            pending += [(row, (item.node, *rest)), (row, rest)]
        elif isinstance(item, Look) and item.ahead and not item.negative:
            pending.append((row, (item.node,)))
        elif isinstance(item, (Edge, Look)):
            pending.append((row, rest))
        else:
            found.append(row)
    return found


def _overlaps(some: Iterable[Char], others: Iterable[Char]) -> bool:
    return any(_overlap(one.source, other.source) for one, other in product(some, others))


@lru_cache(4096)
def _overlap(one: str, other: str) -> bool:
    """Whether there is a character in both classes."""
    return regex.search(f"(?={one}){other}", _everything(), regex.DOTALL) is not None


@lru_cache(1)
def _everything() -> str:
    return "".join(map(chr, range(0x110000)))
