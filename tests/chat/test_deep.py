"""Generated messages find what no list of kinds holds, and shrink it; where nothing is wrong nothing is found."""

from __future__ import annotations

import builtins
from typing import Any

import pytest

from compiler.chat.deep import search
from compiler.chat.render import ExtraMissing
from compiler.chat.roundtrip import GRAMMAR

from .templates import GRAMMAR as JSON_GRAMMAR
from .templates import JSON, PLAIN, bench
from .test_roundtrip import ON_PLAIN


def test_nothing_is_found() -> None:
    assert search(bench(JSON), 60) is None


def test_a_content_that_ends_early() -> None:
    """The close is a sign that content may hold: two characters are enough to show it."""
    trial = search(bench(PLAIN.replace("<|end|>", "|"), ON_PLAIN.replace("<|end|>", "|")), 400)
    assert trial is not None
    assert (trial.kind, trial.verdict) == ("deep", GRAMMAR)
    assert len(trial.message["content"]) <= 3


def test_a_close_that_strings_may_hold() -> None:
    grammar = JSON_GRAMMAR.replace('close "\\n</tool_call>"', 'close "}\\n</tool_call>"').replace("json {", "text {")
    trial = search(bench(JSON, grammar), 200)
    assert trial is not None
    assert trial.verdict == GRAMMAR


def test_without_hypothesis(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name == "hypothesis":
            raise ImportError(name)
        return real(name, *rest)

    made = bench(PLAIN, ON_PLAIN)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ExtraMissing, match=r"pip install 'respc\[test\]'"):
        search(made, 1)
