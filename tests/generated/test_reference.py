"""Each committed module on texts of its own delimiters, as transformers reads them by the grammar's exported template;
where templates cannot say what the grammar says, the family's published template in its place.

Half of the texts are well-formed, half noise; then the proper prefixes of every delimiter, at the end and amid a text.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from tests.examples import templated, version_1
from tests.law import Case, unlike
from tests.random_texts import random_prefix, random_text, random_tools, sample
from tests.reference import difference, ours, theirs

TEXTS = 200
SIZES = 40  # prefixes of a delimiter: of longer ones not each is looked at


def check(model: str, case: Case) -> None:
    module, given = version_1(model)[1], {"prefix": case.prefix, "tools": case.tools}
    whole = ours(module, [case.text], **given)
    assert not difference(theirs(case.template, case.text, **given), whole), case
    assert not unlike(module, case, whole), case


@pytest.mark.parametrize("model", templated())
def test_texts_of_its_own_delimiters(model: str) -> None:
    template, _ = version_1(model)
    for number in range(TEXTS):
        rng = Random(f"{model} {number}")
        text = random_text(rng, template)
        check(model, Case(template, random_prefix(rng, template), text, random_tools(rng, "tools"), number))


@pytest.mark.parametrize("model", templated())
def test_proper_prefixes_of_every_delimiter(model: str) -> None:
    case = Case(version_1(model)[0], "", "", None, 0)
    for opener in openers(case.template):
        for delimiter in delimiters(case.template):
            for size in range(1, len(delimiter), 1 + len(delimiter) // SIZES):
                check(model, replace(case, text=f"{opener}1{delimiter[:size]}"))
                check(model, replace(case, text=f"{opener}1{delimiter[:size]}{delimiter}2"))


def openers(template: dict) -> Iterator[str]:
    yield ""
    for number, field in enumerate(template["fields"].values()):
        if "open" in field or "open_pattern" in field:
            yield sample(Random(number), field, "open")


def delimiters(template: dict) -> set[str]:
    """All literals, and three strings of each pattern."""
    found: set[str] = set()
    for field in template["fields"].values():
        for side in ("open", "close"):
            words = field.get(side, [])
            found |= {words} if isinstance(words, str) else set(words)
            found |= {sample(Random(number), field, side) for number in range(3)}
    return found - {""}
