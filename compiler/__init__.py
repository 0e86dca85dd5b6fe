"""From a grammar or a response template to a parser: parse > check > lower > render > gate, at build time or in memory.

Invariant: both doors run the same pipeline, so a module compiled in memory means what the committed one means.
"""

from __future__ import annotations

import linecache
import weakref
from collections.abc import Mapping
from itertools import count
from types import ModuleType
from typing import Any

from .check import check
from .diagnostics import CompileError
from .extend import among, read
from .hf_json import from_template
from .lower import lower
from .model import Grammar
from .reduce import Only, reduce
from .render import formatted, render

__all__ = ["CompileError", "Grammar", "compile_grammar", "compile_template", "explain", "generate", "reduce"]
_NUMBERS = count(1)


def generate(grammar: Grammar, *, origin: str) -> str:
    """The module of a grammar as it is committed: checked, lowered, rendered, gated and formatted."""
    check(grammar)
    return formatted(render(lower(grammar), origin=origin))


def explain(grammar: Grammar) -> str:
    """The machine of a grammar, for people: states, exits, facts, scanners."""
    check(grammar)
    return str(lower(grammar))


def compile_grammar(
    text: str,
    *,
    name: str = "<grammar>",
    patterns: str = "any",
    only: Only | None = None,
    bases: Mapping[str, str] | None = None,
) -> ModuleType:
    """A module with `parse` and `Parser`, made in memory from grammar text. name: for messages. Raises CompileError.

    only: "reasoning" or "tools" for a machine that reads just that; all other text is content, verbatim (reduce.py).
    bases: texts of grammars by name, which this one may build on.
    """
    grammar = read(text, name, among(bases or {}))
    return module_of(grammar if only is None else reduce(grammar, only), patterns=patterns)


def compile_template(template: dict[str, Any], *, name: str = "template", patterns: str = "any") -> ModuleType:
    """The same from a template. patterns: "any", or "linear" to refuse what no automaton runs."""
    return module_of(from_template(template, name=name), patterns=patterns)


def module_of(grammar: Grammar, *, patterns: str = "any") -> ModuleType:
    """The same from a grammar that was read already."""
    if patterns not in ("any", "linear"):
        raise ValueError(f'patterns is "any" or "linear", not {patterns!r}')
    check(grammar)
    source = render(lower(grammar, linear=patterns == "linear"), origin=grammar.span.source.name)
    module = ModuleType(f"generated_in_memory_{next(_NUMBERS)}")
    module.__file__ = f"<{module.__name__}>"
    linecache.cache[module.__file__] = (len(source), None, source.splitlines(keepends=True), module.__file__)
    weakref.finalize(module, linecache.cache.pop, module.__file__, None)  # its source goes when the module goes
    exec(compile(source, module.__file__, "exec"), vars(module))
    return module
