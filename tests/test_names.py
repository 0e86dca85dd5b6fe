"""Names and literals for generated code: whatever goes in, nothing that comes out carries code."""

from __future__ import annotations

import ast
import keyword
import math
import tokenize
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.names import NAME, comment, identifiers, literal, prose, raw_literal, value
from runtime.stream import Stream
from tests.strategies import ODD

ODDER = [*ODD, '"""', "'''", '\\"""', "{{", "{% raw %}", "\r\n", "\x0c", "\x1a", "\x85", "\u2029", "\ufeff", "\udcff"]
odd_texts = st.lists(st.sampled_from(ODDER) | st.text(max_size=4), max_size=6).map("".join)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | odd_texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(odd_texts, inner, max_size=3),
    max_leaves=8,
)


def same(left: Any, right: Any) -> bool:
    if isinstance(left, float):
        return type(right) is float and (left == right and math.copysign(1, left) == math.copysign(1, right))
    if isinstance(left, dict):
        return list(left) == list(right) and all(map(same, left.values(), right.values()))
    if isinstance(left, list):
        return type(right) is list and len(left) == len(right) and all(map(same, left, right))
    return type(left) is type(right) and bool(left == right)


@given(odd_texts)
def test_a_literal_is_its_text(text: str) -> None:
    for source in (literal(text), raw_literal(text)):
        assert source.isascii() and source.isprintable()
        assert ast.literal_eval(source) == text
        assert len(list(tokenize.generate_tokens(StringIO(source).readline))) == 3  # the string, a line, the end


@given(json_values)
def test_a_value_is_its_source(constant: Any) -> None:
    source = value(constant)
    assert source.isascii() and "\n" not in source
    made = eval(source, {"__builtins__": {"float": float}})
    assert same(constant, made) or "nan" in source


def test_numbers_that_json_does_not_have() -> None:
    assert [value(x) for x in (math.inf, -math.inf, math.nan)] == ['float("inf")', 'float("-inf")', 'float("nan")']
    assert value(-0.0) == "-0.0"


@pytest.mark.parametrize("raw", [r"\d", r"<\|x\|>"])
def test_patterns_are_raw_where_they_can_be(raw: str) -> None:
    assert raw_literal(raw) == f'r"{raw}"'


class Str(str):
    def __repr__(self) -> str:
        return "__import__('os')"


@pytest.mark.parametrize("foreign", [Str("x"), b"x", 1j, (), {1}, object(), [Str("x")], {"x": b""}, {Str("x"): 1}])
def test_foreign_types_have_no_source(foreign: object) -> None:
    with pytest.raises(TypeError):
        value(foreign)
    if not isinstance(foreign, (list, dict)):
        with pytest.raises(TypeError):
            literal(foreign)  # type: ignore[arg-type]


@given(odd_texts, odd_texts)
def test_a_comment_stays_on_its_line(before: str, text: str) -> None:
    shown = comment(before + text)
    assert shown.isascii() and (shown.isprintable() or not shown)
    tree = ast.parse(f"x = 1  # {shown}\ny = 2\n")
    assert len(tree.body) == 2


@given(odd_texts, st.integers(8, 60))
def test_prose_stays_in_its_docstring(text: str, room: int) -> None:
    shown = prose(text, room)
    assert len(shown) <= room and shown.isascii()
    for quotes in ('"""', 'r"""') if "\\" not in shown else ('r"""',):
        tree = ast.parse(f'{quotes}About {shown}.\n{shown}  -> {shown}\n\n    {shown}\n"""\n')
        assert len(tree.body) == 1 and ast.get_docstring(tree, clean=False) is not None


OURS = [
    *["close", "read", "prefix", "blanks", "or_finish", "done", "outside", "states", "behind", "owed", "tools"],
    *["parse", "parser", "rt", "re", "regex", "self", "text", "at", "found", "first", "class", "match", "none"],
    *["_x", "__init__", "X", "x" * 100, "\u00e9", "e\u0301", "\u0131", "x y", "x\ny", "", "field_1", "field_2", '"""'],
]


@given(st.lists(st.sampled_from(OURS) | odd_texts, unique=True, max_size=12))
def test_identifiers_are_distinct_and_ours_alone(names: list[str]) -> None:
    given_names = identifiers(names)
    assert list(given_names) == names
    idents = list(given_names.values())
    assert len({ident.casefold() for ident in idents}) == len(names)
    for name, ident in given_names.items():
        assert NAME.fullmatch(ident) and not keyword.iskeyword(ident)
        assert ident == name or ident == f"field_{names.index(name) + 1}"
        for made in (f"_read_{ident}", f"_close_{ident}", ident.upper()):
            assert not hasattr(Stream, made)


def test_harmless_names_stay() -> None:
    names = ["content", "tool_calls", "parse", "match", "a" * 41]
    assert identifiers(names) == {name: name for name in names}


@pytest.mark.parametrize(
    "name", ["prefix", "or_finish", "outside", "states", "behind", "class", "_x", "a" * 42, "Content"]
)
def test_other_names_get_a_number(name: str) -> None:
    assert identifiers(["x", name]) == {"x": "x", name: "field_2"}
