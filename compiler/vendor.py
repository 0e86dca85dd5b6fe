"""Parsers to take along: grammars go in, out come the files of one package that needs nothing of respc's.

Invariant: the package works under any name and place; it holds the modules and of the runtime what they can reach, each
file under the header by which it is known again.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import runtime
from runtime.program import compiled
from runtime.ways import predicates

HEADER = "# Vendored by `respc vendor`; DO NOT EDIT. Part of respc, licensed under Apache-2.0: see LICENSE.\n"
RUNTIME = "_runtime"
HOME = Path(runtime.__file__).parent
ALWAYS = ("AnchorNotFound", "Limits", "MissingField", "MissingKey", "ParseError", "RuntimeMismatch")
EVENTS = ("Event", "RegionChunk", "RegionClose", "RegionMalformed", "RegionOpen", "TextDropped")
ONLY_WITH = {  # what is loaded only where a module's text has one of these
    "lax_json": re.compile(r"\b(?:unquoted_keys|string_delims)="),
    "repair": re.compile(r"self\._tolerate\("),
}
_NAMES = re.compile(r"\brt\.(\w+)")
_IMPORT = "import runtime as rt\n"


def package(modules: Sequence[tuple[str, str]], license: str) -> dict[str, str]:
    """The files of a package, by their path in it. modules: name and generated source of each, in order."""
    sources = [source for _, source in modules]
    names = {*ALWAYS, *EVENTS}.union(*(_NAMES.findall(source) for source in sources))
    homes = _homes()
    needed = _reached({homes[name] for name in names if name in homes} | _always_loaded(), "\n".join(sources))
    files = {f"{name}.py": HEADER + _with_its_runtime(source) for name, source in modules}
    files["__init__.py"] = HEADER + _front([name for name, _ in modules], needs_regex(sources))
    files[f"{RUNTIME}/__init__.py"] = HEADER + _runtime_front(names, homes)
    files |= {f"{RUNTIME}/{name}.py": HEADER + _source(name) for name in needed}
    return {**files, "py.typed": "", "LICENSE": license}


def license_text() -> str:
    """respc's own, from its checkout or from where it is installed."""
    path = HOME.parent / "LICENSE"
    if path.exists():
        return path.read_text(encoding="utf-8")
    try:
        return distribution("respc").read_text("licenses/LICENSE") or ""
    except PackageNotFoundError:
        return ""


def needs_regex(sources: Iterable[str]) -> bool:
    """Whether one of the modules comes to a pattern that `re` does not have."""
    return any(_needs_regex(source) for source in sources)


# -- what is reached --------------------------------------------------------------------------------------------------


def _source(name: str) -> str:
    return (HOME / f"{name}.py").read_text(encoding="utf-8")


def _reached(names: Iterable[str], modules: str) -> list[str]:
    """Files of the runtime, with all that they import, those loaded on demand included."""
    found: set[str] = set()
    pending = list(names)
    while pending:
        name = pending.pop()
        if name in found or (name in ONLY_WITH and not ONLY_WITH[name].search(modules)):
            continue
        found.add(name)
        for node in _run(ast.parse(_source(name))):
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                pending += [node.module] if node.module else [alias.name for alias in node.names]
    return sorted(found)


def _run(node: ast.AST) -> Iterator[ast.AST]:
    """What of a file is ever run: not what stands there for type checkers."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING":
            continue
        yield child
        yield from _run(child)


def _front_tree() -> ast.Module:
    return ast.parse(_source("__init__"))


def _homes() -> dict[str, str]:
    """Where each name that the runtime offers stands."""
    imports = (node for node in ast.walk(_front_tree()) if isinstance(node, ast.ImportFrom) and node.level == 1)
    return {alias.name: node.module for node in imports if node.module for alias in node.names}


def _always_loaded() -> set[str]:
    """What the stream needs, whatever a module uses."""
    return {"at_once", "errors", "stream"}


def _needs_regex(source: str) -> bool:
    tree = ast.parse(source)
    if any(isinstance(node, ast.Import) and node.names[0].name == "regex" for node in ast.walk(tree)):
        return True
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and ast.unparse(node.func).startswith("rt.")):
            continue
        called = ast.unparse(node.func).removeprefix("rt.")
        words = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        if called in ("Deaf", "Twin"):
            return True
        if called == "read_json" and ONLY_WITH["lax_json"].search(text := ast.unparse(node)) and "lexed=" not in text:
            return True
        if called == "Automaton" and not all(map(_is_plain, words)):
            return True
        if called == "one" and not all(_is_plain(test) for word in words for test in tests_of(word)):
            return True
        if called == "Pairs" and not _is_plain(f"{words[1]}*"):
            return True
    return False


def tests_of(one: str) -> list[str]:
    """The patterns by which an automaton tells whether a character is one of these."""
    return [pattern for pattern, _, _ in predicates({}, {one: 0})]


def _is_plain(pattern: str) -> bool:
    return isinstance(compiled(pattern), re.Pattern)


# -- what is written --------------------------------------------------------------------------------------------------


def _with_its_runtime(source: str) -> str:
    before, found, behind = source.partition(_IMPORT)
    assert found, "a generated module imports its runtime"
    return f"{before}from . import {RUNTIME} as rt\n{behind}"


def _front(names: list[str], with_regex: bool) -> str:
    needs = "the standard library and `regex`" if with_regex else "the standard library"
    return (
        f'"""Response parsers, each with `parse` and `Parser`; they need Python 3.10 or newer, {needs}."""\n\n'
        f"__all__ = {_listed(sorted(names))}\n"
    )


def _runtime_front(names: set[str], homes: dict[str, str]) -> str:
    """The runtime's own front, with the names that are used."""
    lines = [
        '"""The part of respc\'s runtime that these parsers lean on."""',
        "",
        "from __future__ import annotations",
        "",
    ]
    body = _front_tree().body
    typed, on_demand = [], ["_ON_DEMAND = {"]
    for node in body:
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            lines += _import(node, names)
        elif isinstance(node, ast.If):
            typed = [line for one in node.body if isinstance(one, ast.ImportFrom) for line in _import(one, names)]
        elif isinstance(node, ast.FunctionDef):
            front = ast.get_source_segment(_source("__init__"), node) or ""
    homes_on_demand: dict[str, list[str]] = {}
    for line in typed:
        module, _, imported = line.removeprefix("from .").partition(" import ")
        if line.startswith("from ."):
            homes_on_demand[module] = imported.split(", ")
    on_demand += [f'    "{home}": "{" ".join(found)}",' for home, found in homes_on_demand.items()]
    lines += ["", "TYPE_CHECKING = False", "if TYPE_CHECKING:", *(f"    {line}" for line in typed), ""]
    lines += [*on_demand, "}", "", "", front, "", "", f"__all__ = {_listed(sorted(names & homes.keys()))}"]
    return "\n".join(lines) + "\n"


def _import(node: ast.ImportFrom, names: set[str]) -> list[str]:
    """The import, of the names that are used."""
    kept = [f"{one.name} as {one.asname}" if one.asname else one.name for one in node.names if one.name in names]
    return [f"from {'.' * node.level}{node.module} import {', '.join(kept)}"] if kept else []


def _listed(names: list[str]) -> str:
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"
