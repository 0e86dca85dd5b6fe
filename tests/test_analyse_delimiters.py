"""Shapes of delimiters: what is said to be a few words matches those and nothing else, in the engine's order."""

from __future__ import annotations

import re
from typing import Any

import pytest
import regex
from hypothesis import assume, given
from hypothesis import strategies as st

from compiler import pattern
from compiler.analyse_delimiters import (
    MOST_WORDS,
    Watched,
    Word,
    closed_by,
    escaped,
    lead_of,
    opened_by,
    pattern_node,
    pattern_text,
    plain_words,
    words_of,
)
from compiler.model import Field, Literals, Pattern

WORDS: dict[str, list[str | Word] | None] = {
    "<a>": ["<a>"],
    "<a>|<b>": ["<a>", "<b>"],
    "</?x>": ["</x>", "<x>"],
    "</??x>": ["<x>", "</x>"],
    "<(?:a|b)>": ["<a>", "<b>"],
    "<(a|b)>": ["<a>", "<b>"],
    "<(?P<n>a|b)>": None,
    "ab|abc": ["ab", "abc"],
    "a{2}": ["aa"],
    "a{1,3}": ["aaa", "aa", "a"],
    "a{1,3}?": ["a", "aa", "aaa"],
    "xa{0,2}": ["xaa", "xa", "x"],
    "xa{0,2}?": ["x", "xa", "xaa"],
    "(?:a|b){2}": ["aa", "ab", "ba", "bb"],
    "(?:a|b){1,2}": None,
    "a?+b": None,
    "a|a": ["a"],
    "": None,
    "a|": None,
    "a*": None,
    "a+": None,
    ".": None,
    r"\d": None,
    "[ab]": None,
    "[a]": ["a"],
    "(?i)a": None,
    "(?i)1": ["1"],
    "^a": None,
    "a$": None,
    "(?=a)b": None,
    "(?!a)": None,
    "(?<=a)": None,
    "(?>ab)": None,
    r"a\s*": [Word("a", blanks=True)],
    r"a\s*+": [Word("a", blanks=True)],
    r"a\s*?": None,
    r"a\s+": None,
    r"\s*a": None,
    r"\s*": None,
    r"a\s*|(?=<b>)": [Word("a", blanks=True), Word("<b>", ahead=True)],
    r"(?:a|b)\s*": [Word("a", blanks=True), Word("b", blanks=True)],
    "(?=a|b)": [Word("a", ahead=True), Word("b", ahead=True)],
    "(?=a*)": None,
    "(?=a)(?=b)": None,
    "|".join(f"<{n:02}>" for n in range(MOST_WORDS)): [f"<{n:02}>" for n in range(MOST_WORDS)],
    "|".join(f"<{n:02}>" for n in range(MOST_WORDS + 1)): None,
    "(?:a|b|c)(?:a|b|c)(?:a|b|c)": None,
    "(?:a|b){5}": None,
    "(?:(?:a|b)x*|c)y": None,
}


@pytest.mark.parametrize("text", WORDS)
def test_words(text: str) -> None:
    expected = WORDS[text]
    found = words_of(pattern.parse(text))
    if expected is None:
        assert found is None
    else:
        assert found is not None
        assert list(found) == [Word(word) if isinstance(word, str) else word for word in expected]


simple = st.recursive(
    st.sampled_from(["a", "b", "ab", "ba"]),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: f"(?:{'|'.join(parts)})"),
        st.lists(inner, min_size=2, max_size=3).map("".join),
        st.tuples(inner, st.sampled_from(["?", "??", "{2}", "{1,2}", "{1,2}?", "{0,2}"])).map(
            lambda t: f"(?:{t[0]}){t[1]}"
        ),
    ),
    max_leaves=5,
)


@given(simple, st.text("ab", max_size=8))
def test_words_are_what_the_engine_tries_in_its_order(text: str, subject: str) -> None:
    found = words_of(pattern.parse(text))
    assume(found is not None)
    assert found is not None
    expected = regex.match(text, subject)
    ours = next((word.text for word in found if subject.startswith(word.text)), None)
    assert ours == (expected[0] if expected else None)


@given(st.text(max_size=6))
def test_an_escaped_word_is_itself_to_both_engines(word: str) -> None:
    assert re.fullmatch(escaped(word), word)
    assert regex.fullmatch(escaped(word), word, regex.DOTALL)


def delimiter(text: str | Literals, does: Any = "open", name: str = "x") -> Watched:
    given_delimiter = Pattern(text) if isinstance(text, str) else text
    field = Field(name, **{does: given_delimiter})
    made = closed_by(field) if does == "close" else opened_by(field, *field.openings)
    assert made is not None and made.shown == str(given_delimiter)
    return made


def test_a_field_without_a_delimiter_is_not_watched() -> None:
    assert Field("x").openings == () and closed_by(Field("x")) is None


@pytest.mark.parametrize(
    ("literals", "text", "subject", "match"),
    [
        (Literals(("a", "ab")), "ab|a", "abc", "ab"),
        (Literals(("a",), blank_after=True), r"a\s*", "a \n", "a \n"),
        (Literals(("a", "ab"), blank_after=True), r"(?:ab|a)\s*", "ab b", "ab "),
        (Literals(("a", "b"), blank_before=True), r"\s*(?:a|b)", "  b", "  b"),
        (Literals((".",), blank_before=True, blank_after=True), r"\s*\.\s*", " . ", " . "),
    ],
)
def test_literals_as_patterns(literals: Literals, text: str, subject: str, match: str) -> None:
    assert pattern_text(literals) == text
    assert pattern_node(literals) == pattern.parse(text)
    found = regex.match(text, subject, regex.DOTALL)
    assert found is not None and found[0] == match


def words(*delimiters: Watched) -> list[str] | None:
    found = plain_words(delimiters)
    return None if found is None else [word.text for _, word in found]


def test_plain_words_begin_with_a_lead_that_none_repeats() -> None:
    assert words(delimiter("<a>"), delimiter("<b>"), delimiter("<c>", "close")) == ["<a>", "<b>", "<c>"]
    assert words(delimiter("<a>"), delimiter("[b]")) is None
    assert words(delimiter("<a<")) is None
    assert words(delimiter("aba")) is None
    assert words(delimiter("a")) == ["a"]
    assert words() == []


def test_a_plain_word_does_not_begin_with_another() -> None:
    assert words(delimiter("<a"), delimiter("<ab", "close")) is None
    assert words(delimiter("<ab|<a")) is None
    assert words(delimiter("<a>|<ab>")) == ["<a>", "<ab>"]


def test_plain_openers_take_no_blanks_and_look_at_nothing() -> None:
    assert words(delimiter(r"<a>\s*")) is None
    assert words(delimiter("(?=<a>)")) is None
    assert words(delimiter(r"<a>\s*|(?=<b>)", "close")) == ["<a>", "<b>"]


def test_of_equal_words_the_first_stands() -> None:
    first, second = delimiter("<a>", name="x"), delimiter(Literals(("<a>", "<b>")), name="y")
    found = plain_words([first, second])
    assert found == [(first, Word("<a>")), (second, Word("<b>"))]
    assert words(delimiter("<a>"), delimiter(r"<a>\s*", "close")) is None
    assert words(delimiter("<a>"), delimiter("(?=<a>)", "close")) is None


def test_what_is_no_word_is_scanned_for() -> None:
    assert words(delimiter("<a>"), delimiter(r"<\d>")) is None


@pytest.mark.parametrize(
    ("texts", "lead"),
    [
        (["<a>", r"<\d+>"], "<"),
        (["<a>", r"(?<=x)<"], "<"),
        (["^<a>"], "<"),
        (["<a>", "[b]"], ""),
        (["<a>", r"\s*<b>"], ""),
        ([r"\d"], ""),
        (["(?=<a>)"], ""),
        (["(?i)a"], ""),
        (["(?i)<a"], "<"),
        (["<?a"], ""),
        ([".<"], ""),
        ([], ""),
    ],
)
def test_the_lead(texts: list[str], lead: str) -> None:
    assert lead_of(map(delimiter, texts)) == lead
