"""Lexical units of a rendered text: markers, words, blanks, signs; in go texts, out comes what they have in common.

Invariant: no unit is ever split, so that what two texts share never ends in the middle of a marker or a word.
"""

from __future__ import annotations

import re
from itertools import takewhile

MARKER = re.compile(r"<[^<>\s][^<>\n]{0,80}>|\[/?[A-Z][A-Z_0-9]*\]")
_UNIT = re.compile(rf"{MARKER.pattern}|\w+|\s|.", re.DOTALL)


def units(text: str) -> list[str]:
    return _UNIT.findall(text)


def common_start(first: str, second: str) -> str:
    """The longest run of units that both texts begin with."""
    pairs = zip(units(first), units(second), strict=False)
    return "".join(one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def common_end(first: str, second: str) -> str:
    """The longest run of units that both texts end with."""
    pairs = zip(reversed(units(first)), reversed(units(second)), strict=False)
    return "".join(reversed([one for one, _ in takewhile(lambda pair: pair[0] == pair[1], pairs)]))


def first_marker(text: str) -> str:
    """The first marker of a text, "" when it has none."""
    found = MARKER.search(text)
    return found[0] if found else ""


def last_marker(text: str) -> str:
    return next(reversed(MARKER.findall(text)), "")


def pieces(text: str) -> list[str]:
    """A text that is nothing but markers and blanks, marker by marker; any other text whole, without outer blanks."""
    text = text.strip()
    return MARKER.findall(text) if text and not MARKER.sub("", text).strip() else [text] if text else []


def counterpart(closer: str) -> str:
    """The marker that a closing one belongs to by its looks: `</x>` to `<x>`, `<x|>` to `<|x>`; "" for none."""
    if closer.startswith("</"):
        return "<" + closer[2:]
    if closer.startswith("[/"):
        return "[" + closer[2:]
    if closer.endswith("|>") and not closer.startswith("<|"):
        return "<|" + closer[1:-2] + ">"
    return ""
