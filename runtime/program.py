"""What generated modules write delimiters in: an expression goes in, a program of places comes out.

Invariant: the ways through a program, taken first branch first, are the ways of a backtracking engine in its order. A
test of a character, or of what stands to the left, means what `regex` means by its source.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from .read_text import BLANK

START = "^"


# -- places ---------------------------------------------------------------------------------------------------------


class One(NamedTuple):
    """One character that passes a test (-1: any), then on."""

    test: int
    then: int


class Either(NamedTuple):
    """The first way, and where that fails the second."""

    first: int
    second: int


class Left(NamedTuple):
    """On where what stands to the left passes a test."""

    test: int
    then: int


class Ahead(NamedTuple):
    """On where a way from `inside` leads to YES (negative: where none does)."""

    negative: bool
    inside: int
    then: int


class Mark(NamedTuple):
    """On, and note the place: a group begins (an even number) or ends."""

    number: int
    then: int


class Stop(NamedTuple):
    """MATCH, the end of the delimiter; YES, the end of a look-ahead; END, which the end of the text leads to YES.

    Further ones end the look-behinds that run over the text.
    """

    name: str


MATCH, YES, END = 0, 1, 2
Place = One | Either | Left | Ahead | Mark | Stop


class Program:
    """Places by number. tests: sources of one-character patterns; lefts: sources of patterns that look behind."""

    def __init__(self, expression: Expression) -> None:
        self.places: list[Place] = [Stop("match"), Stop("yes"), Stop("end")]
        self.literals: dict[str, int] = {}  # tests for one character each
        self.classes: dict[str, int] = {}  # all other tests
        self.lefts: list[str] = []  # "" for one that runs over the text: runtime/lookbehind.py
        self.pasts: list[int] = []  # where those that run over the text begin
        self.passing: dict[int, int] = {}  # the place at the end of each: its bit among the lefts
        self.negative_pasts = 0  # the bits of those that want that nothing is found
        self.groups: list[str] = []  # names; the marks of group n are 2n and 2n + 1
        self.entry = self.add(expression, MATCH)
        self._members = [(1 << test, compiled(source).match) for source, test in self.classes.items()]
        asked = [(1 << test, source) for test, source in enumerate(self.lefts) if source and source != START]
        self._lefts = [(bit, compiled(source).match) for bit, source in asked]
        self.start = 1 << self.lefts.index(START) if START in self.lefts else 0

    def add(self, expression: Expression, then: int) -> int:
        """The place where the expression begins, when `then` is what follows it."""
        if not isinstance(expression, str):
            return expression(self, then)
        for char in reversed(expression):
            then = self.put(One(self.test(char, self.literals), then))
        return then

    def put(self, place: Place) -> int:
        self.places.append(place)
        return len(self.places) - 1

    def test(self, source: str, kind: dict[str, int]) -> int:
        return kind.setdefault(source, len(self.literals) + len(self.classes))

    def left(self, source: str) -> int:
        if source not in self.lefts:
            self.lefts.append(source)
        return self.lefts.index(source)

    def past(self, item: Expression, negative: bool) -> int:
        self.lefts.append("")
        bit = 1 << len(self.lefts) - 1
        end = self.put(Stop("past"))
        self.passing[end] = bit
        self.negative_pasts |= bit if negative else 0
        self.pasts.append(self.add(item, end))
        return bit.bit_length() - 1

    def group(self, name: str) -> int:
        if name not in self.groups:
            self.groups.append(name)
        return self.groups.index(name)

    def sign(self, char: str) -> int:
        """Which tests a character passes, as bits."""
        test = self.literals.get(char)
        sign = 0 if test is None else 1 << test
        for bit, match in self._members:
            if match(char):
                sign |= bit
        return sign

    def left_sign(self, text: str, at: int) -> int:
        """Which tests of the left the place before text[at] passes, as bits; without those that run over the text."""
        sign = self.start if at == 0 else 0
        for bit, match in self._lefts:
            if match(text, at):
                sign |= bit
        return sign


# -- expressions ----------------------------------------------------------------------------------------------------

Expression = str | Callable[[Program, int], int]
"""A fixed string, or what one of the functions below makes."""


def one(source: str) -> Expression:
    """One character: a class or an escape of `regex`."""
    return lambda program, then: program.put(One(program.test(source, program.classes), then))


def dot() -> Expression:
    """Any one character."""
    return lambda program, then: program.put(One(-1, then))


def seq(*items: Expression) -> Expression:
    """All items, one after the other."""

    def place(program: Program, then: int) -> int:
        for item in reversed(items):
            then = program.add(item, then)
        return then

    return place


def group(name: str, item: Expression) -> Expression:
    """The item; what it takes is known by a name."""

    def place(program: Program, then: int) -> int:
        begin = 2 * program.group(name)
        return program.put(Mark(begin, program.add(item, program.put(Mark(begin + 1, then)))))

    return place


def alt(*items: Expression) -> Expression:
    """The first item that leads to a match."""

    def place(program: Program, then: int) -> int:
        begin = program.add(items[-1], then)
        for item in reversed(items[:-1]):
            begin = program.put(Either(program.add(item, then), begin))
        return begin

    return place


def rep(item: Expression, low: int, high: int | None = None, *, lazy: bool = False) -> Expression:
    """The item `low` to `high` times (None: no limit), as often as possible; lazy: as seldom."""

    def choice(program: Program, more: int, enough: int) -> Place:
        return Either(enough, more) if lazy else Either(more, enough)

    def place(program: Program, then: int) -> int:
        begin = then
        if high is None:
            begin = program.put(Stop("loop"))
            program.places[begin] = choice(program, program.add(item, begin), then)
        for _ in range((high or low) - low):
            begin = program.put(choice(program, program.add(item, begin), then))
        for _ in range(low):
            begin = program.add(item, begin)
        return begin

    return place


def opt(item: Expression, *, lazy: bool = False) -> Expression:
    """The item or nothing."""
    return rep(item, 0, 1, lazy=lazy)


def star(item: Expression, *, lazy: bool = False) -> Expression:
    """The item any number of times."""
    return rep(item, 0, lazy=lazy)


def plus(item: Expression, *, lazy: bool = False) -> Expression:
    """The item at least once."""
    return rep(item, 1, lazy=lazy)


def look(item: Expression, *, negative: bool = False) -> Expression:
    """Nothing, where the item follows; negative: where it does not."""
    return lambda program, then: program.put(Ahead(negative, program.add(item, YES), then))


def behind(source: str) -> Expression:
    """Nothing, where a pattern that looks behind finds what it wants: `^`, `(?m:^)`, `(?<=...)`, `(?<!...)`."""
    return lambda program, then: program.put(Left(program.left(source), then))


def past(item: Expression, *, negative: bool = False) -> Expression:
    """Nothing, behind the item; negative: where it is not. For what `behind` cannot ask for at a place."""
    return lambda program, then: program.put(Left(program.past(item, negative), then))


def end() -> Expression:
    """Nothing, at the end of the text."""
    return lambda program, then: program.put(Ahead(False, END, then))


def last() -> Expression:
    """Nothing, at the end of the text or before a line break that ends it."""
    return look(alt(seq("\n", end()), end()))


def line_end() -> Expression:
    """Nothing, before a line break or at the end of the text."""
    return alt(look("\n"), end())


def word_edge(*, inside: bool = False) -> Expression:
    """Nothing, between a word character and none; inside: where neither or both sides are word characters."""
    word = one(r"\w")
    return alt(
        seq(behind(r"(?<=\w)"), look(word, negative=not inside)),
        seq(behind(r"(?<!\w)"), look(word, negative=inside)),
    )


# -- engines --------------------------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"(?P<blank>\\s)"
    r"|\\(?:[Zntrfv]|\W)"
    r"|(?P<set>\[\^?(?:\\(?:[sntrfv]|[^\w\s])|(?!--|&&|~~|\|\|)[^\\\[\]])+\])"
    r"|\((?:\?(?:m?:|[=!]|<[=!]|P<\w+>)|(?!\?))"  # no flags besides: letters of any case are not the same to both
    r"|[*+?}](?!\+)"
    r"|[^\\\[(*+?}]",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\.", re.DOTALL)
_LOOPED_GROUP = re.compile(r"\)[*+{]")


def compiled(source: str) -> re.Pattern[str]:
    """A pattern of `regex` (V0, DOTALL), compiled by `re` where that means the same, with the blanks of `regex`.

    Else it is one of `regex`, which is used in the same way.
    """
    plain = _for_re(source)
    if plain is not None:
        try:
            return re.compile(plain, re.DOTALL)
        except re.error:
            pass  # a name used twice, a look-behind without a fixed width
    import regex

    made: re.Pattern[str] = regex.compile(source, regex.DOTALL)
    return made


def _for_re(source: str) -> str | None:
    parts: list[str] = []
    at = 0
    while at < len(source):
        token = _TOKEN.match(source, at)
        if token is None:
            return None
        if token["blank"]:
            parts.append(BLANK)
        else:
            blanks_in = _ESCAPE.sub(lambda escape: BLANK[1:-1] if escape[0] == r"\s" else escape[0], token[0])
            parts.append(blanks_in if token["set"] else token[0])
        at = token.end()
    return None if "(?P<" in source and _LOOPED_GROUP.search(source) else "".join(parts)
