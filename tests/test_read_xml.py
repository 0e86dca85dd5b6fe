from __future__ import annotations

import re
from typing import Any

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from outcomes import REFUSED, ours, theirs
from transformers.utils.chat_parsing.content_parsers import parse_content

from runtime.read_json import read_json
from runtime.read_text import read_int, read_text
from runtime.read_xml import read_xml_inline

TAGS = [
    r"<p=(?P<key>\w+)>(?P<value>.*?)</p>",
    r"<p=(?P<key>\w*)>(?P<value>[^<]+)?</p>",  # a value that may take no part
    r"<p=(?:(?P<key>a)|\w+)>",  # a key that may take no part, no value
    r"(?P<key>)(?P<value>a?)",  # empty matches
]
READERS: list[tuple[Any, Any]] = [
    (None, None),
    (read_text, {"name": "text"}),
    (None, {"name": "text", "args": {"strip": False}}),
    (read_int, {"name": "int"}),
    (lambda text: read_json(text, allow_non_json=True), {"name": "json", "args": {"allow_non_json": True}}),
]
BODIES = st.lists(
    st.sampled_from(["<p=a>", "<p=b>", "<p=>", "</p>", "a", "1", " ", "\n", '{"k": 1}', "<p=a>1</p>", "<p=a> x </p>"]),
    max_size=10,
).map("".join)


@pytest.mark.parametrize("tag", TAGS)
@pytest.mark.parametrize("engine", [re, regex])
@given(body=BODIES, reader=st.sampled_from(READERS), merge=st.booleans())
@settings(deadline=None)
def test_values_are_the_reference_s(tag: str, engine: Any, body: str, reader: tuple[Any, Any], merge: bool) -> None:
    value, value_parser = reader
    arguments = {"tag_pattern": tag, "value_parser": value_parser, "merge_duplicates": merge}
    compiled = engine.compile(tag, engine.DOTALL)
    expected = theirs(parse_content, body, "xml-inline", arguments)
    assert ours(read_xml_inline, body, compiled, value=value, merge_duplicates=merge) == expected


def test_repeated_keys_are_collected_and_lists_are_not_mixed_up_with_them() -> None:
    tag = re.compile(TAGS[0])
    body = "<p=a>[1]</p><p=b>2</p><p=a>[3]</p><p=a>4</p>"
    assert read_xml_inline(body, tag, value=read_json, merge_duplicates=True) == {"a": [[1], [3], 4], "b": 2}
    assert read_xml_inline(body, tag, value=read_json) == {"a": 4, "b": 2}


def test_a_tag_without_a_key_or_a_value_to_read_is_refused() -> None:
    assert ours(read_xml_inline, "<p=b>", re.compile(TAGS[2])) == REFUSED
    assert ours(read_xml_inline, "<p=b></p>", re.compile(TAGS[1]), value=read_text) == REFUSED
    assert read_xml_inline("<p=b></p>", re.compile(TAGS[1])) == {"b": None}
