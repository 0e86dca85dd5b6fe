from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from outcomes import REFUSED, exact, ours, theirs
from transformers.utils.chat_parsing.content_parsers import parse_content

from runtime.lax_json import _pattern
from runtime.read_json import read_json, read_json_lines

Pairs = tuple[tuple[str, str], ...]
QUOTE = ('<|"|>', '<|"|>')

# Some pairs overlap themselves or each other, or take marks of the dialect's own apart.
PAIRS = [QUOTE, ("<|", "|>"), ("'", "'"), ('"', '"'), ("a", "b"), ("aa", "a"), ("{", "}"), ("0", "1"), ("1", "\x02")]
PAIRS += [("\x01", "\x02"), ("0\x02", "a"), ("b", "\x01")]
PIECES = ["{", "}", "[", "]", ":", ",", '"', "\\", '\\"', "\\\n", "\n", " ", "\t", "\x1c", "\x85", "\u3000", "'", "<|"]
PIECES += ["|>", '<|"|>', "a", "b", "a1", "_", "0", "1", "-1", "1.0", "\u00e9", "\u00b2", "\u0663", "\u0301", "true"]
PIECES += ["NaN", "null", '"a"', '"a":', "{a:", ",b :", "{ \u00b2:", ", \x1cb:", "\ud83d", "\ude00", "\x01", "\x02"]


def soup(pieces: list[str], **size: int) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(pieces), **size).map("".join)


@st.composite
def nearly_json(draw: st.DrawFn) -> str:
    """An object of bare keys and strings in all kinds of quotes; mostly well-formed."""
    quotes = st.sampled_from([QUOTE, ("<|", "|>"), ("'", "'"), ('"', '"'), ("", "")])
    members = []
    for _ in range(draw(st.integers(0, 4))):
        opening, closing = draw(quotes)
        key = draw(st.sampled_from(["a", "b1", '"a"', "\u00e9", "\u00b2", "a-b", "'a'"]))
        value = opening + draw(soup(PIECES, max_size=3)) + closing
        blank = draw(st.sampled_from(["", " ", "\n", "\x1c", "\u3000"]))
        members.append(f"{blank}{key}{blank}:{draw(st.sampled_from([value, '1', '{a:1}', '[2]']))}")
    return "{" + ",".join(members) + "}"


@given(
    body=nearly_json() | soup(PIECES, max_size=12),
    unquoted_keys=st.booleans(),
    pairs=st.lists(st.sampled_from(PAIRS), max_size=3).map(tuple),
    allow_non_json=st.booleans(),
    strip=st.booleans(),
)
@settings(max_examples=1000, deadline=None)
@example("{\"a\": 'x <|y|> z'}", False, (("<|", "|>"), ("'", "'")), False, True)
@example('{"a": "it\'s \'x\'"}', False, (("'", "'"),), False, True)
@example("\x01", False, (("'", "'"),), True, True)
@example('{"\\"{a:1}, b:2}', True, (), True, True)
@example('{"\\\n", b:2,"c":3}', True, (), True, False)
@example("'\ud83d\ude00'", False, (("'", "'"),), False, True)
@example("{a:'x'b:1}", True, (("'", "'"), ("b", ":")), False, True)
def test_values_are_the_reference_s(
    body: str, unquoted_keys: bool, pairs: Pairs, allow_non_json: bool, strip: bool
) -> None:
    arguments = {"unquoted_keys": unquoted_keys, "allow_non_json": allow_non_json, "strip": strip}
    expected = theirs(parse_content, body, "json", {**arguments, "string_delims": [list(pair) for pair in pairs]})
    assert ours(read_json, body, string_delims=pairs, **arguments) == expected


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=8))
def test_plain_json_is_read_as_json_loads_reads_it(value: Any) -> None:
    body = json.dumps(value)
    assert exact(read_json(body)) == exact(json.loads(body))


@given(st.dictionaries(st.sampled_from(["a", "b_1", "\u00e9"]), st.text(st.characters(exclude_characters="\x01\x02<"))))
@settings(deadline=None)
def test_delimited_strings_are_verbatim(members: dict[str, str]) -> None:
    body = "{" + ", ".join(f'{key}: <|"|>{value}<|"|>' for key, value in members.items()) + "}"
    assert read_json(body, unquoted_keys=True, string_delims=(QUOTE,)) == json.loads(json.dumps(members))


@pytest.mark.parametrize("body", ["[" * 100_000, '{"a":' * 100_000, "9" * 5000, "[" + "9" * 5000 + "]"])
@pytest.mark.parametrize("allow_non_json", [True, False])
def test_what_python_cannot_read_is_refused_and_no_text(body: str, allow_non_json: bool) -> None:
    assert ours(read_json, body, allow_non_json=allow_non_json) == REFUSED


def test_ascii_bodies_need_no_regex(monkeypatch: pytest.MonkeyPatch) -> None:
    _pattern.cache_clear()
    monkeypatch.setitem(sys.modules, "regex", None)
    assert read_json('{a: "{b:1}", "c": 1}', unquoted_keys=True) == {"a": "{b:1}", "c": 1}
    assert read_json('{a: <|"|>\u00e9<|"|>}', unquoted_keys=True, string_delims=(QUOTE,)) == {"a": "\u00e9"}
    _pattern.cache_clear()


GEMMA: Any = {"unquoted_keys": True, "string_delims": (('<|"|>', '<|"|>'),), "lexed": True}


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ('{a: <|"|>x "y" {b: 1}<|"|>, "c": "<|\\"|>"}', {"a": 'x "y" {b: 1}', "c": '<|"|>'}),
        ('{a: "it says <|", b: <|"|>\x01\\<|"|>}', {"a": "it says <|", "b": "\x01\\"}),
        ("{a : {b: [true, null, -1.5e3]}}", {"a": {"b": [True, None, -1500.0]}}),
        ('{"a": "b: c", d: <|"|><|"|>}', {"a": "b: c", "d": ""}),
    ],
)
def test_strings_of_either_kind_hide_those_of_the_other(body: str, value: Any) -> None:
    assert read_json(body, **GEMMA) == value


@pytest.mark.parametrize("body", ['{a: "b}', '{a: <|"|>b}', "{a b: 1}", '{a: "b\\"}', "{a: x}", ""])
def test_what_a_lexed_dialect_refuses(body: str) -> None:
    with pytest.raises(ValueError):
        read_json(body, **GEMMA)


def test_lexed_bodies_are_repaired_too() -> None:
    assert read_json('{a: <|"|>b<|"|>c: 1}', **GEMMA, tolerate=("commas",)) == {"a": "b", "c": 1}
    assert read_json("{a: x: 1}", unquoted_keys=False, string_delims=(("(", ")"),), lexed=True, allow_non_json=True)


@pytest.mark.parametrize("step", ['"', '\\"', '<|"|>', "a", "a ", "a:", " ", "\\"])
def test_lexing_takes_time_that_grows_with_the_body(step: str) -> None:
    """Work that grew with the square of these would not end."""
    with pytest.raises(ValueError):
        read_json("[" + step * 200_000, **GEMMA)


def test_each_line_holds_a_value() -> None:
    assert read_json_lines('{"a": 1}\r\n\n 2 \n') == [{"a": 1}, 2]
    assert read_json_lines(" ") == []
    with pytest.raises(ValueError):
        read_json_lines("1\nx")
