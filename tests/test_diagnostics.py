"""Every code has a broken grammar or template in tests/diagnostics, and says exactly what stands beside it."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from compiler.check import check
from compiler.diagnostics import CODES, CompileError
from compiler.extend import among, read
from compiler.hf_json import from_template, loads_strictly, to_template
from compiler.lower import lower
from compiler.parse import parse
from compiler.strict_json import BYTES

FOLDER = Path(__file__).with_name("diagnostics")
CASES = sorted(path for path in FOLDER.iterdir() if path.suffix != ".txt")
PADDED = "too-large"
EXPORTED = "no-template"


def said_about(path: Path) -> str:
    """What the front end says: the error, or the warnings."""
    text = path.read_text("utf-8")
    if path.stem == PADDED:
        text += " " * BYTES
    try:
        if path.suffix == ".grammar":
            grammar = read(text, path.name, among({path.stem.replace("-", "_"): text}))
        else:
            grammar = from_template(loads_strictly(text, name=path.name), name=path.stem.replace("-", "_"), strict=True)
        warnings = check(grammar)
        lower(grammar, linear=True)
        if path.stem == EXPORTED:
            to_template(grammar)
    except CompileError as error:
        return str(error)
    return "\n".join(map(str, warnings))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.name)
def test_the_message_is_what_stands_beside_the_grammar(path: Path) -> None:
    said = said_about(path)
    assert f"[{path.stem}]: " in said.splitlines()[0]
    assert said + "\n" == path.with_suffix(".txt").read_text("utf-8")


def test_every_code_has_its_file() -> None:
    assert [path.stem for path in CASES] == sorted(CODES)


def test_every_message_shows_a_way_out() -> None:
    silent = [path.stem for path in CASES if "    help: " not in said_about(path)]
    assert silent == []


def test_an_error_survives_pickling() -> None:
    with pytest.raises(CompileError) as refused:
        parse("grammar g", "a.grammar")
    again = pickle.loads(pickle.dumps(refused.value))
    assert (str(again), again.code, again.span) == (str(refused.value), "no-anchor", refused.value.span)
