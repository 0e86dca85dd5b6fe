"""A JSON body while it arrives: at every point it is known whether it is whole, hopeless, or inside of a string."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from runtime.json_body import DEEPEST, LONGEST, JsonBody
from runtime.read_json import read_json

GEMMA: dict[str, Any] = {"unquoted_keys": True, "string_delims": (("<|", "|>"),)}
PARTS = [
    *[
        '{"k":',
        '"x"',
        "{",
        "}",
        "[",
        "]",
        ":",
        ",",
        '"',
        "\\",
        "\\u00e9",
        "\\n",
        "\n",
        "\t",
        " ",
        "\x0b",
        "\u00a0",
        "\u00e9",
    ],
    *[
        "1",
        "-",
        ".",
        "e",
        "0",
        "true",
        "tru",
        "null",
        "NaN",
        "-Infinity",
        "a",
        "/",
        "<|",
        "|>",
        "<",
        "|",
        "k:",
        "\ud83d",
    ],
]
bodies = st.lists(st.sampled_from(PARTS), max_size=8).map("".join)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=6,
)


def read(body: str, size: int = 0, **dialect: Any) -> JsonBody:
    reader = JsonBody(**dialect)
    for at in range(0, len(body), size or len(body) or 1):
        reader.read(body[at : at + (size or len(body))])
    return reader


def known(reader: JsonBody) -> tuple[bool, bool, bool, int]:
    return reader.dead, reader.complete, reader.in_string, reader.end


def is_json(body: str, **dialect: Any) -> bool:
    try:
        read_json(body, **dialect)
    except ValueError:
        return False
    return True


@given(bodies, st.integers(1, 4), st.sampled_from([{}, {"unquoted_keys": True}, GEMMA]))
def test_pieces_do_not_matter(body: str, size: int, dialect: dict[str, Any]) -> None:
    assert known(read(body, size, **dialect)) == known(read(body, **dialect))


@given(bodies)
def test_a_body_is_complete_when_it_can_be_read(body: str) -> None:
    reader = read(body)
    assert reader.complete == is_json(body)
    assert not (reader.dead and reader.complete)


@given(bodies, bodies)
def test_what_is_dead_stays_dead(body: str, more: str) -> None:
    if read(body).dead:
        assert not is_json(body + more)


@given(values, st.integers(0, 3), st.sampled_from([None, 2]))
def test_what_can_become_a_value_is_alive(value: Any, after: int, indent: int | None) -> None:
    body = json.dumps(value, indent=indent)
    for cut in range(len(body) + 1):
        reader = read(body[:cut])
        assert not reader.dead
        assert reader.in_string == _in_string(body[:cut])
    assert read(body + " " * after).complete


def _in_string(text: str) -> bool:
    quotes = text.replace("\\\\", "").replace('\\"', "").count('"')
    return quotes % 2 == 1


@pytest.mark.parametrize(
    ("body", "end"),
    [
        ('{"a": 1}', 8),
        ('{"a": 1}x', 8),
        ('{"a": 1}  ', 8),
        (' "a" ', 4),
        ("12", -1),
        ("12 ", 2),
        ("12,", 2),
        ("tru", -1),
        ("12<", 2),
        ("12x", 2),
        ("-1.5e3<", 6),
        ("1.x", 1),
        ("-x", 1),
        ("trux", 3),
        ("true<", 4),
        ("-Infinity<", 9),
        ("-Inx", 3),
        ("01", 1),
        ("[1", -1),
        ("[1x", 2),
        ('{"a" 1', 5),
        ("x", 0),
        ("  x", 2),
        ('"a\nb"', 2),
        ('"a\\x', 3),
        ('"a\\u00gg"', 6),
        ('"a\\u00', -1),
        ("]", 0),
        ("[}", 1),
        ("", -1),
    ],
)
def test_where_the_value_ends(body: str, end: int) -> None:
    for size in (0, 1, 2):
        assert read(body, size).end == end


@pytest.mark.parametrize(
    ("body", "in_string", "dead", "complete"),
    [
        ("{k:<|a", True, False, False),
        ("{k:<|a|", True, False, False),
        ('{k:<|a"b|>}', False, False, True),
        ('{k:"a<|b"}', False, False, True),
        ("{k:<", False, False, False),
        ("{k:<x", False, True, False),
        ("{k", False, False, False),
        ("{k k", False, True, False),
        ("{k:1,l:2}", False, False, True),
        ("{1:2}", False, False, True),
        ("{k:<|\n|>}", False, False, True),
        ("<|a|>", False, False, True),
        ("[<|a|>,<|b|>]", False, False, True),
        ("<|a|><|", False, True, False),
        ("k", False, True, False),
        ("{-", False, True, False),
    ],
)
def test_a_dialect(body: str, in_string: bool, dead: bool, complete: bool) -> None:
    for size in (0, 1, 3):
        reader = read(body, size, **GEMMA)
        assert (reader.in_string, reader.dead, reader.complete) == (in_string, dead, complete)
        assert not complete or is_json(body, **GEMMA)


@pytest.mark.parametrize("dialect", [{}, {"unquoted_keys": True}])
def test_a_word_without_end_is_given_up(dialect: dict[str, Any]) -> None:
    reader = JsonBody(**dialect)
    reader.read("[" if not dialect else "{")
    for _ in range(LONGEST):
        reader.read("1")
    assert not reader.dead
    reader.read("1")
    assert reader.dead


@given(bodies, bodies)
def test_a_reader_goes_on_from_its_state_and_from_a_twin(before: str, after: str) -> None:
    reader, again = JsonBody(**GEMMA), JsonBody(**GEMMA)
    reader.read(before)
    if reader.dead or reader.end >= 0:
        return
    again.put_back(json.loads(json.dumps(reader.state())))
    twin = reader.twin()
    reader.read(after)
    for other in (again, twin):
        other.read(after)
        assert (other.dead, other.end, other.in_string, other.state()) == (
            reader.dead,
            reader.end,
            reader.in_string,
            reader.state(),
        )


def test_what_no_reader_follows_is_dead() -> None:
    body = JsonBody()
    body.read("[" * DEEPEST)
    assert not body.dead
    body.read("[")
    assert (body.dead, body.end) == (True, DEEPEST)
