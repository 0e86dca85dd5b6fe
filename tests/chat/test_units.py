"""Units are never split, and common parts are whole units."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler.chat.units import common_end, common_start, counterpart, first_marker, last_marker, pieces, units

TEXTS = st.text(alphabet="<>|/[]AB a\n", max_size=12)


@given(TEXTS)
def test_units_are_the_whole_text(text: str) -> None:
    assert "".join(units(text)) == text


@given(TEXTS, TEXTS)
def test_common_parts(first: str, second: str) -> None:
    start, end = common_start(first, second), common_end(first, second)
    assert first.startswith(start)
    assert second.startswith(start)
    assert first.endswith(end)
    assert second.endswith(end)


def test_a_marker_is_not_split() -> None:
    assert common_start("<|a|>x<|b|>", "<|a|>x<|c|>") == "<|a|>x"
    assert common_end("<|a|>!\n", "<|b|>!\n") == "!\n"
    assert units("<think>\n[/INST] it's") == ["<think>", "\n", "[/INST]", " ", "it", "'", "s"]


@pytest.mark.parametrize(
    ("closer", "opener"), [("</x>", "<x>"), ("[/X]", "[X]"), ("<x|>", "<|x>"), ("<|x|>", ""), ("x", "")]
)
def test_counterparts(closer: str, opener: str) -> None:
    assert counterpart(closer) == opener


def test_markers_of_a_text() -> None:
    assert (first_marker("a<b>c<d>"), last_marker("a<b>c<d>"), first_marker("a"), last_marker("a")) == (
        "<b>",
        "<d>",
        "",
        "",
    )
    assert pieces(" <a>\n<b> ") == ["<a>", "<b>"]
    assert pieces(" <a> and ") == ["<a> and"]
    assert pieces(" \n") == []
