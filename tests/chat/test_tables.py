"""Tables say what the trials say."""

from __future__ import annotations

from compiler.chat.convention import Convention
from compiler.chat.messages import CONTENT, assistant
from compiler.chat.prefix import Point
from compiler.chat.roundtrip import GRAMMAR, REFUSED, TEMPLATE, UNREACHABLE, Trial
from compiler.chat.tables import columns, convention_line, failures, prefix_table, roundtrip_table


def trial(kind: str, verdict: str, raw: str = "raw", **more: object) -> Trial:
    return Trial(kind, "single turn", "default", CONTENT["content"], verdict, raw, **more)  # type: ignore[arg-type]


TRIALS = [
    trial("a", "exact", text_law=True),
    trial("a", "outer blanks"),
    trial("a", "argument blanks"),
    trial("a", UNREACHABLE, why="it is not reachable"),
    trial("b", REFUSED, why="model.jinja:3: no\nmore"),
    trial("b", TEMPLATE, text_law=True, why="lost", parsed=assistant("b")),
    trial("b", GRAMMAR, raw="longer", why="differs"),
    trial("b", GRAMMAR, raw="short", why="differs\nmuch"),
]


def test_roundtrip_table() -> None:
    assert list(roundtrip_table(TRIALS)) == [
        "     sent  refused  reachable  compared  equal  outer blanks  argument blanks  template  grammar",
        "a       4        0          3         3      3             1                1         0        0",
        "b       4        1          3         2      0             0                0         1        2",
        "all     8        1          6         5      3             1                1         1        2",
        "text law: 2 of 6",
    ]


def test_failures() -> None:
    message = '    message  {"role": "assistant", "content": "It is 12 degrees."}'
    assert list(failures(TRIALS)) == [
        "refused in single turn: model.jinja:3: no",
        "grammar: b, single turn, thinking default: differs",
        message,
        '    text     "short"',
        "template: b, single turn, thinking default: lost",
        message,
        '    text     "raw"',
        '    parsed   {"role": "assistant", "content": "b"}',
    ]


def test_conventions_in_words() -> None:
    assert convention_line(Convention()) == "the chat template prints content as a string, no reasoning, no calls"
    assert convention_line(Convention(items=True, encoded=True, ids=True, calls=1, reasoning=True)) == (
        "the chat template prints content as a list of items, reasoning, one call a message, "
        "arguments as a JSON string, ids"
    )
    assert convention_line(Convention(calls=2)).endswith("calls, arguments as an object, no ids")


def test_prefix_table() -> None:
    eats = "the anchor eats '<think>', which should open reasoning_content"
    points = [
        Point("single turn", "on", "<think>\n", "reasoning_content", ""),
        Point("single turn", "off", None, "", "it is not there", (eats,)),
        Point("system", "off", "", "", "", (eats,)),
    ]
    assert list(prefix_table(points)) == [
        "context      thinking  behind the anchor  leaves open        continues",
        'single turn  on        "<think>\\n"        reasoning_content  yes',
        "single turn  off       no anchor          -                  it is not there",
        'system       off       ""                 -                  yes',
        f"warning: {eats}: single turn (off), system (off)",
    ]


def test_columns_of_one_row() -> None:
    assert list(columns([("a", "b")])) == ["a  b"]
