"""What works and is seldom meant: a grammar that passed check.py's rules in, warnings out.

Invariant: one function a name, no grammar is refused here, and each warning comes with a reason and a way out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from .captures import captured, compiled, groups, readers, sides, tree
from .diagnostics import CODES, Warned
from .model import (
    Bool,
    Constant,
    Delimiter,
    Either,
    Emit,
    Field,
    Float,
    Grammar,
    Int,
    Items,
    JsonValue,
    Literals,
    Members,
    Pattern,
    Python,
    Ref,
    Text,
    Xml,
    XmlInline,
    choices,
    name_printed,
    quoted,
    refs,
)
from .pattern import Char, Group, Look, Node, Rep, nullable, walk
from .policies import choice
from .source import Span

_WORDS = tuple(Rep(Char(r"\w"), low, None, mode) for low in (0, 1) for mode in ("", "?", "+"))
REASONING = ("thinking", "reasoning", "thought", "thoughts", "think", "analysis", "cot", "chain_of_thought")


def warnings(grammar: Grammar) -> Iterator[Warned]:
    """All warnings about a grammar: those about the whole, then field by field."""
    yield from overlooked_arguments(grammar)
    yield from equal_openers(grammar)
    for field in grammar.fields:
        yield from overwritten(grammar, field)
        yield from reasoning_name(grammar, field)
        yield from blank_required(grammar, field)
        for rule in (joined_value, holding_opener, idle_close, word_name, content_group, item_keys):
            yield from rule(field)
        yield from skipped_bytes(grammar, field)


def _warned(name: str, what: str, span: Span) -> Warned:
    return Warned(name, what, span, CODES[name].way_out)


# -- the whole --------------------------------------------------------------------------------------------------------


def overlooked_arguments(grammar: Grammar) -> Iterator[Warned]:
    for span in grammar.overlooked:
        yield _warned("overlooked-argument", "no content type reads this argument here", span)


def equal_openers(grammar: Grammar) -> Iterator[Warned]:
    """Of openers that match alike the field's name decides."""
    first: dict[str, Field] = {}
    for field in sorted(grammar.fields, key=lambda field: field.name):
        for opening in field.openings:
            opener = opening.delimiter
            for spelling in map(quoted, opener.words) if isinstance(opener, Literals) else [str(opener)]:
                if first.setdefault(f"{spelling} {opening.place}", field) is not field:
                    winner = name_printed(first[f"{spelling} {opening.place}"].name)
                    what = f"{winner} opens the same way, and wins because its name sorts first"
                    yield _warned("equal-openers", what, opener.span)


# -- fields -----------------------------------------------------------------------------------------------------------


def overwritten(grammar: Grammar, field: Field) -> Iterator[Warned]:
    """An implicit field that does not repeat keeps its last region only, be it a line break."""
    if field.implicit and not field.repeats and (field.close is not None or len(grammar.fields) > 1):
        blank = "" if choice(grammar, field, "blank") == "skip" else ", even when it is blank"
        what = f"each later piece of text replaces {name_printed(field.name)}{blank}"
        yield _warned("overwritten", what, field.span)


def reasoning_name(grammar: Grammar, field: Field) -> Iterator[Warned]:
    if field.name in REASONING and all(other.name != "reasoning_content" for other in grammar.fields):
        what = f"chat templates read `reasoning_content`, not `{field.name}`"
        yield _warned("reasoning-name", what, field.span)


def blank_required(grammar: Grammar, field: Field) -> Iterator[Warned]:
    """The key counts as written before empty values are left out."""
    may_be_empty = not isinstance(field.reader, Int | Float | Bool)
    listed = field.repeats and field.joined is None
    kept = any(key == field.name for key, _ in grammar.defaults)
    if field.required and may_be_empty and not (listed or kept or _is_something(field.emit)):
        what = f"an empty value satisfies `required` and is then left out: {name_printed(field.name)} can be missing"
        yield _warned("blank-required", what, field.span)


def _is_something(emit: Emit | None) -> bool:
    match emit:
        case Items(items=inner) | Members(members=inner):
            return bool(inner)
        case Constant(value=value):
            return value not in (None, "")
        case _:
            return False


def joined_value(field: Field) -> Iterator[Warned]:
    """Every region of such a field fails when it closes."""
    if field.joined is not None and not _may_be_text(field):
        what = f"the pieces of {name_printed(field.name)} are never strings: they cannot be joined, and fail"
        yield _warned("joined-value", what, field.span)


def _may_be_text(field: Field) -> bool:
    content = isinstance(field.reader, Text | JsonValue | Python)
    match field.emit:
        case None:
            return content
        case Ref(path=path):
            return not field.each and (len(path) > 1 or path[0] != "content" or content)
        case Constant(value=value):
            return not field.each and isinstance(value, str)
        case Either(choices=several):
            return any(_may_be_text(replace(field, emit=choice)) for choice in several)
        case _:
            return False


def holding_opener(field: Field) -> Iterator[Warned]:
    for opening in field.openings:
        looks = [node for node in _nodes(opening.delimiter) if isinstance(node, Look) and node.ahead]
        if any(map(_has_no_end, looks)):
            what = "this opener looks ahead over any text: nothing streams until it is decided"
            yield _warned("holding-opener", what, opening.delimiter.span)


def _has_no_end(look: Look) -> bool:
    """Whether it looks on over text of any kind: words and blanks."""
    for node in walk(look):
        if isinstance(node, Rep) and node.high is None and isinstance(node.node, Char):
            one = compiled(Pattern(node.node.source))
            if one.fullmatch("a") and one.fullmatch(" "):
                return True
    return False


def _nodes(delimiter: Delimiter | None) -> Iterator[Node]:
    """All that a pattern is made of; nothing for literals, and where no tree can say it."""
    node = tree(delimiter) if isinstance(delimiter, Pattern) else None
    if node is not None:
        yield from walk(node)


def idle_close(field: Field) -> Iterator[Warned]:
    """A close without width, where the field is not open, ends the reading for good."""
    node = tree(field.close) if field.implicit and isinstance(field.close, Pattern) else None
    if field.close is not None and node is not None and nullable(node):
        what = f"where {name_printed(field.name)} has no text, an empty close ends the reading"
        yield _warned("idle-close", what, field.close.span)


def word_name(field: Field) -> Iterator[Warned]:
    for delimiter in sides(field):
        cut = [node.name for node in _nodes(delimiter) if isinstance(node, Group) and node.node in _WORDS]
        for name in _names(field.emit):
            if name.path[0] in cut:
                what = f"`\\w+` for `{name}` takes no `-` and no `.`: it cuts or misses `get-weather`, `web.search`"
                yield _warned("word-name", what, delimiter.span)


def _names(emit: Emit | None) -> Iterator[Ref]:
    """The refs that stand for a key `name`."""
    if isinstance(emit, Items):
        for item in emit.items:
            yield from _names(item)
    elif isinstance(emit, Members):
        for key, value in emit.members:
            for choice in choices(value):
                if key == "name" and isinstance(choice, Ref):
                    yield choice
                yield from _names(choice)


def content_group(field: Field) -> Iterator[Warned]:
    if field.emit is not None and not field.each and "content" in captured(field):
        what = "`content` is the field's content, so what the group of that name captures is lost"
        delimiter = next(side for side in sides(field) if "content" in groups(side))
        yield _warned("content-group", what, delimiter.span)


def item_keys(field: Field) -> Iterator[Warned]:
    if field.emit is not None and field.each:
        for ref in refs(field.emit):
            if ref.path[0] in captured(field):
                what = f"an item with a key `{ref.path[0]}` replaces what the delimiter captured"
                yield _warned("item-keys", what, ref.span)


def skipped_bytes(grammar: Grammar, field: Field) -> Iterator[Warned]:
    is_exact = choice(grammar, field, "exact") == "yes"
    if any(isinstance(one, XmlInline) or (isinstance(one, Xml) and not is_exact) for one in readers(field.reader)):
        what = f"in a body of {name_printed(field.name)}, text that fits no pair is skipped without an error"
        yield _warned("skipped-bytes", what, field.span)
