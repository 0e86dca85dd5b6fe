"""The streaming twin: the tree of a pattern goes in, out comes a pattern that also knows how to run out of text.

Invariant: the twin tries its ways in the order of the original, and on each may stop at the end of the text, which sets
the group MORE. So its first success on a buffer is: MORE unset, the match of the original in every continuation, with
its captures; MORE set, a match that the continuation decides, at this start or later; none, no match at all.
"""

from __future__ import annotations

from collections.abc import Sequence

from runtime.scan import MORE

from .pattern import (
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
)

LONGEST = 20_000  # characters of a twin
_OUT = rf"(?P<{MORE}>\Z)"  # here the text ends, and what follows decides
_HAS_RUN_OUT = rf"(?({MORE})\Z|(?!))"
_AT_ONCE = 60  # characters nested into one another for the proper prefixes of a run
_MAY_EDGE = {
    "^": f"(?:{_HAS_RUN_OUT}|^)",
    "m^": f"(?:{_HAS_RUN_OUT}|(?m:^))",
    "Z": _OUT,
    "$": rf"(?P<{MORE}>(?=\n?\Z))",
    "m$": rf"(?:(?=\n)|{_OUT})",
    "b": rf"(?:(?!\Z)\b|{_OUT})",
    "B": rf"(?:(?!\Z)\B|{_OUT})",
}
_MUST_EDGE = {
    "^": "^",
    "m^": "(?m:^)",
    "Z": "(?!)",
    "$": "(?!)",
    "m$": r"(?=\n)",
    "b": r"(?!\Z)\b",
    "B": r"(?!\Z)\B",
}


def twin(node: Node) -> str:
    """The twin's pattern text, for `regex` under DOTALL; its group MORE is always there. Raises Unsupported."""
    if MORE in captures(node):
        raise Unsupported(f"a group named `{MORE}`")
    for part in walk(node):
        if isinstance(part, Rep) and not _ends(part):
            raise Unsupported("a loop over what can be empty", part.position)
    text = _first(node)
    return text if f"<{MORE}>" in text else f"{text}(?:(?!){_OUT}|)"


def _ends(loop: Rep) -> bool:
    """Whether the engine leaves the loop, and its twin, in the same way; how it stops at an empty turn is its own."""
    if loop.high in (0, 1) or not nullable(loop.node):
        return True
    return loop.high is None and loop.low <= 1 and not any(isinstance(part, (Look, Edge)) for part in walk(loop.node))


def _first(node: Node) -> str:
    """The node at the start of a match, where no text at all is no match yet: its first character has to be there."""
    if isinstance(node, Char) or node == Edge("^", "^"):
        return node.source
    if isinstance(node, Cat) and node.items:
        return _first(node.items[0]) + _in_turn(node.items[1:], True)
    if isinstance(node, Alt):
        return _choice([_first(item) for item in node.items])
    if isinstance(node, Group):
        return _grouped(_first(node.node), node.name)
    return _may(node, True)


def _may(node: Node, names: bool) -> str:
    """Succeeds where the node matches, and where the text ends before it is refuted. `names`: keep its captures."""
    if isinstance(node, Char):
        return f"(?:{node.source}|{_OUT})"
    if isinstance(node, Cat):
        return _in_turn(node.items, names)
    if isinstance(node, Alt):
        return _choice([_may(item, names) for item in node.items])
    if isinstance(node, Group):
        return _grouped(_may(node.node, names), node.name if names else None)
    if isinstance(node, Atomic):
        return f"(?>{_may(node.node, names)})"
    if isinstance(node, Rep):
        text = _repeated(node, names)
        return f"(?>{text})" if node.mode == "+" else text
    if isinstance(node, Look):
        return f"(?:{_HAS_RUN_OUT}|{_may_look(node, names)})"
    if isinstance(node, Edge):
        return _MAY_EDGE[node.kind]
    if isinstance(node, Cluster):
        return rf"(?:\X(?!\Z)|\X?{_OUT})"
    raise _no_meaning(node)


def _must(node: Node) -> str:
    """Succeeds only where the node matches whatever follows the text. Never captures."""
    if isinstance(node, Char):
        return node.source
    if isinstance(node, Cat):
        return "".join(map(_must, node.items))
    if isinstance(node, Alt):
        return _choice([_must(item) for item in node.items])
    if isinstance(node, Group):
        return _grouped(_must(node.node), None)
    if isinstance(node, Rep) and node.mode != "+":
        return f"(?:{_must(node.node)}){{{node.low},{'' if node.high is None else node.high}}}{node.mode}"
    if isinstance(node, Look):
        if not node.ahead:
            return _behind(node)
        return f"(?!{_may(node.node, False)})" if node.negative else f"(?={_must(node.node)})"
    if isinstance(node, Edge):
        return _MUST_EDGE[node.kind]
    raise _no_meaning(node)


def _may_look(node: Look, names: bool) -> str:
    if not node.ahead:
        return _behind(node)
    if node.negative:
        return f"(?!{_must(node.node)})(?:(?={_may(node.node, False)})|)"
    open_ended = f"(?={_may(node.node, names)})"
    if captures(node):
        return open_ended  # what it captures may still grow
    try:
        return f"(?>(?={_must(node.node)})|{open_ended})"
    except Unsupported:
        return open_ended


def _behind(node: Look) -> str:
    for part in walk(node.node):
        ahead = isinstance(part, Look) and part.ahead
        if ahead or isinstance(part, (Ref, Cluster)) or (isinstance(part, Edge) and part.kind not in ("^", "m^")):
            raise Unsupported("a look-behind that looks ahead", node.position)
    return node.source


def _in_turn(items: Sequence[Node], names: bool) -> str:
    parts: list[str] = []
    run: list[str] = []
    for item in items:
        if isinstance(item, Char):
            run.append(item.source)
        else:
            parts += _run(run), _may(item, names)
            run = []
    parts.append(_run(run))
    return _bounded("".join(parts))


def _run(sources: list[str]) -> str:
    """Single characters in a row: all of them, or a proper prefix and then the end of the text."""
    text = ""
    for begin in range(0, len(sources), _AT_ONCE):
        part = sources[begin : begin + _AT_ONCE]
        prefixes = ""
        for source in reversed(part[:-1]):
            prefixes = f"(?:{source}{prefixes})?"
        text += f"(?:{''.join(part)}|{prefixes}{_OUT})"
    return text


def _repeated(node: Rep, names: bool) -> str:
    lazy = node.mode == "?"
    leave = f"(?:|{_OUT})" if lazy else f"(?:{_OUT}|)"
    mark = "?" if lazy else ""
    if isinstance(node.node, Char):
        return _repeated_char(node.node.source, node.low, node.high, lazy, mark, leave)
    one = _may(node.node, names)
    _bounded(one * min(max(node.low, node.high or 0), LONGEST))
    text = one * node.low
    if node.high is None:
        return rf"{text}(?:(?!\Z){one})*{mark}{leave}"
    optional = ""
    for _ in range(node.high - node.low):
        optional = f"(?:|{one}{optional})" if lazy else f"(?:{one}{optional}|)"
    return text + optional


def _repeated_char(one: str, low: int, high: int | None, lazy: bool, mark: str, leave: str) -> str:
    """A run that has its most characters is not undecided: nothing more can join it."""
    if high is None:
        ways = [f"{one}{{{low},}}{mark}{leave}"]
    elif (low, high) == (0, 1):
        ways = ["", one, _OUT] if lazy else [one, _OUT, ""]
    elif high == low:
        ways = [f"{one}{{{low}}}"]
    elif lazy:
        ways = [f"{one}{{{low},{high - 1}}}?{leave}", f"{one}{{{high}}}"]
    else:
        ways = [f"{one}{{{high}}}", f"{one}{{{low},{high - 1}}}{leave}"]
    if low:
        ways.append(f"{one}{{0,{low - 1}}}{_OUT}")
    return _choice(ways)


def _choice(ways: Sequence[str]) -> str:
    return _bounded(f"(?:{'|'.join(ways)})")


def _grouped(text: str, name: str | None) -> str:
    return f"(?P<{name}>{text})" if name else f"(?:{text})"


def _bounded(text: str) -> str:
    if len(text) > LONGEST:
        raise Unsupported("a pattern whose streaming form grows too large")
    return text


def _no_meaning(node: Node) -> Unsupported:
    if isinstance(node, Ref):
        return Unsupported(f"back-reference to `{node.name}`", node.position)
    if isinstance(node, Cluster):
        return Unsupported("`\\X`", node.position)
    return Unsupported("a possessive part of a look-ahead", getattr(node, "position", 0))
