"""Real reports of wrong parses: in go tests/data/handed.jsonl and what was decided about it, out come Reports.

Invariant: tests/data/handed.jsonl is as it was handed over; a Report's wanted messages are all that a user may rightly
want, the decided one alone where people disagree.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
HANDED = DATA / "handed.jsonl"
DECIDED = DATA / "handed_decided.json"
"""What people disagree about: id -> {"why": a sentence, "message": what is right, left out where it is as expected}."""
OPEN = DATA / "handed_open.json"
"""What is not right yet: id -> the reason."""

NAMES = {
    "glm4": "glm4_moe",
    "laguna": "glm4_moe",
    "llama3": "llama3_1",
    "llama4": "llama4_pythonic",
    "mistral": "mistral_v11",
    "cohere": "cohere_command",
    "minimax": "minimax_m2",
    "ernie": "ernie4_5_thinking",
    "granite": "granite3",
    "hunyuan": "hunyuan_a13b",
    "phi4": "phi4_mini",
}
REASONING = ("thinking", "reasoning")


@dataclass(frozen=True)
class Report:
    """loose: the keys whose white space does not count."""

    id: str
    family: str
    prefix: str
    text: str
    tools: Any
    wanted: tuple[dict[str, Any], ...]
    loose: tuple[str, ...]

    def __str__(self) -> str:
        return self.id

    def is_right(self, message: Any) -> bool:
        """Whether a message is one of those wanted."""
        return any(alike(message, one, self.loose) for one in self.wanted)


def reports() -> list[Report]:
    decided = json.loads(DECIDED.read_text(encoding="utf-8"))
    found = []
    for line in HANDED.open(encoding="utf-8"):
        one = json.loads(line)
        wanted = (one["expected"], *(one.get("accept") or ()))
        if one["id"] in decided and "message" in decided[one["id"]]:
            wanted = (decided[one["id"]]["message"],)
        family = NAMES.get(one["model"], one["model"])
        loose = tuple(one.get("loose") or ())
        found.append(Report(one["id"], family, one["prefix"], one["raw"], one.get("tools"), wanted, loose))
    return found


def contested() -> set[str]:
    """The ids of the reports about which people disagree."""
    return {one["id"] for one in map(json.loads, HANDED.open(encoding="utf-8")) if one.get("contested")}


def alike(message: Any, wanted: Any, loose: tuple[str, ...] = ()) -> bool:
    """Whether two messages say the same: empty values left out, key order aside, reasoning under any of its names,
    ids of calls where the wanted one has one."""
    if not isinstance(message, dict):
        return False
    found, right = _plain(message, loose), _plain(wanted, loose)
    calls = found.get("tool_calls", [])
    if isinstance(calls, list) and isinstance(right.get("tool_calls"), list):
        ids = ["id" in call for call in right["tool_calls"]]
        found["tool_calls"] = [
            {key: value for key, value in call.items() if key != "id" or (at < len(ids) and ids[at])}
            for at, call in enumerate(calls)
        ]
    return found == right


def _plain(message: dict[str, Any], loose: tuple[str, ...]) -> dict[str, Any]:
    plain = {}
    for name, value in message.items():
        if value in (None, "", [], {}):
            continue
        key = "reasoning_content" if name in REASONING else name
        plain[key] = "".join(value.split()) if key in loose and isinstance(value, str) else value
    return plain
