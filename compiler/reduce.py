"""One grammar, less of it: in goes a grammar and what is wanted, out comes the grammar that reads just that.

Invariant: a kept field is as it was; all other text up to a `stop` is the content, verbatim and in order; where the
openers of other fields end a kept region, they still do.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, get_args

from .analyse_delimiters import pattern_node, pattern_text
from .analyse_values import may_be_call
from .captures import groups
from .diagnostics import CompileError
from .model import ANYWHERE, Delimiter, Field, Grammar, Opening, Pattern, Ref, Text
from .pattern import Group, walk
from .pattern import Ref as Back
from .warn import REASONING

Only = Literal["reasoning", "tools"]


def reduce(grammar: Grammar, only: Only) -> Grammar:
    """The machine of one kind of field, named `<grammar>_<only>`.

    only: "reasoning" keeps the fields of a name that means it, "tools" those whose values may be calls, with all blocks
    of their names. Raises CompileError `no-fields` when there is none, ValueError for another word.
    """
    if only not in get_args(Only):
        raise ValueError(f'only is "reasoning" or "tools", not {only!r}')
    names = {field.name for field in grammar.fields if field.open and kind_of(field) == only}
    if not names:
        what = f"no field of {grammar.name} is {'reasoning' if only == 'reasoning' else 'a tool call'}"
        raise CompileError("no-fields", what, grammar.span, "leave `only` out")
    kept = [_placed(field, names) for field in grammar.fields if field.name in names]
    content = _content(grammar, names)
    ends = {name for field in kept for name in (*field.ended_by, *field.late_ends)} - names
    passing = [_passing(field, content, sorted(names)) for field in grammar.fields if field.name in ends]
    fields = [_ended(field, ends, content) for field in kept]
    rest = Field(content, reader=Text(False), joined="", repeats=True, label="rest" if passing else "")
    gone = {field.name for field in grammar.fields} - names | {content}
    return replace(
        grammar,
        name=f"{grammar.name}_{only}",
        fields=(*fields, *passing, replace(rest, policies=(("trim", "none"),))),
        defaults=tuple((key, value) for key, value in grammar.defaults if key not in gone),
        stray=None,
        policies=tuple(said for said in grammar.policies if "blank" not in said),
    )


def _placed(field: Field, names: set[str]) -> Field:
    """The field, its openers where they counted, or anywhere when nothing is left to stand behind."""
    gone = {one.place.after for one in field.openings if one.place.after} - names
    first, *further = (replace(one, place=ANYWHERE) if one.place.after in gone else one for one in field.openings)
    return replace(field, open=first.delimiter, place=first.place, further=tuple(further))


def kind_of(field: Field) -> Literal["reasoning", "tools", "text"]:
    """What a field holds; "text" is what is neither."""
    if field.name == "reasoning_content" or field.name in REASONING:
        return "reasoning"
    return "tools" if may_be_call(field) else "text"


def _content(grammar: Grammar, taken: set[str]) -> str:
    """The key that all other text goes to: that of the implicit field, or `content`."""
    implicit = [field.name for field in grammar.fields if field.implicit]
    return next(name for name in (*implicit, "content", "text", "rest_of_text") if name not in taken)


def _passing(field: Field, content: str, until: list[str]) -> Field:
    """A region that begins before an opener, with it and all behind it as text, up to what is wanted again."""
    openings = [one for one in field.openings if not one.place.after]  # it goes on over what others stand behind
    before = [Opening(Pattern(f"(?={_nameless(one.delimiter)})"), one.place) for one in openings]
    has_groups = any(groups(one.delimiter) for one in before)
    return Field(
        content,
        open=before[0].delimiter if before else None,
        reader=Text(False),
        joined="",
        repeats=True,
        emit=Ref(("content",)) if has_groups else None,
        policies=() if has_groups else (("trim", "none"),),
        ended_by=tuple(until),
        label="_".join(["passing", *field.label.split()]),
        place=before[0].place if before else ANYWHERE,
        further=tuple(before[1:]),
    )


def _nameless(delimiter: Delimiter) -> str:
    """The delimiter as a pattern that captures nothing, unless it refers to what it captured."""
    text = pattern_text(delimiter)
    nodes = list(walk(pattern_node(delimiter)))
    if not any(isinstance(node, Back) for node in nodes):
        named = [node.position for node in nodes if isinstance(node, Group) and node.name is not None]
        for position in sorted(named, reverse=True):
            text = f"{text[:position]}(?:{text[text.index('>', position) + 1 :]}"
    return text


def _ended(field: Field, gone: set[str], content: str) -> Field:
    """The field, ended by the regions that pass in the place of those that are gone."""

    def renamed(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(content if name in gone else name for name in names))

    return replace(field, ended_by=renamed(field.ended_by), late_ends=renamed(field.late_ends))
