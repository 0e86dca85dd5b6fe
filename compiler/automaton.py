"""Which delimiters run on an automaton, and how: a Node goes in, its Python expression comes out, or what forbids one.

Invariant: an expression means what its pattern means, on runtime.automaton, with the same matches in the same order.
"""

from __future__ import annotations

import ast
import math
import re
from itertools import groupby

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
    walk,
    width,
)

HIGHEST = 300  # of a count
LARGEST = 4_000  # places of a program, about
_EDGES = {
    "^": 'rt.behind("^")',
    "m^": 'rt.behind("(?m:^)")',
    "Z": "rt.end()",
    "$": "rt.last()",
    "m$": "rt.line_end()",
    "b": "rt.word_edge()",
    "B": "rt.word_edge(inside=True)",
}


def expression(node: Node) -> str:
    """The node in Python, with the constructors of runtime.program named `rt.*`. Raises Unsupported."""
    if _size(node) > LARGEST:
        raise Unsupported(f"counts that make more than {LARGEST:,} steps")
    return _expression(node)


def _expression(node: Node) -> str:
    if isinstance(node, Char):
        return _char(node)
    if isinstance(node, Cat):
        return _sequence(node)
    if isinstance(node, Alt):
        return f"rt.alt({', '.join(map(_expression, node.items))})"
    if isinstance(node, Group):
        return _expression(node.node)
    if isinstance(node, Atomic):
        if isinstance(node.node, Rep) and node.node.mode == "":
            return _possessive(node.node)
        raise Unsupported("an atomic group", node.position)
    if isinstance(node, Rep):
        return _possessive(node) if node.mode == "+" else _repeated(node)
    if isinstance(node, Look):
        return _look(node)
    if isinstance(node, Edge):
        return _EDGES[node.kind]
    named = f"back-reference to `{node.name}`" if isinstance(node, Ref) else "`\\X`"
    raise Unsupported(named, node.position)


def _char(node: Char) -> str:
    if node == ANY:
        return "rt.dot()"
    return ascii(node.literal) if node.literal is not None else f"rt.one({_raw(node.source)})"


def _sequence(node: Cat) -> str:
    """Literals in a row are one string."""
    parts: list[str] = []
    for is_literal, items in groupby(node.items, lambda item: isinstance(item, Char) and item.literal is not None):
        if is_literal:
            parts.append(ascii("".join(item.literal or "" for item in items if isinstance(item, Char))))
        else:
            parts += map(_expression, items)
    return parts[0] if len(parts) == 1 else f"rt.seq({', '.join(parts)})"


def _repeated(node: Rep) -> str:
    if max(node.low, node.high or 0) > HIGHEST:
        raise Unsupported(f"a count above {HIGHEST}", node.position)
    if node.high not in (0, 1) and nullable(node.node):
        raise Unsupported("a loop over what can be empty", node.position)
    item, lazy = _expression(node.node), ", lazy=True" if node.mode == "?" else ""
    short = {(0, 1): "opt", (0, None): "star", (1, None): "plus"}.get((node.low, node.high))
    if short:
        return f"rt.{short}({item}{lazy})"
    return f"rt.rep({item}, {node.low}, {node.high}{lazy})"


def _possessive(node: Rep) -> str:
    """`C*+` is `C*` with no C behind it."""
    if node.high is not None or not isinstance(node.node, Char):
        raise Unsupported("a possessive part that is more than a run of one class", node.position)
    run = _repeated(Rep(node.node, node.low, None, "", node.position))
    return f"rt.seq({run}, rt.look({_char(node.node)}, negative=True))"


def _look(node: Look) -> str:
    if captures(node):
        raise Unsupported("a group captured by looking around", node.position)
    if node.ahead:
        return f"rt.look({_expression(node.node)}{', negative=True' if node.negative else ''})"
    for part in walk(node.node):
        if isinstance(part, (Look, Ref, Cluster)) or (isinstance(part, Edge) and part.kind not in ("^", "m^")):
            raise Unsupported("a look-behind that looks on", node.position)
    if math.isinf(width(node.node)[1]):
        raise Unsupported("a look-behind without a bound", node.position)
    return f"rt.behind({_raw(node.source)})"


def _raw(source: str) -> str:
    """A Python literal, raw where that is plain to read."""
    raw = f'r"{source}"'
    if "\\" in source and re.fullmatch(r"[ !#-~]*[ !#-\[\]-~]", source) and ast.literal_eval(raw) == source:
        return raw
    return ascii(source)


def _size(node: Node) -> float:
    if isinstance(node, Rep):
        return _size(node.node) * max(node.low + 1, node.high or 0)
    if isinstance(node, (Cat, Alt)):
        return sum(map(_size, node.items)) + 1
    return _size(node.node) + 1 if isinstance(node, (Group, Look, Atomic)) else 1
