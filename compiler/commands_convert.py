"""The commands between the two ways to write a grammar: in goes the one, out comes the other, as text.

Invariant: what is written reads back as the same model; a file that exists is never replaced.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from .check import check
from .hf_json import to_template
from .load import find_grammar, load_template
from .write import write_new


def import_template(source: Path, name: str | None, out: Path | None) -> int:
    """Print the grammar of a template file, a `tokenizer_config.json` or a checkpoint folder, and warn."""
    grammar = load_template(source, name)
    for warned in check(grammar):
        print(warned, file=sys.stderr)
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
