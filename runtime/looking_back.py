"""Parsers whose delimiters look back: `^`, `\\b` and look-behind see the text in front of what is read.

Invariant: of the consumed text the last BEHIND characters, or all when there are fewer, stand in front of what is held.
"""

from __future__ import annotations

from typing import ClassVar

from .stream import Stream


class LookingBack(Stream):
    """The stream, with context kept. Its states have no lead, but for those that ask only whether there is any."""

    __slots__ = ()
    BEHIND: ClassVar[int] = 1

    def _wait(self, text: str, at: int, hold: int) -> int:
        super()._wait(text, at, hold)
        if not self._ended:
            kept = min(self.BEHIND, hold)
            self._held, self._at = text[hold - kept :], kept
            self._base -= kept
        return -1

    def _pass(self, text: str, at: int) -> int:
        return self._wait(text, at, len(text))
