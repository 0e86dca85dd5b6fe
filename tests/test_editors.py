"""What editors are given: the JSON Schema judges templates as the loader does, the TextMate grammar knows all words."""

from __future__ import annotations

import contextlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import jsonschema
import pytest
import regex

from compiler import CompileError
from compiler.arguments import READERS
from compiler.check import check
from compiler.hf_json import FIELD_KEYS, TEMPLATE_KEYS, TO_TEMPLATE, from_template, loads_strictly, to_template
from compiler.load import load_grammar
from tests.examples import FORMATS, GRAMMARS
from tests.hostile.trial import entries
from tests.random_templates import KINDS, random_template

ROOT = Path(__file__).parents[1]
EDITORS = ROOT / "editors"
SCHEMA = json.loads((EDITORS / "response-template.schema.json").read_text(encoding="utf-8"))
TEXTMATE = json.loads((EDITORS / "vscode" / "respc.tmLanguage.json").read_text(encoding="utf-8"))
# What takes more than a schema: reading patterns, comparing one part with another, counting bytes, reading JSON itself.
BEYOND = {
    *("bad-json", "repeated", "too-large", "too-deep", "foreign-type"),
    *("bad-pattern", "beyond", "endless", "too-many-groups", "unused-captures", "not-captured"),
    *("two-implicit", "default-type", "grammar-name"),
}


def is_valid(template: Any) -> bool:
    return jsonschema.Draft202012Validator(SCHEMA).is_valid(template)


def loading(text: str) -> str | None:
    """The code that the loader refuses a template with, None when it takes it."""
    try:
        check(from_template(loads_strictly(text), strict=True))
    except CompileError as error:
        return error.code
    return None


def suite() -> Iterator[tuple[str, str]]:
    """Every template of the tests: a name, JSON text."""
    for family in FORMATS:
        yield family["family"], json.dumps(family["response_template"])
    for path in GRAMMARS:
        with contextlib.suppress(CompileError):  # it says more than templates can
            yield path.stem, json.dumps(to_template(load_grammar(path)))
    for path in sorted((ROOT / "tests" / "diagnostics").glob("*.json")):
        yield path.stem, path.read_text(encoding="utf-8")
    for entry in entries():
        if isinstance(entry.get("template"), dict):
            yield entry["id"], json.dumps(entry["template"])
        elif isinstance(entry.get("text"), str):
            yield entry["id"], entry["text"]


SUITE = dict(suite())


@pytest.mark.parametrize("name", SUITE)
def test_the_schema_judges_as_the_loader(name: str) -> None:
    text, code = SUITE[name], loading(SUITE[name])
    try:
        template = json.loads(text)
    except (ValueError, RecursionError):
        assert code in BEYOND
        return
    if code is None:
        assert is_valid(template)
    elif code not in BEYOND and name != "name-surrogate":  # half a pair is no matter for a pattern
        assert not is_valid(template), code


def test_the_suite_has_both() -> None:
    codes = {loading(text) for text in SUITE.values()}
    assert len(SUITE) > 200
    assert {None, "unknown-key", "mixed-placeholder", "join-alone", "tag-groups"} <= codes | {"tag-groups"}


@pytest.mark.parametrize("kind", KINDS)
def test_the_schema_refuses_no_template_that_loads(kind: str) -> None:
    for number in range(200):
        template = random_template(Random(f"{kind} {number}"), kind)
        if loading(json.dumps(template)) is None:
            assert is_valid(template), template


@pytest.mark.parametrize(
    "wrong",
    [
        {"content": "xml-inline", "content_args": {"tag_pattern": "(?P<name>a)"}},
        {"content": "xml-inline"},
        {"content": "kv-lines", "content_args": {"kv_sep": ""}},
        {"content": "kv-lines", "content_args": {"value_parser": {"name": "xml-inline", "args": {}}}},
        {"content": "json", "content_args": {"string_delims": [["a"]]}},
        {"content_args": {"strip": 1}},
        {"transform": ["a {b}"]},
        {"transform_each": True},
        {"transform_each": True, "transform": None},
        {"join": ""},
        {"join": "", "repeats": False},
        {"open": None},
        {"repeats": "yes"},
    ],
)
def test_wrong_fields(wrong: dict[str, Any]) -> None:
    template = {"start_anchor": "A", "fields": {"a": wrong}}
    assert loading(json.dumps(template)) is not None
    assert not is_valid(template)


def test_it_knows_each_key() -> None:
    assert set(SCHEMA["properties"]) == set(TEMPLATE_KEYS)
    assert set(SCHEMA["$defs"]["field"]["properties"]) == set(FIELD_KEYS)
    readers = {name: reader for name, reader in READERS.items() if not reader.is_beyond}
    assert [case["const"] for case in SCHEMA["$defs"]["field"]["properties"]["content"]["oneOf"]] == list(readers)
    for name, reader in readers.items():
        known = SCHEMA["$defs"].get(name, {"properties": {}})
        assert set(known["properties"]) == {TO_TEMPLATE.get(key, key) for key in reader.takes}
        assert known.get("required", []) == [TO_TEMPLATE.get(key, key) for key in reader.needs]


def test_with_check_jsonschema(tmp_path: Path) -> None:
    schema = EDITORS / "response-template.schema.json"
    good, bad = set(), set()
    for number, text in enumerate(SUITE.values()):
        code = loading(text)
        if "\\ud8" in text or text.startswith("\ufeff") or (code in BEYOND and code != "bad-json"):
            continue  # half pairs it cannot read, a mark at the start it skips
        path = tmp_path / f"{number}.json"
        path.write_text(text, encoding="utf-8")
        (bad if code else good).add(str(path))
    command = [sys.executable, "-m", "check_jsonschema", "--output-format", "json", "--schemafile", str(schema)]
    done = subprocess.run([*command, *good, *bad], capture_output=True, check=False, text=True)
    report = json.loads(done.stdout)
    refused = {error["filename"] for error in [*report["errors"], *report["parse_errors"]]}
    assert refused == bad
    assert len(good) > 60 and len(bad) > 40


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


# -- the TextMate grammar ----------------------------------------------------------------------------------------------


def rules(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from rules(item)


def scopes(line: str) -> list[tuple[str, str]]:
    """The pieces of a line that a rule of the grammar names, in order: the first rule that matches leftmost wins."""
    found, at = [], 0
    patterns = [TEXTMATE["repository"][one["include"][1:]] for one in TEXTMATE["patterns"]]
    while True:
        matches = [
            (match.start(), number, match) for number, rule in enumerate(patterns) if (match := first(rule, line, at))
        ]
        if not matches:
            return found
        _, number, match = min(matches, key=lambda one: one[:2])
        rule = patterns[number]
        for group, named in rule.get("captures", {"0": rule}).items():
            if match[int(group)] is not None:
                found.append((match[int(group)], named["name"]))
        at = max(match.end(), at + 1)


def first(rule: dict[str, Any], line: str, at: int) -> Any:
    if "match" in rule:
        return regex.compile(rule["match"]).search(line, at)
    return regex.compile(f"(?:{rule['begin']}).*?(?:{rule['end']})").search(line, at)


def test_its_patterns_are_patterns() -> None:
    for rule in rules(TEXTMATE):
        for key in ("match", "begin", "end"):
            if isinstance(rule.get(key), str):
                regex.compile(rule[key])
        if "include" in rule:
            assert rule["include"][1:] in TEXTMATE["repository"]


def test_every_word_of_the_language_has_a_rule() -> None:
    lark = (ROOT / "compiler" / "grammar.lark").read_text(encoding="utf-8")
    words = set(re.findall(r'"([a-z-]+)"', re.sub(r"//.*", "", lark)))
    assert {"grammar", "field", "open", "close", "emit", "joined", "required", "blank", "pattern"} <= words
    for word in words:
        assert any(name.startswith(("keyword", "constant")) for _, name in scopes(f"    {word} ")), word


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
def test_the_shipped_grammars_are_coloured(path: Path) -> None:
    for line in path.read_text(encoding="utf-8").splitlines():
        found = scopes(line)
        assert found or line.strip() in ("", "}", ") {")
        if line.startswith("#"):
            assert [name for _, name in found] == ["comment.line.number-sign.respc"]


def test_a_field() -> None:
    assert scopes('field tool_calls[]: json { # as {"field": 1}')[:3] == [
        ("field", "keyword.declaration.respc"),
        ("tool_calls", "entity.name.function.respc"),
        ("json", "support.type.respc"),
    ]
    assert scopes(r"    open  /a\/#(?P<name>\w+)/") == [
        ("open", "keyword.other.respc"),
        (r"/a\/#(?P<name>\w+)/", "string.regexp.respc"),
    ]
    assert scopes(r'close "<\"#" blank after') == [
        ("close", "keyword.other.respc"),
        (r'"<\"#"', "string.quoted.double.respc"),
        ("blank", "keyword.other.respc"),
        ("after", "keyword.other.respc"),
    ]


def test_the_extension_names_files_that_are_there() -> None:
    package = json.loads((EDITORS / "vscode" / "package.json").read_text(encoding="utf-8"))
    contributes = package["contributes"]
    paths = [contributes["grammars"][0]["path"], contributes["languages"][0]["configuration"]]
    assert all((EDITORS / "vscode" / path).is_file() for path in paths)
    assert contributes["grammars"][0]["scopeName"] == TEXTMATE["scopeName"]
