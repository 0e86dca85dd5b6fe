"""Python literals, held against what Python itself reads."""

from __future__ import annotations

import ast
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.python_literals import read_python

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(TEXTS, inner, max_size=3)
    | st.lists(inner, max_size=3).map(tuple),
    max_leaves=8,
)


def listed(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: listed(one) for key, one in value.items()}
    return [listed(one) for one in value] if isinstance(value, (list, tuple)) else value


@given(VALUES)
def test_what_python_prints_reads_back(value: Any) -> None:
    assert read_python(repr(value)) == listed(value)


@given(
    st.lists(st.sampled_from(["\\", "x41", "u00e9", "U0001F600", "n", "d", "'", "0", "17", "8", "v"]), max_size=6).map(
        "".join
    )
)
def test_escapes_are_python_s(text: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            expected = ast.literal_eval(f'"{text}"')
        except (SyntaxError, ValueError):
            return
    assert read_python(f'"{text}"') == expected


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (" [1, 2, ] ", [1, 2]),
        ("(1)", 1),
        ("((1,), ())", [[1], []]),
        ("{'a': true, 'b': None}", {"a": True, "b": None}),
        ("'\\d'", "\\d"),
        (str(10**30), 10**30),
        (f"{'[' * 100}{']' * 100}", None),
    ],
)
def test_more_than_python_prints(body: str, value: Any) -> None:
    assert value is None or read_python(body) == value


@pytest.mark.parametrize(
    "body",
    [
        *(
            "",
            "a",
            "f()",
            "1 2",
            "[1",
            "[,]",
            "(,)",
            "{1: 2}",
            "{'a'}",
            "{'a': 1, 'a': 2}",
            "r'a'",
            "'a' 'b'",
            "1_0",
            "'a",
        ),
        *("'\n'", "1 + 1", "{'a': 1,, }", "[1]]", "9" * 5000, "[" * 101 + "]" * 101, "(" * 101 + ")" * 101, "1e999"),
    ],
)
def test_what_is_no_literal_is_refused(body: str) -> None:
    with pytest.raises(ValueError):
        read_python(body)


def test_newlines_and_brackets_are_tolerated() -> None:
    assert read_python("['a\nb']", tolerate=("newlines",)) == ["a\nb"]
    assert read_python("[1]]})", tolerate=("trailing",)) == [1]


@pytest.mark.parametrize("step", ["[", "(", "'", "1,", "'a',", "\\", "{'a':"])
def test_time_grows_with_the_body(step: str) -> None:
    """Work that grew with the square of these would not end."""
    with pytest.raises(ValueError):
        read_python("[" + step * 200_000)


@pytest.mark.parametrize("quoted", [r"'\101\7'", r"'\x41'", r"'\u0041'", r"'\U00000041'", r"'\t'"])
def test_each_kind_of_escape_is_read(quoted: str) -> None:
    assert read_python(quoted) == ast.literal_eval(quoted)
