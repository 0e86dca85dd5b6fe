"""What servers need to know of a format: in goes a grammar, out comes JSON; docs/serving.md says what each key is for.

Invariant: all of it follows from the grammar, and has the shape of editors/facts.schema.json.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .analyse_delimiters import pattern_node, pattern_text, words_of
from .captures import closing_parts, delimiters, groups, readers, tags
from .chat.units import MARKER
from .fixed import heads, texts
from .model import Constant, Delimiter, Emit, Field, Grammar, JsonValue, Literals, Members, Xml, choices, refs
from .pattern import Unsupported
from .reduce import kind_of

Facts = dict[str, Any]


def facts(grammar: Grammar) -> Facts:
    """The facts of a grammar that check accepts."""
    return {
        "grammar": grammar.name,
        "models": list(grammar.models),
        "defaults": grammar.default_values,
        "anchor": _delimiter(grammar.anchor),
        "preserve": list(preserved(grammar)),
        "fields": [_field(grammar, field) for field in grammar.fields],
    }


def preserved(grammar: Grammar) -> tuple[str, ...]:
    """The markers of regions, and of pairs in their bodies, sorted; other fixed text where a delimiter has none."""
    found = set()
    for text in _fixed(grammar):
        markers = MARKER.findall(text)
        found |= set(markers) if markers else {text.strip()} if any(map(str.isalnum, text)) else set()
    return tuple(sorted(found))


def _fixed(grammar: Grammar) -> Iterator[str]:
    """The fixed texts of all delimiters but the anchor, which stands in the prompt."""
    bodies = [reader for field in grammar.fields for reader in readers(field.reader)]
    for delimiter in [*delimiters(grammar)][1:] + [tag for reader in bodies for tag in tags(reader)]:
        if isinstance(delimiter, Literals):
            yield from delimiter.words
        else:
            try:
                yield from texts(pattern_node(delimiter))
            except Unsupported:  # a pair may be what no automaton follows
                continue
    for reader in bodies:
        if isinstance(reader, Xml):
            yield from closing_parts(reader) or ()
        elif isinstance(reader, JsonValue):
            yield from (quote for pair in reader.string_delims for quote in pair)


# -- a field -----------------------------------------------------------------------------------------------------------


def _field(grammar: Grammar, field: Field) -> Facts:
    kind = kind_of(field)
    return {
        "field": field.name,
        "label": field.label or None,
        "kind": kind,
        "reader": str(field.reader).partition("(")[0],
        "list": field.repeats and field.joined is None,
        "open": _delimiter(field.open) if field.open else None,
        "when": str(field.place).removeprefix("when ") or None,
        "also": [
            {"open": _delimiter(one.delimiter), "when": str(one.place).removeprefix("when ") or None}
            for one in field.further
        ],
        "ends": list(_ends(grammar, field)),
        "call": _call(field) if kind == "tools" else None,
    }


def _ends(grammar: Grammar, field: Field) -> Iterator[Facts]:
    """What ends a region of the field, besides the end of the text."""
    if field.close:
        yield {"by": "close", "at": _delimiter(field.close)}
    if field.value_end:
        yield {"by": "value"}
    for other in grammar.fields:
        ends = field.implicit or other.name in field.ended_by
        if other is field or not (ends or other.name in field.late_ends):
            continue
        for opening in other.openings:
            if not opening.place.after:  # others stand where no region is open
                whose = {"field": other.name, "label": other.label or None}
                yield {"by": "open", **whose, "at": _delimiter(opening.delimiter), "unless_closed": not ends}
    for by, delimiter in (("stray", grammar.stray if field.implicit else None), ("stop", grammar.stop)):
        if delimiter:
            yield {"by": by, "at": _delimiter(delimiter)}


def _call(field: Field) -> dict[str, list[str]]:
    """Where the name, the arguments and the id of a call come from."""
    found: dict[str, list[str]] = {"name": [], "arguments": [], "id": []}
    for shape in choices(field.emit) if field.emit else ():
        members = dict(shape.members) if isinstance(shape, Members) else {}
        parts = {"id": members.get("id")}
        for function in choices(members.get("function", shape)):
            inner = dict(function.members) if isinstance(function, Members) else {}
            parts |= {key: inner.get(key, function) for key in ("name", "arguments")}
            for key, emit in parts.items():
                found[key] += _sources(field, emit) if emit else []
    if field.emit is None:
        found = {key: ["body"] for key in found}
    return {key: list(dict.fromkeys(sources)) for key, sources in found.items()}


def _sources(field: Field, emit: Emit) -> list[str]:
    """Where a value is from: opener, body, closer, or "fixed" by the grammar; of several the first that is there."""
    if isinstance(emit, Constant):
        return ["fixed"]
    known = {**dict.fromkeys(groups(field.close), "closer"), **dict.fromkeys(groups(field.open), "opener")}
    found = [known.get(ref.path[0], "body") for choice in choices(emit) for ref in refs(choice)]
    return found + ["fixed"] * any(not list(refs(choice)) for choice in choices(emit))


# -- a delimiter -------------------------------------------------------------------------------------------------------


def _delimiter(delimiter: Delimiter) -> Facts:
    node = pattern_node(delimiter)
    words = words_of(node)
    return {
        "words": None if words is None else [word.text for word in words if not word.ahead],
        "before": [word.text for word in words or () if word.ahead],
        "begins": list(heads(node)),
        "pattern": pattern_text(delimiter),
    }
