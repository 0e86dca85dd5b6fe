"""What strangers wrote, for terminals and pages: in goes any text or value, out comes text that prints.

Invariant: no character leaves here that a terminal would obey, or that would hide or reorder others.
"""

from __future__ import annotations

import json

EXCERPT = 160  # characters of a stretch that `quoted` shows


def visible(text: str) -> str:
    """The text with what does not print spelled out, but for line breaks and tabs."""
    return "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in text)


def quoted(text: str) -> str:
    """The text on one line, in quotes; of a long one the ends."""
    half = EXCERPT // 2
    short = text if len(text) <= EXCERPT else f"{text[:half]} ... {text[-half:]}"
    return printed(short)


def printed(value: object, indent: int | None = 2) -> str:
    """A value as JSON in which only what does not print is escaped."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
