"""Repairs of JSON: what each helps and leaves alone, and that what was right stays right."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runtime.read_calls import read_call_list
from runtime.read_json import read_json
from runtime.repair import repaired

ALL = ("commas", "quotes", "escapes", "newlines", "trailing")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab,:]}\\\n é", max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab,", max_size=3), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize(
    ("repair", "body", "value"),
    [
        ("commas", '{"a": 1 "b": [1 2]}', {"a": 1, "b": [1, 2]}),
        ("commas", '{"a": 1,, "b": 2 ,}', {"a": 1, "b": 2}),
        ("commas", "[[1,] [2]]", [[1], [2]]),
        ("quotes", '{"a": "he said "b" twice"}', {"a": 'he said "b" twice'}),
        ("quotes", "{'a': 'it's \"b\" \\\\ \\'', \"c\": \"d'e\"}", {"a": "it's \"b\" \\ '", "c": "d'e"}),
        ("quotes", '"a" b"', 'a" b'),
        ("escapes", r'{"a": "\d\n\u12\u0041\\"}', {"a": "\\d\n\\u12A\\"}),
        ("escapes", r'["\'"]', ["\\'"]),
        ("newlines", '["a\n\tb\x00"]', ["a\n\tb\x00"]),
        ("trailing", '{"a": {"b": 1}}}]}', {"a": {"b": 1}}),
        ("trailing", "1 }", 1),
    ],
)
def test_each_repair_helps_alone(repair: str, body: str, value: Any) -> None:
    assert read_json(body, tolerate=(repair,)) == value
    with pytest.raises(ValueError):
        read_json(body, tolerate=tuple(other for other in ALL if other != repair))


@pytest.mark.parametrize(
    "body",
    [
        *("", "{", "[1", '"a', '{"a"}', '{"a":}', '{"a" 1}', '{"a", 1}', '{"a"::1}', "[,1]", "{,}", "[1}", '{"a": 1]'),
        *(
            "]",
            ":",
            ",",
            "1 2",
            "[1] [2]",
            "[1] x",
            "{a: 1}",
            '{a" : 1}',
            "[a]",
            "[:]",
            "[1, :]",
            '["\\',
            "{1: 2}",
            "['a]",
        ),
    ],
)
def test_nothing_is_invented(body: str) -> None:
    with pytest.raises(ValueError):
        read_json(body, tolerate=ALL)


def test_bare_keys_are_keys_behind_a_missing_comma() -> None:
    delims = (('<|"|>', '<|"|>'),)
    body = "{cmd:<|\"|>look<|\"|>angle:90, refs:['a']}"
    expected = {"cmd": "look", "angle": 90, "refs": ["a"]}
    assert read_json(body, unquoted_keys=True, string_delims=delims, tolerate=ALL) == expected
    with pytest.raises(ValueError, match="a key that is no string"):
        repaired("{a-b: 1}", ALL, bare_keys=True)


def test_quotes_are_repaired_where_nothing_else_helps() -> None:
    assert read_json('{"a": "x" "b": 1}', tolerate=("commas", "quotes")) == {"a": "x", "b": 1}
    assert read_json('{"a": "x" y"}', tolerate=("commas", "quotes")) == {"a": 'x" y'}


@given(VALUES, st.sampled_from([None, 1]), st.lists(st.sampled_from(ALL), unique=True))
@settings(deadline=None)
def test_what_is_right_stays_right(value: Any, indent: Any, repairs: list[str]) -> None:
    assert json.loads(repaired(json.dumps(value, indent=indent), repairs)) == value


@given(VALUES, st.data())
@settings(deadline=None)
def test_commas_may_be_lost_or_doubled(value: Any, data: st.DataObject) -> None:
    text = json.dumps(value)
    strings = [found.span() for found in re.finditer(r'"(?:[^"\\]|\\.)*"', text)]
    places = [at for at, char in enumerate(text) if char == "," and not any(a < at < b for a, b in strings)]
    chosen = data.draw(st.lists(st.sampled_from(places), unique=True)) if places else []
    parts = [data.draw(st.sampled_from([" ", ",,", ", ,"])) if at in chosen else char for at, char in enumerate(text)]
    assert read_json("".join(parts), tolerate=("commas",)) == value


@pytest.mark.parametrize(
    ("head", "step"), [("", "["), ("[", "1 "), ("[1", ","), ("[1]", "}"), ('["', '"a'), ('["', "\\"), ("[", "'")]
)
def test_time_grows_with_the_body(head: str, step: str) -> None:
    """Work that grew with the square of these would not end."""
    with pytest.raises((ValueError, RecursionError)):
        read_json(head + step * 200_000 + "!", tolerate=ALL)


@pytest.mark.parametrize(
    ("repair", "body", "value"),
    [
        ("commas", "[f(a=[1,,2,] b={},) g(),]", [("f", {"a": [1, 2], "b": {}}), ("g", {})]),
        ("escapes", r"[f(a='\d\\\n', b='\u12')]", [("f", {"a": "\\d\\\n", "b": "\\u12"})]),
        ("newlines", "[f(a='x\ny', b=\"\r\")]", [("f", {"a": "x\ny", "b": "\r"})]),
        ("trailing", "[f(a=1)])]}", [("f", {"a": 1})]),
    ],
)
def test_call_lists_are_repaired_too(repair: str, body: str, value: Any) -> None:
    calls = read_call_list(body, tolerate=(repair,))
    assert [(call["name"], call["arguments"]) for call in calls] == value
    for tolerate in ((), tuple(other for other in ALL if other != repair)):
        with pytest.raises(ValueError):
            read_call_list(body, tolerate=tolerate)


@pytest.mark.parametrize("body", ["[,f()]", "[f(,a=1)]", "[f(a=1)] g()", "[f(a='b]", "", "[f(a)]"])
def test_a_call_list_is_not_invented(body: str) -> None:
    with pytest.raises(ValueError):
        read_call_list(body, tolerate=ALL)
