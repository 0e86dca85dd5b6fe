"""Which delimiters run on an automaton, and how: a Node goes in, its Python expression comes out, or what forbids one.

Invariant: an expression means what its pattern means, on runtime.automaton, with the same matches in the same order.
"""

from __future__ import annotations

import ast
import math
import re
from dataclasses import dataclass
from itertools import groupby

from runtime import program
from runtime.automaton import Automaton

from .pattern import (
    ANY,
    Alt,
    Atomic,
    Cat,
    Char,
    Cluster,
    Edge,
    Group,
    Look,
    Node,
    Ref,
    Rep,
    Unsupported,
    captures,
    nullable,
    runs_along,
    walk,
    width,
)

HIGHEST = 300  # of a count
LARGEST = 4_000  # places of a program, about
MOST_BEHIND = 6  # different questions to what stands left: each is asked at every place, and a bit of what passes
MOST_CLASSES = 64  # different classes, each of which a character is asked for when it is met
MOST_TRIES = 5_000  # characters that the engine may look at to answer one look-behind


@dataclass(frozen=True)
class Call:
    """A call of one of runtime.program's constructors; str() is its Python, built() what it makes."""

    name: str
    arguments: tuple[Step | int | None, ...] = ()
    option: str = ""

    def __str__(self) -> str:
        shown = [_shown(argument) if isinstance(argument, str) else str(argument) for argument in self.arguments]
        if self.option:
            shown.append(f"{self.option}=True")
        return f"rt.{self.name}({', '.join(shown)})"

    def built(self) -> program.Expression:
        arguments = [argument.built() if isinstance(argument, Call) else argument for argument in self.arguments]
        made: program.Expression = getattr(program, self.name)(
            *arguments, **({self.option: True} if self.option else {})
        )
        return made


Step = str | Call  # a str is a fixed string


def expression(node: Node, *, named: bool = False) -> str:
    """The node in Python, with the constructors of runtime.program named `rt.*`; named: with its groups.

    Raises Unsupported.
    """
    steps = _checked(node, named)
    return _shown(steps) if isinstance(steps, str) else str(steps)


def automaton(node: Node) -> Automaton:
    """The automaton of the node, for looking into: without a pattern, so without captures. Raises Unsupported."""
    steps = _checked(node, False)
    return Automaton(steps if isinstance(steps, str) else steps.built(), "")


def _checked(node: Node, named: bool) -> Step:
    if _size(node) > LARGEST:
        raise Unsupported(f"counts that make more than {LARGEST:,} steps")
    parts = list(walk(node))
    behind = {part.source for part in parts if isinstance(part, Look) and not part.ahead}
    edges = {part.kind for part in parts if isinstance(part, Edge)}
    if len(behind) + len(edges & {"^", "m^"}) + 2 * bool(edges & {"b", "B"}) > MOST_BEHIND:
        raise Unsupported(f"more than {MOST_BEHIND} look-behinds")
    if len({part.source for part in parts if isinstance(part, Char) and part.literal is None}) > MOST_CLASSES:
        raise Unsupported(f"more than {MOST_CLASSES} classes of characters")
    return _step(node, named)


def _size(node: Node) -> float:
    if isinstance(node, Rep):
        return _size(node.node) * max(node.low + 1, node.high or 0)
    if isinstance(node, (Cat, Alt)):
        return sum(map(_size, node.items)) + 1
    return _size(node.node) + 1 if isinstance(node, (Group, Look, Atomic)) else 1


# -- nodes to calls -------------------------------------------------------------------------------------------------

_EDGES = {
    "^": Call("behind", ("^",)),
    "m^": Call("behind", ("(?m:^)",)),
    "Z": Call("end"),
    "$": Call("last"),
    "m$": Call("line_end"),
    "b": Call("word_edge"),
    "B": Call("word_edge", option="inside"),
}


def _step(node: Node, named: bool) -> Step:
    if isinstance(node, Char):
        if node.literal is not None:
            return node.literal
        return Call("dot") if node == ANY else Call("one", (node.source,))
    if isinstance(node, Cat):
        return _sequence(node, named)
    if isinstance(node, Alt):
        return Call("alt", tuple(_step(item, named) for item in node.items))
    if isinstance(node, Group):
        if named and node.name and node.name in captures(node.node):
            raise Unsupported(f"a group `{node.name}` in itself", node.position)
        step = _step(node.node, named)
        return Call("group", (node.name, step)) if named and node.name else step
    if isinstance(node, Atomic):
        if isinstance(node.node, Rep) and node.node.mode == "":
            return _possessive(node.node, named)
        raise Unsupported("an atomic group", node.position)
    if isinstance(node, Rep):
        return _possessive(node, named) if node.mode == "+" else _repeated(node, named)
    if isinstance(node, Look):
        return _look(node)
    if isinstance(node, Edge):
        return _EDGES[node.kind]
    raise Unsupported(f"back-reference to `{node.name}`" if isinstance(node, Ref) else "`\\X`", node.position)


def _sequence(node: Cat, named: bool) -> Step:
    """Fixed strings in a row are one."""
    parts: list[Step] = []
    for fixed, group in groupby((_step(item, named) for item in node.items), lambda step: isinstance(step, str)):
        steps = list(group)
        parts += ["".join(map(str, steps))] if fixed else steps
    return parts[0] if len(parts) == 1 else Call("seq", tuple(parts)) if parts else ""


def _repeated(node: Rep, named: bool) -> Call:
    if max(node.low, node.high or 0) > HIGHEST:
        raise Unsupported(f"a count above {HIGHEST}", node.position)
    if node.high not in (0, 1) and nullable(node.node):
        raise Unsupported("a loop over what can be empty", node.position)
    item, lazy = _step(node.node, named), "lazy" if node.mode == "?" else ""
    short = {(0, 1): "opt", (0, None): "star", (1, None): "plus"}.get((node.low, node.high))
    return Call(short, (item,), lazy) if short else Call("rep", (item, node.low, node.high), lazy)


def _possessive(node: Rep, named: bool) -> Call:
    """`C*+` is `C*` with no C behind it."""
    if node.high is not None or not isinstance(node.node, Char):
        raise Unsupported("a possessive part that is more than a run of one class", node.position)
    run = _repeated(Rep(node.node, node.low, None, "", node.position), named)
    return Call("seq", (run, Call("look", (_step(node.node, False),), "negative")))


def _look(node: Look) -> Call:
    if captures(node):
        raise Unsupported("a group captured by looking around", node.position)
    if node.ahead:
        return Call("look", (_step(node.node, False),), "negative" if node.negative else "")
    for part in walk(node.node):
        if isinstance(part, (Ref, Cluster)) or (isinstance(part, Look) and not part.ahead):
            raise Unsupported("a look-behind that looks on", part.position)
    if not runs_along(node):
        if _ways(node.node) * width(node.node)[1] > MOST_TRIES:
            raise Unsupported("a look-behind that can be tried in too many ways", node.position)
        return Call("behind", (node.source,))
    for part in walk(node.node):
        if isinstance(part, Look) and math.isinf(width(part.node)[1]):
            raise Unsupported("a look-behind that looks ahead without a bound", part.position)
        if isinstance(part, Atomic) or (isinstance(part, Rep) and part.mode == "+"):
            raise Unsupported("a look-behind that backs off nowhere", part.position)
    return Call("past", (_step(node.node, False),), "negative" if node.negative else "")


def _ways(node: Node) -> float:
    """In how many ways the engine may try a look-behind."""
    if isinstance(node, Alt):
        return sum(map(_ways, node.items))
    if isinstance(node, Cat):
        return math.prod(map(_ways, node.items))
    if isinstance(node, Rep):
        one, low, high = _ways(node.node), node.low, node.high or 0
        return float(high - low + 1) if one == 1 else math.inf if high > MOST_TRIES.bit_length() else one**high * high
    return _ways(node.node) if isinstance(node, (Group, Atomic)) else 1


def _shown(text: str) -> str:
    """A Python literal, raw where that is plain to read."""
    raw = f'r"{text}"'
    if "\\" in text and re.fullmatch(r"[ !#-~]*[ !#-\[\]-~]", text) and ast.literal_eval(raw) == text:
        return raw
    return ascii(text)
