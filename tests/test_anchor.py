"""The message begins behind the last anchor of the prompt, found as `finditer` finds it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler import compile_template, generate
from compiler.hf_json import from_template
from runtime import behind_last_match, behind_last_word


@given(st.text("ab<", max_size=12), st.sampled_from(["a", "ab", "<a", "<ab", "b<<"]))
def test_a_word_that_cannot_overlap_itself(prefix: str, word: str) -> None:
    assert behind_last_word(prefix, word) == behind_last_match(prefix, re.compile(re.escape(word)))


@given(st.text("ab", max_size=12), st.sampled_from(["aa", "aba", "a|ab", "ab|a", "b*", "(?=b)", "a$", "^a", "(?<=b)a"]))
def test_matches_do_not_overlap(prefix: str, pattern: str) -> None:
    ends = [found.end() for found in re.finditer(pattern, prefix)]
    assert behind_last_match(prefix, re.compile(pattern)) == (prefix[ends[-1] :] if ends else None)


ANCHORS: list[tuple[dict[str, Any], str, str | None]] = [
    ({"start_anchor": "A>"}, "xA>yA>z", "z"),
    ({"start_anchor": "A>"}, "xA>yA>", ""),
    ({"start_anchor": "A>"}, "xyz", None),
    ({"start_anchor": "A>A>"}, "A>A>A>x", "A>x"),
    ({"start_anchor": "A>A>"}, "A>A>A>A>x", "x"),
    ({"start_anchor": ["A", "A>"]}, "xA>y", "y"),
    ({"start_anchor": ["A>", "A", "A"]}, "xA>yAz", "z"),
    ({"start_anchor": ["+", "."]}, "x+y", "y"),
    ({"start_anchor_pattern": r"A\d+>"}, "A1>xA22>y", "y"),
    ({"start_anchor_pattern": "A|A>"}, "xA>y", ">y"),
    ({"start_anchor_pattern": "A(?=>)"}, "A>xA", ">xA"),
    ({"start_anchor_pattern": r"A.>"}, "A\n>x", "x"),
    ({"start_anchor_pattern": r"A\s*"}, "A \n\u3000x", "x"),
    ({"start_anchor_pattern": r"\p{Lu}>"}, "\u00c9>x", "x"),
    ({"start_anchor_pattern": "A>$"}, "A>xA>", ""),
    ({"start_anchor_pattern": "^A>"}, "A>xA>y", "xA>y"),
]


@pytest.mark.parametrize(("anchor", "prefix", "rest"), ANCHORS)
def test_what_of_the_prefix_is_parsed(anchor: dict[str, Any], prefix: str, rest: str | None) -> None:
    content = {"content_args": {"strip": False}}
    module = compile_template({**anchor, "fields": {"content": content}})
    assert module.Parser._after_anchor(prefix) == rest
    if rest is not None:
        parser = module.Parser(prefix=prefix, strict_prefix=True)
        assert parser.prefix_end == len(rest)
        assert parser.finalize()[0] == ({"content": rest} if rest else {})


@pytest.mark.parametrize(
    ("anchor", "made"),
    [
        ({"start_anchor": "A>"}, 'return rt.behind_last_word(prefix, "A>")'),
        ({"start_anchor_pattern": "A>"}, 'return rt.behind_last_word(prefix, "A>")'),
        ({"start_anchor": "aXa"}, '_ANCHOR = re.compile("aXa")'),
        ({"start_anchor": ["b", "b+"]}, r'_ANCHOR = re.compile(r"b\+|b")'),
        ({"start_anchor_pattern": r"b\s+"}, r'_ANCHOR = rt.Automaton(rt.seq("b", rt.plus(rt.one(r"\s"))), r"b\s+")'),
        ({"start_anchor_pattern": r"(\w)\1"}, r'_ANCHOR = regex.compile(r"(\w)\1", regex.DOTALL)'),
    ],
)
def test_how_the_anchor_is_looked_for(anchor: dict[str, Any], made: str) -> None:
    source = generate(from_template({**anchor, "fields": {"content": {}}}, name="x"), origin="x")
    assert made in source
    assert ("import regex" in source) == ("regex" in made)
