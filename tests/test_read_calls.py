from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from outcomes import REFUSED, ours, theirs
from transformers.utils.chat_parsing.content_parsers import parse_content

from runtime.read_calls import read_call_list

BLANKS = st.sampled_from(["", "", "", " ", "\n\t", "\r"])
NAMES = st.sampled_from(["f", "a_1", "get-weather", "a.b", "None", "a", "b", "_", "e5"])
NUMBERS = ["0", "-0", "1", "-1.5", "1e5", "1E-400", "1e400", "01", "1.", ".5", "+1", "1_0", "\u0663", "0x1", "5e+07"]
NUMBERS += [f"{sign}{number}" for sign in ("", "-") for number in (2**53 - 1, 2**53, "9" * 17, "9" * 18, "9" * 5000)]
INSIDE = ["a", " ", "'", '"', "\\'", '\\"', "\\\\", "\\/", "\\n", "\\b", "\\x41", "\\u00e9", "\\u00E", "\\ud83d\\ude00"]
INSIDE += [
    "\\ud83d",
    "\\ude00",
    "\\uDBFF",
    "\\udc00",
    "\ud83d",
    "\ude00",
    "\U0001f600",
    "\n",
    "\r",
    "\t",
    "\x00",
    "\u2028",
]
STRINGS = st.tuples(st.sampled_from("'\""), st.lists(st.sampled_from(INSIDE), max_size=4)).map(
    lambda parts: parts[0] + "".join(parts[1]) + parts[0]
)
SCALARS = STRINGS | st.sampled_from([*NUMBERS, "True", "true", "False", "false", "None", "null", "none", "nan", "x"])
ALPHABET = "[](){}:,='\"\\ \naf-.015eETu\ud83d\u3000"


def items(opening: str, closing: str, item: st.SearchStrategy[str], **size: int) -> st.SearchStrategy[str]:
    return st.tuples(BLANKS, st.lists(st.tuples(item, BLANKS).map("".join), **size)).map(
        lambda parts: f"{opening}{parts[0]}{(',' + parts[0]).join(parts[1])}{closing}"
    )


def members(key: st.SearchStrategy[str], mark: str, value: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(key, BLANKS, st.just(mark), BLANKS, value).map("".join)


VALUES = st.recursive(
    SCALARS,
    lambda inner: items("[", "]", inner, max_size=3) | items("{", "}", members(STRINGS, ":", inner), max_size=3),
    max_leaves=5,
)
CALLS = st.tuples(NAMES, BLANKS, items("(", ")", members(NAMES, "=", VALUES), max_size=3)).map("".join)
LISTS = st.tuples(BLANKS, items("[", "]", CALLS, max_size=3), BLANKS).map("".join)


@st.composite
def damaged(draw: st.DrawFn) -> str:
    text = draw(LISTS)
    at, gone = draw(st.integers(0, len(text))), draw(st.integers(0, 2))
    return text[:at] + draw(st.text(alphabet=ALPHABET, max_size=2)) + text[at + gone :]


def agrees(body: str) -> None:
    assert ours(read_call_list, body) == theirs(parse_content, body, "python-call-list", {})


@given(LISTS | damaged() | st.text(alphabet=ALPHABET, max_size=12))
@settings(max_examples=600, deadline=None)
@example('[f(a="\\ud83d\\u0041")]')
@example("[f(a=1,)]")
@example("[f(1)]")
@example("[f(a={1: 2})]")
@example("[f()] x")
@example("[f(),]")
@example("[f(a=1, a=2)]")
@example("[f(a={'b': 1, 'b': 2})]")
@example("")
def test_calls_are_the_reference_s(body: str) -> None:
    agrees(body)


@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_are_the_reference_s(number: str) -> None:
    agrees(f"[f(a={number}, b=[{number}])]")


@pytest.mark.parametrize("piece", INSIDE)
@pytest.mark.parametrize("quote", "'\"")
def test_strings_are_the_reference_s(piece: str, quote: str) -> None:
    agrees(f"[f(a={quote}{piece}{quote}, b={quote}a{piece}{quote})]")


@pytest.mark.parametrize("opening, closing", [("[", "]"), ('{"a":', "}")])
def test_values_nest_a_hundred_deep(opening: str, closing: str) -> None:
    def nested(depth: int) -> str:
        return f"[f(a={opening * depth}1{closing * depth})]"

    assert ours(read_call_list, nested(100)) != REFUSED
    assert ours(read_call_list, nested(101)) == REFUSED
    assert ours(read_call_list, nested(100_000)) == REFUSED
    agrees(nested(100))


def test_what_is_read() -> None:
    body = "[get-weather(city='Paris', days=[1, 2.0], deep={\"a\": None}), done()]"
    assert read_call_list(body) == [
        {"name": "get-weather", "arguments": {"city": "Paris", "days": [1, 2.0], "deep": {"a": None}}},
        {"name": "done", "arguments": {}},
    ]


@pytest.mark.parametrize(
    ("body", "brackets", "separator", "names"),
    [
        ("a.b(x=1)\n c(y='\\n')", False, "\n", ["a.b", "c"]),
        ("[a() \n b()]", True, "\n", ["a", "b"]),
        (" a() b() ", False, " ", ["a", "b"]),
        ("a(), b()", False, ",", ["a", "b"]),
        ("", False, "\n", []),
        ("[]", True, "\n", []),
    ],
)
def test_calls_stand_without_brackets_or_commas(body: str, brackets: bool, separator: str, names: list[str]) -> None:
    calls = read_call_list(body, brackets=brackets, separator=separator)
    assert [call["name"] for call in calls] == names


@pytest.mark.parametrize(
    ("body", "brackets", "separator"),
    [
        ("a() b()", False, "\n"),
        ("a(),\nb()", False, "\n"),
        ("[a()", True, "\n"),
        ("a()]", False, "\n"),
        ("a(),", False, ","),
    ],
)
def test_calls_stand_apart_as_the_grammar_says(body: str, brackets: bool, separator: str) -> None:
    with pytest.raises(ValueError, match="expected "):
        read_call_list(body, brackets=brackets, separator=separator)
