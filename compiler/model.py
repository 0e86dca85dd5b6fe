"""What a grammar says, as data: the one model behind grammar files and response templates.

Invariant: everything is frozen and comparable; spans do not take part in comparisons, so two sources that say the same
are equal. str(node) prints grammar text that reads back as the same node.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from .source import Source, Span

NOWHERE = Span(Source("<nowhere>"))
Json = bool | int | float | str | list["Json"] | dict[str, "Json"] | None


def quoted(text: str) -> str:
    """A JSON string in which only what does not print is escaped. It reads back as the same text, unless a high
    surrogate stands alone before a low one: JSON makes one character of them."""
    plain = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in plain)


# -- delimiters -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Literals:
    """One of several fixed strings, the longest first; `blank before` / `after` add the run of white space there."""

    words: tuple[str, ...]
    blank_before: bool = False
    blank_after: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        words = " | ".join(map(quoted, self.words))
        return words + " blank before" * self.blank_before + " blank after" * self.blank_after


@dataclass(frozen=True)
class Pattern:
    """A regular expression in the dialect of the `regex` module (V0, DOTALL)."""

    text: str
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        """Between slashes where that keeps the text as it is, else as a JSON string."""
        if self.text.isprintable() and not _UNFIT_FOR_SLASHES.search(self.text):
            return f"/{self.text.replace('/', chr(92) + '/')}/"
        return f"pattern {quoted(self.text)}"

    def at(self, position: int) -> Span:
        """The place of a character of the pattern, where the source shows the pattern between slashes."""
        if not self.span.source.text.startswith("/", self.span.start) or self.span.path:
            return self.span
        start = self.span.start + 1 + position + self.text.count("/", 0, position)
        return Span(self.span.source, start, start + 1)


# An escaped slash (`\/` stands for `/`), and a last backslash that would escape the slash behind it.
_UNFIT_FOR_SLASHES = re.compile(r"(?<!\\)(?:\\\\)*\\(?:/|\Z)")

Delimiter = Literals | Pattern


# -- readers: what a body becomes -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Text:
    strip: bool = True

    def __str__(self) -> str:
        return "text" if self.strip else "text(strip = false)"


@dataclass(frozen=True)
class Int:
    strip: bool = True

    def __str__(self) -> str:
        return "int" if self.strip else "int(strip = false)"


@dataclass(frozen=True)
class Float:
    strip: bool = True

    def __str__(self) -> str:
        return "float" if self.strip else "float(strip = false)"


@dataclass(frozen=True)
class Bool:
    strip: bool = True

    def __str__(self) -> str:
        return "bool" if self.strip else "bool(strip = false)"


@dataclass(frozen=True)
class JsonValue:
    """`json(...)`. `strip` matters only for the text that `allow_non_json` gives."""

    unquoted_keys: bool = False
    string_delims: tuple[tuple[str, str], ...] = ()
    allow_non_json: bool = False
    strip: bool = True

    def __str__(self) -> str:
        return _with_arguments(
            "json",
            ("unquoted_keys", self.unquoted_keys),
            ("string_delims", [list(pair) for pair in self.string_delims]),
            ("allow_non_json", self.allow_non_json),
            ("strip", None if self.strip else False),
        )


@dataclass(frozen=True)
class XmlInline:
    """`xml-inline(tag = /.../, ...)`: `tag` has the groups `key` and `value`; `value` reads a tag's value."""

    tag: Pattern
    value: Reader | None = None
    merge_duplicates: bool = False

    def __str__(self) -> str:
        return _with_arguments(
            "xml-inline", ("tag", self.tag), ("value", self.value), ("merge_duplicates", self.merge_duplicates)
        )


@dataclass(frozen=True)
class KvLines:
    line_sep: str = "\n"
    kv_sep: str = ":"
    strip: bool = True
    value: Reader | None = None

    def __str__(self) -> str:
        return _with_arguments(
            "kv-lines",
            ("line_sep", self.line_sep if self.line_sep != "\n" else None),
            ("kv_sep", self.kv_sep if self.kv_sep != ":" else None),
            ("strip", None if self.strip else False),
            ("value", self.value),
        )


@dataclass(frozen=True)
class Xml:
    """`xml(pair OPEN CLOSE, ...)`: `open` has the group `key`; between it and `close` stands the value.

    close: literals may hold `{key}`, which stands for the key. value: reads a value; by: the group of `open` whose text
    says which of `readers` does, "" for none. nested: pairs can hold pairs, and this names the items of lists; "" for
    no such nesting. trim: what is stripped from a value first. entities: keys and values hold `&lt;` and the like, and
    CDATA sections.
    """

    open: Pattern
    close: Delimiter
    value: Reader | None = None
    by: str = ""
    readers: tuple[tuple[str, Reader], ...] = ()
    nested: str = ""
    trim: str = "none"
    entities: bool = False
    merge_duplicates: bool = False

    def __str__(self) -> str:
        parts = [f"pair {self.open} {self.close}"]
        parts += [f"value = {self.value}"] if self.value is not None else []
        if self.by:
            parts.append(f"value by {self.by} {{{', '.join(f'{quoted(text)}: {one}' for text, one in self.readers)}}}")
        if self.nested:
            parts.append("nested" if self.nested == "item" else f"nested = {quoted(self.nested)}")
        parts += [f"trim = {self.trim}"] if self.trim != "none" else []
        parts += ["entities"] * self.entities + ["merge_duplicates"] * self.merge_duplicates
        return f"xml({', '.join(parts)})"


@dataclass(frozen=True)
class CallList:
    """`call-list(...)`; with brackets and commas version 1's `python-call-list`."""

    brackets: bool = True
    separator: str = ","

    def __str__(self) -> str:
        arguments = [] if self.brackets else ["brackets = false"]
        arguments += [f"separator = {quoted(self.separator)}"] if self.separator != "," else []
        return f"call-list({', '.join(arguments)})" if arguments else "python-call-list"


@dataclass(frozen=True)
class Python:
    """`python`: one literal."""

    def __str__(self) -> str:
        return "python"


@dataclass(frozen=True)
class JsonLines:
    """`json-lines`: the value of each line that is not blank."""

    def __str__(self) -> str:
        return "json-lines"


Reader = Text | Int | Float | Bool | JsonValue | XmlInline | KvLines | Xml | CallList | Python | JsonLines


def _with_arguments(name: str, *arguments: tuple[str, object]) -> str:
    """`name(a, b = 1)`: True stands bare; None, and what is empty or False by default, is left out."""
    shown = []
    for key, value in arguments:
        if value is None or (value is False and key not in ("strip",)) or value == []:
            continue
        if value is True:
            shown.append(key)
        elif isinstance(value, Pattern | Reader):
            shown.append(f"{key} = {value}")
        elif isinstance(value, str):
            shown.append(f"{key} = {quoted(value)}")
        else:
            shown.append(f"{key} = {json_printed(value)}")
    return f"{name}({', '.join(shown)})" if shown else name


# -- emit: the shape of a value -------------------------------------------------------------------------------------


EMIT_WORDS = ("each", "true", "false", "null")
SOLE = ("@key", "@value")


@dataclass(frozen=True)
class Ref:
    """A value: `content`, a capture or (under `each`) an item's key, and keys below it. Each key is `\\w+`, and stands
    between backquotes when it is no plain word; below the first one `@key` and `@value` take apart an object of one
    key."""

    path: tuple[str, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        plain = [
            key in SOLE or (_is_word(key) and (at > 0 or key not in EMIT_WORDS)) for at, key in enumerate(self.path)
        ]
        return ".".join(key if bare else f"`{key}`" for key, bare in zip(self.path, plain, strict=True))


@dataclass(frozen=True)
class Constant:
    value: bool | int | float | str | None
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        return json_printed(self.value)


@dataclass(frozen=True)
class Items:
    items: tuple[Emit, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        return f"[{', '.join(map(str, self.items))}]"


@dataclass(frozen=True)
class Members:
    """optional: the keys that are left out when their value is not there."""

    members: tuple[tuple[str, Emit], ...]
    optional: tuple[str, ...] = ()
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        shown = (f"{quoted(key)}{'?' if key in self.optional else ''}: {value}" for key, value in self.members)
        return "{" + ", ".join(shown) + "}"


@dataclass(frozen=True)
class Either:
    """The first of several values that is there."""

    choices: tuple[Emit, ...]
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    def __str__(self) -> str:
        return " ?? ".join(map(str, self.choices))


Emit = Ref | Constant | Items | Members | Either


def parts(emit: Emit | None) -> Iterator[Emit]:
    """An emit and all that it is made of, in the order of the text."""
    if emit is not None:
        yield emit
    if isinstance(emit, Items):
        inner: Iterable[Emit] = emit.items
    elif isinstance(emit, Members):
        inner = (value for _, value in emit.members)
    else:
        inner = emit.choices if isinstance(emit, Either) else ()
    for part in inner:
        yield from parts(part)


def refs(emit: Emit) -> Iterator[Ref]:
    """Every Ref of an emit, in the order of the text."""
    return (part for part in parts(emit) if isinstance(part, Ref))


def choices(emit: Emit) -> tuple[Emit, ...]:
    """The values of which the first that is there counts."""
    return emit.choices if isinstance(emit, Either) else (emit,)


# -- policies ---------------------------------------------------------------------------------------------------------


Policies = tuple[tuple[str, str], ...]
"""The words of a `policy` line, as (word, choice), the choice "" where a word has none; ("no", word) takes one back."""

POLICIES: dict[str, tuple[str, ...]] = {
    "blank": ("skip",),
    "trim": ("both", "none", "newline", "start", "end"),
    "bad": ("raise", "drop", "text"),
    "cut": ("close", "bad", "complete"),
    "unknown": ("keep", "drop", "text"),
    "aware": (),
    "coerce": ("exact", "elements"),
    "exact": (),
}


REPAIRS = ("commas", "quotes", "escapes", "newlines", "trailing", "double-encoded")
WHEN = ("start", "line")


def policies_printed(policies: Policies) -> str:
    return "policy  " + ", ".join(f"{word} {choice}".rstrip() for word, choice in policies)


# -- fields and the grammar -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """Where an opener counts.

    when: "start" (only blanks since the anchor), "line" (behind a line break), "" (anywhere). after: the name of the
    field behind whose close it counts, blanks between; "" for no such place.
    """

    when: str = ""
    after: str = ""

    def __str__(self) -> str:
        return f"when after {name_printed(self.after)}" if self.after else self.when and f"when {self.when}"


ANYWHERE = Place()


@dataclass(frozen=True)
class Opening:
    delimiter: Delimiter
    place: Place = ANYWHERE

    def __str__(self) -> str:
        return f"open  {self.delimiter} {self.place}".rstrip()


@dataclass(frozen=True)
class Field:
    """One key of the message. Without `open` it is the implicit field; without `close` its region runs to the end.

    repeats: the value is a list; joined: the string between the pieces (implies repeats), None when not joined.
    each: `emit` runs once for each item of the content (a template's transform_each). extend: the same, but each item
    is one of the field's list, and an object is the one item. tolerate: repairs of a body that is refused, as REPAIRS
    lists them.
    policies: its own; those of the grammar apply below them. ended_by: fields whose openers end the region; late_ends:
    those that do so only when its own close never comes. label: tells blocks of one name apart, "" for the only one.
    place: where its opener counts; further: more openers, each with a place of its own.
    value_end: the region ends where its JSON value does, without a closer.
    """

    name: str
    open: Delimiter | None = None
    close: Delimiter | None = None
    reader: Reader = Text()
    repeats: bool = False
    joined: str | None = None
    required: bool = False
    emit: Emit | None = None
    each: bool = False
    extend: bool = False
    tolerate: tuple[str, ...] = ()
    policies: Policies = ()
    ended_by: tuple[str, ...] = ()
    late_ends: tuple[str, ...] = ()
    label: str = ""
    place: Place = ANYWHERE
    further: tuple[Opening, ...] = ()
    value_end: bool = False
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    @property
    def openings(self) -> tuple[Opening, ...]:
        """All its openers, each with the place where it counts."""
        return () if self.open is None else (Opening(self.open, self.place), *self.further)

    @property
    def implicit(self) -> bool:
        return self.open is None

    @property
    def title(self) -> str:
        """What tells it from the other fields: its name, and its label when blocks share the name."""
        return f"{self.name} as {self.label}" if self.label else self.name

    def __str__(self) -> str:
        head = f"field {name_printed(self.name)}{'[]' if self.repeats and self.joined is None else ''}"
        head += f" as {self.label}" if self.label else ""
        head += f": {self.reader}" + (f" joined {quoted(self.joined)}" if self.joined is not None else "")
        head += " required" * self.required
        lines = []
        lines += [f"    {opening}" for opening in self.openings]
        if self.close is not None:
            lines.append(f"    close {self.close}")
        if self.value_end:
            lines.append("    close value-end")
        lines += [f"    ended by {name_printed(name)}" for name in self.ended_by]
        lines += [f"    ended by {name_printed(name)} unless closed" for name in self.late_ends]
        if self.policies:
            lines.append(f"    {policies_printed(self.policies)}")
        if self.extend:
            lines.append("    extend")
        if self.tolerate:
            lines.append(f"    tolerate [{', '.join(self.tolerate)}]")
        if self.emit is not None:
            lines.append(f"    emit  {'each ' if self.each else ''}{self.emit}")
        return "\n".join([head + " {", *lines, "}"]) if lines else head + " {}"


def name_printed(name: str) -> str:
    """A name as grammars write it: bare when it is one word, else quoted."""
    return name if _is_word(name) else quoted(name)


def _is_word(name: str) -> bool:
    return name.isidentifier() and name.isascii()


@dataclass(frozen=True)
class Grammar:
    """A whole grammar. `defaults` holds what the message starts with, in order, as (key, JSON value as text) pairs.

    stop: where the message ends, whatever is open; stray: closers that outside of their region are swallowed.
    policies: the words that hold for every field they fit.
    models: whose grammar it is, as OWNER/NAME with `*` for any characters; templates: how the digests of response
    templates for the same models begin.
    extends: the grammar that it builds on, whose words are among its own; it prints without it.
    overlooked: the places of content arguments in a template that no content type reads.
    """

    name: str
    anchor: Delimiter
    fields: tuple[Field, ...]
    defaults: tuple[tuple[str, str], ...] = ()
    stop: Delimiter | None = None
    stray: Delimiter | None = None
    policies: Policies = ()
    models: tuple[str, ...] = ()
    templates: tuple[str, ...] = ()
    comment: str = field(default="", compare=False, repr=False)
    extends: str = field(default="", compare=False, repr=False)
    overlooked: tuple[Span, ...] = field(default=(), compare=False, repr=False)
    span: Span = field(default=NOWHERE, compare=False, repr=False)

    @property
    def implicit(self) -> Field | None:
        return next((f for f in self.fields if f.implicit), None)

    @property
    def default_values(self) -> dict[str, Json]:
        """What the message starts with; a fresh value each time."""
        return {key: json.loads(text) for key, text in self.defaults}

    def __str__(self) -> str:
        head = [f"# {line}".rstrip() for line in self.comment.rstrip().splitlines()]
        if head:
            head.append("")
        head.append(f"grammar {name_printed(self.name)}")
        head += [f"models  {' | '.join(map(quoted, self.models))}"] * bool(self.models)
        head += [f"templates {' | '.join(map(quoted, self.templates))}"] * bool(self.templates)
        if self.policies:
            head.append(policies_printed(self.policies))
        head += [f"default {name_printed(key)} = {text}" for key, text in self.defaults]
        head.append(f"anchor  {self.anchor}")
        if self.stop is not None:
            head.append(f"stop    {self.stop}")
        if self.stray is not None:
            head.append(f"stray   {self.stray}")
        return "\n".join(head) + "".join(f"\n\n{f}" for f in self.fields) + "\n"


def json_printed(value: object) -> str:
    """A JSON value as grammars write it: the one spelling that defaults are kept in."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, list):
        return f"[{', '.join(map(json_printed, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{quoted(key)}: {json_printed(item)}" for key, item in value.items()) + "}"
    return json.dumps(value)
