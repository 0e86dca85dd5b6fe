"""Fixed strings that leave a state, of which none begins with another one: a text goes in, the first of them comes out.

Invariant: all begin with one character, the lead, and have it nowhere else: what has begun has begun at its last place.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False  # typing is slow to import, and nothing here needs it to run
if TYPE_CHECKING:
    from collections.abc import Callable


class AnyOf:
    """Some words. search(text, at): the first one in the text, from a place on. begun: all beginnings of words, but for
    the whole ones."""

    __slots__ = ("_words", "begun", "search")

    def __init__(self, *words: str) -> None:
        self._words = words
        self.begun = frozenset(word[:size] for word in words for size in range(1, len(word)))
        self.search: Callable[[str, int], re.Match[str] | None] = self._compile

    def _compile(self, text: str, at: int) -> re.Match[str] | None:
        """The first search: a module is imported sooner than its patterns are compiled."""
        self.search = re.compile("|".join(map(re.escape, self._words))).search
        return self.search(text, at)
