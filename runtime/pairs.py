r"""Tags of one common shape, found in linear time: a body goes in, its tags come out one by one.

Invariant: they are those that `finditer` gives of `OPENING (?P<key>CLASS+) MIDDLE BEFORE (?P<value>.*?) AFTER CLOSING`.
BEFORE and AFTER are `\s*`, `\n?` or nothing; instead of CLOSING there may stand `(?:CLOSING|(?=NEXT)|\Z)`. No key runs
into MIDDLE, and neither CLOSING nor NEXT begins with a blank: so the first of them behind a tag that has begun ends
it, and where there is none no later tag is closed either.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from .program import compiled
from .read_text import BLANKS, past_blanks


class Pair(NamedTuple):
    """One tag, with what read_xml_inline asks of a match."""

    key: str
    value: str

    def groupdict(self, default: Any = None) -> dict[str, Any]:
        return self._asdict()


class Pairs:
    """key: a class of characters, as `regex` has it. following: the NEXT, if any. at_end: the text's end ends a tag."""

    def __init__(
        self,
        opening: str,
        key: str,
        middle: str,
        closing: str,
        *,
        before: str = "",
        after: str = "",
        following: str = "",
        at_end: bool = False,
    ) -> None:
        self.opening, self.key, self.middle, self.closing = opening, key, middle, closing
        self.before, self.after, self.following, self.at_end = before, after, following, at_end

    @cached_property
    def _run(self) -> Any:
        return compiled(f"{self.key}*")

    def finditer(self, text: str) -> Iterator[Pair]:
        at, nowhere = 0, len(text) + 1
        closing, following = -1, -1 if self.following else nowhere  # where they stand next
        while (start := text.find(self.opening, at)) >= 0:
            begin = start + len(self.opening)
            end = self._run.match(text, begin).end()
            if end == begin or not text.startswith(self.middle, end):
                at = max(start, end - len(self.opening)) + 1  # what opens within this run ends where it ends
                continue
            value = self._value_at(text, end + len(self.middle))
            if closing < value:
                closing = _place(text, self.closing, value)
            if following < value:
                following = _place(text, self.following, value)
            close = min(closing, following)
            if close == nowhere and not self.at_end:
                return
            yield Pair(text[begin:end], self._trimmed(text[value:close]))
            at = close + len(self.closing) if close == closing else close

    def _value_at(self, text: str, at: int) -> int:
        if self.before == r"\s*":
            return past_blanks(text, at)
        return at + 1 if self.before and text.startswith("\n", at) else at

    def _trimmed(self, value: str) -> str:
        if self.after == r"\s*":
            return value.rstrip(BLANKS)
        return value.removesuffix("\n") if self.after else value


def _place(text: str, word: str, at: int) -> int:
    """Where the word stands next; behind the text's end when it does not."""
    place = text.find(word, at)
    return len(text) + 1 if place < 0 else place
