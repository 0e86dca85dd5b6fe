"""Names and literals for generated code: in goes text from anywhere, out comes text that cannot carry code.

Invariant: what leaves here is ASCII; an identifier comes from a fixed set or matches NAME; a comment stays on its line.
"""

from __future__ import annotations

import keyword
import re

from runtime.stream import Stream

NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")
_PLAIN_RAW = re.compile(r"[ !#-~]*")  # printable ASCII without the double quote


def identifiers(names: list[str]) -> dict[str, str]:
    """An identifier for each field: its name when that is harmless and unlike all others, else `field_N`."""
    given: dict[str, str] = {}
    taken: set[str] = set()
    for index, name in enumerate(names, 1):
        usable = NAME.fullmatch(name) and not keyword.iskeyword(name) and name not in taken and not _is_ours(name)
        given[name] = name if usable and not re.fullmatch(r"field_\d+", name) else f"field_{index}"
        taken.add(given[name])
    return given


def _is_ours(name: str) -> bool:
    ours = {*dir(Stream), *Stream.__annotations__}
    return not ours.isdisjoint((f"_read_{name}", f"_close_{name}", name.upper()))


def literal(text: str) -> str:
    """A string literal with double quotes where that needs no escape."""
    if type(text) is not str:
        raise TypeError(f"a literal is made of str, not {type(text).__name__}")
    shown = ascii(text)
    return f'"{shown[1:-1]}"' if shown[0] == "'" and '"' not in shown and "\\'" not in shown else shown


def raw_literal(pattern: str) -> str:
    """A literal for a regular expression: raw where it can be."""
    if _PLAIN_RAW.fullmatch(pattern) and "\\" in pattern and not pattern.endswith("\\"):
        return f'r"{pattern}"'
    return literal(pattern)


def value(constant: object) -> str:
    """The source of a JSON value, exact types only."""
    if constant is None or type(constant) in (bool, int):
        return repr(constant)
    if type(constant) is float:
        return repr(constant) if constant - constant == 0 else f'float("{constant!r}")'
    if type(constant) is str:
        return literal(constant)
    if type(constant) is list:
        return f"[{', '.join(map(value, constant))}]"
    if type(constant) is dict:
        return "{" + ", ".join(f"{value(key)}: {value(item)}" for key, item in constant.items()) + "}"
    raise TypeError(f"{type(constant).__name__} is no JSON type")


def comment(text: str) -> str:
    """Printable ASCII on one line."""
    return "".join(c if " " <= c <= "~" else ascii(c)[1:-1] for c in text)


def prose(text: str, room: int = 56) -> str:
    """The same, safe inside a docstring and not longer than `room`."""
    shown = comment(text).replace('"""', '""\\"')
    return shown if len(shown) <= room else shown[: room - 3].rstrip("\\") + "..."
