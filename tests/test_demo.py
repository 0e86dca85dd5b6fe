"""The demo shows what it says: each event as it comes, then the message."""

from __future__ import annotations

import json
import runpy
from pathlib import Path

import pytest

DEMO = Path(__file__).parents[1] / "examples" / "demo.py"


def test_the_demo_prints_events_and_the_message(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(DEMO), run_name="__main__")
    events, _, message = capsys.readouterr().out.partition("\n{\n")
    parsed = json.loads("{" + message)
    assert list(parsed) == ["role", "reasoning_content", "content", "tool_calls"]
    assert [call["function"]["name"] for call in parsed["tool_calls"]] == ["find_ferries", "read_rules"]
    assert events.count(" opens\n") == events.count(" closes: ") == 4
    assert json.dumps(parsed["tool_calls"][1]) in events
    assert "|\\nI |need |the S|unday" in events
