"""The index of committed modules: which templates are in it, and what of an older one stays."""

from __future__ import annotations

import json

from compiler.hf_json import to_template
from compiler.index import index_text
from compiler.parse import parse
from runtime.hf_modules import template_digest

ONE = parse('grammar one\nanchor "A"\nfield content: text { close "<end>" }', "one.grammar")
TWO = parse('grammar two\nanchor "B"\nfield content: text { close "<end>" }', "two.grammar")
NO_TEMPLATE = parse('grammar more\nanchor "A"\nfield a: text { open "x" close "y" emit null }', "more.grammar")


def test_each_exported_template_leads_to_its_grammar_s_module() -> None:
    index = json.loads(index_text([TWO, ONE]))
    assert index == {template_digest(to_template(ONE)): "one", template_digest(to_template(TWO)): "two"}
    assert list(index.values()) == ["one", "two"]


def test_a_grammar_that_says_more_than_templates_is_not_there() -> None:
    assert json.loads(index_text([ONE, NO_TEMPLATE])) == json.loads(index_text([ONE]))


def test_only_entries_of_other_modules_stay() -> None:
    assert json.loads(index_text([ONE], {"aa": "one", "bb": "three"})) == {
        template_digest(to_template(ONE)): "one",
        "bb": "three",
    }
