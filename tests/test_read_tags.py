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


ANY = re.compile("<(?P<key>[a-z]+)(?P<kind>!)?>")


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("<a>1</a>", {"a": "1"}),
        ("<a><b>1</b> <c>x</d></c></a>", {"a": {"b": "1", "c": "x</d>"}}),
        ("<a><item>1</item><item><b>2</b></item></a><b></b>", {"a": ["1", {"b": "2"}], "b": ""}),
        ("<a><item>1</item><b>2</b></a>", {"a": {"item": "1", "b": "2"}}),
        ("<item>1</item></x>", {"item": "1"}),
        ("<a>1</a>x<a><a>2</a></a>", {"a": {"a": "2"}}),
    ],
)
def test_pairs_hold_pairs(body: str, value: Any) -> None:
    assert read_pairs(body, ANY, ("</", ">"), items="item") == value
    if "</x>" not in body and "x<a>" not in body:
        assert read_pairs(body, ANY, ("</", ">"), items="item", exact=True) == value


def test_closers_without_a_key_close_the_innermost_pair() -> None:
    assert read_pairs("<a><b>1</><c>2</></></>", ANY, re.compile("</>"), items="item") == {"a": {"b": "1", "c": "2"}}


@pytest.mark.parametrize("body", ["<a>", "<a><b></a>", "<a>" * 101 + "</a>" * 101])
def test_every_pair_is_closed_and_not_too_deep(body: str) -> None:
    with pytest.raises(ValueError, match=r"not closed|nested too deeply"):
        read_pairs(body, ANY, ("</", ">"), items="item")


@pytest.mark.parametrize("body", ["x<a>1</a>", "<a>x<b>1</b></a>", "<a><b>1</b>x</a>", "<a>1</a>x", "</b><a>1</a>"])
def test_exactly_read_pairs_hold_text_or_pairs(body: str) -> None:
    with pytest.raises(ValueError, match="belongs to no pair"):
        read_pairs(body, ANY, ("</", ">"), items="item", exact=True)


def test_nested_values_are_read_collected_and_decoded() -> None:
    body = "<a!><b>1</b><b>2</b></a><c!>3</c>"
    readers: Any = {"!": read_json, "": read_text}
    assert read_pairs(body, ANY, ("</", ">"), items="item", by="kind", readers=readers, merge_duplicates=True) == {
        "a": {"b": ["1", "2"]},
        "c": 3,
    }
    body = "<a><![CDATA[<b></a>]]></a>"
    assert read_pairs(body, ANY, ("</", ">"), items="item", entities=True, value=without_entities) == {"a": "<b></a>"}


def test_pairs_without_a_key_are_the_items_of_a_list() -> None:
    value = re.compile(r'<v(?: n="(?P<key>[^"]*)")?>')
    body = '<v n="a"><v>1</v><v><v>2</v></v></v><v n=""><v n="b"><v>3</v></v></v>'
    assert read_pairs(body, value, re.compile("</v>"), items="item", exact=True) == {
        "a": ["1", ["2"]],
        "": {"b": ["3"]},
    }
    with pytest.raises(ValueError, match="without a key"):
        read_pairs("<v>1</v>", value, re.compile("</v>"))


def test_an_opener_that_a_closer_has_taken_opens_nothing() -> None:
    assert read_pairs("<a>x><b>1", ANY, re.compile("><"), items="item") == {"a": "x"}
