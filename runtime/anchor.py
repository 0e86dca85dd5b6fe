"""Where the message begins in the prompt: in goes the prefix, out comes what stands behind its last anchor, or None.

Invariant: matches are found from the left and do not overlap, as `finditer` finds them.
"""

from __future__ import annotations

from collections.abc import Iterator

TYPE_CHECKING = False  # typing is slow to import, and nothing here needs it to run
if TYPE_CHECKING:
    from typing import Any, Protocol

    class Matcher(Protocol):
        """A compiled pattern of `re` or of `regex`."""

        def finditer(self, string: str, /) -> Iterator[Any]: ...


def behind_last_word(prefix: str, word: str) -> str | None:
    """For a word that cannot overlap itself: its last place is its last match."""
    _, found, rest = prefix.rpartition(word)
    return rest if found else None


def behind_last_match(prefix: str, anchor: Matcher) -> str | None:
    end = None
    for found in anchor.finditer(prefix):
        end = found.end()
    return None if end is None else prefix[end:]
