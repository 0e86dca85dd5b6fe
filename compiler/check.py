"""What the language forbids, whoever wrote it: a grammar in, the warnings about it out, or the first error.

Invariant: one function a rule; a grammar that passes can be compiled, and none of its faults that a look at it shows is
left for run time.
"""

from __future__ import annotations

import keyword
import re
from itertools import product

from .analyse_delimiters import pattern_node
from .analyse_scans import both_empty
from .analyse_values import is_structured
from .arguments import nearest
from .captures import captured, closing_parts, compiled, delimiters, groups, readers, sides, tags
from .diagnostics import CompileError, NotCaptured, Warned
from .model import (
    Either,
    Emit,
    Field,
    Grammar,
    JsonValue,
    KvLines,
    Literals,
    Members,
    Pattern,
    Ref,
    Xml,
    XmlInline,
    choices,
    name_printed,
    parts,
    refs,
)
from .pattern import Unsupported, nullable
from .policies import choice, fits, own_words, takes_text, tolerable
from .strict_json import excerpt
from .warn import warnings

FIELDS = 64
GROUPS = 64
GRAMMAR_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


def check(grammar: Grammar) -> list[Warned]:
    """The warnings about a grammar: on the whole, then field by field. CompileError: the first rule that it breaks."""
    for rule in RULES:
        rule(grammar)
    return list(warnings(grammar))


# -- names and numbers ------------------------------------------------------------------------------------------------


def names_a_module(grammar: Grammar) -> None:
    if not GRAMMAR_NAME.fullmatch(grammar.name) or keyword.iskeyword(grammar.name):
        raise CompileError("grammar-name", f"{excerpt(grammar.name)} cannot name a grammar", grammar.span)


def has_a_few_fields(grammar: Grammar) -> None:
    if not grammar.fields:
        raise CompileError("no-fields", "there are no fields", grammar.span)
    if len(grammar.fields) > FIELDS:
        what = f"{len(grammar.fields)} fields are more than {FIELDS}"
        raise CompileError("too-many-fields", what, grammar.fields[FIELDS].span)


def fields_have_names_of_their_own(grammar: Grammar) -> None:
    seen: dict[str, Field] = {}
    titles: set[str] = set()
    for field in grammar.fields:
        if not field.name.isprintable() or not field.name:
            what = f"{excerpt(field.name)} cannot name a field: it is empty or does not print on one line"
            raise CompileError("field-name", what, field.span)
        if field.title in titles or (field.name in seen and not (field.label and seen[field.name].label)):
            raise CompileError("two-fields", f"there is a field {name_printed(field.name)} already", field.span)
        first = seen.setdefault(field.name, field)
        if (field.repeats, field.joined, field.required) != (first.repeats, first.joined, first.required):
            what = f"the blocks of {name_printed(field.name)} do not agree whether it is a list, joined or required"
            raise CompileError("unlike-blocks", what, field.span)
        titles.add(field.title)


def one_field_is_implicit(grammar: Grammar) -> None:
    implicit = [field for field in grammar.fields if field.implicit]
    if len(implicit) > 1:
        names = " and ".join(name_printed(field.name) for field in implicit[:2])
        raise CompileError("two-implicit", f"{names} both lack `open`", implicit[1].span)


# -- delimiters -------------------------------------------------------------------------------------------------------


def literals_are_not_empty(grammar: Grammar) -> None:
    for delimiter in delimiters(grammar):
        if isinstance(delimiter, Literals) and "" in delimiter.words:
            raise CompileError("empty-literal", "this literal is empty", delimiter.span)


def patterns_compile(grammar: Grammar) -> None:
    for pattern in [*delimiters(grammar), *(tag for field in grammar.fields for tag in tags(field.reader))]:
        if isinstance(pattern, Pattern):
            compiled(pattern)
            if compiled(pattern).groups > GROUPS:
                what = f"{compiled(pattern).groups} groups are more than {GROUPS}"
                raise CompileError("too-many-groups", what, pattern.span)


def delimiters_can_be_followed(grammar: Grammar) -> None:
    """A tag pattern only sees text that is complete; what stands in it is no matter here."""
    for delimiter in delimiters(grammar):
        if isinstance(delimiter, Pattern):
            try:
                pattern_node(delimiter)
            except Unsupported as beyond:
                what = f"{beyond.what} has no meaning that can be followed while text arrives"
                raise CompileError("beyond", what, delimiter.at(beyond.position)) from None


def regions_come_to_an_end(grammar: Grammar) -> None:
    for field in grammar.fields:
        closer = field.close
        for opening in field.openings:
            if not (isinstance(opening.delimiter, Pattern) and isinstance(closer, Pattern)):
                continue
            if both_empty(pattern_node(opening.delimiter), pattern_node(closer)):
                what = f"both delimiters of {name_printed(field.name)} can match nothing at one place, for ever"
                raise CompileError("endless", what, closer.span)


def captures_are_used(grammar: Grammar) -> None:
    for field in grammar.fields:
        if field.emit is None:
            for delimiter in sides(field):
                if groups(delimiter):
                    names = ", ".join(groups(delimiter))
                    what = (
                        f"{name_printed(field.name)} has no `emit` (a template: `transform`) for what {names} capture"
                    )
                    raise CompileError("unused-captures", what, delimiter.span)


def ends_capture_nothing(grammar: Grammar) -> None:
    for delimiter in (grammar.stop, grammar.stray):
        if delimiter is not None and groups(delimiter):
            what = f"nothing takes what {', '.join(groups(delimiter))} capture here"
            raise CompileError("unused-captures", what, delimiter.span)
        if isinstance(delimiter, Pattern) and nullable(pattern_node(delimiter)):
            raise CompileError("empty-end", "this delimiter can match nothing", delimiter.span)


# -- policies ---------------------------------------------------------------------------------------------------------


def policies_fit(grammar: Grammar) -> None:
    for field in grammar.fields:
        for word in own_words(field.policies):
            if not fits(field, word):
                what = f"`{word}` means nothing for {name_printed(field.name)}"
                raise CompileError("misplaced-policy", what, field.span)


def refused_text_has_a_place(grammar: Grammar) -> None:
    has_place = any(map(takes_text, grammar.fields))
    for field in grammar.fields:
        for word in ("bad", "unknown"):
            if choice(grammar, field, word) == "text" and not has_place:
                what = f"`{word} text` of {name_printed(field.name)} needs a joined implicit field that takes the text"
                raise CompileError("no-text-field", what, field.span)


def ends_exist(grammar: Grammar) -> None:
    opened = {field.name for field in grammar.fields if field.open is not None}
    for field in grammar.fields:
        for name in field.ended_by + field.late_ends:
            if name not in opened - {field.name}:
                what = f"no other field `{name}` has an opener that could end {name_printed(field.name)}"
                raise CompileError("ended-by", what, field.span, nearest(name, sorted(opened - {field.name})))
        if field.implicit and field.ended_by + field.late_ends:
            what = f"{name_printed(field.name)} is ended by every opener: it is what stands outside of the others"
            raise CompileError("ended-by", what, field.span, "leave `ended by` out")
        if field.late_ends and field.close is None:
            what = f"{name_printed(field.name)} never closes by itself"
            raise CompileError("ended-by", what, field.span, "leave `unless closed` out")
        others = [other for other in grammar.fields if other.name in field.ended_by + field.late_ends]
        ends = [opening.delimiter for other in others for opening in other.openings]
        for own, end in product([opening.delimiter for opening in field.openings], ends):
            if both_empty(pattern_node(own), pattern_node(end)):
                what = f"{name_printed(field.name)} can open and be ended in one place, for ever"
                raise CompileError("endless", what, own.span)


def places_exist(grammar: Grammar) -> None:
    for field in grammar.fields:
        for after in filter(None, (opening.place.after for opening in field.openings)):
            before = [other for other in grammar.fields if other.name == after and (other.close or other.value_end)]
            if not any(opening.place.after != after for other in before for opening in other.openings):
                what = f"no region of a field `{after}` comes to stand before {name_printed(field.name)}"
                regions = {other.name for other in grammar.fields if other.open and (other.close or other.value_end)}
                raise CompileError("place-after", what, field.span, nearest(after, sorted(regions)))
            for other in before:
                if isinstance(other.close, Literals) and other.close.blank_after:
                    what = f"the close of {name_printed(other.name)} takes the blanks that this opener begins with"
                    raise CompileError("place-after", what, other.close.span, "leave `blank after` out")


def values_can_end(grammar: Grammar) -> None:
    for field in grammar.fields:
        if field.value_end and (field.implicit or not isinstance(field.reader, JsonValue)):
            what = f"nobody knows where a value of {name_printed(field.name)} ends"
            raise CompileError("value-end", what, field.span)


# -- readers ----------------------------------------------------------------------------------------------------------


def tags_have_keys(grammar: Grammar) -> None:
    for field in grammar.fields:
        for reader in readers(field.reader):
            if isinstance(reader, XmlInline) and "key" not in groups(reader.tag):
                raise CompileError("tag-groups", "this pattern has no group `key`", reader.tag.span)
            if isinstance(reader, Xml):
                _check_pair(reader)


def _check_pair(reader: Xml) -> None:
    if "key" not in groups(reader.open):
        raise CompileError("tag-groups", "what opens a pair has no group `key`", reader.open.span)
    if reader.by and reader.by not in groups(reader.open):
        what = f"what opens a pair has no group `{reader.by}`"
        raise CompileError("tag-groups", what, reader.open.span, nearest(reader.by, groups(reader.open)))
    if reader.by and reader.value is not None:
        raise CompileError("two-readers", "`value =` and `value by` both say what reads a value", reader.open.span)
    if groups(reader.close):
        what = f"nothing takes what {', '.join(groups(reader.close))} capture here"
        raise CompileError("unused-captures", what, reader.close.span)
    for delimiter in (reader.open, reader.close):
        words = delimiter.words if isinstance(delimiter, Literals) else ()
        if "" in words or (isinstance(delimiter, Pattern) and compiled(delimiter).match("")):
            raise CompileError("empty-separator", "a delimiter of a pair can match nothing", delimiter.span)
    parts = closing_parts(reader)
    if parts and (not all(parts) or "{key}" in parts[1] or reader.close != Literals(("{key}".join(parts),))):
        what = "`{key}` stands once in a closer, which is one literal with something before and behind it"
        raise CompileError("tag-groups", what, reader.close.span, 'as in "</{key}>"')


def separators_are_not_empty(grammar: Grammar) -> None:
    for field in grammar.fields:
        for reader in readers(field.reader):
            if isinstance(reader, KvLines) and not (reader.line_sep and reader.kv_sep):
                what = f"`{'kv_sep' if reader.line_sep else 'line_sep'}` is empty"
                raise CompileError("empty-separator", what, field.span)
            if isinstance(reader, JsonValue) and any("" in pair for pair in reader.string_delims):
                raise CompileError("empty-separator", "a delimiter in `string_delims` is empty", field.span)


# -- values -----------------------------------------------------------------------------------------------------------


def each_has_emit(grammar: Grammar) -> None:
    for field in grammar.fields:
        if field.each and field.emit is None:
            raise CompileError(
                "each-alone", "`each` (a template: `transform_each`) needs something to emit", field.span
            )


def lists_are_extended(grammar: Grammar) -> None:
    for field in grammar.fields:
        if field.extend and (not field.repeats or field.joined is not None):
            what = f"{name_printed(field.name)} is no list that could be extended"
            raise CompileError("extend", what, field.span, f"make it one: `field {name_printed(field.name)}[]`")
        if field.extend and not is_structured(field.reader):
            what = f"a body of {name_printed(field.name)} is never a list of items"
            raise CompileError("extend", what, field.span, "leave `extend` out")
        if field.extend and field.each:
            raise CompileError(
                "extend", "with `extend`, `emit` runs once for each item", field.span, "leave `each` out"
            )


def repairs_mean_something(grammar: Grammar) -> None:
    for field in grammar.fields:
        for repair in field.tolerate:
            if repair not in tolerable(grammar, field):
                what = f"`{repair}` repairs nothing that {name_printed(field.name)} could refuse"
                raise CompileError("tolerate", what, field.span)
        if "quotes" in field.tolerate and (field.value_end or choice(grammar, field, "aware") == "yes"):
            what = "where quotes are repaired no string has an edge, which `aware` and `value-end` look for"
            raise CompileError("tolerate", what, field.span, "leave one of them out")


def emitted_values_exist(grammar: Grammar) -> None:
    """Under `each` a name may be a key of the items, which nobody knows here."""
    for field in grammar.fields:
        if field.emit is not None and not field.each:
            known = ("content", *captured(field))
            for ref in refs(field.emit):
                if ref.path[0] not in known:
                    what = f"`{ref.path[0]}` is not captured by {name_printed(field.name)}"
                    raise NotCaptured("not-captured", what, ref.span, nearest(ref.path[0], known))


def choices_are_names(grammar: Grammar) -> None:
    """What may not be there is a name; the last choice of `??` may be JSON, which always is."""
    for field in grammar.fields:
        for part in parts(field.emit):
            if isinstance(part, Either):
                *first, last = part.choices
                for choice in first if isinstance(last, Ref) or not any(refs(last)) else part.choices:
                    _may_lack(choice, field, "what follows `??` is never used")
            elif isinstance(part, Members):
                for key, value in part.members:
                    for choice in choices(value) if key in part.optional else ():
                        _may_lack(choice, field, f"the key {excerpt(key)} is never left out")


def _may_lack(choice: Emit, field: Field, otherwise: str) -> None:
    if not isinstance(choice, Ref) or (choice.path == ("content",) and not field.each):
        raise CompileError("always-there", f"`{choice}` is always there: {otherwise}", choice.span)


def defaults_can_be_added_to(grammar: Grammar) -> None:
    values = grammar.default_values
    for field in grammar.fields:
        if field.repeats and field.name in values:
            value = values[field.name]
            if field.joined is None and not isinstance(value, list):
                what = f"{name_printed(field.name)} is a list, and its default is none"
                raise CompileError("default-type", what, field.span, "start with [], or leave the default out")
            if field.joined is not None and not isinstance(value, str | None):
                what = f"{name_printed(field.name)} joins strings, and its default is none"
                raise CompileError("default-type", what, field.span, 'start with "", or leave the default out')


RULES = (
    names_a_module,
    has_a_few_fields,
    fields_have_names_of_their_own,
    one_field_is_implicit,
    literals_are_not_empty,
    patterns_compile,
    delimiters_can_be_followed,
    regions_come_to_an_end,
    captures_are_used,
    ends_capture_nothing,
    policies_fit,
    refused_text_has_a_place,
    ends_exist,
    places_exist,
    values_can_end,
    tags_have_keys,
    separators_are_not_empty,
    each_has_emit,
    lists_are_extended,
    repairs_mean_something,
    emitted_values_exist,
    choices_are_names,
    defaults_can_be_added_to,
)
