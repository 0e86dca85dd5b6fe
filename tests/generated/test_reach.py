"""Every state of every module meets every delimiter of its grammar, whole, begun, and in its pieces."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.captures import delimiters
from compiler.load import load_grammar
from compiler.model import Grammar, Literals
from tests.examples import GRAMMARS
from tests.hostile.shipped import example
from tests.reference import ours, same


def words(grammar: Grammar) -> list[str]:
    """Each fixed string of a delimiter, and for a pattern a text that it matches."""
    found: list[str] = []
    for delimiter in delimiters(grammar):
        found += delimiter.words if isinstance(delimiter, Literals) else [example(delimiter)]
    return [word for word in dict.fromkeys(found) if word]


def openers(grammar: Grammar) -> list[str]:
    return ["", *(example(field.open) for field in grammar.fields if field.open is not None)]


def readings(grammar: Grammar) -> Iterator[list[str]]:
    """Pieces of texts: a region, what its body may begin with, a delimiter cut in two, and what follows."""
    for opener in openers(grammar):
        for body in ("", "x", '{"a": "', '{"name": "f", "arguments": {}}'):
            for word in words(grammar):
                yield [opener + body, word]
                for cut in {1, len(word) // 2, len(word) - 1} - {0, len(word)}:
                    yield [opener + body, word[:cut], word[cut:], '"} y']
                    yield [opener + body + word[:cut]]


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
def test_every_state_meets_every_delimiter(path: Path) -> None:
    grammar = load_grammar(path)
    module = importlib.import_module(f"generated.{grammar.name}")
    for pieces in readings(grammar):
        whole = ours(module, ["".join(pieces)])
        assert same(whole, ours(module, pieces)) == "", pieces
        assert same(whole, ours(module, list("".join(pieces)))) == "", pieces
