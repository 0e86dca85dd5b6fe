"""JSON from strangers: in goes text or a value, out comes plain JSON or a CompileError with a path.

Invariant: what passes has exact JSON types only, no cycle, LEVELS levels, BYTES characters and DIGITS digits at most,
and some JSON text spells each of its strings.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from .diagnostics import CompileError
from .model import Json, name_printed, quoted
from .source import Source, Span

BYTES = 65_536
LEVELS = 32
DIGITS = 4_300
_TOO_LARGE_INTEGER: int = 10**DIGITS
_TWO_SURROGATES = re.compile("[\ud800-\udbff][\udc00-\udfff]")


@dataclass(frozen=True)
class _Refused:
    """Stands in a value for what JSON text said and must not; the walk finds it and knows its path."""

    code: str
    what: str
    key: str = ""


def loads_strictly(text: str, *, name: str = "template") -> dict[str, Json]:
    """The object that a JSON text says. CompileError: no JSON, no object, or more than the invariant allows."""
    source = Source(name, text)
    if len(text.encode("utf-8", "surrogatepass")) > BYTES:
        raise CompileError("too-large", f"this template is longer than {BYTES:,} bytes", Span(Source(name)))
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_int=whole_number, parse_float=_float, parse_constant=_constant
        )
    except json.JSONDecodeError as error:
        what = f"no JSON: {error.msg[:1].lower()}{error.msg[1:]}"
        raise CompileError("bad-json", what, Span(source, error.pos, error.pos + 1)) from None
    except RecursionError:
        raise CompileError("too-deep", f"this is nested deeper than {LEVELS} levels", Span(Source(name))) from None
    top = Span(Source(name))
    refuse_foreign(value, top)
    if type(value) is not dict:
        raise CompileError("shape", f"a template is an object, not {called(value)}", top)
    return value


def _object(pairs: list[tuple[str, Any]]) -> object:
    value: dict[str, Any] = {}
    for key, item in pairs:
        if key in value:
            return _Refused("repeated", f"the key {excerpt(key)} is given twice", key)
        value[key] = item
    return value


def whole_number(digits: str) -> Any:
    """An int, or what the walk refuses when it has too many digits to be read quickly."""
    return int(digits) if len(digits) <= DIGITS else _Refused("foreign-type", f"a number of over {DIGITS:,} digits")


def _float(digits: str) -> object:
    value = float(digits)
    return value if abs(value) != float("inf") else _Refused("foreign-type", f"{digits[:20]} is not finite")


def _constant(word: str) -> object:
    return _Refused("foreign-type", f"{word} is no JSON")


def refuse_foreign(value: object, span: Span) -> None:
    """CompileError unless the value is plain JSON of a modest size."""
    _Walk().visit(value, span, ())


class _Walk:
    """Counts the characters that the value takes as JSON text, so that shared parts cannot grow without end."""

    def __init__(self) -> None:
        self.left = BYTES

    def visit(self, value: object, span: Span, above: tuple[int, ...]) -> None:
        if type(value) is dict or type(value) is list:
            if id(value) in above:
                raise CompileError("foreign-type", "this value holds itself", span)
            if len(above) == LEVELS:
                raise CompileError("too-deep", f"this is nested deeper than {LEVELS} levels", span)
            items = value.items() if type(value) is dict else enumerate(value)
            self.spend(2, span)
            for key, item in items:
                if type(value) is dict:
                    self.string(key, span)
                self.visit(item, below(span, key), (*above, id(value)))
        elif isinstance(value, _Refused):
            raise CompileError(value.code, value.what, below(span, value.key) if value.key else span)
        elif type(value) is str:
            self.string(value, span)
        elif type(value) is int and abs(value) >= _TOO_LARGE_INTEGER:
            raise CompileError("foreign-type", f"a number of over {DIGITS:,} digits", span)
        elif type(value) is float and value - value != 0:
            raise CompileError("foreign-type", f"{value} is no JSON", span)
        elif value is None or type(value) in (int, float, bool):
            self.spend(len(json.dumps(value)), span)
        else:
            raise CompileError("foreign-type", f"{called(value)} is no JSON", span)

    def string(self, text: object, span: Span) -> None:
        if type(text) is not str:
            raise CompileError("foreign-type", f"a key is a string, not {called(text)}", span)
        self.spend(len(text) + 2, span)
        if _TWO_SURROGATES.search(text):
            raise CompileError("foreign-type", "no JSON text spells a high surrogate before a low one", span)

    def spend(self, characters: int, span: Span) -> None:
        self.left -= characters
        if self.left < 0:
            raise CompileError("too-large", f"this is longer than {BYTES:,} bytes of JSON", Span(span.source))


def below(span: Span, key: object) -> Span:
    """The place of a member (key: str) or an item (key: int)."""
    if type(key) is int:
        return Span(span.source, path=f"{span.path}[{key}]")
    name = name_printed(str(key)[:80])
    return Span(span.source, path=f"{span.path}.{name}" if span.path else name)


def called(value: object) -> str:
    """A value's type, in the words of JSON."""
    words = {dict: "an object", list: "a list", str: "a string", bool: "true or false", int: "a number"}
    words |= {float: "a number", type(None): "null"}
    return words.get(type(value), f"the type {excerpt(type(value).__name__)}")


def excerpt(text: str) -> str:
    """A stranger's text, short and on one line."""
    return quoted(text if len(text) <= 60 else text[:57] + "...")
