"""The commands between the two ways to write a grammar: in goes the one, out comes the other, as text.

Invariant: what is written reads back as the same model; a file that exists is never replaced.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path

from .check import check
from .hf_json import to_template
from .load import WrongUse, find_grammar, load_template
from .lower import lower
from .repair import repair
from .show.printable import visible
from .write import write_new


def import_template(
    source: Path, name: str | None, out: Path | None, allowed: Collection[str], *, repaired: bool = False
) -> int:
    """Print the grammar of a template file, a `tokenizer_config.json` or a checkpoint folder, and warn of what is odd.

    A pattern that no automaton runs is refused, but for those of the fields in `allowed`. repaired: print the grammar
    that repair.py makes of it, and list what was changed. Raises WrongUse for a field in `allowed` that the template
    does not have.
    """
    grammar = load_template(source, name)
    check(grammar)
    for unknown in set(allowed) - {field.name for field in grammar.fields}:
        raise WrongUse(f"{source}: no field is named {unknown}")
    held = tuple(field for field in grammar.fields if field.name not in allowed)
    lower(replace(grammar, fields=held), linear=True)
    grammar, changes = repair(grammar) if repaired else (grammar, [])
    for said in [*check(grammar), *(f"repaired: {change}" for change in changes)]:
        print(visible(str(said)), file=sys.stderr)
    _put(str(grammar), out)
    return 0


def export_template(name: str, out: Path | None) -> int:
    """Print the response template, as JSON, of a grammar that says nothing which templates cannot say."""
    grammar = find_grammar(name)
    check(grammar)
    _put(json.dumps(to_template(grammar), indent=2) + "\n", out)
    return 0


def _put(text: str, out: Path | None) -> None:
    if out is None:
        sys.stdout.write(text)
    else:
        write_new(out, text)
