"""Response templates, version 1: JSON in, the model out, and back.

Invariant: what transformers loads is accepted, but for the codes that diagnostics.py marks as stricter (here and in
check.py); from_template(to_template(grammar)) means what grammar means, and equals it unless it has `blank` delimiters
or policies that change nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, NoReturn

import regex

from .analyse_delimiters import pattern_text
from .arguments import NAMES, READERS, Argument, flag, make, nearest, pattern, reader
from .captures import readers
from .diagnostics import CompileError
from .model import (
    ANYWHERE,
    POLICIES,
    SOLE,
    CallList,
    Constant,
    Delimiter,
    Either,
    Emit,
    Field,
    Grammar,
    Items,
    Json,
    Literals,
    Members,
    Pattern,
    Reader,
    Ref,
    Text,
    json_printed,
    name_printed,
)
from .policies import VERSION_1, choice, of_grammar
from .source import Source, Span
from .strict_json import below, called, excerpt, loads_strictly, refuse_foreign

__all__ = ["from_template", "loads_strictly", "to_template"]

PLACEHOLDER = regex.compile(r"\{(\w+(?:\.\w+)*)\}")
TEMPLATE_KEYS = ("version", "defaults", "start_anchor", "start_anchor_pattern", "fields")
FIELD_KEYS = (
    "open",
    "open_pattern",
    "close",
    "close_pattern",
    "content",
    "content_args",
    "repeats",
    "join",
    "optional",
    "transform",
    "transform_each",
)
# What templates call the arguments that grammars call otherwise.
TO_TEMPLATE = {"tag": "tag_pattern", "value": "value_parser"}


def from_template(
    template: object, *, name: str = "template", origin: str | None = None, strict: bool = False
) -> Grammar:
    """The grammar that a template says, called `name`. origin: starts each message's place; default: the name.

    strict: `repeats`, `optional` and the flags among `content_args` have to be booleans, else any JSON value counts by
    its truth. Content arguments that nothing reads are noted in Grammar.overlooked.
    """
    top = Span(Source(origin or name))
    if type(template) is not dict:
        _refuse("shape", f"a template is an object, not {called(template)}", top)
    refuse_foreign(template, top)
    return _Loading(strict).grammar(template, name, top)


@dataclass
class _Loading:
    strict: bool
    overlooked: list[Span] = field(default_factory=list)

    def grammar(self, template: dict[str, Any], name: str, top: Span) -> Grammar:
        version = template.get("version", 1)
        if version != 1 or (self.strict and type(version) is not int):
            _refuse("version", f"there is no version {json_printed(version)[:40]}", below(top, "version"))
        _known_keys(template, TEMPLATE_KEYS, top)
        defaults = template.get("defaults", {})
        if type(defaults) is not dict:
            _refuse("shape", f"`defaults` is an object, not {called(defaults)}", below(top, "defaults"))
        anchor = self.delimiter(template, "start_anchor", top)
        if anchor is None:
            _refuse("no-anchor", "a template needs `start_anchor` or `start_anchor_pattern`", top)
        raw_fields, at = template.get("fields", {}), below(top, "fields")
        if type(raw_fields) is not dict:
            _refuse("shape", f"`fields` is an object, not {called(raw_fields)}", at)
        return Grammar(
            name,
            anchor,
            tuple(self.field(key, raw, below(at, key)) for key, raw in raw_fields.items()),
            tuple((key, json_printed(value)) for key, value in defaults.items()),
            overlooked=tuple(self.overlooked),
            span=top,
        )

    def field(self, name: str, raw: object, span: Span) -> Field:
        if type(raw) is not dict:
            _refuse("shape", f"a field is an object, not {called(raw)}", span)
        _known_keys(raw, FIELD_KEYS, span)
        repeats = self.truth(raw.get("repeats", False), below(span, "repeats"))
        joined = raw.get("join")
        if joined is not None and type(joined) is not str:
            _refuse("shape", f"`join` must be a string, not {called(joined)}", below(span, "join"))
        if joined is not None and not repeats:
            _refuse("join-alone", "`join` needs `repeats`", below(span, "join"))
        each = raw.get("transform_each", False)
        if type(each) is not bool:
            _refuse("shape", f"`transform_each` is true or false, not {called(each)}", below(span, "transform_each"))
        transform = raw.get("transform")
        return Field(
            name,
            open=self.delimiter(raw, "open", span),
            close=self.delimiter(raw, "close", span),
            reader=self.reader(
                raw.get("content", "text"), raw.get("content_args", {}), span, "content", "content_args"
            ),
            repeats=repeats,
            joined=joined,
            required=not self.truth(raw.get("optional", True), below(span, "optional")),
            emit=None if transform is None else _emit(transform, below(span, "transform")),
            each=each,
            span=span,
        )

    def truth(self, value: object, span: Span) -> bool:
        if self.strict and type(value) is not bool:
            _refuse("shape", f"this is true or false, not {called(value)}", span)
        return bool(value)

    def delimiter(self, raw: dict[str, Any], key: str, above: Span) -> Delimiter | None:
        """`key` holds literals, `key_pattern` a pattern."""
        if key in raw and f"{key}_pattern" in raw:
            _refuse("two-spellings", f"both `{key}` and `{key}_pattern` are given", above)
        if key in raw:
            return _literals(raw[key], below(above, key))
        if f"{key}_pattern" not in raw:
            return None
        text, span = raw[f"{key}_pattern"], below(above, f"{key}_pattern")
        if type(text) is not str:
            _refuse("shape", f"a pattern is a string, not {called(text)}", span)
        return Pattern(text, span)

    def reader(self, name: object, args: object, above: Span, name_key: str, args_key: str) -> Reader:
        span = below(above, name_key)
        if type(name) is not str:
            _refuse("shape", f"a content type is a string, not {called(name)}", span)
        if type(args) is not dict:
            _refuse("argument-type", f"arguments are an object, not {called(args)}", below(above, args_key))
        if name not in NAMES.values():
            _refuse("unknown-reader", f"there is no content type {excerpt(name)}", span, nearest(name, NAMES.values()))
        takes = READERS[name].takes
        ours = {TO_TEMPLATE.get(key, key): key for key in takes}
        arguments = {}
        for key, value in args.items():
            at = below(below(above, args_key), key)
            if key in ours:
                given = self.argument(value, takes[ours[key]], at)
                if given is not None:
                    arguments[ours[key]] = Argument(given, at)
            else:
                self.overlooked.append(at)
        return make(name, arguments, span, TO_TEMPLATE)

    def argument(self, value: object, kind: object, span: Span) -> object:
        """What the table of content types takes; None for a `value_parser` that is not there."""
        if kind is flag:
            return self.truth(value, span)
        if kind is pattern and type(value) is str:
            return Pattern(value, span)
        if kind is reader and type(value) is dict:
            return self.value_parser(value, span)
        if value is None and kind is not reader:
            _refuse("argument-type", "this argument is null", span, "leave it out")
        return value

    def value_parser(self, raw: dict[str, Any], span: Span) -> Reader:
        self.overlooked += [below(span, key) for key in raw if key not in ("name", "args")]
        return self.reader(raw.get("name", "text"), raw.get("args", {}), span, "name", "args")


def _refuse(code: str, what: str, span: Span, way_out: str = "") -> NoReturn:
    raise CompileError(code, what, span, way_out)


def _known_keys(raw: dict[str, Any], known: tuple[str, ...], span: Span) -> None:
    for key in raw:
        if key not in known:
            _refuse(
                "unknown-key", f"response templates have no {excerpt(key)} here", below(span, key), nearest(key, known)
            )


def _literals(raw: object, span: Span) -> Literals:
    words: list[Any] = raw if type(raw) is list else [raw]
    for index, word in enumerate(words):
        if type(word) is not str:
            at = span if words is not raw else below(span, index)
            _refuse("shape", f"a literal is a string or a list of strings, not {called(word)}", at)
    if not words:
        _refuse("empty-list", "this list has no literal", span)
    return Literals(tuple(dict.fromkeys(words)), span=span)


def _emit(value: Any, span: Span) -> Emit:
    if type(value) is dict:
        return Members(tuple((key, _emit(item, below(span, key))) for key, item in value.items()), span=span)
    if type(value) is list:
        return Items(tuple(_emit(item, below(span, index)) for index, item in enumerate(value)), span)
    if type(value) is str and PLACEHOLDER.search(value):
        whole = PLACEHOLDER.fullmatch(value)
        if whole is None:
            what = f"{excerpt(value)} mixes a placeholder with other text: there is no interpolation"
            _refuse("mixed-placeholder", what, span)
        return Ref(tuple(whole[1].split(".")), span)
    return Constant(value, span)


# -- and back ---------------------------------------------------------------------------------------------------------


def to_template(grammar: Grammar) -> dict[str, Json]:
    """The template that says the same. CompileError `no-template` names what templates cannot say."""
    lost = list(_lost(grammar))
    if lost:
        words = ", ".join(f"`{word}`" for word in dict.fromkeys(word for word, _ in lost))
        _refuse("no-template", f"response templates cannot say {words}", lost[0][1])
    template: dict[str, Json] = {}
    if grammar.defaults:
        template["defaults"] = grammar.default_values
    _put_delimiter(template, "start_anchor", grammar.anchor)
    template["fields"] = {field.name: _field_exported(field) for field in grammar.fields}
    refuse_foreign(template, Span(grammar.span.source))
    return template


def _lost(grammar: Grammar) -> Iterator[tuple[str, Span]]:
    """Each word of the grammar and its fields that templates do not have, and where it stands."""
    if coerce := of_grammar(grammar, "coerce"):
        yield f"coerce {coerce}", grammar.span
    for word, delimiter in (("stop", grammar.stop), ("stray", grammar.stray)):
        if delimiter is not None:
            yield word, delimiter.span
    for one in grammar.fields:
        words = [f"as {one.label}"] if one.label else []
        words += [str(opening.place) for opening in one.openings if opening.place != ANYWHERE]
        words += ["a further `open`"] if one.further else []
        words += ["close value-end"] if one.value_end else []
        words += ["extend"] if one.extend else []
        words += ["tolerate"] if one.tolerate else []
        words += [str(reads).partition("(")[0] for reads in readers(one.reader) if not _is_known(reads)]
        words += [f"ended by {name_printed(name)}" for name in one.ended_by]
        words += [f"ended by {name_printed(name)} unless closed" for name in one.late_ends]
        yield from ((word, one.span) for word in [*words, *_effective(grammar, one)])


def _is_known(reader: Reader) -> bool:
    return reader == CallList() if isinstance(reader, CallList) else type(reader) in NAMES


def _effective(grammar: Grammar, field: Field) -> Iterator[str]:
    """The policies that make the field mean something else than it does in version 1."""
    for word in POLICIES:
        said = choice(grammar, field, word)
        strips = isinstance(field.reader, Text) and field.reader.strip
        is_as_ever = word == "trim" and field.joined is None and said == ("both" if strips else "none")
        if said != VERSION_1[word] and not is_as_ever:
            yield word if said == "yes" else f"{word} {said}"


def _field_exported(field: Field) -> dict[str, Json]:
    out: dict[str, Json] = {}
    if field.open is not None:
        _put_delimiter(out, "open", field.open)
    if field.close is not None:
        _put_delimiter(out, "close", field.close)
    out["content"] = NAMES[type(field.reader)]
    arguments = _arguments_exported(field.reader)
    if arguments:
        out["content_args"] = arguments
    if field.repeats:
        out["repeats"] = True
    if field.joined is not None:
        out["join"] = field.joined
    if field.required:
        out["optional"] = False
    if field.emit == Constant(None):
        _refuse("no-template", "`emit null` is no transform in a template", field.emit.span)
    if field.emit is not None:
        out["transform"] = _emit_exported(field.emit)
    if field.each:
        out["transform_each"] = True
    return out


def _put_delimiter(out: dict[str, Json], key: str, delimiter: Delimiter) -> None:
    if isinstance(delimiter, Pattern) or delimiter.blank_before or delimiter.blank_after:
        out[f"{key}_pattern"] = pattern_text(delimiter)
    else:
        out[key] = delimiter.words[0] if len(delimiter.words) == 1 else list(delimiter.words)


def _arguments_exported(given: Reader) -> dict[str, Json]:
    """The arguments that are not what they are by default."""
    out: dict[str, Json] = {}
    for parameter in fields(given):
        value = getattr(given, parameter.name)
        if parameter.default is MISSING or value != parameter.default:
            out[TO_TEMPLATE.get(parameter.name, parameter.name)] = _argument_exported(value)
    return out


def _argument_exported(value: Any) -> Json:
    if isinstance(value, Pattern):
        return value.text
    if isinstance(value, tuple):
        return [list(pair) for pair in value]
    if isinstance(value, Reader):
        arguments = _arguments_exported(value)
        return {"name": NAMES[type(value)], "args": arguments} if arguments else {"name": NAMES[type(value)]}
    plain: Json = value
    return plain


def _emit_exported(emit: Emit) -> Json:
    if isinstance(emit, Either):
        _refuse("no-template", f"a template has no `??`, as in `{emit}`", emit.span)
    if isinstance(emit, Members) and emit.optional:
        _refuse("no-template", f"a template has no key that may be missing, as {excerpt(emit.optional[0])}", emit.span)
    if isinstance(emit, Ref):
        if not set(SOLE).isdisjoint(emit.path):
            _refuse("no-template", f"a template cannot say `{emit}`", emit.span)
        return "{" + ".".join(emit.path) + "}"
    if isinstance(emit, Items):
        return [_emit_exported(item) for item in emit.items]
    if isinstance(emit, Members):
        return {key: _emit_exported(value) for key, value in emit.members}
    if isinstance(emit.value, str) and PLACEHOLDER.search(emit.value):
        what = f"in a template {excerpt(emit.value)} would be a placeholder, not a string"
        _refuse("no-template", what, emit.span)
    return emit.value
