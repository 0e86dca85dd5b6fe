"""The gate lets every committed module through, and stops whatever no parser is made of."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compiler import generate
from compiler.gate import UnsafeCode, gate
from compiler.load import load_grammar

GENERATED = sorted((Path(__file__).parent.parent / "generated").glob("[!_]*.py"))
SMOLLM3 = generate(load_grammar(Path(__file__).parent / "data" / "version_1.grammar"), origin="version_1.grammar")


@pytest.mark.parametrize("module", GENERATED, ids=lambda path: path.stem)
def test_what_is_committed_passes(module: Path) -> None:
    source = module.read_text()
    assert gate(source) is source


BEHIND = {
    "x = eval": "eval",
    'eval("1")': "a call of eval",
    'open("x", "w")': "a call of open",
    "print(1)": "a call of print",
    'x = __import__("os")': "a call of __import__",
    "x = __builtins__": "__builtins__",
    "x = __loader__": "__loader__",
    "import os": "import os",
    "import re as os": "import re as os",
    "from os import *": "from os import *",
    "from runtime import stream": "from runtime import stream",
    "x = ().__class__": "__class__",
    "x = Parser.__init__.__globals__": "__globals__",
    "x = re.enum.sys": "enum",
    "x = regex._regex_core": "_regex_core",
    "x = rt.stream.warnings": "stream",
    'rt.stream.warnings.warn("x")': "a call of rt.stream.warnings.warn",
    '[len][0]("x")': "a call of [len][0]",
    "(lambda: 1)()": "a call of lambda: 1",
    "Parser()()": "a call of Parser()",
    'x = f"{1}"': "JoinedStr",
    "(x := 1)": "NamedExpr",
    "del re": "Delete",
    "raise ValueError": "Raise",
    "for x in []: x": "For",
    "with rt: 1": "With",
    "try: 1\nfinally: 1": "Try",
    "assert 1": "Assert",
    "async def f(): 1": "AsyncFunctionDef",
    "x = {1, 2}": "Set",
    "x = (y for y in [])": "GeneratorExp",
    "x = 1 if 2 else 3": "IfExp",
    "def f(x=open): 1": "open",
    "def __getattr__(name): 1": "__getattr__",
    "class __x: 1": "__x",
    "class X:\n    def __del__(self): 1": "__del__",
    "@exec\ndef f(): 1": "exec",
    "class X(metaclass=type): 1": "type",
}


@pytest.mark.parametrize("injected", BEHIND)
def test_injected_code_stops(injected: str) -> None:
    line = SMOLLM3.count("\n") + 1
    with pytest.raises(UnsafeCode, match=rf"^line ({line}|{line + 1}): {re.escape(BEHIND[injected])}$"):
        gate(f"{SMOLLM3}{injected}\n")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("rt.read_json(body)", "rt.read_kv_lines(body, value=eval)"),
        ("rt.read_json(body)", "open(body)"),
        ("rt.read_json(body)", "body.__class__"),
        ("rt.read_json(body)", "body.format(self)"),
        ("@staticmethod", "@exec"),
        ('"role": "assistant"', '"role": eval("1")'),
        ("import runtime as rt", "import os, runtime as rt"),
        ("import runtime as rt", "import os as rt"),
        ("class Parser(rt.Stream)", "class Parser(rt.Stream, metaclass=rt.emit)"),
    ],
)
def test_code_in_place_of_other_code_stops(before: str, after: str) -> None:
    assert before in SMOLLM3
    with pytest.raises(UnsafeCode):
        gate(SMOLLM3.replace(before, after))


@pytest.mark.parametrize("odd", ["\u00e9", "\u2028", "\r", "\ud800"])
def test_other_than_ascii_with_line_feeds_stops(odd: str) -> None:
    with pytest.raises(UnsafeCode, match="plain ASCII"):
        gate(f"# {odd}\n{SMOLLM3}")


@pytest.mark.parametrize("cookie", ["# coding: utf-7\n", "# -*- coding=utf-7 -*-\n", "# x\n\t# vim: encoding:utf-7\n"])
def test_another_encoding_stops(cookie: str) -> None:
    """Read back from its file, such a module would be other code than what was looked at."""
    with pytest.raises(UnsafeCode, match="encoding"):
        gate(cookie + SMOLLM3)
