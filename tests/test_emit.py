from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.emit import ABSENT, either, is_empty, item, items, member, scopes, seek, without_empty

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 1) | st.sampled_from(["", "a"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
)


@given(VALUES, st.lists(st.sampled_from("ab"), max_size=3))
def test_an_item_is_what_indexing_gives(value: Any, keys: list[str]) -> None:
    try:
        expected = value
        for key in keys:
            expected = expected[key]
    except (TypeError, KeyError):
        with pytest.raises(ValueError, match=r"^no [ab.]+: "):
            item(value, *keys)
        assert seek(value, *keys) is ABSENT
    else:
        assert item(value, *keys) is expected
        assert seek(value, *keys) is expected


def test_a_missing_item_is_named_by_its_path() -> None:
    with pytest.raises(ValueError, match=r"no a\.b: missing key 'b'"):
        item({"a": {}}, "a", "b", "c")
    with pytest.raises(ValueError, match=r"no a\.b: cannot index into list with 'b'"):
        item({"a": []}, "a", "b")


def test_an_object_of_one_key_is_taken_apart() -> None:
    assert item({"f": {"a": 1}}, "@key") == "f"
    assert item({"f": {"a": 1}}, "@value", "a") == 1
    assert item({"@key": 1}, "@key") == "@key"
    for value in ({}, {"a": 1, "@key": 2}, "a", ["a"]):
        assert seek(value, "@key") is seek(value, "@value") is ABSENT
        with pytest.raises(ValueError, match=r"^no @value: "):
            item(value, "@value")


def test_the_first_value_that_is_there_counts() -> None:
    assert either(ABSENT, None, 1) is None
    assert member("k", ABSENT, 0, 1) == {"k": 0}
    assert member("k", ABSENT) == {}
    with pytest.raises(ValueError, match="none of 2 values is there"):
        either(ABSENT, ABSENT)


def test_an_object_is_the_one_item_of_itself() -> None:
    assert items([1, {}]) == [1, {}]
    assert items({"a": 1}) == [{"a": 1}]
    for content in ("a", 1, None):
        with pytest.raises(ValueError, match=f"not a {type(content).__name__}"):
            items(content)


def test_items_keys_stand_over_captures() -> None:
    content = [{"name": "f", "id": 1}, {}]
    found = list(scopes(content, {"name": "captured"}))
    assert found == [{"name": "f", "id": 1}, {"name": "captured"}]
    assert content == [{"name": "f", "id": 1}, {}]


@pytest.mark.parametrize("content", [{}, "", None, 1, ({},)])
def test_only_a_list_has_items(content: Any) -> None:
    with pytest.raises(ValueError, match=f"not a {type(content).__name__}"):
        next(scopes(content, {}))


def test_an_item_is_looked_at_when_its_turn_comes() -> None:
    found = scopes([{"a": 1}, "b"], {})
    assert next(found) == {"a": 1}
    with pytest.raises(ValueError, match="item 1 is a str"):
        next(found)


@given(st.dictionaries(st.sampled_from("abcd"), VALUES), st.sets(st.sampled_from("abcd")))
def test_only_empty_values_that_are_not_kept_leave(message: dict[str, Any], kept: set[str]) -> None:
    before = copy.deepcopy(message)
    after = without_empty(message, kept)
    assert message == before
    assert after == {key: value for key, value in message.items() if key in after}
    for key, value in message.items():
        assert (key in after) == (key in kept or not is_empty(value))


def test_zero_and_false_are_not_empty() -> None:
    assert [is_empty(value) for value in (None, "", [], {}, 0, 0.0, False, " ", [None])] == [True] * 4 + [False] * 5
