"""Looking for one delimiter in text that still arrives: the text so far goes in, the nearest place of it comes out.

Invariant: what `near` calls decided holds whatever follows, and what it calls undecided is the first place where some
continuation has a match. The scanners are what a module holds: immutable, shared by parsers and threads, compiled at
first use. A parser has a Scan of each, which remembers what has been searched; copying a Scan copies the search.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import regex

    from .automaton import Automaton

LARGEST = 200  # characters of words that become an automaton: a word that overlaps itself has ways in square number
MORE = "_more_"  # the group that a twin sets when it runs out of text


class Scan(ABC):
    """The search for one delimiter within one parser.

    start, end: what the last `near` found, as offsets in the text of that call. `end` is -1 while it is undecided
    whether a match stands at `start`; `start` is then the length of the text when none has begun.
    """

    __slots__ = ("_at", "end", "start")

    def __init__(self) -> None:
        self.start, self.end = 0, -1
        self._at = -1  # `start`, counted as `base` counts

    def near(self, text: str, at: int, base: int, ended: bool) -> Scan:
        """Find the nearest match that starts at `at` or later, and return this Scan, with `start` and `end` set.

        text: what is kept of the text so far; what stands left of `at` is only seen by look-behind. base: where text[0]
        stands in all of the text; between calls, text may be added at the back, and cut at the front, which moves
        `base` on. at: never before that of an earlier call. ended: no more text will follow.
        """
        start = self._at - base
        if start < at:
            start = at
        elif self.end >= 0:
            self.end += start - self.start
            self.start = start
            return self
        self._search(text, start, base, ended)
        self._at = base + self.start
        return self

    def captures(self, text: str) -> dict[str, str]:
        """The named groups that took part in the match that `near` has just decided in this text."""
        return {}

    @abstractmethod
    def _search(self, text: str, start: int, base: int, ended: bool) -> None:
        """Set `start` and `end` to the nearest match from `start`; nothing before that can begin one."""


class Search(ABC):
    """The search for the first of several delimiters within one parser.

    found: what the last `look` decided, None while that is undecided. start, end: where that stands, as offsets in the
    text of that call; while it is undecided, `start` is where it may begin: the text before it is free whatever comes.
    doze: where it is undecided and has begun, finds a character that may change that, when that is known.
    """

    __slots__ = ("doze", "end", "found", "start")

    def __init__(self) -> None:
        self.found: Delimiter | None = None
        self.start, self.end = 0, -1
        self.doze: Callable[[str], object] | None = None

    @abstractmethod
    def captures(self, text: str) -> dict[str, str]:
        """The named groups that took part in the match that `look` has just decided in this text."""

    @abstractmethod
    def look(self, text: str, at: int, base: int, ended: bool) -> Search:
        """Look on, and return this Search; the arguments are those of Scan.near."""


class Delimiter(ABC):
    """A scanner: what a module says about one delimiter, once for all parsers."""

    @property
    def ways(self) -> Automaton | None:
        """The automaton that finds the same; None where there is none."""
        return None

    @abstractmethod
    def scan(self) -> Scan:
        """A new search."""


# -- fixed strings ----------------------------------------------------------------------------------------------------


class Words(Delimiter):
    """One of several fixed strings; of those that stand at one place, the longest."""

    def __init__(self, *words: str) -> None:
        self.words = tuple(sorted(set(words), key=len, reverse=True))
        self.longest = len(self.words[0])
        self.firsts = "".join({word[0] for word in words})
        self.lead = self.firsts if len(self.firsts) == 1 else ""

    def scan(self) -> Scan:
        return _WordsScan(self)

    @cached_property
    def ways(self) -> Automaton | None:
        if sum(map(len, self.words)) > LARGEST:
            return None
        from .automaton import Automaton
        from .program import alt

        return Automaton(alt(*self.words), "")


class _WordsScan(Scan):
    """Each word is searched for once in each part of the text: what is found ahead of where the text is read stays."""

    __slots__ = ("_found", "_searched", "_words")

    def __init__(self, words: Words) -> None:
        super().__init__()
        self._words = words
        self._found: dict[str, int] = {}  # where a word stands next; counted as `base` counts, as is:
        self._searched = 0  # up to where no other word stands

    def _search(self, text: str, start: int, base: int, ended: bool) -> None:
        first, length, size = len(text), 0, len(text)
        if self._words.lead and not self._found and text.find(self._words.lead, start) < 0:
            self.start, self.end, self._searched = size, -1, base + size
            return
        for word in self._words.words:
            found = self._next(word, text, start, base)
            if 0 <= found < first:
                first, length = found, len(word)
        self._searched = base + size
        begun = size if ended else self._begun(text, max(start, size - self._words.longest + 1))
        if first < begun:
            self.start, self.end = first, first + length
        else:
            self.start, self.end = begun, -1

    def _next(self, word: str, text: str, start: int, base: int) -> int:
        known = self._found.get(word)
        since = self._searched - len(word) + 1 if known is None else known
        if known is not None and known >= base + start:
            return known - base
        found = text.find(word, max(start, since - base))
        if found >= 0:
            self._found = {**self._found, word: base + found}
        elif known is not None:
            self._found = {other: place for other, place in self._found.items() if other != word}
        return found

    def _begun(self, text: str, tail: int) -> int:
        """Where the text ends in the beginning of a word."""
        words, firsts = self._words.words, self._words.firsts
        for at in range(tail, len(text)):
            if text[at] in firsts:
                begun = text[at:]
                if any(word.startswith(begun) and word != begun for word in words):
                    return at
        return len(text)


# -- patterns ---------------------------------------------------------------------------------------------------------


class _Patterned(Delimiter):
    """A pattern in the dialect of `regex` (V0, DOTALL), which decides when the text has ended."""

    def __init__(self, pattern: str) -> None:
        self.text = pattern

    @cached_property
    def pattern(self) -> regex.Pattern[str]:
        return _compiled(self.text)


class Twin(_Patterned):
    """A pattern and its streaming twin: exact, but text that is held is searched again with each call."""

    def __init__(self, pattern: str, twin: str) -> None:
        super().__init__(pattern)
        self._twin = twin

    def scan(self) -> Scan:
        return _TwinScan(self)

    @cached_property
    def twin(self) -> regex.Pattern[str]:
        return _compiled(self._twin)


class Deaf(_Patterned):
    """A pattern whose matches only the end of the text decides: until then everything is held."""

    def scan(self) -> Scan:
        return _DeafScan(self)


class _PatternScan(Scan):
    __slots__ = ("_captured",)

    def __init__(self) -> None:
        super().__init__()
        self._captured: dict[str, str] = {}

    def captures(self, text: str) -> dict[str, str]:
        return dict(self._captured)

    def _take(self, match: regex.Match[str] | None, text: str) -> None:
        """What a match says; an empty one at the very end says nothing: it waits, and at the end does not count."""
        if match is None or match.start() >= len(text):
            self.start, self.end = len(text), -1
        elif match.re.groups and match.groupdict().get(MORE) is not None:
            self.start, self.end = match.start(), -1
        else:
            self.start, self.end = match.span()
            self._captured = {name: value for name, value in match.groupdict().items() if value is not None}


class _TwinScan(_PatternScan):
    __slots__ = ("_scanner",)

    def __init__(self, scanner: Twin) -> None:
        super().__init__()
        self._scanner = scanner

    def _search(self, text: str, start: int, base: int, ended: bool) -> None:
        pattern = self._scanner.pattern if ended else self._scanner.twin
        self._take(pattern.search(text, start), text)


class _DeafScan(_PatternScan):
    __slots__ = ("_scanner",)

    def __init__(self, scanner: Deaf) -> None:
        super().__init__()
        self._scanner = scanner

    def _search(self, text: str, start: int, base: int, ended: bool) -> None:
        if ended:
            self._take(self._scanner.pattern.search(text, start), text)
        else:
            self.start, self.end = start, -1


def _compiled(pattern: str) -> regex.Pattern[str]:
    import regex

    return regex.compile(pattern, regex.DOTALL)
