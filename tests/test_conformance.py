"""The conformance suite is what our cases make it, fits its schema, and our parser passes it."""

from __future__ import annotations

import json

import jsonschema
import pytest

from compiler import compile_template
from tests import conformance
from tests.conformance import FILES, FOLDER, outcome
from tests.outcomes import exact
from tests.reference import ours

SCHEMA = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
LINES = {name: [json.loads(line) for line in (FOLDER / name).open(encoding="utf-8")] for name in FILES}


@pytest.mark.parametrize("name", FILES)
def test_made_anew_it_is_the_same(name: str) -> None:
    made = [json.loads(line) for line in conformance.text_of(FILES[name]()).splitlines()]
    assert exact(made) == exact(LINES[name]), "make conformance"


@pytest.mark.parametrize("name", FILES)
def test_every_line_fits_the_schema(name: str) -> None:
    validator = jsonschema.Draft202012Validator(SCHEMA)
    validator.check_schema(SCHEMA)
    for line in LINES[name]:
        assert not [error.message for error in validator.iter_errors(line)], line["name"]
        assert "".join(line["chunks"]) == line["text"], line["name"]
    assert len({line["name"] for line in LINES[name]}) == len(LINES[name])


@pytest.mark.parametrize("name", FILES)
def test_ours_passes(name: str) -> None:
    for line in LINES[name]:
        expected = {key: line[key] for key in ("events", "message", "error") if key in line}
        module = compile_template(line["template"])
        for chunks in (line["chunks"], [line["text"]]):
            found = ours(module, chunks, prefix=line["prefix"], tools=line["tools"])
            assert exact(outcome(found)) == exact(expected), line["name"]


def test_what_no_json_holds_is_left_out() -> None:
    assert conformance.is_portable({"text": "é😀"})
    assert not conformance.is_portable({"text": "\ud83d"})
    assert not conformance.is_portable({"value": float("nan")})
