"""What a chat template does to values that it should not: in go values and the rendered text, out comes what was done.

Invariant: only what can be seen in the text is reported: a value in Python's notation, or a string between quotes of
some kind in which those quotes stand unescaped, so that nobody can tell where it ends.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any


def faults(value: Any, text: str) -> list[str]:
    """All faults of a text that renders the value, in words."""
    found = [f"prints Python's {form}" for form in leaks(value, text)]
    return found + [f"does not escape {sign!r} inside {sign!r}" for sign in unescaped(value, text)]


def leaks(value: Any, text: str) -> list[str]:
    """The Python forms of a value and of what it is made of that stand in the text: `None`, `True`, `['a']`."""
    strings = list(_strings(value))
    found = []
    for part in _parts(value):
        form = repr(part)
        if form == json.dumps(part, ensure_ascii=False) or any(form in string for string in strings):
            continue
        if re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text):
            found.append(form)
    return list(dict.fromkeys(found))


def unescaped(value: Any, text: str) -> list[str]:
    """The quotes that strings are printed in and that stand inside them too; in ' and " a line break counts as well."""
    found = []
    for string in filter(None, _strings(value)):
        at = text.find(string)
        while at >= 0:
            sign = around(text, at, at + len(string))
            if sign and (sign in string or (sign in "'\"" and "\n" in string)):
                found.append(sign)
            at = text.find(string, at + 1)
    return list(dict.fromkeys(found))


def around(text: str, start: int, end: int) -> str:
    """The longest sign, without blanks, that stands on both sides of a stretch."""
    for size in range(8, 0, -1):
        sign = text[end : end + size]
        if len(sign) == size and sign == text[max(0, start - size) : start] and not any(map(str.isspace, sign)):
            return sign
    return ""


def _parts(value: Any) -> Iterator[Any]:
    """Everything in a value that may be written otherwise in Python than in JSON; strings are not. Outermost first."""
    if value is None or isinstance(value, (bool, dict, list)):
        yield value
    for member in _members(value):
        yield from _parts(member)


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    if isinstance(value, dict):
        yield from value
    for member in _members(value):
        yield from _strings(member)


def _members(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
