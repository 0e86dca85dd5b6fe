"""How a pattern is searched for: its tree and text go in, the Python expression of what searches comes out.

Invariant: what is chosen means what the pattern means. Of that it is the first in this order: linear and quick, linear,
exact while text arrives, exact at its end.
"""

from __future__ import annotations

from . import automaton, twin
from .analyse_captures import pair, straight
from .names import raw_literal
from .pattern import UNBOUNDED, Node, Unsupported, behind, nullable


def for_streams(node: Node, text: str) -> tuple[str, str]:
    """The scanner of a delimiter, and why it is no better one."""
    try:
        return _automaton(node, text), ""
    except Unsupported as unlike:
        try:
            return f"rt.Twin({raw_literal(text)}, {raw_literal(twin.twin(node))})", f"not linear: {unlike}"
        except Unsupported as deaf:
            return f"rt.Deaf({raw_literal(text)})", f"decided only at the end of the text: {deaf}"


def for_whole_texts(node: Node, text: str) -> str:
    """What has `finditer` and finds all matches in a text that is complete. Raises Unsupported: only `regex` does."""
    found = pair(node)
    if found is not None:
        parts = ", ".join(map(raw_literal, (found.opening, found.key, found.middle, found.closing)))
        rest = {"before": found.before, "after": found.after, "following": found.following}
        options = "".join(f", {name}={raw_literal(value)}" for name, value in rest.items() if value)
        return f"rt.Pairs({parts}{options}{', at_end=True' * found.at_end})"
    if nullable(node):
        raise Unsupported("a match of nothing")
    if behind(node) == UNBOUNDED:
        raise Unsupported("a look-behind that runs over the text")
    return _automaton(node, text)


def _automaton(node: Node, text: str) -> str:
    if straight(node) and behind(node) < UNBOUNDED:
        return f"rt.Automaton({automaton.expression(node)}, {raw_literal(text)})"
    return f"rt.Capturing({automaton.expression(node, named=True)})"
