"""Fixed text in delimiters: in goes a delimiter's tree, out come the texts that stand in what it matches.

Invariant: whatever the delimiter matches begins, behind its blanks, with one of its heads.
"""

from __future__ import annotations

from collections.abc import Iterator

from .analyse_delimiters import MOST_WORDS, finite
from .pattern import Alt, Atomic, Cat, Char, Edge, Group, Look, Node, Rep, children

BLANK = Char(r"\s")
Head = tuple[str, bool]
"""How a match begins, and whether what stands behind it in the pattern goes on from there."""


def heads(node: Node) -> tuple[str, ...]:
    """The fixed texts of which every match begins with one, sorted; none when there are no such, or too many."""
    found = {text.lstrip() for text, _ in _heads(_behind_blanks(node))}
    return () if "" in found else tuple(sorted(a for a in found if not any(a != b and a.startswith(b) for b in found)))


def texts(node: Node) -> Iterator[str]:
    """The runs of fixed text in a tree, look-arounds included, in the order of the pattern."""
    whole = finite(node)
    if whole is not None:
        yield from whole
        return
    run: list[Node] = []
    for child in children(node):
        if isinstance(node, Cat) and finite(Cat((*run, child))) is not None:
            run.append(child)
            continue
        yield from finite(Cat(tuple(run))) or ()
        run = []
        if isinstance(node, Cat) and finite(child) is not None:
            run = [child]
        else:
            yield from texts(child)
    yield from finite(Cat(tuple(run))) or ()


def _behind_blanks(node: Node) -> Node:
    """The tree without the white space that it begins with."""
    if isinstance(node, Cat) and node.items:
        first, *rest = node.items
        if isinstance(first, Rep) and first.node == BLANK:
            return _behind_blanks(Cat(tuple(rest)))
        if isinstance(first, Edge) or (isinstance(first, Look) and not first.ahead):
            return _behind_blanks(Cat(tuple(rest)))
    if isinstance(node, Alt):
        return Alt(tuple(map(_behind_blanks, node.items)))
    return _behind_blanks(node.items[0]) if isinstance(node, Cat) and len(node.items) == 1 else node


def _heads(node: Node) -> list[Head]:
    if isinstance(node, Char):
        return [("", False)] if node.literal is None else [(node.literal, True)]
    if isinstance(node, (Group, Atomic)):
        return _heads(node.node)
    if isinstance(node, Alt):
        return [head for item in node.items for head in _heads(item)]
    if isinstance(node, Edge):
        return [("", True)]
    if isinstance(node, Look):
        ahead = [("", True)] if node.negative or not node.ahead else [(text, False) for text, _ in _heads(node.node)]
        return [("", True)] if any(not text for text, _ in ahead) else ahead
    if isinstance(node, Rep):
        once = [(text, goes_on and node.high == 1) for text, goes_on in _heads(node.node)]
        return once if node.low else [("", True), *once]
    if isinstance(node, Cat):
        return _of_all(node.items)
    return [("", False)]


def _of_all(items: tuple[Node, ...]) -> list[Head]:
    """The heads of one item behind the other."""
    found: list[Head] = [("", True)]
    for item in items:
        more = _heads(item)
        longer = [(text + end, on) for text, goes_on in found for end, on in (more if goes_on else [("", False)])]
        if len(longer) > MOST_WORDS:
            return [(text, False) for text, _ in found]
        found = list(dict.fromkeys(longer))
    return found
