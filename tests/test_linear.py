"""Which templates of known formats `patterns="linear"` refuses, and why. All others are scanned in linear time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from compiler import CompileError, compile_template

FORMATS = Path(__file__).with_name("data") / "formats.jsonl"
REFUSED = {
    "k2_horizon": "a match that may wait for text far behind it",
    "minimax_m3": "back-reference to `key`",
    "muse_glimmer": "more states than can be looked through",
    "olmo3": "syntax `(?&v)`",
}


def templates(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict) and "fields" in value and value.keys() & {"start_anchor", "start_anchor_pattern"}:
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from templates(inner)


def known() -> dict[str, dict[str, Any]]:
    formats = map(json.loads, FORMATS.read_text(encoding="utf-8").splitlines())
    return {one["family"]: found for one in formats for found in templates(one)}


@pytest.mark.parametrize("name", known())
def test_a_known_template_is_linear_or_refused_for_what_it_uses(name: str) -> None:
    try:
        module = compile_template(known()[name], patterns="linear")
    except CompileError as error:
        assert error.code == "not-linear"
        assert error.what.endswith(f"in linear time: {REFUSED[name]}")
    else:
        assert name not in REFUSED
        assert module.parse("", prefix="") == module.Parser._defaults()
