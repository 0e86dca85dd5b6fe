"""Where openers count: several in one field, each with its place, and those that stand only behind a close."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler import CompileError, compile_grammar
from compiler.parse import parse
from tests.ways import agree

TEXT = r"""
grammar g
policy blank skip, trim both, bad text, cut complete
anchor "A"
stop "<end>"

field calls[]: json {
    open  "<c>"
    open  /,(?P<id>\d)?/ when after calls
    open  "!" when start
    close "</c>"
    emit  {"c": content, "id"?: id}
}

field values[] as first: json {
    open  "<v>"
    close value-end
}

field values[] as next: json {
    open  ";" when after values
    close value-end
}

field note: text {
    open  "<n>" when line
    open  "--" when after calls
    close "</n>"
}

field content: text joined "|" {}
"""
PLACES = compile_grammar(TEXT)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<c>1</c>,2[]</c> ,{}</c>x,4", {"calls": [{"c": 1}, {"c": [], "id": "2"}, {"c": {}}], "content": "x,4"}),
        (" !1</c>!2</c>", {"calls": [{"c": 1}], "content": "!2</c>"}),
        ("x!1</c>,2</c>", {"content": "x!1</c>,2</c>"}),
        ("<c>{</c>,[]</c>", {"content": "<c>{</c>", "calls": [{"c": []}]}),
        ("<c>1</c>, x", {"calls": [{"c": 1}], "content": ", x"}),
        ("<c>1</c> <end>,[]</c>", {"calls": [{"c": 1}]}),
        ("<c>1</c>--a</n>--b", {"calls": [{"c": 1}], "note": "a", "content": "--b"}),
        ("<v>1;2 ; 3 x;4", {"values": [1, 2, 3], "content": "x;4"}),
        ("<v>1 <v>2;[3]<end>;4", {"values": [1, 2, [3]]}),
        ("<v>1;", {"values": [1], "content": ";"}),
        ("<n>a</n><n>b", {"note": "a", "content": "<n>b"}),
    ],
)  # fmt: skip
def test_an_opener_counts_in_its_place(text: str, expected: dict[str, Any]) -> None:
    assert agree(PLACES, text, prefix="").message == expected
    assert PLACES.parse(text, prefix="") == expected


PIECES = ["<c>", "</c>", ",", ",1", "!", "<v>", ";", "<n>", "</n>", "--", "<end>", " ", "\n", "x", "1", "[]", "{", "<"]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_every_way_of_reading_finds_the_same_openers(text: str) -> None:
    agree(PLACES, text, prefix="")


def test_openers_are_printed_one_a_line() -> None:
    grammar = parse(TEXT)
    assert parse(str(grammar)) == grammar
    assert '    open  /,(?P<id>\\d)?/ when after calls\n    open  "!" when start\n' in str(grammar)


@pytest.mark.parametrize(
    "fields",
    [
        'field a: text { open ";" when after b close "." }',
        'field a: text { open ";" when after a close "." }',
        'field a: text { open ";" when after b close "." } field b: text { open "<b>" }',
        'field a: text { open ";" when after b close "." } field b: text { open "<b>" close "</b>" blank after }',
    ],
)
def test_a_place_is_behind_a_region_that_closes(fields: str) -> None:
    with pytest.raises(CompileError) as caught:
        compile_grammar(f'grammar g anchor "A" {fields}')
    assert caught.value.code == "place-after"
