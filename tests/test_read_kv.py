from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outcomes import ours, theirs
from transformers.utils.chat_parsing.content_parsers import parse_content

from runtime.read_json import read_json
from runtime.read_kv import read_kv_lines

JSON = {"name": "json", "args": {"allow_non_json": True}}


@pytest.mark.parametrize("line_sep", ["\n", ";", "\n\n", " "])
@pytest.mark.parametrize("kv_sep", [":", ": ", "=", "\n", "aa"])
@given(body=st.text(alphabet="ab1:;= \n\x1c"), strip=st.booleans(), typed=st.booleans())
@settings(max_examples=60, deadline=None)
def test_values_are_the_reference_s(line_sep: str, kv_sep: str, body: str, strip: bool, typed: bool) -> None:
    keywords: dict[str, Any] = {"line_sep": line_sep, "kv_sep": kv_sep, "strip": strip}
    expected = theirs(parse_content, body, "kv-lines", {**keywords, "value_parser": JSON if typed else None})
    value = (lambda text: read_json(text, allow_non_json=True)) if typed else None
    assert ours(read_kv_lines, body, value=value, **keywords) == expected


def test_the_first_separator_splits_and_the_last_line_counts() -> None:
    assert read_kv_lines("a: b: c\n: no key\nnone\nd: 1\na:2\n") == {"a": "2", "": "no key", "d": "1"}


def test_exactly_read_lines_are_pairs_or_blank() -> None:
    assert read_kv_lines("a: 1\n \nb: 2\n", exact=True) == {"a": "1", "b": "2"}
    with pytest.raises(ValueError, match="a line without ':'"):
        read_kv_lines("a: 1\nb", exact=True)
