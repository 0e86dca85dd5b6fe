"""The twin says of a text what all its continuations have in common."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from compiler import pattern
from compiler.pattern import Unsupported, parse
from compiler.twin import twin
from runtime.scan import Deaf, Delimiter, Twin
from tests.random_patterns import ALPHABET, cut_texts, delimiters, followed, is_read, one_shot, outcomes


def scanner(source: str) -> Delimiter:
    try:
        return Twin(source, twin(parse(source)))
    except Unsupported:
        return Deaf(source)


@settings(max_examples=400, deadline=None)
@given(delimiters, st.text(ALPHABET, max_size=6), st.integers(0, 2))
def test_what_it_says_holds_in_every_continuation(source: str, text: str, at: int) -> None:
    assume(is_read(source) and at <= len(text))
    scan = scanner(source).scan().near(text, at, 0, False)
    all_of_them = outcomes(source, text, at)
    if scan.end < 0:
        assert scan.start <= min(start for start, _, _ in all_of_them)
    else:
        assert all_of_them == {(scan.start, scan.end, tuple(sorted(scan.captures(text).items())))}


@settings(max_examples=300, deadline=None)
@given(delimiters, cut_texts())
def test_cutting_the_text_changes_nothing(source: str, pieces: list[str]) -> None:
    assume(is_read(source))
    behind = pattern.behind(parse(source))
    matches, _ = followed(scanner(source), pieces, behind)
    assert matches == one_shot("".join(pieces), source)


@pytest.mark.parametrize(
    ("source", "text", "start", "end"),
    [
        ("ab", "xa", 1, -1),
        ("ab", "xab", 1, 3),
        ("a|ab", "a", 0, 1),
        ("ab|a", "a", 0, -1),
        ("a*", "aa", 0, -1),
        ("a*?", "aa", 0, 0),
        ("a{1,2}", "aa", 0, 2),
        ("a{1,2}?b", "aab", 0, 3),
        ("a{1,2}?", "a", 0, 1),
        ("xa{3}", "xaa", 0, -1),
        ("ba?", "b", 0, -1),
        ("ba??", "b", 0, 1),
        ("ba??c", "ba", 0, -1),
        ("(?>ab|a)", "a", 0, -1),
        ("a++b", "aa", 0, -1),
        ("a(?=b)", "a", 0, -1),
        ("a(?=b+)", "ab", 0, 1),
        ("a(?=(?P<n>b+))", "ab", 0, -1),
        ("a(?=b*+c)", "abc", 0, 1),
        ("a(?!b)", "a", 0, -1),
        ("a(?!b)", "ac", 0, 1),
        ("a(?!b)", "ab", 2, -1),
        ("a$", "a", 0, -1),
        ("a$", "a\n", 0, -1),
        ("a$", "a\nb", 3, -1),
        (r"a\b", "a", 0, -1),
        (r"a\b", "a ", 0, 1),
        (r"a\B", "aa", 0, 1),
        ("a(?m:$)", "a\n", 0, 1),
        (r"a\Z", "a", 0, -1),
        (r"a\Z", "ab", 2, -1),
        (r"a\X", "ab", 0, -1),
        (r"a\X", "abc", 0, 2),
        ("(?<=a)b", "ab", 1, 2),
        ("b?(?<=a)c", "a", 1, -1),
        ("(?:ab){2,3}", "abab", 0, -1),
        ("(?:ab){2}", "ababa", 0, 4),
        ("(?:ab){1,2}?", "ab", 0, 2),
        ("(?:ab){1,}?c", "abab", 0, -1),
        ("(?:ab)+c", "abab", 0, -1),
        ("a" * 70 + "b", "a" * 68, 0, -1),
        ("", "a", 0, 0),
        ("", "", 0, -1),
        ("a(?!(?=b)c)", "ab", 0, 1),
        ("a(?!(?!b)c)", "ab", 0, 1),
        ("a(?!(b)|c)", "a", 0, -1),
        (r"a(?!\b)", "ab", 0, 1),
        ("a(?!b(?<=b))", "a", 0, -1),
    ],
)
def test_decisions(source: str, text: str, start: int, end: int) -> None:
    scan = scanner(source).scan().near(text, 0, 0, False)
    assert (scan.start, scan.end) == (start, end)


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("(?P<_more_>a)", "a group named `_more_`"),
        ("(?P<n>a)(?P=n)", "back-reference to `n`"),
        (r"a(?!\X)", r"`\X`"),
        ("a(?!b++)", "a possessive part of a look-ahead"),
        ("a(?!(?>b))", "a possessive part of a look-ahead"),
        ("a(?<=a(?=b))", "a look-behind that looks ahead"),
        (r"(?<=a\b)b", "a look-behind that looks ahead"),
        ("(?:a?){2}", "a loop over what can be empty"),
        ("(?:^)*a", "a loop over what can be empty"),
        ("(?:ab){4000}", "a pattern whose streaming form grows too large"),
        ("(?:(?:(?:ab){14}c){14}d){14}", "a pattern whose streaming form grows too large"),
    ],
)
def test_what_has_no_twin(source: str, what: str) -> None:
    with pytest.raises(Unsupported) as caught:
        twin(parse(source))
    assert caught.value.what == what
