"""Grammars go in, the text of `templates.json` comes out: which module a response template stands for.

Invariant: a template is there exactly when a grammar exports it, so that nothing is found which means something else.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

from runtime.hf_modules import template_digest

from .diagnostics import CompileError
from .hf_json import to_template
from .model import Grammar


def index_text(grammars: Iterable[Grammar], others: Mapping[str, str] | None = None) -> str:
    """The index of these grammars' modules, sorted by name. others: entries of further modules, digest -> name."""
    named = {grammar.name: grammar for grammar in grammars}
    entries = {digest: name for digest, name in (others or {}).items() if name not in named}
    for grammar in named.values():
        try:
            entries[template_digest(to_template(grammar))] = grammar.name
        except CompileError:  # it says more than templates can
            continue
    return json.dumps(dict(sorted(entries.items(), key=lambda entry: entry[1])), indent=2) + "\n"
