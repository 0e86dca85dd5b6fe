"""Delimiter patterns as trees: the text of a pattern (`regex` dialect, V0, DOTALL) goes in, a Node and facts come out.

Invariant: a Node means what the engine means by the text it came from. Where that cannot be kept, parsing says so, with
the construct and its offset in the pattern; a class is never interpreted, only asked.
"""

from __future__ import annotations

import ast
import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import lark
import regex

UNBOUNDED = sys.maxsize  # behind(): no number of characters is enough
DEEPEST = 60  # groups within groups
LARGEST = 100_000  # characters of a pattern with its counts written out; the engine writes them out too

_GRAMMAR = Path(__file__).with_name("pattern.lark").read_text(encoding="utf-8")


class Refused(ValueError):
    """A pattern that is not read. `what` names the reason, `position` is its offset in the pattern."""

    def __init__(self, what: str, position: int = 0) -> None:
        self.what, self.position = what, position
        super().__init__(f"{what} at {position}")


class Malformed(Refused):
    """No pattern at all: the engine itself refuses it, or could not bear it."""


class Unsupported(Refused):
    """A pattern the engine knows, with a construct whose meaning we cannot follow."""


# -- nodes ------------------------------------------------------------------------------------------------------------


def _position() -> int:
    return field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class Char:
    """One character. `source` is its own pattern; `literal` the character when there is only one."""

    source: str
    literal: str | None = None


@dataclass(frozen=True)
class Cat:
    items: tuple[Node, ...]


@dataclass(frozen=True)
class Alt:
    items: tuple[Node, ...]


@dataclass(frozen=True)
class Rep:
    """`low` to `high` times (None: no limit); mode "" greedy, "?" lazy, "+" possessive."""

    node: Node
    low: int
    high: int | None
    mode: str = ""
    position: int = _position()


@dataclass(frozen=True)
class Group:
    node: Node
    name: str | None
    position: int = _position()


@dataclass(frozen=True)
class Look:
    """Look-ahead or look-behind; `source` is its own pattern."""

    node: Node
    ahead: bool
    negative: bool
    source: str
    position: int = _position()


@dataclass(frozen=True)
class Atomic:
    node: Node
    position: int = _position()


@dataclass(frozen=True)
class Edge:
    """An empty match by place: `^` the start, `Z` the end, `$` the end or its last line break, `b`, `B` word edges,
    `m^`, `m$` edges of lines."""

    kind: str
    source: str


@dataclass(frozen=True)
class Ref:
    name: str
    position: int = _position()


@dataclass(frozen=True)
class Cluster:
    """`\\X`, one or more characters that are seen as one."""

    position: int = _position()


Node = Char | Cat | Alt | Rep | Group | Look | Atomic | Edge | Ref | Cluster

EMPTY = Cat(())
ANY = Char(r"[\s\S]")


# -- text to nodes ----------------------------------------------------------------------------------------------------


def _stop(token: lark.Token) -> lark.Token:
    place = token.start_pos or 0
    flags = re.fullmatch(r"\(\?(?!R\))[a-zA-Z]+[01]?\)", token)
    late = " that do not stand at the start" if place else ""
    raise Unsupported(f"flags `{token}`{late}" if flags else f"syntax `{token}`", place)


_PARSER = lark.Lark(_GRAMMAR, parser="lalr", propagate_positions=True, lexer_callbacks={"ODD": _stop, "FUZZY": _stop})


@lru_cache(512)
def parse(text: str) -> Node:
    """The tree of a pattern. Raises Malformed or Unsupported."""
    _accepted(text)
    flags = re.match(r"(?:\(\?[imsu]+\))*", text)
    begin = flags.end() if flags else 0
    try:
        tree = _PARSER.parse(text[begin:])
    except lark.exceptions.UnexpectedInput as error:
        position = begin + max(error.pos_in_stream or 0, 0)
        raise Unsupported(f"syntax `{text[position:position + 4]}`", position) from None
    except Unsupported as error:
        raise Unsupported(error.what, begin + error.position) from None
    return _Reader(text, begin).choice(_trees(tree)[0], frozenset(text[:begin]) & frozenset("im"), 0)


def of_literals(words: Sequence[str]) -> Node:
    """One of the words, the longest first."""
    ordered = sorted(dict.fromkeys(words), key=len, reverse=True)
    return _either([_after([literal(char) for char in word]) for word in ordered])


def literal(char: str) -> Char:
    return Char("\\" + char if char in r".^$*+?{}[]\|()" else char, char)


def _accepted(text: str) -> None:
    """The engine's own word on a pattern, asked only when the answer is cheap."""
    if _written_out(text) > LARGEST:
        raise Malformed("counts that multiply to more than 100,000 characters")
    try:
        regex.compile(text, regex.DOTALL)
    except regex.error as error:
        raise Malformed(error.msg, error.pos or 0) from None
    except (RecursionError, ValueError, KeyError, OverflowError) as error:
        raise Malformed(str(error) or type(error).__name__) from None


def _written_out(text: str) -> int:
    """About how many characters the pattern has when each minimum count is written out."""
    sizes, last = [0], 0
    for token in re.finditer(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()]|\{(\d+)(?:,\d*)?\}|.", text, re.DOTALL):
        if token[0] == "(":
            sizes.append(0)
            last = 0
        elif token[0] == ")" and len(sizes) > 1:
            last = sizes.pop()
            sizes[-1] += last
        elif token[1]:
            times = max(int(token[1][:9]), 1)
            sizes[-1] += last * (times - 1)
            last *= times
        else:
            sizes[-1] += 1
            last = 1
    return sum(sizes)


def _after(items: Sequence[Node]) -> Node:
    """The items one after the other; sequences within are spread, a single item stands alone."""
    flat: list[Node] = []
    for item in items:
        flat.extend(item.items if isinstance(item, Cat) else (item,))
    return flat[0] if len(flat) == 1 else Cat(tuple(flat))


def _either(items: Sequence[Node]) -> Node:
    return items[0] if len(items) == 1 else Alt(tuple(items))


_LOOKS = {"(?=": (True, False), "(?!": (True, True), "(?<=": (False, False), "(?<!": (False, True)}
_EDGES = {"\\A": ("^", "^"), "\\Z": ("Z", r"\Z"), "\\z": ("Z", r"\Z"), "\\b": ("b", r"\b"), "\\B": ("B", r"\B")}


class _Reader:
    """Walks lark's tree. `flags` are those in force: a subset of i and m (s and u are always set)."""

    def __init__(self, text: str, begin: int) -> None:
        self.text, self.begin = text, begin
        self.readers: dict[str, Callable[[lark.Token, frozenset[str]], Node]] = {
            "char": lambda token, flags: self.cased(literal(str(token)), flags),
            "run": lambda token, flags: Cat(tuple(self.cased(literal(char), flags) for char in token)),
            "dot": lambda token, flags: ANY,
            "set": self.set,
            "edge": self.edge,
            "escape": self.escape,
            "reference": lambda token, flags: Ref(str(token)[4:-1], self.at(token)),
        }

    def at(self, token: lark.Token) -> int:
        return self.begin + (token.start_pos or 0)

    def choice(self, tree: lark.Tree[lark.Token], flags: frozenset[str], depth: int) -> Node:
        if depth > DEEPEST:
            raise Unsupported(f"groups nested deeper than {DEEPEST}", self.begin + tree.meta.start_pos)
        return _either([self.sequence(branch, flags, depth) for branch in _trees(tree)])

    def sequence(self, tree: lark.Tree[lark.Token], flags: frozenset[str], depth: int) -> Node:
        return _after([self.item(item, flags, depth) for item in _trees(tree)])

    def item(self, tree: lark.Tree[lark.Token], flags: frozenset[str], depth: int) -> Node:
        atom = _trees(tree)[0]
        if atom.data == "group":
            node = self.group(atom, flags, depth + 1)
        else:
            node = self.readers[atom.data](_tokens(atom)[0], flags)
        repeats = _tokens(tree)
        return self.repeated(node, repeats[0]) if repeats else node

    def repeated(self, node: Node, token: lark.Token) -> Node:
        count, mode = str(token), ""
        if len(count) > 1 and count[-1] in "?+":
            count, mode = count[:-1], count[-1]
        if count[0] == "{":
            first, comma, last = count[1:-1].partition(",")
            low = int(first or 0)
            high = (int(last) if last else None) if comma else low
        else:
            low, high = {"*": (0, None), "+": (1, None), "?": (0, 1)}[count]
        return Rep(node, low, high, mode, self.at(token))

    def group(self, tree: lark.Tree[lark.Token], flags: frozenset[str], depth: int) -> Node:
        head, tail = _tokens(tree)
        begin, end = self.at(head), self.at(tail) + 1
        body = _trees(tree)[0]
        if head.endswith(":") and len(head) > 3:
            letters = frozenset(head[2:-1])
            if letters - frozenset("imsu"):
                raise Unsupported(f"flags `{head[2:-1]}`", begin)
            return self.choice(body, flags | letters & frozenset("im"), depth)
        node = self.choice(body, flags, depth)
        if head in _LOOKS:
            source = self.text[begin:end]
            for flag in sorted(flags):
                source = f"(?{flag}:{source})"
            return Look(node, *_LOOKS[head], source, begin)
        if head == "(?>":
            return Atomic(node, begin)
        if head == "(?:":
            return node
        return Group(node, head[head.index("<") + 1 : -1] if head != "(" else None, begin)

    def cased(self, char: Char, flags: frozenset[str]) -> Char:
        if "i" not in flags:
            return char
        caseless = char.literal is not None and char.literal.lower() == char.literal.upper()
        return char if caseless else Char(f"(?i:{char.source})")

    def set(self, token: lark.Token, flags: frozenset[str]) -> Node:
        single = re.fullmatch(r"\[([^\\^\[\]])\]", str(token))
        return self.cased(literal(single[1]) if single else Char(str(token)), flags)

    def edge(self, token: lark.Token, flags: frozenset[str]) -> Node:
        return Edge(f"m{token}", f"(?m:{token})") if "m" in flags else Edge(str(token), str(token))

    def escape(self, token: lark.Token, flags: frozenset[str]) -> Node:
        text = str(token)
        if text in _EDGES:
            return Edge(*_EDGES[text])
        if text == "\\X":
            return Cluster(self.at(token))
        if text[1] in "dDsSwW" or (text[1] in "pP" and len(text) > 2):
            return self.cased(Char(text), flags)
        if not text[1].isalnum():
            return self.cased(literal(text[1]), flags)
        if text == "\\N":
            return self.cased(literal("N"), flags)
        if text[1] == "0" or re.fullmatch(r"\\\d{3}", text):
            return self.cased(literal(chr(int(text[1:], 8))), flags)
        if text[1] in "afnrtvxuUN":
            return self.cased(literal(ast.literal_eval(f"'{text}'")), flags)
        if text[1].isdigit() or text[1] == "g":
            return Ref(text[3:-1] if text[1] == "g" else text[1:], self.at(token))
        raise Unsupported(f"`{text}`", self.at(token))


def _trees(tree: lark.Tree[lark.Token]) -> list[lark.Tree[lark.Token]]:
    return [child for child in tree.children if isinstance(child, lark.Tree)]


def _tokens(tree: lark.Tree[lark.Token]) -> list[lark.Token]:
    return [child for child in tree.children if isinstance(child, lark.Token)]


# -- facts ------------------------------------------------------------------------------------------------------------


def children(node: Node) -> tuple[Node, ...]:
    if isinstance(node, (Cat, Alt)):
        return node.items
    return (node.node,) if isinstance(node, (Rep, Group, Look, Atomic)) else ()


def walk(node: Node) -> Iterator[Node]:
    """The node and all below it, in the order of the text."""
    yield node
    for child in children(node):
        yield from walk(child)


def width(node: Node) -> tuple[int, float]:
    """The fewest and the most characters a match consumes."""
    if isinstance(node, Char):
        return 1, 1
    if isinstance(node, Rep):
        low, high = width(node.node)
        return low * node.low, high * node.high if node.high is not None else 0 if high == 0 else math.inf
    if isinstance(node, (Look, Edge)):
        return 0, 0
    if isinstance(node, (Ref, Cluster)):
        return int(isinstance(node, Cluster)), math.inf
    widths = [width(child) for child in children(node)]
    if isinstance(node, Alt):
        return min(low for low, _ in widths), max(high for _, high in widths)
    return sum(low for low, _ in widths), sum(high for _, high in widths)


def nullable(node: Node) -> bool:
    """Whether it can match without a character."""
    return width(node)[0] == 0


def captures(node: Node) -> tuple[str, ...]:
    """The names of the groups, each once, in the order of the text."""
    return tuple(dict.fromkeys(part.name for part in walk(node) if isinstance(part, Group) and part.name))


def behind(node: Node) -> int:
    """How many consumed characters left of a position the pattern can see there; `^` asks only whether there is one."""
    if isinstance(node, Edge):
        return int(node.kind in ("^", "m^", "b", "B"))
    below = max(map(behind, children(node)), default=0)
    if isinstance(node, Look) and not node.ahead:
        return UNBOUNDED if runs_along(node) else min(int(width(node.node)[1]) + below, UNBOUNDED)
    return below


def runs_along(node: Look) -> bool:
    """Whether bounded text cannot say if a look-behind passes at a place: it has no bound, or looks ahead itself."""
    return math.isinf(width(node.node)[1]) or any(
        (isinstance(part, Look) and part.ahead) or (isinstance(part, Edge) and part.kind not in ("^", "m^"))
        for part in walk(node.node)
    )


def only_start(node: Node) -> bool:
    """Whether all it asks of what stands left is whether that is the start of the text."""
    lefts = [part for part in walk(node) if behind(part) and isinstance(part, (Edge, Look))]
    return bool(lefts) and all((isinstance(part, Look) and part.ahead) or part == Edge("^", "^") for part in lefts)


def leads(node: Node) -> frozenset[str] | None:
    """The characters that matches start with, at most 16; None for more, and when a match can be empty."""
    if nullable(node):
        return None
    found: set[str] = set()
    for char in firsts(node):
        members = {char.literal} if char.literal is not None else _members(char.source)
        if members is None:
            return None
        found |= members
    return frozenset(found) if len(found) <= FEW else None


FEW = 16


def firsts(node: Node) -> Iterator[Char]:
    """Every Char that can consume the first character of a match."""
    if isinstance(node, Char):
        yield node
    elif isinstance(node, Cat):
        for item in node.items:
            yield from firsts(item)
            if not nullable(item):
                return
    elif isinstance(node, Cluster):
        yield ANY
    elif not isinstance(node, (Look, Ref)):
        for child in children(node):
            yield from firsts(child)


@lru_cache(256)
def _members(source: str) -> set[str] | None:
    """What a class contains, as the engine has it; None for more than a few."""
    pattern, found = regex.compile(source, regex.DOTALL), set()
    for plane in range(17):
        for match in pattern.finditer("".join(map(chr, range(plane << 16, (plane + 1) << 16)))):
            found.add(match[0])
            if len(found) > FEW:
                return None
    return found
