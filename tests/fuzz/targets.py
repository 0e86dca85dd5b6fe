"""What is fuzzed: any bytes go in, and nothing comes out. An exception is a find.

Invariant: each target says once more what its part promises: its own error or a result, and laws that results keep.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

import regex

from compiler import CompileError, automaton, pattern
from compiler.check import check
from compiler.hf_json import from_template, loads_strictly
from compiler.lower import lower
from compiler.model import Grammar
from compiler.parse import parse
from compiler.render import render
from runtime import ParseError, program
from runtime.capturing import Capturing

MODELS = ("cohere_command", "gemma4", "gpt_oss", "qwen2_5", "qwen3", "smollm3")
SECONDS = 2.0  # that an engine has, which may take for ever
LONGEST = 200  # characters of what is read over and over


def grammar(data: bytes) -> None:
    """Grammar text is refused by name, or read, and reads back from what it prints."""
    try:
        found = parse(data.decode("utf-8", "replace"), "fuzzed.grammar")
        check(found)
        _generated(found)
    except CompileError:
        return
    assert parse(str(found), "printed.grammar") == found


def template(data: bytes) -> None:
    """A template is refused by name, or its module is data only and reads any text."""
    text = data.decode("utf-8", "replace")
    try:
        found = from_template(loads_strictly(text), strict=True)
        check(found)
        module = _generated(found)
    except CompileError:
        return
    for body in (text[:LONGEST], ""):
        _read(module, body, 3)


def delimiter(data: bytes) -> None:
    """A pattern is refused by name, or its automaton finds what the engine finds."""
    source, _, text = data.decode("utf-8", "replace").partition("\0")
    text = text[:LONGEST] or source[:20]
    try:
        node = pattern.parse(source)
        expression = automaton.expression(node, named=True)
    except pattern.Refused:
        return
    if pattern.nullable(node):
        return
    ours = [(match.begin, match.end()) for match in Capturing(eval(expression, {"rt": program})).finditer(text)]
    try:
        theirs = [match.span() for match in regex.compile(source, regex.DOTALL).finditer(text, timeout=SECONDS)]
    except TimeoutError:
        return
    assert ours == theirs, (source, text)


def response(data: bytes) -> None:
    """A response gives one message, or the same errors, in any pieces."""
    module = importlib.import_module(f"generated.{MODELS[data[0] % len(MODELS)]}") if data else None
    if module is not None:
        text = data[2:].decode("utf-8", "surrogateescape")
        whole = _read(module, text, len(text) + 1)
        assert _read(module, text, data[1] % 7 + 1 if len(data) > 1 else 1) == whole


TARGETS: dict[str, Callable[[bytes], None]] = {one.__name__: one for one in (grammar, template, delimiter, response)}


def _generated(found: Grammar) -> ModuleType:
    source = render(lower(found), origin="fuzzed")
    module = ModuleType("fuzzed")
    exec(compile(source, "<fuzzed>", "exec"), vars(module))
    return module


def _read(module: ModuleType, text: str, width: int) -> Any:
    parser = module.Parser(prefix="", on_error="keep")
    opens = closes = 0
    for at in range(0, len(text), width):
        for event in parser.feed(text[at : at + width]):
            opens += event["type"] == "region_open"
            closes += event["type"] in ("region_close", "region_malformed")
    message, last = parser.finalize()
    opens += sum(event["type"] == "region_open" for event in last)
    closes += sum(event["type"] in ("region_close", "region_malformed") for event in last)
    assert opens == closes
    assert all(isinstance(error, ParseError) for error in parser.errors)
    return json.dumps(message), [(error.field, error.start, error.end, error.text) for error in parser.errors]
