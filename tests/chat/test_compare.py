"""Messages are compared in their plain form, at three grades."""

from __future__ import annotations

from typing import Any

import pytest

from compiler.chat.compare import grade, plain
from compiler.chat.messages import assistant, call

CALL = call("f", {"a": " x ", "b": [" y"], "c": {"d": "z\n"}, "e": 1})


@pytest.mark.parametrize(
    ("parsed", "expected"),
    [
        ({"role": "assistant", "content": "a"}, assistant("a")),
        (
            {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}, {"type": "image"}, 3]},
            assistant("ab"),
        ),
        ({"thinking": "t"}, assistant("", "t")),
        ({"reasoning": "t", "reasoning_content": None}, assistant("", "t")),
        ({"content": "", "tool_calls": []}, assistant()),
        ({"tool_calls": [{"id": "1", **call("f", {})}]}, assistant("", "", call("f", {}))),
        ({"tool_calls": {"name": "f", "arguments": '{"a": 1}'}}, assistant("", "", call("f", {"a": 1}))),
    ],
)
def test_plain(parsed: dict[str, Any], expected: dict[str, Any]) -> None:
    assert plain(parsed) == expected


def test_what_is_no_call_stays_unequal() -> None:
    assert plain({"tool_calls": ["x"]})["tool_calls"] == ["x"]
    assert plain({"tool_calls": {"name": "f", "arguments": "{"}})["tool_calls"] == [
        {"type": "function", "function": {"name": "f", "arguments": "{"}}
    ]


@pytest.mark.parametrize(
    ("sent", "parsed", "expected"),
    [
        (assistant("a"), assistant("a"), "exact"),
        (assistant(" a\n", "\nt"), assistant("a", "t "), "outer blanks"),
        (assistant(" "), assistant(), "outer blanks"),
        (
            assistant("", "", CALL),
            assistant("", "", call("f", {"a": "x", "b": ["y"], "c": {"d": "z"}, "e": 1})),
            "argument blanks",
        ),
        (assistant("a b"), assistant("ab"), None),
        (assistant("", "", CALL), assistant(), None),
        (assistant("", "", call("f", {"a": 1})), assistant("", "", call("f", {"a": "1"})), None),
    ],
)
def test_grades(sent: dict[str, Any], parsed: dict[str, Any], expected: str | None) -> None:
    assert grade(sent, parsed) == expected
