"""Which templates of known formats `patterns="linear"` refuses, and why. All others are scanned in linear time."""

from __future__ import annotations

import ast
import importlib.util
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


def fallbacks() -> Iterator[tuple[str, dict[str, Any]]]:
    """Templates that transformers serves models with which ship none: (the first of their types, template)."""
    found = importlib.util.find_spec("transformers")
    assert found is not None and found.origin is not None, "the tests need transformers"
    source = Path(found.origin).with_name("cli") / "serving" / "utils.py"
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_RESPONSE_TEMPLATE_FALLBACKS":
            for types, template in ast.literal_eval(node.value).items():
                yield types[0], template


def test_the_templates_of_transformers_are_linear() -> None:
    names = []
    for name, template in fallbacks():
        module = compile_template(template, patterns="linear")
        assert module.parse("", prefix="") == module.Parser._defaults()
        names.append(name)
    assert "qwen2" in names
