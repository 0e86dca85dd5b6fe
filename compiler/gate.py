"""The last look at a generated module: in goes its source, out comes the same source, or UnsafeCode.

Invariant: what passes is ASCII, imports the runtime and nothing foreign, calls only what a parser is made of, and holds
no dunder attribute; a template that found a way around names.py stops here.
"""

from __future__ import annotations

import ast

IMPORTS = {
    "from __future__ import annotations",
    "from collections.abc import Iterable",
    "from typing import Any",
    "import re",
    "import regex",
    "import runtime as rt",
}
NODES = (
    ast.Add,
    ast.And,
    ast.AnnAssign,
    ast.Assign,
    ast.Attribute,
    ast.BinOp,
    ast.BitOr,
    ast.BoolOp,
    ast.Call,
    ast.ClassDef,
    ast.Compare,
    ast.Constant,
    ast.Dict,
    ast.Eq,
    ast.Expr,
    ast.FunctionDef,
    ast.GtE,
    ast.If,
    ast.Import,
    ast.ImportFrom,
    ast.In,
    ast.Is,
    ast.Lambda,
    ast.List,
    ast.ListComp,
    ast.Load,
    ast.Lt,
    ast.Module,
    ast.Name,
    ast.NotIn,
    ast.Or,
    ast.Return,
    ast.Slice,
    ast.Store,
    ast.Subscript,
    ast.Tuple,
    ast.USub,
    ast.UnaryOp,
    ast.alias,
    ast.arg,
    ast.arguments,
    ast.comprehension,
    ast.keyword,
)
FUNCTIONS = {"Parser", "float", "isinstance", "len"}
METHODS = {
    "append",
    "captures",
    "compile",
    "decided",
    "find",
    "join",
    "rfind",
    "search",
    "setdefault",
    "span",
    "startswith",
    "update",
    "weigh",
}
DUNDERS = {"__name__", "__slots__"}


class UnsafeCode(RuntimeError):
    """A generated module holds what no parser is made of: a fault of the compiler, nothing is written."""


def gate(source: str) -> str:
    """The source, when it is one that the compiler may write."""
    if not source.isascii() or "\r" in source:
        raise UnsafeCode("not plain ASCII with line feeds")
    for node in ast.walk(ast.parse(source)):
        refused = _refused(node)
        if refused:
            raise UnsafeCode(f"line {getattr(node, 'lineno', 0)}: {refused}")
    return source


def _refused(node: ast.AST) -> str:
    if not isinstance(node, NODES):
        return type(node).__name__
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return "" if ast.unparse(node) in IMPORTS else ast.unparse(node)
    if isinstance(node, ast.Name):
        return node.id if node.id.startswith("__") and node.id not in DUNDERS else ""
    if isinstance(node, ast.Attribute):
        return node.attr if node.attr.startswith("__") else ""
    if isinstance(node, ast.Call):
        return "" if _may_call(node.func) else f"a call of {ast.unparse(node.func)}"
    return ""


def _may_call(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in FUNCTIONS
    if not isinstance(function, ast.Attribute):
        return False
    of_ours = isinstance(function.value, ast.Name) and function.value.id in ("rt", "self")
    return of_ours or function.attr in METHODS
