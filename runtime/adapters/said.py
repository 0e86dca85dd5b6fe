"""The text of one field as it may be sent: pieces go in as they arrive, out comes what no later piece takes back.

Invariant: what was given out, with what `rest` gives at the end, is the message's text; blanks that may yet be trimmed
from its end wait.
"""

from __future__ import annotations


class Said:
    """kind: "text" trims the whole, "each" each region by itself. separator: stands between two regions.

    trim: "both", "start", "end", "newline" (one line break at each end) or "none".
    """

    __slots__ = ("_has_begun", "_kind", "_regions", "_separator", "_trim", "_waits")

    def __init__(self, kind: str, separator: str, trim: str) -> None:
        self._kind, self._separator, self._trim = kind, separator, trim
        self._regions = 0
        self._has_begun = False  # nothing more is trimmed from the start
        self._waits: list[str] = []  # blanks, or what may be the line break at the end

    def open(self) -> str:
        """A region begins."""
        self._regions += 1
        if self._regions == 1 or not self._separator:
            return ""
        return self.push(self._separator) if self._kind == "text" else self._separator

    def push(self, text: str) -> str:
        """More text of the region."""
        if self._trim == "none":
            return text
        if self._trim == "newline":
            return self._by_lines(text)
        if self._trim != "end" and not self._has_begun:
            text = text.lstrip()
            self._has_begun = bool(text)
        if self._trim == "start" or not text:
            return text
        kept = text.rstrip()
        if not kept:
            self._waits.append(text)
            return ""
        out = "".join(self._waits) + kept
        self._waits = [text[len(kept) :]] if len(kept) < len(text) else []
        return out

    def close(self) -> str:
        """The region ends."""
        if self._kind == "text":
            return ""
        rest = self.rest()
        self._has_begun, self._waits = False, []
        return rest

    def rest(self) -> str:
        """What turns out at the end to be text after all."""
        return "\r" if self._trim == "newline" and self._waits == ["\r"] else ""

    def forget(self) -> None:
        """What waits is already there: it is not given out."""
        self._waits = []

    def _by_lines(self, text: str) -> str:
        text = "".join(self._waits) + text
        self._waits = []
        if not self._has_begun:
            if text in ("", "\r"):
                self._waits = [text] if text else []
                return ""
            self._has_begun = True
            text = text[1:] if text[0] == "\n" else text.removeprefix("\r\n")
        size = 2 if text.endswith("\r\n") else 1 if text.endswith(("\n", "\r")) else 0
        if size:
            self._waits = [text[-size:]]
        return text[: len(text) - size]
