"""A slip of the pen in the gate does not get past what committed modules are made of and what no parser is made of."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from compiler import gate as original
from tests.mutants import mutants
from tests.test_gate import BEHIND, GENERATED

SOURCE = Path(original.__file__).read_text(encoding="utf-8")

# What no module that is committed holds at the moment, and others do.
OTHER_PARTS = [
    "import regex",
    "x = regex.compile('a', regex.DOTALL)",
    "x = re.compile('a')",
    "x = float('nan')",
    "def _close_x(self, body: str) -> bool: 1",
    "if isinstance(message['x'], list): 1",
    "if aware.gives_up(self, text, at, start): 1",
    "x = ''.join(pieces).lstrip()",
    "x = ''.join(pieces).rstrip()",
    "self._captures.update(found.captures(text))",
    "begun = text.rfind('<', at)",
    "if 'x' not in message: 1",
]
REFUSED = [
    *BEHIND,
    "# \u00e9",
    "x = 1\r\n",
    "# coding: utf-7",
    "#coding=utf-7",
    "# x\n \t\f# vim: encoding:utf-7",
    "__slots__.x.__y",
    "__nobody",
    "x = re.match",
    "x = regex.match",
    "x = rt.no_such",
    "x = re.DOTALL",
    "x()",
    "self()",
    "x.no_such()",
    "others.read()",
    "[].sort()",
    "import re, runtime as rt",
    "import runtime",
    "from collections.abc import Iterator",
    "from __future__ import division",
    "x = len and eval",
    "lambda: eval",
    "\n\n\nx = eval",
]
ACCEPTED = [
    "x = 1\n\n# coding: only the first two lines can say so",
    "'coding: x'",
    "x = re\n'coding: x'  # encoding\n",
    "_private",
    "x._private",
    "self.anything()",
    "rt.item()",
    "x = y.z.w",
]

# Mutants that nobody can tell from the gate, by the reason.
EQUIVALENT = {"what falls off the end is None, nothing as well": r"_refused: return '' -> nothing"}


def parts(source: str) -> Iterator[str]:
    """The statements of a module, those of its class each in a class of its own."""
    lines = source.splitlines(keepends=True)
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.ClassDef):
            head = "".join(lines[statement.lineno - 1 : statement.body[0].lineno - 1])
            yield from (head + text(member, lines) for member in statement.body)
        else:
            yield text(statement, lines)


def text(statement: ast.stmt, lines: list[str]) -> str:
    decorators = statement.decorator_list if isinstance(statement, ast.FunctionDef) else []
    return "".join(lines[min([statement.lineno, *(one.lineno for one in decorators)]) - 1 : statement.end_lineno])


def features(source: str) -> set[str]:
    """What the gate looks at: the kinds of the nodes, and what is imported, named and called."""
    seen = set()
    for node in ast.walk(ast.parse(source)):
        seen.add(type(node).__name__)
        if isinstance(node, (ast.Name, ast.Attribute, ast.Import, ast.ImportFrom, ast.FunctionDef)):
            name = ast.unparse(node) if not isinstance(node, (ast.FunctionDef, ast.Attribute)) else node_name(node)
            seen.add(f"{type(node).__name__} {name}")
        if isinstance(node, ast.Call):
            seen.add(f"a call of {ast.unparse(node.func) if isinstance(node.func, ast.Name) else node_name(node.func)}")
    return seen


def node_name(node: Any) -> str:
    if isinstance(node, ast.FunctionDef):
        return node.name
    base = node.value.id if isinstance(node.value, ast.Name) else ""
    return f"{base if base in ('re', 'regex', 'rt', 'self') else ''}.{node.attr}"


def telling(sources: list[str]) -> list[str]:
    """Of the sources those that show something which the ones before do not."""
    seen: set[str] = set()
    chosen = []
    for source in sources:
        new = features(source) - seen
        if new:
            seen |= new
            chosen.append(source)
    return chosen


def gate_of(code: CodeType) -> Callable[[str], str]:
    module = ModuleType("mutant")
    exec(code, vars(module))
    made: Callable[[str], str] = module.gate
    return made


def said(gate: Callable[[str], str], source: str) -> str:
    """What a caller sees: that the source came back, or the exception."""
    try:
        return "the source" if gate(source) is source else "another text"
    except Exception as refusal:
        kinds = [kind.__name__ for kind in type(refusal).__mro__]
        return f"{kinds}: {refusal}"


def survives(code: CodeType, sources: list[str], expected: list[str]) -> bool:
    try:
        gate = gate_of(code)
    except Exception:
        return False
    return all(said(gate, source) == known for source, known in zip(sources, expected, strict=True))


# -- more than what is changed in generated modules -------------------------------------------------------------------


def dropped() -> Iterator[tuple[str, CodeType]]:
    """The gate with an item of a tuple, a part of a condition, a branch or a loop less."""
    for number, node in enumerate(ast.walk(ast.parse(SOURCE))):
        for slip in range(len(slips(node))):
            tree = ast.parse(SOURCE)
            target = list(ast.walk(tree))[number]
            before = ast.unparse(target).split("\n")[0]
            slips(target)[slip]()
            name = f"line {getattr(node, 'lineno', 0)}: {before} -> {ast.unparse(target)}"
            yield name, compile(ast.fix_missing_locations(tree), f"<{name}>", "exec")


def slips(node: Any) -> list[Callable[[], None]]:
    if isinstance(node, ast.Tuple):
        return [partial(node.elts.pop, at) for at in range(len(node.elts))]
    if isinstance(node, ast.BoolOp):
        ways = [(at, which) for at in range(len(node.values)) for which in (True, False)]
        return [partial(node.values.__setitem__, at, ast.Constant(which)) for at, which in ways]
    if isinstance(node, (ast.If, ast.IfExp)):
        return [partial(setattr, node, "test", ast.Constant(which)) for which in (True, False)]
    if isinstance(node, ast.UnaryOp):
        return [partial(setattr, node, "operand", ast.UnaryOp(ast.Not(), node.operand))]
    if isinstance(node, (ast.For, ast.comprehension)):
        return [partial(setattr, node, "iter", ast.Tuple([], ast.Load()))]
    if isinstance(node, ast.AugAssign):
        return [partial(setattr, node, "value", ast.Set([ast.Constant("")]))]
    return []


def test_every_mutant_is_caught() -> None:
    committed = [part for path in GENERATED for part in parts(path.read_text(encoding="utf-8"))]
    accepted = [*ACCEPTED, *OTHER_PARTS, *telling(committed)]
    sources = [*REFUSED, *accepted]
    expected = [said(original.gate, source) for source in sources]
    assert expected[len(REFUSED) :] == ["the source"] * len(accepted)
    assert "the source" not in expected[: len(REFUSED)]
    tried = [*mutants(SOURCE), *dropped()]
    assert len(tried) > 300
    survivors = [name for name, code in tried if survives(code, sources, expected)]
    unknown = [name for name in survivors if not any(re.fullmatch(one, name) for one in EQUIVALENT.values())]
    assert unknown == []
    for reason, pattern in EQUIVALENT.items():
        assert any(re.fullmatch(pattern, name) for name in survivors), f"no longer needed: {reason}"
