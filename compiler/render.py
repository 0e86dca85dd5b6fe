"""Machine -> text: in goes a machine, out comes the module's source, through the gate; black formats what is written.

Invariant: Jinja2 prints nothing but what a filter below let through (Markup is the mark), so layout cannot carry code.
"""

from __future__ import annotations

import hashlib
import re
import textwrap
from dataclasses import replace
from typing import Any

import jinja2
from markupsafe import Markup

from runtime.stream import ABI

from . import names
from .analyse_readers import trimmed
from .gate import UnsafeCode, gate
from .machine import Fact, Machine, State
from .model import Field, Grammar

WIDTH = 112
RULE = 84
COMMENT = 108
_IDENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_CODING = re.compile(r"(?<=coding)[:=]")


def render(machine: Machine, *, origin: str) -> str:
    """The module's source, not yet formatted. origin: the file that it is made from, for the first line."""
    grammar = machine.grammar
    documented = "".join([*_state_lines(machine.states), *_fact_lines(machine.facts), names.prose(title(grammar))])
    text = _ENVIRONMENT.get_template("module.py.j2").render(
        m=machine,
        origin=origin,
        digest=digest(grammar),
        abi=ABI,
        title=title(grammar),
        quotes=Markup('r"""' if "\\" in documented else '"""'),
    )
    return gate(text)


def formatted(source: str) -> str:
    """The source as black leaves it."""
    import black

    return black.format_str(source, mode=black.Mode(line_length=120))


def digest(grammar: Grammar) -> str:
    """What tells one grammar from another: 16 hex digits over its printed text."""
    return hashlib.sha256(str(grammar).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def title(grammar: Grammar) -> str:
    """What people call the family: the comment's first words up to a colon, else the grammar's name."""
    first = grammar.comment.split("\n", 1)[0]
    return first.split(":")[0].strip() if ":" in first else grammar.name


# -- what the templates may print --------------------------------------------------------------------------------------


def _code(source: str) -> Markup:
    if not source.isascii() or "\n" in source:
        raise UnsafeCode(f"a line of code: {source!r}")
    return Markup(source)


def _ident(name: str) -> Markup:
    if not _IDENT.fullmatch(name):
        raise UnsafeCode(f"an identifier: {name!r}")
    return Markup(name)


def _origin(path: str) -> Markup:
    """A comment for the first line, where Python takes `coding:` for the name of an encoding."""
    return Markup(_CODING.sub(lambda sign: f"\\x{ord(sign[0]):02x}", names.comment(path)))


def _state_lines(states: tuple[State, ...]) -> list[Markup]:
    """`name  what leaves it  -> where to`, in columns."""
    rows = []
    for state in reversed(states):
        name = names.prose(state.title, 28) + (" (start)" if state.is_outside else "")
        if not state.exits:
            rows.append((name, "only the end of the text", ""))
        for index, (shown, to) in enumerate(state.rows):
            rows.append(("" if index else name, names.prose(shown), names.prose(to, 60)))
    first, second = (max(len(row[column]) for row in rows) for column in (0, 1))
    return [Markup(f"{a:<{first}}  {b:<{second}}  {f'-> {c}' if c else ''}".rstrip()) for a, b, c in rows]


def _fact_lines(facts: tuple[Fact, ...]) -> list[Markup]:
    lines: list[str] = []
    for fact in facts:
        lines += textwrap.wrap(f"{fact.ident}  {fact.text}", WIDTH, subsequent_indent="    ")
    return [Markup(line) for line in lines]


def _head_lines(grammar: Grammar) -> list[str]:
    """The statements in front of the fields, as the grammar writes them."""
    text = str(replace(grammar, fields=(), comment=""))
    return _folded(text.split("\n")[1:-1])


def _field_lines(field: Field | None) -> list[str]:
    return [] if field is None else _folded(str(field).split("\n"))


def _folded(lines: list[str]) -> list[str]:
    """Lines that fit behind a comment sign, long ones continued with an indent."""
    out = []
    for line in map(names.comment, lines):
        out.append(line[:COMMENT])
        out += ["          " + line[at : at + COMMENT - 10] for at in range(COMMENT, len(line), COMMENT - 10)]
    return out


def _gated(shown: Any) -> Any:
    if not isinstance(shown, Markup):
        raise UnsafeCode(f"not gated: {shown!r}")
    return shown


_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("compiler"),
    undefined=jinja2.StrictUndefined,
    autoescape=True,
    finalize=_gated,
    trim_blocks=True,
    lstrip_blocks=True,
    keep_trailing_newline=True,
)
_ENVIRONMENT.filters.update(
    code=_code,
    ident=_ident,
    origin=_origin,
    section=lambda name: Markup(f"-- {names.prose(name)} ".ljust(RULE, "-")),
    trimmed=lambda text, trim: _code(trimmed(str(text), trim)),
    comment=lambda text: Markup(names.comment(text)),
    prose=lambda text: Markup(names.prose(text)),
    strings=lambda texts: Markup(f"({', '.join(map(names.literal, texts))},)"),
    literal=lambda text: Markup(names.literal(text)),
    value=lambda constant: Markup(names.value(constant)),
    state_lines=_state_lines,
    fact_lines=_fact_lines,
    head_lines=_head_lines,
    field_lines=_field_lines,
)
