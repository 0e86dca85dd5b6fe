"""What keeps a scan from being linear, and which pairs of delimiters clash."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compiler import analyse_scans
from compiler.analyse_scans import both_empty, linear
from compiler.pattern import parse

REAL = json.loads((Path(__file__).parent / "data" / "patterns.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    "source",
    [
        "a+", "a*b", "(?:a|b)*c", "a.*?b", r"a(?=\s*b)", "(?=a)|b", r"</x>\s*|$", r"(?=[\s\S]*?</x>)", r"\s*<x>",
        "^a|(?<=b)c",
    ],
)  # fmt: skip
def test_linear(source: str) -> None:
    assert linear(parse(source)) is None


@pytest.mark.parametrize("source", ["a.*b", "a(?:.*?b)?", "a(?=.*b)", r"\s(?=\s*b)", "a.*?c|b", r"(?=[\s\S]*?[ab])"])
def test_matches_that_wait_without_a_bound(source: str) -> None:
    refused = linear(parse(source))
    assert refused is not None and refused.what == "a match that may wait for text far behind it"


@pytest.mark.parametrize(
    ("source", "what"),
    [
        ("a.{20}b", "more states than can be looked through"),
        ("(?P<n>a)(?P=n)", "back-reference to `n`"),
        ("a(?=.*?b)", "a match that may wait for text far behind it"),
        ("(?!.*?b)", "a match that may wait for text far behind it"),
        ("(?=.*b)", "a match that may wait for text far behind it"),
        ("a{1,300}b", "more than 64 ways that are alive at once"),
        ("(?:a|b){1,99}c(?=d)", "more than 64 ways that are alive at once"),
        ("a(?=[ab]{99}c)", "more than 64 ways that are alive at once"),
        ("(?<=a.*b.{99}c)x", "more than 64 ways that are alive at once"),
        ("(?<=a.*b.{20}c)x", "more states than can be looked through"),
        ("|".join(f"(?<={letter})x" for letter in "abcdefg"), "more than 6 look-behinds"),
        (r"^a|(?m:^)b|\bc|(?<=d)e|(?<=f)g|(?<=h)i", "more than 6 look-behinds"),
        ("(?<=x(?:a|aa){24})b", "a look-behind that can be tried in too many ways"),
        ("(?<=(?:a|ab){9})b", "a look-behind that can be tried in too many ways"),
        ("|".join(f"{n}[{chr(n)}-{chr(900 + n)}]" for n in range(300, 365)), "more than 64 classes of characters"),
    ],
)
def test_what_is_not_linear_is_named(source: str, what: str) -> None:
    refused = linear(parse(source))
    assert refused is not None and refused.what == what


def test_all_real_delimiters_are_linear() -> None:
    assert [source[:40] for source in REAL if linear(parse(source))] == []


def test_what_is_followed_counts_for_all_delimiters_of_a_grammar(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyse_scans, "MOST_OF_ALL", 9_000)
    effort = analyse_scans.Effort()
    refused = [linear(parse(f"a[ab]{{0,5}}{chr(ord('c') + n)}"), effort) for n in range(20)]
    assert refused[0] is None and refused[-1] is not None and effort.left > 0
    assert refused[-1].what == "more states than can be looked through"


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("x", "", False),
        ("a?", "b?", True),
        ("(?=<x>)", "(?=<y>)|z", False),
        ("(?=<x>)", r"\s*(?=<x>)", True),
        (r"(?=[\s\S]*?</x>)", r"</x>\s*|$", False),
        ("(?=ab)", "(?=a)", True),
        ("(?=ab)", "(?=ac)", False),
        ("(?=[ab]*c)", "(?=[ab]*d)", False),
        ("$", r"(?=\n)", True),
        ("$", r"(?=\n\n)", False),
        ("$", r"\Z", False),
        ("(?!a)", "(?=a)", False),
        ("^", "(?=a)", True),
        (r"(?P<n>a)?(?P=n)?", "b?", True),
    ],
)
def test_pairs_that_match_empty_at_one_place(one: str, other: str, expected: bool) -> None:
    assert both_empty(parse(one), parse(other)) is expected
    assert both_empty(parse(other), parse(one)) is expected


def test_pairs_too_large_to_compare_are_said_to_clash(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analyse_scans, "MOST", 90)
    assert both_empty(parse("(?=[ab]{9}c)"), parse("(?=[ab]{9}d)"))
