"""What `explain` says of each grammar: states, exits, facts and scanners, held by snapshots that are read in review."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from compiler import explain, module_of
from compiler.load import load_grammar
from compiler.parse import parse

GRAMMARS = sorted((Path(__file__).parent.parent / "grammars").glob("*.grammar"))


class TextFiles(SingleFileSnapshotExtension):
    _write_mode = WriteMode.TEXT
    file_extension = "txt"


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
def test_machines(path: Path, snapshot: SnapshotAssertion) -> None:
    assert explain(load_grammar(path)) == snapshot(extension_class=TextFiles)


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
def test_every_state_can_be_resumed_by_the_name_of_its_machine(path: Path) -> None:
    states = module_of(load_grammar(path)).Parser.STATES
    lines = explain(load_grammar(path)).splitlines()
    told = [
        line.split(":")[0].strip().removesuffix(" (start)")
        for line in lines
        if line.startswith("  ") and line[2] != " "
    ]
    assert {name.removeprefix("in ") for name in states if name.startswith("in ")} <= set(told)


def test_what_holds_more_than_it_must_says_why() -> None:
    text = r'grammar g anchor "A" field x: text { open /<(?P<a>\w):(?P=a)>/ close /\X>/ emit a }'
    scanned = explain(parse(text, "")).split("scanned for:\n")[1].splitlines()
    assert len(scanned) == 2
    assert all(line.endswith(")") and ("not linear" in line or "end of the text" in line) for line in scanned)
