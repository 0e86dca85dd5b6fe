from __future__ import annotations

import re
import sys

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from outcomes import ours, theirs
from transformers.utils.chat_parsing.content_parsers import parse_content

from runtime.read_text import BLANK, past_blanks, read_bool, read_float, read_int, read_text

EVERY_CHARACTER = "".join(map(chr, range(sys.maxunicode + 1)))
SPACES = "".join(filter(str.isspace, EVERY_CHARACTER))
READERS = {"bool": read_bool, "int": read_int, "float": read_float}


def test_a_blank_is_what_regex_calls_white_space() -> None:
    assert re.findall(BLANK, EVERY_CHARACTER) == regex.findall(r"\s", EVERY_CHARACTER)
    assert BLANK.isascii()


@given(st.text(alphabet="a \n\x1c\u3000"), st.text(alphabet=" \t\x85\u3000"), st.text(alphabet="a \x1c"))
def test_past_blanks_ends_where_the_run_ends(before: str, blanks: str, after: str) -> None:
    text = before + blanks + after
    found = regex.compile(r"\s*").match(text, len(before))
    assert past_blanks(text, len(before)) == found.end()


def test_past_blanks_at_the_end() -> None:
    assert past_blanks("ab", 2) == 2


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("strip", [True, False])
@given(body=st.text(alphabet="0123456789+-_.eE truefalsnIi\u0663\x1c\x85\n", max_size=8))
@settings(deadline=None)
def test_values_are_the_reference_s(name: str, strip: bool, body: str) -> None:
    assert ours(READERS[name], body, strip=strip) == theirs(parse_content, body, name, {"strip": strip})


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("strip", [True, False])
@pytest.mark.parametrize("value", ["1", "TRUE", "-1.5", "1e400", "9" * 5000])
def test_every_white_space_is_stripped_as_in_the_reference(name: str, strip: bool, value: str) -> None:
    for space in SPACES:
        body = space + value + space
        assert ours(READERS[name], body, strip=strip) == theirs(parse_content, body, name, {"strip": strip})


def test_text_loses_all_white_space_around_it() -> None:
    assert read_text(SPACES + "a b" + SPACES) == "a b"
