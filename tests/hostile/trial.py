"""Tries templates of strangers, in a process of its own: in go ids of templates.jsonl, out comes a line of JSON each.

Invariant: what the compiler lets through has been generated, held against rules written down here a second time,
imported, and tried on a text of its own delimiters; whatever goes wrong is a finding, and no finding ends the process.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import io
import json
import keyword
import re
import resource
import sys
import time
import tokenize
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).with_name("templates.jsonl")
MEMORY = 2**30  # bytes
IMPORTED = {"__future__", "collections.abc", "typing", "re", "regex", "runtime"}
CALLED = {"Parser", "float", "isinstance", "len"}
PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


def entries() -> list[dict[str, Any]]:
    return [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]


def template_of(entry: dict[str, Any]) -> Any:
    """A template, or JSON text that claims to be one. Some can only be made by an expression; it is ours."""
    if "python" in entry:
        return eval(entry["python"], {"__builtins__": builtins})
    return entry["text"] if "text" in entry else entry["template"]


def tried(entry: dict[str, Any], *, blacken: bool) -> dict[str, Any]:
    """{"outcome": accept | reject | crash, "code", "seconds" of CPU until then, "findings": what must not be}."""
    from compiler import CompileError

    template = template_of(entry)
    began = time.process_time()
    outcome: dict[str, Any] = {"id": entry["id"], "outcome": "accept", "code": "", "findings": []}
    try:
        source, template = generated(template)
    except CompileError as error:
        outcome.update(outcome="reject", code=error.code)
        if not str(error).startswith("template") or len(str(error)) > 2000:
            outcome["findings"].append(f"a message without a place, or a long one: {str(error)[:200]}")
    except BaseException as error:
        outcome.update(outcome="crash", code=f"{type(error).__name__}: {str(error)[:200]}")
    outcome["seconds"] = time.process_time() - began
    if outcome["outcome"] == "accept":
        try:
            outcome["findings"] += list(findings(template, source, blacken=blacken))
        except BaseException as error:
            outcome["findings"].append(f"{type(error).__name__}: {str(error)[:300]}")
    if hasattr(builtins, "PWNED"):
        del builtins.PWNED
        outcome["findings"].append("the canary is set")
    return outcome


def generated(template: Any) -> tuple[str, dict[str, Any]]:
    from compiler.check import check
    from compiler.hf_json import from_template, loads_strictly
    from compiler.lower import lower
    from compiler.render import render

    if isinstance(template, str):
        template = loads_strictly(template)
    grammar = from_template(template, strict=True)
    check(grammar)
    return render(lower(grammar), origin="template.json"), template


def findings(template: dict[str, Any], source: str, *, blacken: bool) -> Any:
    tree = ast.parse(source)
    yield from spelling(source, tree)
    if blacken:
        from compiler.render import formatted

        black = formatted(source)
        if ast.dump(ast.parse(black)) != ast.dump(tree):
            yield "black changes what it means"
        yield from spelling(black, ast.parse(black))
    module = ModuleType("stranger")
    exec(compile(source, "<stranger>", "exec"), vars(module))
    yield from meaning(template, module, tree)


def spelling(source: str, tree: ast.AST) -> Any:
    """What is not plain about a module's text."""
    if not source.isascii() or re.search(r"[^\n -~]", source):
        yield "a character that is not printable ASCII"
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.NAME and not PLAIN.fullmatch(token.string):
            yield f"the name {token.string!r}"
        if token.type == tokenize.COMMENT and re.search(r"coding[:=]", token.string) and token.start[0] < 3:
            yield f"the comment {token.string!r} says how to read the file"
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module not in IMPORTED:
            yield f"an import from {node.module}"
        if isinstance(node, ast.Import) and any(alias.name not in IMPORTED for alias in node.names):
            yield f"an import of {ast.unparse(node)}"
        if isinstance(node, ast.Attribute) and node.attr.startswith("__"):
            yield f"the attribute {node.attr}"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id not in CALLED:
            yield f"a call of {node.func.id}"
        if isinstance(node, (ast.FunctionDef, ast.arg)):
            name = node.name if isinstance(node, ast.FunctionDef) else node.arg
            if keyword.iskeyword(name) or name.startswith("__"):
                yield f"the function or argument {name}"


def meaning(template: dict[str, Any], module: ModuleType, tree: ast.AST) -> Any:
    """What a module says otherwise than its template does."""
    from runtime import ParseError
    from tests.outcomes import exact

    defaults = template.get("defaults", {})
    if exact(module.Parser._defaults()) != exact(defaults):
        yield f"the defaults are {module.Parser._defaults()!r}"
    if defaults:
        module.Parser._defaults().clear()
        first = module.Parser._defaults()
        for value in first.values():
            if isinstance(value, (dict, list)):
                value.clear()
        if exact(module.Parser._defaults()) != exact(defaults):
            yield "the defaults of one parse are those of the next"
    constants = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and type(node.value) is str}
    for text in data_of(template):
        if text not in constants:
            yield f"{text!r} is no literal of the module"
    for text in (sample(template), "", "x" * 50 + "<f></f><A>\n"):
        try:
            whole = exact(module.parse(text, prefix=""))
        except ParseError as error:
            whole = exact(error.message)
        parser = module.Parser(prefix="", on_error="keep")
        for char in text:
            parser.feed(char)
        if exact(parser.finalize()[0]) != whole:
            yield f"{text!r} means something else in pieces"


def data_of(template: dict[str, Any]) -> Any:
    """The strings of a template that its module has to know as they stand."""
    for name, field in template["fields"].items():
        yield name
        if field.get("join"):
            yield field["join"]
        yield from strings_of(field.get("transform"))
        for pair in (field.get("content_args") or {}).get("string_delims", []):
            yield from pair


def strings_of(value: Any) -> Any:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            yield from strings_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings_of(item)
    elif isinstance(value, str) and not re.search(r"\{[\w.]+\}", value):
        yield value


def sample(template: dict[str, Any]) -> str:
    """A text in which each field that has literals opens and closes."""
    parts = ["before "]
    for field in template["fields"].values():
        for key, body in (("open", " body "), ("close", " between ")):
            word = field.get(key)
            parts += [*(word if isinstance(word, list) else [word])[:1], body] if word else [body]
    return "".join(parts)


def main() -> int:
    wanted = argparse.ArgumentParser()
    wanted.add_argument("ids", nargs="*")
    wanted.add_argument("--black", action="store_true")
    asked = wanted.parse_args()
    sys.path.insert(0, str(ROOT))
    import compiler.render  # noqa: F401  (what is imported here counts for no entry)

    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    failed = 0
    for entry in entries():
        if not asked.ids or entry["id"] in asked.ids:
            found = tried(entry, blacken=asked.black)
            failed += bool(found["findings"]) or found["outcome"] == "crash"
            print(json.dumps(found), flush=True)
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
