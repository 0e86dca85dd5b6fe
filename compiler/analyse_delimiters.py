"""Facts about delimiters: in goes a field's open or close, out comes its shape, and what a set of them allows.

Invariant: a shape is claimed only where plain string code means exactly what the pattern means; else it is scanned for.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise, product, takewhile
from typing import Literal

from . import pattern
from .model import ANYWHERE, Delimiter, Field, Literals, Opening, Pattern, Place
from .pattern import Alt, Atomic, Cat, Char, Group, Look, Node, Rep

MOST_WORDS = 24
Does = Literal["open", "close", "end", "stop", "stray"]
_BLANK_RUN = Rep(Char(r"\s", None), 0, None, "")
_JSON = frozenset("{}[]:,.+-0123456789 \t\r\ntruefalsNInityE")  # what stands in JSON outside of strings


@dataclass(frozen=True)
class Word:
    """A fixed string; `blanks`: the run of white space behind it belongs to it; `ahead`: it is only looked at."""

    text: str
    blanks: bool = False
    ahead: bool = False


@dataclass(frozen=True)
class Watched:
    """A delimiter of a state's watch list, and what it does: open or close a field, end its region from outside (what
    it is stays to be read), stop the message, or stand there as a stray closer."""

    field: Field | None
    does: Does
    delimiter: Delimiter
    place: Place = ANYWHERE

    @cached_property
    def text(self) -> str:
        """The delimiter as a pattern."""
        return pattern_text(self.delimiter)

    @cached_property
    def node(self) -> Node:
        return pattern_node(self.delimiter)

    @cached_property
    def words(self) -> tuple[Word, ...] | None:
        """The finite choice that the delimiter is, None when it is none."""
        found = words_of(self.node)
        if found is None or self.does not in ("end", "stop"):
            return found
        return tuple(Word(word.text, ahead=self.does == "end") for word in found)  # what follows is no matter

    @property
    def shown(self) -> str:
        return str(self.delimiter)


def closed_by(field: Field) -> Watched | None:
    return None if field.close is None else Watched(field, "close", field.close)


def opened_by(field: Field, opening: Opening) -> Watched:
    """The opener, where it counts: the blanks since the start, or since a close, are part of it."""
    place = opening.place
    if place == ANYWHERE:
        return Watched(field, "open", opening.delimiter)
    before = r"\s*" if place.after else {"start": r"\A\s*", "line": r"(?:\A|(?<=\n))"}[place.when]
    placed = Pattern(f"{before}(?:{pattern_text(opening.delimiter)})", opening.delimiter.span)
    return Watched(field, "open", placed, place)


def pattern_text(delimiter: Delimiter) -> str:
    if not isinstance(delimiter, Literals):
        return delimiter.text
    words = "|".join(map(escaped, sorted(delimiter.words, key=len, reverse=True)))
    blank = r"\s*"
    if (delimiter.blank_before or delimiter.blank_after) and len(delimiter.words) > 1:
        words = f"(?:{words})"
    return f"{blank * delimiter.blank_before}{words}{blank * delimiter.blank_after}"


def pattern_node(delimiter: Delimiter) -> Node:
    if not isinstance(delimiter, Literals):
        return pattern.parse(delimiter.text)
    words = pattern.of_literals(delimiter.words)
    before, after = (_BLANK_RUN,) * delimiter.blank_before, (_BLANK_RUN,) * delimiter.blank_after
    return Cat((*before, words, *after)) if before or after else words


def escaped(word: str) -> str:
    """The word as a pattern, in `re` and in `regex`."""
    return "".join(f"\\{c}" if c in r".^$*+?{}[]|()" + "\\" else c for c in word)


def heads_of(delimiter: Watched) -> list[str]:
    """The fixed strings that a delimiter begins with: all of it, or what stands before a pattern's first choice."""
    if delimiter.words is not None:
        return [word.text for word in delimiter.words]
    items = delimiter.node.items if isinstance(delimiter.node, Cat) else ()
    literals = (item.literal or "" if isinstance(item, Char) else "" for item in items)
    head = "".join(takewhile(bool, literals))
    return [head] if head else []


def is_no_json(node: Node) -> bool:
    """Whether each match has a character that JSON has in strings alone, and no quote before it that opens one."""
    if isinstance(node, Char):
        return node.literal is not None and node.literal not in _JSON and node.literal != '"'
    if isinstance(node, Alt):
        return all(map(is_no_json, node.items))
    if isinstance(node, Group | Atomic):
        return is_no_json(node.node)
    if isinstance(node, Rep):
        return node.low > 0 and is_no_json(node.node)
    if not isinstance(node, Cat):
        return False
    for item in node.items:
        if is_no_json(item):
            return True
        is_passed = isinstance(item, Look) or item == _BLANK_RUN or (isinstance(item, Char) and item.literal in _JSON)
        if not is_passed:
            return False
    return False


def fixed_ends(closer: Delimiter) -> tuple[str, ...]:
    """The strings that a closer of values can be; () where it is none of a few, or holds the key of its pair.

    An alternative without characters, before what it only looks at, ends no body.
    """
    if isinstance(closer, Literals):
        return () if any("{key}" in word for word in closer.words) else closer.words
    try:
        node = pattern_node(closer)
    except pattern.Refused:  # what will be refused by name
        return ()
    branches = node.items if isinstance(node, Alt) else (node,)
    texts = [finite(branch) for branch in branches if pattern.width(branch)[1]]
    return () if None in texts else tuple(dict.fromkeys(text for some in texts for text in some or ()))


def words_of(node: Node) -> tuple[Word, ...] | None:
    """`a|b`, `(?:a|b)\\s*`, `</?x>`, `a|(?=b)`, as words; without captures, which plain string code would lose."""
    if pattern.captures(node):
        return None
    found: list[Word] = []
    for branch in node.items if isinstance(node, Alt) else (node,):
        items, blanks, ahead = branch.items if isinstance(branch, Cat) else (branch,), False, False
        if items and isinstance(items[-1], Rep) and _is_blank_run(items[-1]):
            items, blanks = items[:-1], True
        elif len(items) == 1 and isinstance(items[0], Look) and items[0].ahead and not items[0].negative:
            items, ahead = (items[0].node,), True
        texts = finite(Cat(tuple(items)))
        if texts is None or "" in texts:
            return None
        found += [Word(text, blanks, ahead) for text in texts]
    return tuple(dict.fromkeys(found)) if len(found) <= MOST_WORDS else None


def _is_blank_run(node: Rep) -> bool:
    return (node.node, node.low, node.high) == (_BLANK_RUN.node, 0, None) and node.mode in ("", "+")


def finite(node: Node) -> list[str] | None:
    """All strings that the node can match, when they are few, in the order in which an engine tries them."""
    parts: list[list[str] | None]
    if isinstance(node, Char):
        return None if node.literal is None else [node.literal]
    if isinstance(node, Group):
        return finite(node.node)
    if isinstance(node, Alt):
        parts = [finite(item) for item in node.items]
        return None if None in parts else [text for part in parts for text in part or ()]
    if isinstance(node, Rep):
        return _repeated(node)
    if isinstance(node, Cat):
        out = [""]
        for item in node.items:
            more = finite(item)
            if more is None or len(out) * len(more) > MOST_WORDS:
                return None
            out = [left + right for left in out for right in more]
        return out
    return None


def _repeated(node: Rep) -> list[str] | None:
    one = finite(node.node)
    if one is None or node.high is None or node.mode == "+" or len(one) ** node.high > MOST_WORDS:
        return None
    if node.low == node.high:
        return ["".join(choice) for choice in product(one, repeat=node.high)]
    if len(one) > 1 and node.high > 1:
        return None
    texts = [text * count for count in range(node.low or 1, node.high + 1) for text in one]
    if node.mode == "?":
        return [""] * (node.low == 0) + texts
    return (texts if node.high == 1 else texts[::-1]) + [""] * (node.low == 0)


def plain_words(watch: Iterable[Watched]) -> list[tuple[Watched, Word]] | None:
    """The words of a watch list when plain string code decides among them, the leftmost and longest by itself.

    They start with one lead character that none of them repeats, so none overlaps another and a pending one begins at
    the last lead; none begins with another, so a complete one is final. Of equal words the first delimiter's stands.
    """
    found: dict[str, tuple[Watched, Word]] = {}
    for delimiter in watch:
        for word in delimiter.words or ():
            known = found.setdefault(word.text, (delimiter, word))
            if known[0] is not delimiter and (word.blanks or word.ahead or known[1].blanks or known[1].ahead):
                return None
        if delimiter.words is None or (delimiter.does == "open" and any(w.blanks or w.ahead for w in delimiter.words)):
            return None
    lead = next(iter(found), "")[:1]
    if any(text[0] != lead or lead in text[1:] for text in found):
        return None
    ordered = sorted(found)
    if any(longer.startswith(word) for word, longer in pairwise(ordered)):
        return None
    return list(found.values())


def lead_of(watch: Iterable[Watched]) -> str:
    """The one character that every delimiter of the list starts with, or ""."""
    leads: set[str] = set()
    for delimiter in watch:
        first = pattern.leads(delimiter.node)
        if first is None:
            return ""
        leads |= first
    return leads.pop() if len(leads) == 1 else ""
