"""What a content type may be given: in go a name and arguments by name, out comes a reader of the model.

Invariant: this is the one table of content types, for grammars and templates alike; a reader that comes out holds
values of the right types only.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .diagnostics import CompileError
from .model import (
    POLICIES,
    Bool,
    CallList,
    Delimiter,
    Float,
    Int,
    JsonLines,
    JsonValue,
    KvLines,
    Pattern,
    Python,
    Reader,
    Ref,
    Text,
    Xml,
    XmlInline,
)
from .source import Span
from .strict_json import excerpt


@dataclass(frozen=True)
class Argument:
    """A value as the author wrote it: JSON, a Pattern, a Reader, or the Ref of a bare word."""

    value: object
    span: Span


def flag(given: Argument) -> bool:
    if type(given.value) is bool:
        return given.value
    raise _wrong(given, "true or false")


def text(given: Argument) -> str:
    if type(given.value) is str:
        return given.value
    raise _wrong(given, "a string")


def pairs(given: Argument) -> tuple[tuple[str, str], ...]:
    """`[[open, close], ...]`."""
    listed = given.value if type(given.value) is list else [None]
    pairs = [tuple(pair) for pair in listed if type(pair) is list and [type(side) for side in pair] == [str, str]]
    if len(pairs) < len(listed):
        raise _wrong(given, "a list of pairs of strings, as in [[open, close]]")
    return tuple((opening, closing) for opening, closing in pairs)


def pattern(given: Argument) -> Pattern:
    if isinstance(given.value, Pattern):
        return given.value
    raise _wrong(given, "a pattern")


def reader(given: Argument) -> Reader:
    if isinstance(given.value, Ref) and len(given.value.path) == 1:
        return make(given.value.path[0], {}, given.span)
    if isinstance(given.value, Reader):
        return given.value
    raise _wrong(given, "a content type, as in value = json")


def separator(given: Argument) -> str:
    if type(given.value) is str and (given.value == "," or given.value.isspace()):
        return given.value
    raise _wrong(given, 'a comma or white space, as in separator = "\\n"')


def item_name(given: Argument) -> str:
    """What the items of a list are called: "item" when `nested` stands alone."""
    name = {True: "item", False: ""}.get(given.value) if type(given.value) is bool else given.value
    if type(name) is str:
        return name
    raise _wrong(given, "true, false, or what items are called")


def trim(given: Argument) -> str:
    if isinstance(given.value, Ref) and str(given.value) in POLICIES["trim"]:
        return str(given.value)
    raise _wrong(given, f"one of {', '.join(POLICIES['trim'])}")


def pair(given: Argument) -> tuple[Pattern, Delimiter]:
    """What `pair OPEN CLOSE` gives, which is no other argument's value."""
    assert isinstance(given.value, tuple)
    opening, closing = given.value
    return opening, closing


def by(given: Argument) -> tuple[str, tuple[tuple[str, Reader], ...]]:
    """What `value by GROUP {...}` gives."""
    if isinstance(given.value, tuple):
        group, readers = given.value
        return group, readers
    raise _wrong(given, 'a choice of readers, as in value by kind {"text": text}')


def xml(*, pair: tuple[Pattern, Delimiter], by: Any = ("", ()), **others: Any) -> Xml:
    return Xml(*pair, by=by[0], readers=by[1], **others)


def _wrong(given: Argument, due: str) -> CompileError:
    return CompileError("argument-type", f"this argument has to be {due}", given.span)


@dataclass(frozen=True)
class ContentType:
    """`build` takes the arguments that `takes` names, converted; without one in `needs` there is no reader.

    is_beyond: version 1 has nothing of this type.
    """

    build: Callable[..., Reader]
    takes: Mapping[str, Callable[[Argument], Any]]
    needs: tuple[str, ...] = ()
    is_beyond: bool = False


STRIP = {"strip": flag}
READERS: dict[str, ContentType] = {
    "text": ContentType(Text, STRIP),
    "int": ContentType(Int, STRIP),
    "float": ContentType(Float, STRIP),
    "bool": ContentType(Bool, STRIP),
    "json": ContentType(
        JsonValue, {"unquoted_keys": flag, "string_delims": pairs, "allow_non_json": flag, "strip": flag}
    ),
    "xml-inline": ContentType(XmlInline, {"tag": pattern, "value": reader, "merge_duplicates": flag}, ("tag",)),
    "kv-lines": ContentType(KvLines, {"line_sep": text, "kv_sep": text, "strip": flag, "value": reader}),
    "python-call-list": ContentType(CallList, {}),
    "xml": ContentType(
        xml,
        {
            "pair": pair,
            "value": reader,
            "by": by,
            "nested": item_name,
            "trim": trim,
            "entities": flag,
            "merge_duplicates": flag,
        },
        ("pair",),
        is_beyond=True,
    ),
    "call-list": ContentType(CallList, {"brackets": flag, "separator": separator}, is_beyond=True),
    "python": ContentType(Python, {}, is_beyond=True),
    "json-lines": ContentType(JsonLines, {}, is_beyond=True),
}
NAMES = {content_type.build: name for name, content_type in READERS.items() if not content_type.is_beyond}


def make(name: str, arguments: Mapping[str, Argument], span: Span, called: Mapping[str, str] | None = None) -> Reader:
    """The reader `name` with its arguments; `called`: what the author calls an argument, when not as we do.

    CompileError: no such reader or argument, an argument of a wrong type, one that is missing.
    """
    if name not in READERS:
        raise CompileError("unknown-reader", f"there is no content type {excerpt(name)}", span, nearest(name, READERS))
    content_type = READERS[name]
    for key, given in arguments.items():
        if key not in content_type.takes:
            known = tuple((called or {}).get(key, key) for key in content_type.takes)
            what = f"`{name}` has no argument {excerpt(key)}"
            raise CompileError("unknown-argument", what, given.span, nearest(key, known))
    for key in content_type.needs:
        if key not in arguments:
            what = f"`{name}` needs the argument `{(called or {}).get(key, key)}`"
            raise CompileError("missing-argument", what, span)
    return content_type.build(**{key: content_type.takes[key](given) for key, given in arguments.items()})


def nearest(word: str, known: Iterable[str], otherwise: str = "") -> str:
    """The way out of a misspelling; where no known word is near, `otherwise`, or all of them."""
    known = tuple(known)
    found = difflib.get_close_matches(word[:80], known, 1)
    if found:
        return f"did you mean `{found[0]}`?"
    if otherwise:
        return otherwise
    return f"there are: {', '.join(f'`{name}`' for name in known)}" if known else "it takes none"
