"""runtime/capturing.py: groups, and whole runs of matches, are those of the engine."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler import automaton, pattern
from runtime import capturing as ways
from runtime import program
from runtime import ways as states
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
@given(st.lists(st.sampled_from(PIECES), max_size=24).map("".join), st.sampled_from([1, 7, 1_024]))
@settings(max_examples=60)
def test_tags_are_found_as_the_engine_finds_them(tag: str, text: str, block: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ways, "BLOCK", block)
        found = matches(capturing(tag), text)
    assert found == matches(regex.compile(tag, regex.DOTALL), text)


@given(delimiters.filter(is_read), st.text(ALPHABET, max_size=12), st.sampled_from([1, 5, 40_000]))
@settings(max_examples=400)
def test_any_pattern_captures_what_the_engine_captures(source: str, text: str, kept: int) -> None:
    node = pattern.parse(f"(?P<all>{source})")
    try:
        expression = automaton.expression(node, named=True)
    except pattern.Unsupported:
        return
    if pattern.nullable(node):
        return
    made = Capturing(eval(expression, {"rt": program}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(states, "KEPT", kept)
        found = matches(made, text)
    assert found == matches(regex.compile(f"(?P<all>{source})", regex.DOTALL), text)


def test_many_groups_cost_no_more_than_one() -> None:
    sixty = "".join(f"(?P<g{n}>[a-z]*)" for n in range(60))
    found = capturing(f"<{sixty}>")
    looked = []
    for size in (300, 3_000, 30_000):
        groups = found.captures("<" + "abc" * size + ">", 0)
        assert (groups["g0"], groups["g1"], groups["g59"]) == ("abc" * size, "", "")
        looked.append(found.followed)
    assert looked[0] == looked[1] == looked[2]
    assert sum(len(stage.threads) for stage in found._stages.values()) < 500


def test_marks_of_a_long_match_are_those_of_its_end() -> None:
    found = capturing("(?:(?P<key>a)|(?P<last>b)|c)*;")
    text = "ab" * 3_000 + "c" * 3_000 + ";"
    marks = found._marks(text, 0, ())
    spans = dict(zip(found.groups, zip(marks[::2], marks[1::2], strict=True), strict=True))
    assert spans == {"key": (5_998, 5_999), "last": (5_999, 6_000)}


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
