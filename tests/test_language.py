"""docs/language.md: each grammar compiles, each text gives the message beside it, and no word is left out."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path

import pytest

from compiler import compile_grammar
from compiler.arguments import READERS
from compiler.check import check
from compiler.extend import among, read
from compiler.model import POLICIES, REPAIRS
from compiler.parse import KEYWORDS, LEFT_OUT, parse
from tests.ways import agree

PAGE = (Path(__file__).parents[1] / "docs" / "language.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
GRAMMARS = [text for kind, text in BLOCKS if kind == "grammar"]
BASES = {text.split()[1]: text for text in GRAMMARS if not text.startswith("#")}
READINGS = [
    (before, *map(json.loads, reading))
    for (_, before), (kind, block) in pairwise(BLOCKS)
    if kind == "reads"
    for reading in re.findall(r"^(\S.*)\n +=> (.*)$", block, re.MULTILINE)
]


@pytest.mark.parametrize("text", GRAMMARS)
def test_each_grammar_compiles(text: str) -> None:
    grammar = read(text, "docs/language.md", among(BASES))
    check(grammar)
    compile_grammar(text, bases=BASES)
    assert parse(str(grammar)) == grammar


@pytest.mark.parametrize(("grammar", "text", "message"), READINGS, ids=[text for _, text, _ in READINGS])
def test_each_text_gives_the_message_beside_it(grammar: str, text: str, message: object) -> None:
    assert agree(compile_grammar(grammar, bases=BASES), text, prefix="").message == message


def test_all_blocks_are_read() -> None:
    assert {kind for kind, _ in BLOCKS} == {"grammar", "reads"}
    assert len(READINGS) == PAGE.count("    => ")


def test_every_word_is_there_and_what_is_left_out_in_its_place() -> None:
    page, without = PAGE.split("## What the language does without\n")
    code = re.findall(r"`[^`\n]+`", re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL))
    said = set(re.findall(r"[\w-]+", " ".join([*code, *GRAMMARS])))
    words = {word for word in KEYWORDS.values() if word.isalpha()} | set(POLICIES) | {*READERS, *REPAIRS}
    choices = {choice for choices in POLICIES.values() for choice in choices}
    assert (words | choices) - said == set()
    assert not said & set(LEFT_OUT)
    assert all(f"`{word}" in without or word in without for word in LEFT_OUT)
