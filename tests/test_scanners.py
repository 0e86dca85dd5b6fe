"""compiler/scanners.py, compiler/analyse_captures.py, runtime/pairs.py: what searches is quick where it can be."""

from __future__ import annotations

import pytest
import regex
from hypothesis import example, given, settings
from hypothesis import strategies as st

import runtime as rt
from compiler import pattern, scanners
from compiler.analyse_captures import pair, straight
from tests.test_capturing import matches

PAIRS = [
    r"<p=(?P<key>[^>\n]+)>\s*(?P<value>.*?)\s*</p>",
    r"<p=(?P<key>[^>\n]+)>\s*(?P<value>.*?)</p>",
    r"<p=(?P<key>[^>\n]+)>(?P<value>.*?)\s*</p>",
    r'aa(?P<key>[a-z]+)="(?P<value>.*?)"',
    r"<(?P<key>\S+) (?P<value>.*?)>",
    r"<p=(?P<key>[^>\n]+)>\n?(?P<value>.*?)\n?</p>",
    r"<p=(?P<key>[^>\n]+)>\n?(?P<value>.*?)\n?(?:</p>|(?=<p=)|\Z)",
    r"<p=(?P<key>[^>\n]+)>\s*(?P<value>.*?)\n?(?:</p>|\Z)",
    r"<p=(?P<key>[^>\n]+)>(?P<value>.*?)\s*(?:<|(?=</p>))",
    r"<p=(?P<key>[^>\n]+)>(?P<value>.*?)(?:</p>|(?=<))",
    r"<p=(?P<key>[^>\n]+)>(?P<value>.*?)(?:</p>|(?=x))",
]
NO_PAIRS = [
    r"<p=(?P<key>[^>\n]+)>\s*(?P<value>.*?)\s*(?:</p>|$)",
    r"<p=(?P<key>[^\n]+)>(?P<value>.*?)</p>",
    r"<p=(?P<key>[^>\n]*)>(?P<value>.*?)</p>",
    r"<p=(?P<key>(?:ab)+)>(?P<value>.*?)</p>",
    r"<p=(?P<name>[^>\n]+)>(?P<value>.*?)</p>",
    r"<p=(?P<key>[^>\n]+)>(?P<value>.*)</p>",
    r"<p=(?P<key>[^>\n]+)>(?P<value>.*?)\n</p>x?",
    r"<p=(?P<key>[^>\n]+)>(?P<value>.*?)",
    r"<p=(?P<key>[^>\n]+)>(?P<value>.*?)\s*\n",
    r"(?P<key>[^>\n]+)>(?P<value>.*?)</p>",
    r"<p=(?P<key>[^>\n]+)",
    r"<p=",
    r"<p=(?P<key>[^>\n]+)>(?P<value>.*?)\r?</p>",
    r"<p=(?P<key>[^>\n]+)>(?P<value>.*?)(?:</p>|(?!<p=))",
    r"<p=(?P<key>[^>\n]+)>(?P<value>.*?)(?:</p>|(?<=<p=))",
    r"<p=(?P<key>[^>\n]+)>(?P<value>.*?)(?:</p>|(?=<p=.))",
    r"<p=(?P<key>[^>\n]+)>(?P<value>.*?)(?:</p>|(?=<p=)|\Z|x)",
    r"<p=(?P<key>[^>\n]+)>(?P<value>.*?)(?:\Z|</p>)",
    r"<p=(?P<key>[^>\n]+)>(?P<value>.*?)(?:</p>|(?=\n<p=))",
]
STRAIGHT = [
    r"(?P<name>a)\s+(?:b|c).*?d",
    "no groups (?:a+)+b",
    r"<p=(?P<key>[^>\n]+)>\n?(?P<value>.*?)\n?(?:</p>|(?=<p=)|\Z)",
    r'<p name="(?P<key>[^"]+)" string="(?:true"(?P<value>>.*?</p>)|false">(?P<value>.*?)</p>)',
    r"<k>(?P<key>.*?)</k>\s*<v>(?P<value>.*?)</v>",
    r"<k>(?P<key>[^<]+)</k>\s*\n<v>(?P<value>.*?)</v>",
    r"(?:<c>(?:a|b))?\s*to=(?:f\.)?(?P<name>[^\s<]+)\s*(?:<c>(?:a|b)\s*)?(?:<d>\s*)?(?:json)?\s*<m>",
    r"(?:\A\s*(?:<t>)?\s*|(?<=\});\s*)\{\s*(?:\"t\":\s*)?\"n\":\s*\"(?P<name>[^\"]+)\"",
    r"to=(?P<name>\S+?)<c>x\s+json",
    r"\[T\]\s*(?P<name>[^\[{\s]+)(?:\[A\]\s*|(?=\{))",
]
CROOKED = [
    r"(?P<name>a+)[ab]+x+y",
    r"(?P<name>a)(?:(?>b)c+|d+)",
    r"(?P<name>(?:a+)+)b",
    r"<p=(?P<key>[^>]+)>\s*(?P<value>.*?)\s*</p>",
    r"<k>(?P<key>.*?)</k>\s*(?:<t>.*?</t>\s*)?<v>(?P<value>.*?)</v>",
    r"<i\s[^>]*?name=\"(?P<name>[^\"]+)\"[^>]*>",
    r"(?P<name>[^\n]+?)\s*\n```",
    r"(?P<name>\w+)(?=\s*<)",
    r"(?P<name>(?>a+)b)+",
    r"(?P<name>a)(?:x*y|x*z)",
    r"(?P<name>a)" + "(?:x|y)" * 13,
    r"(?P<name>a)(?:" + "|".join(f"{char}+" for char in "bcdefghijklmnopqrstuvwxyzABC") + ")",
    r"(?P<name>a)" + "".join(f"(?:{left}+|{left.upper()}+|[{n}]+)" for n, left in enumerate("bcdefgh")),
]


@pytest.mark.parametrize("source", PAIRS)
def test_pairs_are_known(source: str) -> None:
    assert scanners.for_whole_texts(pattern.parse(source), source).startswith("rt.Pairs(")


@pytest.mark.parametrize("source", NO_PAIRS)
def test_what_is_no_pair_is_not_taken_for_one(source: str) -> None:
    assert pair(pattern.parse(source)) is None


@pytest.mark.parametrize("source", PAIRS)
@given(st.lists(st.sampled_from(["<p=", ">", "</p>", "aa", '="', '"', "<", " ", "\n", "\u2003", "x"]), max_size=20))
@settings(max_examples=100)
@example(["<p=", "aa", ">", "</p>", "<p=", "aa", ">", "x"])
@example(["<p=", "aa", ">", "<p=", "aa", ">", "</p>"])
def test_pairs_are_found_as_the_engine_finds_them(source: str, pieces: list[str]) -> None:
    found = eval(scanners.for_whole_texts(pattern.parse(source), source), {"rt": rt})
    text = "".join(pieces)
    ours = [match.groupdict(None) for match in found.finditer(text)]
    assert ours == [groups for _, groups in matches(regex.compile(source, regex.DOTALL), text)]


@pytest.mark.parametrize("source", STRAIGHT)
def test_an_engine_is_asked_for_the_groups_where_it_goes_straight(source: str) -> None:
    assert straight(pattern.parse(source))
    assert scanners.for_streams(pattern.parse(source), source)[0].startswith("rt.Automaton(")


@pytest.mark.parametrize("source", CROOKED)
def test_no_engine_is_asked_where_it_would_try_in_vain(source: str) -> None:
    assert not straight(pattern.parse(source))
    assert not scanners.for_streams(pattern.parse(source), source)[0].startswith("rt.Automaton(")


def test_what_no_automaton_runs_is_left_to_the_engine() -> None:
    looped = r"(?P<n>\w)(?P=n)"
    assert scanners.for_streams(pattern.parse(looped), looped)[0].startswith("rt.Deaf(")
    ahead = r"x(?=(?P<n>\w))"
    scanner, why = scanners.for_streams(pattern.parse(ahead), ahead)
    assert scanner.startswith("rt.Twin(") and "captured by looking around" in why
    for source in (looped, "x*"):
        with pytest.raises(pattern.Unsupported):
            scanners.for_whole_texts(pattern.parse(source), source)
