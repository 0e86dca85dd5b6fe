"""The last look at a generated module: in goes its source, out comes the same source, or UnsafeCode.

Invariant: what passes is ASCII and says of itself no other encoding, imports the runtime and nothing foreign, calls and
names only what a parser is made of, and holds no dunder attribute; a template that found a way around names.py stops
here.
"""

from __future__ import annotations

import ast
import builtins
import re

import runtime

IMPORTS = {
    "from __future__ import annotations",
    "from collections.abc import Iterable",
    "import re",
    "import regex",
    "import runtime as rt",
}
NODES = (
    ast.Add,
    ast.And,
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
    ast.IsNot,
    ast.Lambda,
    ast.List,
    ast.ListComp,
    ast.Load,
    ast.Lt,
    ast.Module,
    ast.Name,
    ast.Not,
    ast.NotIn,
    ast.Or,
    ast.Return,
    ast.Slice,
    ast.Store,
    ast.Subscript,
    ast.Tuple,
    ast.USub,
    ast.UnaryOp,
    ast.While,
    ast.alias,
    ast.arg,
    ast.arguments,
    ast.comprehension,
    ast.keyword,
)
NAMES = {"__name__", "__slots__", "bool", "float", "int", "isinstance", "len", "list", "min", "object"}
NAMES |= {"staticmethod", "str"}
FUNCTIONS = {"float", "isinstance", "len", "min"}
MEMBERS = {"re": {"compile"}, "regex": {"DOTALL", "compile"}, "rt": {*runtime.__all__, "Unpack"}}
METHODS = {
    "allows",
    "append",
    "begin",
    "captures",
    "compile",
    "extend",
    "find",
    "gives_up",
    "join",
    "lstrip",
    "nearest",
    "rfind",
    "rstrip",
    "search",
    "setdefault",
    "span",
    "startswith",
    "strip",
    "update",
    "wait",
}
_OTHER_ENCODING = re.compile(r"(?:.*\n)?[ \t\f]*#.*coding[:=]")  # what Python looks for in the first two lines


class UnsafeCode(RuntimeError):
    """A generated module holds what no parser is made of: a fault of the compiler, nothing is written."""


def gate(source: str) -> str:
    """The source, when it is one that the compiler may write."""
    if not source.isascii() or "\r" in source:
        raise UnsafeCode("not plain ASCII with line feeds")
    if _OTHER_ENCODING.match(source):
        raise UnsafeCode("the first lines name an encoding")
    for node in ast.walk(ast.parse(source)):
        refused = _refused(node)
        if refused:
            raise UnsafeCode(f"line {getattr(node, 'lineno', 0)}: {refused}")
    return source


def _refused(node: ast.AST) -> str:
    """What of the node no parser is made of, "" for nothing."""
    if not isinstance(node, NODES):
        return type(node).__name__
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return "" if ast.unparse(node) in IMPORTS else ast.unparse(node)
    if isinstance(node, ast.Name):
        return "" if node.id in NAMES or not (hasattr(builtins, node.id) or _is_dunder(node.id)) else node.id
    if isinstance(node, ast.Attribute):
        known = MEMBERS.get(node.value.id) if isinstance(node.value, ast.Name) else None
        return node.attr if _is_dunder(node.attr) or (known is not None and node.attr not in known) else ""
    if isinstance(node, (ast.ClassDef, ast.FunctionDef)):
        return node.name if _is_dunder(node.name) else ""
    if isinstance(node, ast.Call):
        return "" if _may_call(node.func) else f"a call of {ast.unparse(node.func)}"
    return ""


def _is_dunder(name: str) -> bool:
    return name.startswith("__")


def _may_call(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in FUNCTIONS
    if not isinstance(function, ast.Attribute):
        return False
    of_ours = isinstance(function.value, ast.Name) and function.value.id in ("rt", "self")
    return of_ours or function.attr in METHODS
