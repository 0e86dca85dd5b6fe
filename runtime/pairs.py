"""Tags of one common shape, found in linear time: a body goes in, its tags come out one by one.

Invariant: they are those that `finditer` gives of `OPENING (?P<key>CLASS+) MIDDLE \\s* (?P<value>.*?) \\s* CLOSING`.
No key can run into MIDDLE, and CLOSING begins with no blank: so the first CLOSING behind a tag that has begun ends it,
and where there is none no later tag is closed either.
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
    """key: a class of characters, as `regex` has it. The blanks before or behind the value may belong to the tag."""

    def __init__(
        self,
        opening: str,
        key: str,
        middle: str,
        closing: str,
        *,
        blank_before: bool = False,
        blank_after: bool = False,
    ) -> None:
        self.opening, self.key, self.middle, self.closing = opening, key, middle, closing
        self.blank_before, self.blank_after = blank_before, blank_after

    @cached_property
    def _run(self) -> Any:
        return compiled(f"{self.key}*")

    def finditer(self, text: str) -> Iterator[Pair]:
        at = 0
        while (start := text.find(self.opening, at)) >= 0:
            begin = start + len(self.opening)
            end = self._run.match(text, begin).end()
            if end == begin or not text.startswith(self.middle, end):
                at = max(start, end - len(self.opening)) + 1  # what opens within this run ends where it ends
                continue
            value = end + len(self.middle)
            if self.blank_before:
                value = past_blanks(text, value)
            close = text.find(self.closing, value)
            if close < 0:
                return
            body = text[value:close]
            yield Pair(text[begin:end], body.rstrip(BLANKS) if self.blank_after else body)
            at = close + len(self.closing)
