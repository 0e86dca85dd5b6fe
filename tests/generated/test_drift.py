"""What is committed is what the compiler makes of the grammars now, and neither has a file that the other lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

import generated
from compiler import generate
from compiler.load import load_grammar
from tests.examples import GRAMMARS

MODULES = Path(generated.__path__[0])


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
def test_regenerated_is_committed(path: Path) -> None:
    origin = f"grammars/{path.name}"
    assert (MODULES / f"{path.stem}.py").read_text(encoding="utf-8") == generate(load_grammar(path), origin=origin)


def test_each_grammar_has_its_module() -> None:
    modules = {path.stem for path in MODULES.glob("*.py")} - {"__init__"}
    assert modules == {path.stem for path in GRAMMARS}
