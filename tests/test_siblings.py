"""Reports of wrong parses do not come alone: in goes tests/data/siblings.jsonl, three outputs with other names, values
and pieces for every report that the family's published template gets wrong, and all are right in every way to cut them.

A line has the id of the report (`of`), `text` and `message`, and `prefix` and `tools` where they are not the report's.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.examples import FORMATS, MODELS, module_of, published
from tests.handed import Report, alike, reports
from tests.reference import ours
from tests.ways import agree

SIBLINGS = [json.loads(line) for line in (Path(__file__).parent / "data" / "siblings.jsonl").open(encoding="utf-8")]
REPORTS = {report.id: report for report in reports() if report.family in MODELS}


@pytest.mark.parametrize("number", range(len(SIBLINGS)), ids=lambda number: f"{SIBLINGS[number]['of']}-{number % 3}")
def test_siblings(number: int) -> None:
    sibling: dict[str, Any] = SIBLINGS[number]
    report = REPORTS[sibling["of"]]
    prefix, tools = sibling.get("prefix", report.prefix), sibling.get("tools", report.tools)
    found = agree(module_of(report.family), sibling["text"], prefix=prefix, tools=tools)
    assert alike(found.message, sibling["message"]), found.message


def is_wrong_at_first(report: Report) -> bool:
    """In version 1, whole or by the character."""
    module = published(report.family)[1]
    for chunks in ([report.text], list(report.text)):
        found = ours(module, chunks, prefix=report.prefix, tools=report.tools)
        if found.errors or not report.is_right(found.message):
            return True
    return False


def test_every_report_that_was_wrong_has_three() -> None:
    known = {one["family"] for one in FORMATS}
    wrong = {report.id for report in REPORTS.values() if report.family not in known or is_wrong_at_first(report)}
    counts = Counter(sibling["of"] for sibling in SIBLINGS)
    assert wrong == {of for of, count in counts.items() if count >= 3}
    assert len({sibling["text"] for sibling in SIBLINGS} | {report.text for report in REPORTS.values()}) == len(
        SIBLINGS
    ) + len({report.text for report in REPORTS.values()})
