"""Words, twins and what only the end decides: one search each, which never searches twice and survives every cut."""

from __future__ import annotations

import copy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler.pattern import of_literals, parse
from compiler.twin import twin
from runtime.scan import Deaf, Twin, Words
from tests.random_patterns import cut_texts, followed, one_shot

words = st.lists(st.text("ab", min_size=1, max_size=4), min_size=1, max_size=4)


def pattern_of(several: list[str]) -> str:
    return "|".join(sorted(set(several), key=len, reverse=True))


@settings(max_examples=300, deadline=None)
@given(words, cut_texts())
def test_words_are_found_as_their_pattern_is(several: list[str], pieces: list[str]) -> None:
    as_words = followed(Words(*several), pieces, 0)
    as_twin = followed(Twin(pattern_of(several), twin(of_literals(several))), pieces, 0)
    assert as_words == as_twin
    assert as_words[0] == one_shot("".join(pieces), pattern_of(several))


@pytest.mark.parametrize(
    ("several", "text", "start", "end"),
    [
        (["<a>"], "xx<a>", 2, 5),
        (["<a>"], "xx<a", 2, -1),
        (["<a>"], "x<x", 3, -1),
        (["<a>"], "x<ax", 4, -1),
        (["a"], "xx", 2, -1),
        (["ab", "abcd"], "ab", 0, -1),
        (["ab", "abcd"], "abc", 0, -1),
        (["ab", "abcd"], "abx", 0, 2),
        (["ab", "abcd"], "abcd", 0, 4),
        (["abcd", "bc"], "abc", 0, -1),
        (["abcd", "bc"], "abcx", 1, 3),
        (["x", "y"], "ay", 1, 2),
    ],
)
def test_words_wait_only_for_longer_ones(several: list[str], text: str, start: int, end: int) -> None:
    scan = Words(*several).scan().near(text, 0, 0, False)
    assert (scan.start, scan.end) == (start, end)
    assert scan.captures(text) == {}


def test_at_the_end_a_beginning_is_nothing_and_the_longest_word_there_wins() -> None:
    assert Words("ab", "abcd").scan().near("abc", 0, 0, True).end == 2
    beginning = Words("abcd").scan().near("abc", 0, 0, True)
    assert (beginning.start, beginning.end) == (3, -1)


def test_an_answer_is_kept_while_the_front_is_cut() -> None:
    scan = Words("<a>").scan().near("xxxx<a>", 0, 10, False)
    assert (scan.start, scan.end) == (4, 7)
    assert scan.near("x<a>yy", 0, 13, False) is scan
    assert (scan.start, scan.end) == (1, 4)
    assert scan.near("x<a>yy", 4, 13, False).end == -1


class Counting(str):
    """A text that notes from where it is searched."""

    seen: list[int]

    def find(self, *arguments: object) -> int:
        self.seen.append(int(str(arguments[1])))
        return super().find(*arguments)  # type: ignore[arg-type]


def test_what_has_been_searched_is_not_searched_again() -> None:
    text = Counting("x" * 1000)
    text.seen = []
    scan = Words("<a>").scan().near(text, 0, 0, False)
    scan.near(text, 3, 0, False)
    assert text.seen[0] == 0
    assert min(text.seen[1:]) >= 998


def test_a_word_that_stands_far_ahead_is_found_once() -> None:
    text = Counting("<a>" * 500 + "<b>")
    text.seen = []
    scan = Words("<a>", "<b>").scan()
    while scan.near(text, max(scan.end, 0), 0, True).end >= 0:
        pass
    assert len(text.seen) < 510


def test_long_words_that_overlap_themselves_take_no_longer() -> None:
    scan = Words("a" * 15_000 + "b", "a" * 15_000 + "c").scan()
    text = "a" * 200_000
    scan.near(text, 0, 0, False)
    assert (scan.start, scan.end) == (200_000 - 15_000, -1)
    held = text[scan.start :]
    scan.near(held + "c", 0, scan.start, False)
    assert (scan.start, scan.end) == (0, 15_001)


def test_a_twin_captures_what_took_part_and_keeps_it() -> None:
    source = "<(?:(?P<a>a+)|(?P<b>b+))>"
    scan = Twin(source, twin(parse(source))).scan().near("x<aa>y", 0, 0, False)
    assert scan.captures("x<aa>y") == {"a": "aa"}
    assert scan.near("<aa>y", 0, 1, False).captures("<aa>y") == {"a": "aa"}
    assert scan.near("<aa>y", 4, 1, True).end == -1


def test_at_the_end_the_pattern_itself_decides() -> None:
    source = "a(?P<n>b*)$"
    scan = Twin(source, twin(parse(source))).scan().near("abb", 0, 0, False)
    assert (scan.start, scan.end) == (0, -1)
    assert scan.near("abb", 0, 0, True).end == 3
    assert scan.captures("abb") == {"n": "bb"}


def test_an_empty_match_at_the_very_end_never_counts() -> None:
    for scanner in (Twin("b*$", twin(parse("b*$"))), Deaf("b*$")):
        scan = scanner.scan().near("a", 0, 0, True)
        assert (scan.start, scan.end) == (1, -1)


def test_what_only_the_end_decides_holds_everything() -> None:
    source = "(?P<q>['\"])x(?P=q)"
    scan = Deaf(source).scan().near("a'x'", 1, 0, False)
    assert (scan.start, scan.end) == (1, -1)
    assert scan.near("'x'b", 0, 1, True).end == 3
    assert scan.captures("'x'b") == {"q": "'"}
    assert scan.near("'x'b", 3, 1, True).end == -1


def test_a_copied_search_goes_its_own_way() -> None:
    scan = Words("<a>").scan().near("x<a", 0, 0, False)
    other = copy.copy(scan)
    assert scan.near("x<a>", 0, 0, False).end == 4
    assert other.near("x<ab", 0, 0, False).end == -1
    assert (other.start, scan.start) == (4, 1)
