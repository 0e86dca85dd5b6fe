"""The law on a sample of cases; `make law` checks as many as one likes."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from transformers.utils.chat_parsing.response_templates import load_response_template

from compiler import compile_template
from tests import law
from tests.random_templates import KINDS, random_template
from tests.reference import Hang, limited, ours, theirs

SAMPLE = 500  # cases of a kind
PART = 100
TEMPLATE = {"start_anchor": "<bot>", "fields": {"b": {"open": "<b>", "close": "</b>", "content": "json"}, "a": {}}}


@pytest.mark.parametrize("first", range(0, SAMPLE, PART))
@pytest.mark.parametrize("kind", KINDS)
def test_chunking_never_matters(kind: str, first: int) -> None:
    refused: Counter[str] = Counter()
    for number in range(first, first + PART):
        case = law.case(kind, number)
        try:
            assert not law.wrong(case), f"{case}: python -m tests.law 1 --kind {kind} --from {number}"
        except law.NamedRefusal as refusal:
            refused[str(refusal)] += 1
    assert refused.total() <= (PART / 10 if kind == "wild" else 0), refused


@pytest.mark.parametrize("kind", KINDS)
def test_every_template_is_one(kind: str) -> None:
    for number in range(200):
        load_response_template(random_template(Random(number), kind))


def test_a_case_is_its_number() -> None:
    assert law.case("wild", 7) == law.case("wild", 7) != law.case("wild", 8)


# -- what is wrong is seen --------------------------------------------------------------------------------------------


class Forgetful:
    """A module whose parser loses the last character of every chunk."""

    def __init__(self, **given: object) -> None:
        self._module = compile_template(TEMPLATE)
        self.parse = self._module.parse

    def Parser(self, **given: object) -> object:
        parser = self._module.Parser(**given)
        return type(
            "Parser",
            (),
            {"__getattr__": lambda _, name: getattr(parser, name), "feed": lambda _, text: parser.feed(text[:-1])},
        )()


def test_a_fault_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(law, "compiled", lambda template: Forgetful())
    case = law.Case(TEMPLATE, "user: hi<bot>", "some text, and more", None, 0)
    assert law.wrong(case).startswith("whole, message: {'a': 'some text, and more'} is not {'a': 'some text, and mor'}")
    small = law.least(case)
    assert len(small.text) == 1
    assert small.prefix == ""


@pytest.mark.parametrize(
    ("text", "changed"),
    [("x<b>1</b>", "x<b>2</b>"), ("x<b>1</b>", "x<b>?</b>"), ("<b>?</b>", "<b>1</b>"), ("x<b>?</b>", "y<b>?</b>")],
)
def test_each_part_of_a_reading_counts(text: str, changed: str) -> None:
    module = compile_template(TEMPLATE)
    assert not law.difference(theirs(TEMPLATE, text), ours(module, [text]))
    assert law.difference(theirs(TEMPLATE, text), ours(module, [changed]))
    assert law.same(ours(module, [text]), ours(module, [changed]))


def test_spans_that_do_not_tile_are_seen() -> None:
    reading = ours(compile_template(TEMPLATE), ["x<b>1</b>y"], spans=True)
    assert not law.untiled(reading)
    for event in reading.events:
        start, event["start"] = event["start"], event["start"] + 1
        assert law.untiled(reading), event
        event["start"] = start


def test_who_does_not_come_back_is_stopped() -> None:
    with pytest.raises(Hang), limited():
        while True:
            pass
