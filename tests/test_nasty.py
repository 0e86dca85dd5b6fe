"""Outputs that no kind model writes, thought up from the facts on the formats: in goes tests/data/nasty.jsonl, and
every one gives the message that a user rightly wants, whole, by the character and in random pieces.

A line has what the output is (`family`, `name`, `prefix`, `raw`, `tools`), what is right (`message`, other right ones
in `accept`) and `why`. What is not right yet is listed, and only that: a listed one that comes right fails here.
"""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from tests.examples import module_of
from tests.handed import alike
from tests.random_texts import random_cuts
from tests.reference import ours, same

NASTY = [json.loads(line) for line in (Path(__file__).parent / "data" / "nasty.jsonl").open(encoding="utf-8")]
OPEN: dict[str, str] = {}
PIECES = 12  # ways to cut a text at random


def name_of(case: dict[str, Any]) -> str:
    return f"{case['family']}-{case['name']}"


@pytest.mark.parametrize("case", NASTY, ids=name_of)
def test_nasty_outputs(case: dict[str, Any]) -> None:
    text, given = case["raw"], {"prefix": case["prefix"], "tools": case.get("tools")}
    cuts = [random_cuts(Random(f"{case['name']} {number}"), text) for number in range(PIECES)]
    readings = [ours(module_of(case["family"]), chunks, **given) for chunks in [[text], list(text), *cuts]]
    assert not any(same(readings[0], one) for one in readings)
    assert not readings[0].errors or all(error.policy != "raise" for error, _ in readings[0].errors)
    message = readings[0].message
    is_right = any(alike(message, wanted) for wanted in [case["message"], *case.get("accept", ())])
    assert is_right == (name_of(case) not in OPEN), message


def test_each_family_is_tried_five_times() -> None:
    families = [case["family"] for case in NASTY]
    assert len(set(families)) >= 10 and all(families.count(family) >= 5 for family in families)
    names = {name_of(case) for case in NASTY}
    assert len(names) == len(NASTY) and OPEN.keys() <= names
