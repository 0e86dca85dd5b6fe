"""Grammars that build on others: in go a grammar's text and where others are found, out comes the grammar that it says
together with them.

Invariant: a base is found by its name alone, beside the grammar, so no name leads out of the folder; what comes out
prints as one grammar that reads back without any other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

from .diagnostics import CompileError
from .model import Grammar
from .parse import parse
from .source import Span
from .strict_json import LEVELS

Texts = Callable[[str], tuple[str, str] | None]
"""A grammar's name -> its text and what messages call it; None where there is none."""


def read(text: str, origin: str, texts: Texts, above: tuple[str, ...] = ()) -> Grammar:
    """The grammar of a text. above: the names of those that build on it. CompileError: the first fault."""

    def base(name: str, span: Span) -> Grammar:
        if name in above:
            chain = " > ".join((*above[above.index(name) :], name))
            raise CompileError("base-cycle", f"`{name}` builds on itself: {chain}", span)
        if len(above) == LEVELS:
            raise CompileError("too-deep", f"more than {LEVELS} grammars build on each other", span)
        found = texts(name)
        if found is None:
            raise CompileError("no-base", f"there is no grammar `{name}` to build on", span)
        return read(*found, texts, (*above, name))

    return parse(text, origin, base)


def beside(folder: Path, suffix: str) -> Texts:
    """The grammars of a folder, each in the file that has its name."""

    def texts(name: str) -> tuple[str, str] | None:
        path = folder / f"{name}{suffix}"
        return (path.read_text(encoding="utf-8"), path.as_posix()) if path.is_file() else None

    return texts


def among(grammars: Mapping[str, str]) -> Texts:
    """Grammars in memory, by their names."""
    return lambda name: (grammars[name], name) if name in grammars else None
