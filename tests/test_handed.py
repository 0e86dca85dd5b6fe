"""Each report of a wrong parse is right now: whole, by the character, in random pieces. What is not is listed, and only
that: a listed report that comes right fails here, to be taken off the list."""

from __future__ import annotations

import hashlib
import json
from random import Random

import pytest

from tests.examples import MODELS, module_of
from tests.handed import DECIDED, HANDED, OPEN, Report, alike, contested, reports
from tests.random_texts import random_cuts
from tests.reference import ours, same

DIGEST = "5474a9b682c4cea8084e2a18eaacdef9dd44793a3756405eb24c5558a7308e68"
REPORTS = {report.id: report for report in reports()}
LISTED = json.loads(OPEN.read_text(encoding="utf-8"))
PIECES = 12  # ways to cut a text at random


def readings(report: Report) -> list[object]:
    """The message in every way to cut the text; what raises is no message."""
    cuts = [random_cuts(Random(f"{report.id} {number}"), report.text) for number in range(PIECES)]
    given = {"prefix": report.prefix, "tools": report.tools}
    found = [ours(module_of(report.family), chunks, **given) for chunks in [[report.text], list(report.text), *cuts]]
    assert not any(same(found[0], one) for one in found)
    return ["raised" if any(event["type"] == "error" for event in one.events) else one.message for one in found]


@pytest.mark.parametrize("report", [one for one in REPORTS.values() if one.family in MODELS], ids=str)
def test_reports(report: Report) -> None:
    messages = readings(report)
    is_right = all(map(report.is_right, messages))
    assert is_right == (report.id not in LISTED), (messages[0], report.wanted)


def test_the_reports_are_as_they_were_handed_over() -> None:
    assert hashlib.sha256(HANDED.read_bytes()).hexdigest() == DIGEST


def test_what_has_no_grammar_is_listed() -> None:
    without = {report.id for report in REPORTS.values() if report.family not in MODELS}
    assert LISTED.keys() <= REPORTS.keys()
    assert without <= LISTED.keys()
    assert all(LISTED.values())


def test_what_people_disagree_about_is_decided() -> None:
    decided = json.loads(DECIDED.read_text(encoding="utf-8"))
    disputed = {id for id in contested() if REPORTS[id].family in MODELS}
    assert disputed <= decided.keys() <= contested()
    assert all(one.keys() <= {"why", "message"} and one["why"] for one in decided.values())


def test_messages_are_alike() -> None:
    call = {"type": "function", "function": {"name": "f", "arguments": {}}}
    assert alike({"content": "a b", "tool_calls": []}, {"content": "ab"}, ("content",))
    assert not alike({"content": "a b"}, {"content": "ab"})
    assert alike({"thinking": "a", "role": None}, {"reasoning_content": "a"})
    assert alike({"tool_calls": [{**call, "id": "1"}]}, {"tool_calls": [call]})
    assert not alike({"tool_calls": [{**call, "id": "1"}]}, {"tool_calls": [{**call, "id": "2"}]})
    assert not alike({"tool_calls": [call, call]}, {"tool_calls": [call]})
    assert not alike(None, {})
