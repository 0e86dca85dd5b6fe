"""The index of committed modules: which templates are in it, and what of an older one stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compiler.hf_json import to_template
from compiler.index import entries, index_text
from compiler.parse import parse
from runtime.hf_modules import template_digest

ONE = parse('grammar one\nanchor "A"\nfield content: text { close "<end>" }', "one.grammar")
TWO = parse('grammar two\nanchor "B"\nfield content: text { close "<end>" }', "two.grammar")
NO_TEMPLATE = parse('grammar more\nanchor "A"\nfield a: text { open "x" close "y" emit null }', "more.grammar")


def test_each_exported_template_leads_to_its_grammar_s_module() -> None:
    index = json.loads(index_text([TWO, ONE], {}))
    assert index == {template_digest(to_template(ONE)): "one", template_digest(to_template(TWO)): "two"}
    assert list(index.values()) == ["one", "two"]


def test_a_grammar_that_says_more_than_templates_is_not_there() -> None:
    assert index_text([ONE, NO_TEMPLATE], {}) == index_text([ONE], {})


def test_only_entries_of_other_modules_stay() -> None:
    assert json.loads(index_text([ONE], {"aa": "one", "bb": "three"})) == {
        template_digest(to_template(ONE)): "one",
        "bb": "three",
    }


def test_an_index_reads_back(tmp_path: Path) -> None:
    path = tmp_path / "templates.json"
    assert entries(path) is None
    path.write_text(index_text([ONE], {}))
    assert entries(path) == {template_digest(to_template(ONE)): "one"}
    (tmp_path / "link.json").symlink_to(path)
    assert entries(tmp_path / "link.json") is None


@pytest.mark.parametrize("text", ["", "[]", "5", '{"a": "one"}', '{"%s": 5}' % ("0" * 64), "[" * 100_000])
def test_what_is_no_index_is_not_taken_for_one(tmp_path: Path, text: str) -> None:
    path = tmp_path / "templates.json"
    path.write_text(text)
    assert entries(path) is None
