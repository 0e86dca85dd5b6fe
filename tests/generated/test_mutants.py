"""A slip of the pen in a module does not get past examples and the module's own delimiters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import pytest

import runtime
from compiler import generate
from compiler.load import load_grammar
from runtime import ParseError, RuntimeMismatch
from tests import reference
from tests.examples import model_examples
from tests.mutants import mutants
from tests.reference import Hang, limited, place, silent

MODEL = "smollm3"
GRAMMAR = Path(__file__).parents[1] / "data" / "version_1.grammar"
PROMPT = "<|im_start|>assistant\n"
DELIMITERS = ["<think>", "</think>", "<tool_call>", "</tool_call>", "<|im_end|>"]

# Mutants that no caller can tell from the module, by the reason.
EQUIVALENT = {
    "room for attributes that nobody sets": r"Parser: __slots__ = \(\) -> nothing",
    "the lead spares a look at text that does not have it, nothing else": r"Parser: (.*)'<'(.*) -> \1''\2",
    "before `at` stands an opener, with which no closer begins": r"\w+: (.*)\('<', at\) -> \1\('<'\)",
    "no word begins with another one: they may be looked for in any order": r"module: _LEAVES_CONTENT = .*",
    "what is said of streams is for those who show them, and held by their tests": r"Parser: (.*streams=\().* -> \1.*",
    "text without a lead ends in no beginning": r"\w+: if begun >= 0 (and text.*) -> if begun >= -1 \1",
    "a whole delimiter has been found before: what is left is shorter": (
        r"\w+: (if .*)'(<[^']*)>'(\.startswith\(t.*) -> \1'\2(?:>x)?'\3"
    ),
}


def battery() -> Iterator[tuple[list[str], dict[str, Any]]]:
    """Chunks and the rest of the arguments, what tells most of all first."""
    for example in model_examples():
        if example.family == MODEL:
            given = {"prefix": example.prefix, "tools": example.tools}
            yield list(example.text), given
            yield [example.text], given
            yield [example.text[at : at + 3] for at in range(0, len(example.text), 3)], {**given, "spans": True}
    for begin in ("", "<think>", "<tool_call>"):
        for delimiter in DELIMITERS:
            for size in range(len(delimiter) + 1):
                text = f"{begin}1{delimiter[:size]}"
                yield [text], {}
                yield [text, "", delimiter, "2"], {"prefix": PROMPT, "spans": True}
                yield [text[:1], text[1:], "<", delimiter, "", "a<b", " "], {}


def module_from(code: CodeType) -> ModuleType:
    module = ModuleType("mutant")
    exec(code, vars(module))
    return module


def behaviour(module: ModuleType) -> Iterator[str]:
    """All that a caller sees, call by call, of each reading of the battery; then of `parse`."""
    for chunks, given in battery():
        with silent(), limited():
            seen = repr(list(calls(module, chunks, **given)))
        yield seen
    tools = [{"name": "f", "parameters": {"properties": {"n": {"type": "integer"}}}}]
    whole: list[tuple[str, dict[str, Any]]] = [
        ('<tool_call>{"name": "f", "arguments": {"n": "1"}}</tool_call>', {"prefix": "hi", "tools": tools})
    ]
    for options in ({"on_error": "keep"}, {"bad": "text"}, {"cut": "bad", "bad": "drop"}):
        whole.append(("a<tool_call>?</tool_call>b<think>c", {"prefix": "", **options}))
    for text, given in whole:
        with silent(), limited():
            seen = repr(module.parse(text, **given))
        yield seen


def calls(module: ModuleType, chunks: list[str], prefix: str = "", **given: Any) -> Iterator[Any]:
    parser = module.Parser(prefix=prefix, **given)
    yield parser.initial_events
    for chunk in chunks:
        try:
            yield parser.feed(chunk)
        except ParseError as error:
            yield error.events, place(error)
        yield parser.state()
    while True:
        try:
            yield parser.finalize()
        except ParseError as error:
            yield error.events, place(error)
        else:
            return


def survives(code: CodeType, expected: list[str], monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether nobody can tell the code from the module that behaves as expected."""
    try:
        module = module_from(code)
        if any(one != other for one, other in zip(expected, behaviour(module), strict=True)):
            return False
    except (Exception, Hang):
        return False
    with monkeypatch.context() as patch:
        patch.setattr(runtime.stream, "ABI", runtime.stream.ABI + 1)
        try:
            module_from(code)
        except RuntimeMismatch:
            return True
        return False


def test_every_mutant_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    source = generate(load_grammar(GRAMMAR), origin="version_1.grammar")
    expected = list(behaviour(module_from(compile(source, "<the module itself>", "exec"))))
    assert survives(compile(source, "<the module itself>", "exec"), expected, monkeypatch)
    monkeypatch.setattr(reference, "SECONDS", 0.2)
    survivors = [name for name, code in mutants(source) if survives(code, expected, monkeypatch)]
    reasons = [[reason for reason, names in EQUIVALENT.items() if re.fullmatch(names, name)] for name in survivors]
    assert [name for name, found in zip(survivors, reasons, strict=True) if len(found) != 1] == []
    assert {reason for found in reasons for reason in found} == set(EQUIVALENT)
