from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.emit import is_empty, item, scopes, without_empty

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
    else:
        assert item(value, *keys) is expected


def test_a_missing_item_is_named_by_its_path() -> None:
    with pytest.raises(ValueError, match=r"no a\.b: missing key 'b'"):
        item({"a": {}}, "a", "b", "c")
    with pytest.raises(ValueError, match=r"no a\.b: cannot index into list with 'b'"):
        item({"a": []}, "a", "b")


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
