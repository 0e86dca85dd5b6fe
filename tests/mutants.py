"""A module's source goes in, out come its mutants: the same module with one slip of the pen each.

Invariant: a mutant differs from the module in one place, which its name says; docstrings and annotations, which do
nothing, are left alone.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import CodeType
from typing import Any

CHANGED = (ast.Expr, ast.Assign, ast.If, ast.While, ast.Return)
COMPARED = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}


def mutants(source: str) -> Iterator[tuple[str, CodeType]]:
    """Each mutant's name (function, the first line of the statement before and after) and its code."""
    tree = ast.parse(source)
    for place, statement, holder, key, new in list(_slips(tree)):
        before = _first_line(statement)
        old = _put(holder, key, new)
        after = "nothing" if isinstance(new, ast.Pass) else _first_line(statement)
        name = f"{place}: {before} -> {after}"
        yield name, compile(ast.fix_missing_locations(tree), f"<{name}>", "exec")
        _put(holder, key, old)


def _put(holder: Any, key: Any, new: Any) -> Any:
    """Put it there; what stood there comes back."""
    old = holder[key] if isinstance(holder, list) else getattr(holder, key)
    if isinstance(holder, list):
        holder[key] = new
    else:
        setattr(holder, key, new)
    return old


def _first_line(statement: ast.stmt) -> str:
    return ast.unparse(statement).splitlines()[0]


Slip = tuple[str, ast.stmt, Any, Any, Any]


def _slips(tree: ast.Module | ast.FunctionDef | ast.ClassDef, place: str = "module") -> Iterator[Slip]:
    """Where each slip is: the function, its statement, what holds it, under which key, what comes to stand there."""
    for body, key, statement in _statements(tree):
        if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
            yield from _slips(statement, statement.name)
        elif isinstance(statement, CHANGED) and not _is_docstring(statement):
            yield place, statement, body, key, ast.Pass()
            for slip in _slips_within(statement):
                yield place, statement, *slip


def _statements(tree: ast.AST) -> Iterator[tuple[list[Any], int, ast.stmt]]:
    """Each statement, in what list it stands and where; those of branches too."""
    for name in ("body", "orelse"):
        body = getattr(tree, name, [])
        for key, statement in enumerate(body):
            yield body, key, statement
            if isinstance(statement, (ast.If, ast.While)):
                yield from _statements(statement)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _slips_within(node: ast.AST) -> Iterator[tuple[Any, Any, Any]]:
    """In the expressions of one statement."""
    for name, value in ast.iter_fields(node):
        parts = list(enumerate(value)) if isinstance(value, list) else [(name, value)]
        for key, part in parts:
            if isinstance(part, ast.keyword):
                yield from _slips_within(part)
            elif isinstance(part, ast.expr):
                for new in _others(part):
                    yield (value if isinstance(value, list) else node), key, new
                yield from _slips_within(part)
    if isinstance(node, ast.Compare):
        yield from ((node, "ops", [new()]) for new in COMPARED[type(node.ops[0])])
    if isinstance(node, ast.BoolOp):
        yield node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And()
    if isinstance(node, ast.Call) and len(node.args) > 1:
        yield node, "args", node.args[:-1]
        yield node, "args", [node.args[1], node.args[0], *node.args[2:]]


def _others(part: ast.expr) -> Iterator[ast.expr]:
    """What may stand in an expression's place by mistake."""
    if isinstance(part, ast.Constant) and isinstance(part.value, bool):
        yield ast.Constant(not part.value)
    elif isinstance(part, ast.Constant) and isinstance(part.value, int):
        yield ast.Constant(part.value + 1)
        yield ast.Constant(part.value - 1)
    elif isinstance(part, ast.Constant) and isinstance(part.value, str):
        yield ast.Constant(part.value + "x")
        if part.value:
            yield ast.Constant(part.value[:-1])
    elif isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add):
        yield ast.BinOp(part.left, ast.Sub(), part.right)
    elif isinstance(part, (ast.Compare, ast.BoolOp)):
        yield ast.UnaryOp(ast.Not(), part)
