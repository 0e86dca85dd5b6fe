"""Pairs of tags: the rule of where a value ends, held against a reading that looks anew at each place."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from runtime.read_json import read_json
from runtime.read_tags import read_pairs, without_entities
from runtime.read_text import BLANKS, read_text

OPENER = re.compile("<(?P<key>[ab])(?P<kind>!)?>")
BODIES = st.lists(
    st.sampled_from(["<a>", "<b>", "<b!>", "</a>", "</b>", "</", ">", "x", " ", "\n", "<a>1</a>", "<b>2</b>", "\x1f"]),
    max_size=12,
).map("".join)


def slowly(body: str, closer: str, *, exact: bool) -> dict[str, str] | None:
    """What the rule says, None when the body is refused."""
    openers = {found.start(): found for found in OPENER.finditer(body)}
    pairs: dict[str, str] = {}
    at = 0
    while at < len(body):
        tag = openers.get(at)
        if tag is None:
            if exact and body[at] not in BLANKS:
                return None
            at += 1
            continue
        closes = closer.replace("{key}", tag["key"])
        ends = [place for place in range(tag.end(), len(body)) if body.startswith(closes, place)]
        if not ends:
            return None
        behind = {end: end + len(closes) for end in ends}
        after = {end: len(body) - len(body[start:].lstrip(BLANKS)) for end, start in behind.items()}
        good = [end for end in ends if after[end] == len(body) or after[end] in openers]
        end = (good or ends)[0]
        pairs[tag["key"]] = body[tag.end() : end]
        at = behind[end]
    return pairs


@given(BODIES, st.booleans(), st.sampled_from([("</a>", re.compile("</a>")), ("</{key}>", ("</", ">"))]))
@example("<a>x</a>y</a>y", True, ("</a>", re.compile("</a>")))
@example("<a>1</a></b></</a>", False, ("</{key}>", ("</", ">")))
@settings(max_examples=1000, deadline=None)
def test_a_value_ends_where_a_pair_or_nothing_follows(body: str, exact: bool, closer: tuple[str, Any]) -> None:
    expected = slowly(body, closer[0], exact=exact)
    if expected is None:
        with pytest.raises(ValueError, match=r"belongs to no pair|is not closed"):
            read_pairs(body, OPENER, closer[1], exact=exact)
    else:
        assert read_pairs(body, OPENER, closer[1], exact=exact) == expected


def test_values_are_read_and_collected() -> None:
    closer = ("</", ">")
    assert read_pairs("<a>1</a><a>[2]</a><a>3</a><b>4</b>", OPENER, closer, value=read_json, merge_duplicates=True) == {
        "a": [1, [2], 3],
        "b": 4,
    }
    assert read_pairs("<a>1</a><a>2</a>", OPENER, closer, value=int) == {"a": 2}


def test_a_group_says_what_reads_a_value() -> None:
    readers: Any = {"!": read_json, "": read_text}
    assert read_pairs("<a!>1</a><b> 1 </b>", OPENER, ("</", ">"), by="kind", readers=readers) == {"a": 1, "b": "1"}
    with pytest.raises(ValueError, match="no reader for a value with kind '!'"):
        read_pairs("<a!>1</a>", OPENER, ("</", ">"), by="kind", readers={"": read_text})


def test_a_pair_without_a_key_is_refused() -> None:
    with pytest.raises(ValueError, match="a pair without a key"):
        read_pairs("<>1</>", re.compile("<(?P<key>a)?>"), re.compile("</>"))


def test_entities_and_sections() -> None:
    opener = re.compile("<(?P<key>[^>/]+)>")
    body = "<a&amp;b>1 &lt; 2<![CDATA[</x><y>&lt;]]></x><c><![CDATA[</x></x>"
    assert read_pairs(body, opener, re.compile("</x>"), value=without_entities, entities=True) == {
        "a&b": "1 < 2</x><y>&lt;",
        "c": "<![CDATA[</x>",
    }


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        ("&lt;&gt;&amp;&quot;&apos;", "<>&\"'"),
        ("&#65;&#x42;&#x1F600;", "AB😀"),
        ("&#xD800;&#1114112;&copy;&amp", "&#xD800;&#1114112;&copy;&amp"),
        ("&amp;lt;", "&lt;"),
        ("a<![CDATA[&amp;]]>&amp;<![CDATA[", "a&amp;&<![CDATA["),
        ("plain", "plain"),
    ],
)
def test_entities_are_decoded_once(text: str, decoded: str) -> None:
    assert without_entities(text) == decoded


@pytest.mark.parametrize("closer", [re.compile("</a>"), ("</", ">")])
@pytest.mark.parametrize("body", ["<a>1</a>x", "<a>", "</", "<a></", "</a>", "<a>1</a> "])
def test_time_grows_with_the_body(body: str, closer: Any) -> None:
    """Work that grew with the square of these would not end."""
    many = body * 30_000
    try:
        read_pairs(many, OPENER, closer, entities=True)
    except ValueError:
        assert "</a>" not in many or many.endswith("</")
