"""Delimiters as `regex` reads them: in go delimiters and readers, out come compiled patterns, their trees and groups.

Invariant: every pattern is compiled with the flags that its meaning is defined by (V0, DOTALL).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import regex

from .diagnostics import CompileError
from .model import Delimiter, Field, Grammar, KvLines, Literals, Pattern, Reader, Xml, XmlInline
from .pattern import Malformed, Node, Unsupported, parse


def delimiters(grammar: Grammar) -> Iterator[Delimiter]:
    """The anchor, `stop` and `stray`, then each field's open and close, as far as there are any."""
    yield from (delimiter for delimiter in (grammar.anchor, grammar.stop, grammar.stray) if delimiter is not None)
    for field in grammar.fields:
        yield from sides(field)


def sides(field: Field) -> Iterator[Delimiter]:
    """A field's openers and its closer."""
    yield from (opening.delimiter for opening in field.openings)
    if field.close is not None:
        yield field.close


def readers(reader: Reader) -> Iterator[Reader]:
    """A reader, and those that read its values."""
    yield reader
    inner = [reader.value] if isinstance(reader, XmlInline | KvLines | Xml) else []
    inner += [one for _, one in reader.readers] if isinstance(reader, Xml) else []
    for one in inner:
        if one is not None:
            yield from readers(one)


def tags(reader: Reader) -> Iterator[Delimiter]:
    """The delimiters that a reader, and those of its values, look for in a body; closers with `{key}` are none."""
    for one in readers(reader):
        if isinstance(one, XmlInline):
            yield one.tag
        elif isinstance(one, Xml):
            yield one.open
            if closing_parts(one) is None:
                yield one.close


def closing_parts(reader: Xml) -> tuple[str, str] | None:
    """What stands before and behind `{key}` in the closer of a pair."""
    words = reader.close.words if isinstance(reader.close, Literals) else ()
    before, found, behind = "|".join(words).partition("{key}")
    return (before, behind) if found else None


def groups(delimiter: Delimiter | None) -> tuple[str, ...]:
    """The names of a delimiter's groups, in their order."""
    return tuple(compiled(delimiter).groupindex) if isinstance(delimiter, Pattern) else ()


def captured(field: Field) -> tuple[str, ...]:
    """The names of the groups of all its delimiters, once each."""
    return tuple(dict.fromkeys(name for side in sides(field) for name in groups(side)))


def compiled(pattern: Pattern) -> Any:
    """The `regex` pattern. CompileError: with the message and the place inside the pattern."""
    tree(pattern)
    return _compiled(pattern.text)


def tree(pattern: Pattern) -> Node | None:
    """The pattern as a tree, None when it uses what trees cannot say. CompileError: as above."""
    try:
        return parse(pattern.text)
    except Unsupported:
        return None
    except Malformed as refused:
        what = f"no pattern: {refused.what} at position {refused.position}"
        raise CompileError("bad-pattern", what, pattern.at(refused.position)) from None


@lru_cache(maxsize=512)
def _compiled(text: str) -> Any:
    return regex.compile(text, regex.DOTALL)
