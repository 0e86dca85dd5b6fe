"""What a template does to values is seen in its text, and only there."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.chat.notation import faults, leaks, unescaped

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text("abN'\"\\", max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=6,
)


@given(VALUES)
def test_json_is_no_fault(value: Any) -> None:
    assert leaks(value, json.dumps(value)) == []


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        (None, "x=None", ["None"]),
        (True, "x=True, y", ["True"]),
        (False, "Falsehood", []),
        (["a"], "['a']", ["['a']"]),
        ({"a": None}, "{'a': None}", ["{'a': None}", "None"]),
        ([1, 2], "[1, 2]", []),
        ([None, "None"], "None", []),
        ({"None": None}, "None", []),
    ],
)
def test_leaks(value: Any, text: str, found: list[str]) -> None:
    assert leaks(value, text) == found


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("it's", "f('it's')", ["'"]),
        ("it's", 'f("it\'s")', []),
        ("a\nb", "f('a\nb')", ["'"]),
        ("a\nb", "<|a\nb|>", []),
        ('<|"|>', '{<|"|><|"|><|"|>}', ['<|"|>']),
        ("ab", "\nab\n", []),
        ("", "''", []),
        ({"k'": ["x"]}, "'k''", ["'"]),
    ],
)
def test_unescaped(value: Any, text: str, found: list[str]) -> None:
    assert unescaped(value, text) == found


def test_in_words() -> None:
    assert faults([None, "it's"], "None, 'it's'") == ["prints Python's None", 'does not escape "\'" inside "\'"']
