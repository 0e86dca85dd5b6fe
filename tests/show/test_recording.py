"""A recording: its stretches tile the text, its holds are the parser's, its changes add up to the message."""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler import compile_grammar
from compiler.show.recording import Change, Generation, Hold, Stretch, change, record
from tests.feeding import BARE, MIXED, TEXT

BEYOND = compile_grammar("""
    grammar beyond
    policy blank skip, bad text, cut complete, aware
    default role = "assistant"
    anchor "A>"
    stop "<end>"
    stray "</t>"
    field think: text joined "-" { open "<t>" close "</t>" }
    field calls[]: json { open "<c=f>" close "</c>" }
    field content: text joined "" {}
    """)
PIECES = ["<t>", "</t>", "<c=f>", "</c>", "<i>", "</i>", "<end>", "<", "1", '{"id": [1]}', "\n\n", " ", "a", "A>"]
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def test_what_each_stretch_is() -> None:
    recording = record(MIXED, Generation('Hi<t>\nx</t>\n<c=f>{"id": 1}</c>', "..A><"))
    assert recording.text == '<Hi<t>\nx</t>\n<c=f>{"id": 1}</c>'
    assert (recording.prefix_end, recording.has_anchor) == (1, True)
    assert recording.fields == ("content", "think", "calls")
    assert recording.stretches() == [
        Stretch(0, 3, "text", "content"),
        Stretch(3, 6, "open", "think"),
        Stretch(6, 8, "text", "think"),
        Stretch(8, 12, "close", "think"),
        Stretch(12, 13, "dropped", note="blank"),
        Stretch(13, 18, "open", "calls", "name='f'"),
        Stretch(18, 27, "text", "calls"),
        Stretch(27, 31, "close", "calls"),
    ]


def test_a_malformed_region_is_one_stretch() -> None:
    recording = record(MIXED, Generation("a<i>x</i><i>2</i>"))
    assert recording.stretches()[:2] == [Stretch(0, 1, "text", "content"), Stretch(1, 9, "malformed", "count")]
    assert [error.field for error in recording.errors] == ["count"]
    assert recording.message == {"role": "assistant", "content": "a", "count": 2}


def test_two_regions_that_touch_are_two_stretches() -> None:
    module = compile_grammar('grammar g anchor "A" field a[]: text { open "[" } field b: text joined "" { close "]" }')
    assert [stretch.kind for stretch in record(module, Generation("x]y]")).stretches()] == ["text", "close"] * 2


def test_what_was_held_and_how_long() -> None:
    assert record(BARE, Generation("a<b<t>c</")).holds() == [Hold(1, 2, 1), Hold(3, 5, 2), Hold(7, 9, 1)]
    assert record(BARE, Generation("a<b<t>c</"), piece=2).holds() == [Hold(1, 2, 2), Hold(3, 4, 2), Hold(7, 9, 1)]
    assert record(BARE, Generation("<t>")).holds() == [Hold(0, 2, 2)]


def test_an_anchor_that_is_missing_is_told() -> None:
    recording = record(BARE, Generation("x", "no anchor "))
    assert not recording.has_anchor
    assert recording.text == "no anchor x"


def test_json_is_pointed_at_where_it_fails() -> None:
    recording = record(MIXED, Generation('<c=f>{"id": oops}</c><i>two\nlines</i><c=f>{"id": </c>'))
    places = [recording.place_of(error) for error in recording.errors]
    assert [recording.text[start:end] for start, end in places] == ["o", "<i>two", " "]


def test_tools_that_are_none_are_refused() -> None:
    with pytest.raises((ValueError, TypeError)):
        record(BARE, Generation("x", tools=5))


@pytest.mark.filterwarnings("ignore:the prefix does not contain the anchor")
@pytest.mark.parametrize("module", [MIXED, BEYOND], ids=["mixed", "beyond"])
@pytest.mark.parametrize("piece", [1, 3])
@given(text=texts, prefix=texts)
def test_laws(module: ModuleType, piece: int, text: str, prefix: str) -> None:
    recording = record(module, Generation(text, prefix), piece=piece)
    ends = [0, *(stretch.end for stretch in recording.stretches())]
    assert [stretch.start for stretch in recording.stretches()] == ends[:-1]
    assert ends[-1] == len(recording.text)
    parser = module.Parser(prefix=prefix, on_error="keep")
    message: dict[str, Any] = {}
    for number, step in enumerate(recording.steps):
        message = grown(message, step.change)
        if number:
            at = (number - 1) * piece
            parser.feed(text[at : at + piece])
        if number < len(recording.steps) - 1:
            assert recording.text[step.read : step.fed].endswith(parser.state()["held"])
            assert json.dumps(message) == json.dumps(parser.partial()["message"])
    assert json.dumps(message) == json.dumps(recording.message) == json.dumps(parser.finalize()[0])


def grown(before: dict[str, Any], step: Change | None) -> dict[str, Any]:
    if step is None:
        return before
    assert not set(step.new) & set(step.more)
    after = {}
    for key in step.keys:
        after[key] = step.new[key] if key in step.new else before[key]
        if key in step.more:
            after[key] = after[key] + step.more[key]
    return after


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": 1}, {"a": 1}, None),
        ({"a": 1}, {"a": True}, Change(("a",), {"a": True}, {})),
        ({"a": "x"}, {"a": "xy"}, Change(("a",), {}, {"a": "y"})),
        ({"a": "x"}, {"a": "y"}, Change(("a",), {"a": "y"}, {})),
        ({"a": [1]}, {"a": [1, 2]}, Change(("a",), {}, {"a": [2]})),
        ({"a": [1]}, {"a": [2, 1]}, Change(("a",), {"a": [2, 1]}, {})),
        ({"a": [1], "b": "x"}, {"a": [1], "b": "x"}, None),
        ({"a": 1, "b": 2}, {"b": 2}, Change(("b",), {}, {})),
        ({"a": 1}, {"a": 1, "b": []}, Change(("a", "b"), {"b": []}, {})),
    ],
)
def test_changes(before, after, expected) -> None:
    assert change(before, after) == expected


def test_the_example_has_all_kinds() -> None:
    kinds = {stretch.kind for stretch in record(MIXED, Generation(TEXT)).stretches()}
    assert kinds == {"open", "text", "close", "dropped", "malformed"}
