"""Grammars go in, the text of `templates.json` comes out: which module a response template stands for.

Invariant: a template is there exactly when a grammar exports it, so that nothing is found which means something else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from runtime.hf_modules import INDEX, template_digest

from .diagnostics import CompileError
from .hf_json import to_template
from .model import Grammar

__all__ = ["INDEX", "entries", "index_text"]
_DIGEST = re.compile(r"[0-9a-f]{64}")


def index_text(grammars: Iterable[Grammar], others: Mapping[str, str]) -> str:
    """The index of these grammars' modules, sorted by name. others: entries of further modules, digest -> name."""
    named = {grammar.name: grammar for grammar in grammars}
    index = {digest: name for digest, name in others.items() if name not in named}
    for grammar in named.values():
        try:
            index[template_digest(to_template(grammar))] = grammar.name
        except CompileError:  # it says more than templates can
            continue
    return json.dumps(dict(sorted(index.items(), key=lambda entry: entry[1])), indent=2) + "\n"


def entries(path: Path) -> dict[str, str] | None:
    """What the index at a path holds, digest -> name; None when no index is there."""
    try:
        found = None if path.is_symlink() else json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
    is_index = isinstance(found, dict) and all(
        _DIGEST.fullmatch(digest) and isinstance(name, str) for digest, name in found.items()
    )
    return found if is_index else None
