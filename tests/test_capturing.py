"""runtime/capturing.py: groups, and whole runs of matches, are those of the engine."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler import automaton, pattern
from runtime import program
from runtime.automaton import Automaton
from runtime.capturing import Capturing
from tests.random_patterns import ALPHABET, delimiters, is_read

TAGS = [
    r"<parameter=(?P<key>[^>\n]+)>\s*(?P<value>.*?)\s*</parameter>",
    r"<parameter=(?P<key>[^>\n]+)>\n?(?P<value>.*?)\n?(?:</parameter>|(?=<parameter=)|\Z)",
    r'<p name="(?P<key>[^"]+)" string="(?:true"(?P<value>>.*?</p>)|false">(?P<value>.*?)</p>)',
    r"<k>(?P<key>.*?)</k>\s*(?:<t>.*?</t>\s*)?<v>(?P<value>.*?)</v>",
    r"(?P<key>(?:\w+\s?)+)=(?P<value>(?:.|\n)*);",
    r"(?P<key>a++)(?P<value>(?P<last>b|c)+)(?!b)",
]
PIECES = ["<parameter=", ">", "</parameter>", '<p name="', '" string="true"', '" string="false"', "</p>", "<k>", "</k>"]
PIECES += ["<v>", "</v>", "<t>", "</t>", "a", "b", "c", " ", "\n", "=", ";", '"', "<"]


def capturing(text: str) -> Capturing:
    found = eval(automaton.expression(pattern.parse(text), named=True), {"rt": program})
    return Capturing(found)


def matches(found: object, text: str) -> list[tuple[int, dict[str, str | None]]]:
    return [(match.end(), match.groupdict(None)) for match in found.finditer(text)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("tag", TAGS)
@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join))
@settings(max_examples=60)
def test_tags_are_found_as_the_engine_finds_them(tag: str, text: str) -> None:
    assert matches(capturing(tag), text) == matches(regex.compile(tag, regex.DOTALL), text)


@given(delimiters.filter(is_read), st.text(ALPHABET, max_size=12))
@settings(max_examples=400)
def test_any_pattern_captures_what_the_engine_captures(source: str, text: str) -> None:
    node = pattern.parse(f"(?P<all>{source})")
    try:
        expression = automaton.expression(node, named=True)
    except pattern.Unsupported:
        return
    if pattern.nullable(node):
        return
    found = Capturing(eval(expression, {"rt": program}))
    assert matches(found, text) == matches(regex.compile(f"(?P<all>{source})", regex.DOTALL), text)


def test_an_automaton_with_a_pattern_finds_the_same() -> None:
    tag = TAGS[0]
    with_pattern = Automaton(eval(automaton.expression(pattern.parse(tag)), {"rt": program}), tag)
    text = "<parameter=a> 1 </parameter> <parameter=b></parameter><parameter=c>"
    assert matches(with_pattern, text) == matches(capturing(tag), text) != []


def test_a_place_without_a_match_captures_nothing() -> None:
    assert capturing("(?P<n>a)b").captures("xab", 0) == {}


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("(?P<all>(?:(?:x?)?|y?)z)", "xyxz"),
        ("(?P<all>(?:a|(?:b|a)?)(?:c?)?d)", "acd d bd"),
        (r"(?P<all>(?<!x)a|\bb)", "xa a b"),
        (r"(?P<all>(?:(?=a)|(?!b))\w)", "ab c"),
        ("(?P<all>(?!)a|b)", "ab"),
    ],
)
def test_ways_that_meet_again_count_once(source: str, text: str) -> None:
    assert matches(capturing(source), text) == matches(regex.compile(source, regex.DOTALL), text)
