"""Which module a template gets: the committed one, the one compiled before, or a new one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import compiler
from compiler import CompileError
from compiler.hf_json import to_template
from compiler.index import index_text
from compiler.load import grammar_paths, load_grammar
from runtime import hf_modules
from runtime.hf_modules import KEPT, module_for, template_digest

INDEX = Path(__file__).parents[1] / "generated" / "templates.json"
VERSION_1 = Path(__file__).parent / "data" / "version_1.grammar"
"""A grammar of the name of a committed one, which templates can say."""
TEMPLATE: dict[str, Any] = {"start_anchor": "A:", "fields": {"content": {"close": "<end>"}}}


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    hf_modules._module.cache_clear()
    yield
    hf_modules._module.cache_clear()


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The templates that were compiled."""
    seen: list[Any] = []
    compile_template = compiler.compile_template

    def noted(template: Any) -> Any:
        seen.append(template)
        return compile_template(template)

    monkeypatch.setattr(compiler, "compile_template", noted)
    return seen


def reordered(value: Any) -> Any:
    return {key: reordered(value[key]) for key in sorted(value, reverse=True)} if isinstance(value, dict) else value


def test_the_committed_index_is_what_the_grammars_export() -> None:
    assert INDEX.read_text() == index_text(map(load_grammar, grammar_paths([])), {})


def test_a_template_of_the_index_gets_the_committed_module(
    compiled: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    index = json.loads(index_text([load_grammar(VERSION_1)], {}))
    monkeypatch.setattr(hf_modules, "_index", lambda: index)
    template = to_template(load_grammar(VERSION_1))
    for one in (template, reordered(template), {"version": 1, **template}):
        assert module_for(one).__name__ == "generated.smollm3"
    assert not compiled


def test_another_template_is_compiled_once(compiled: list[Any]) -> None:
    with ThreadPoolExecutor(8) as threads:
        first, *others = threads.map(module_for, [json.loads(json.dumps(TEMPLATE)) for _ in range(32)])
    assert all(one is first for one in others)
    assert compiled == [TEMPLATE]
    assert first.parse("Hi<end>", prefix="") == {"content": "Hi"}


def test_a_template_that_changed_is_compiled_anew(compiled: list[Any]) -> None:
    changing = json.loads(json.dumps(TEMPLATE))
    first = module_for(changing)
    changing["fields"]["content"]["close"] = "<stop>"
    assert module_for(changing).parse("Hi<end><stop>", prefix="") == {"content": "Hi<end>"}
    assert module_for(TEMPLATE) is first
    assert len(compiled) == 2


def test_the_order_of_keys_counts_for_what_is_compiled() -> None:
    one = {**TEMPLATE, "defaults": {"role": "a", "name": "b"}}
    other = {**TEMPLATE, "defaults": {"name": "b", "role": "a"}}
    assert template_digest(one) == template_digest(other)
    assert list(module_for(one).parse("", prefix="")) == ["role", "name"]
    assert list(module_for(other).parse("", prefix="")) == ["name", "role"]


def test_only_so_many_are_kept(compiled: list[Any]) -> None:
    for number in range(KEPT + 1):
        module_for({**TEMPLATE, "defaults": {"n": number}})
    module_for({**TEMPLATE, "defaults": {"n": KEPT}})
    assert len(compiled) == KEPT + 1
    module_for({**TEMPLATE, "defaults": {"n": 0}})
    assert len(compiled) == KEPT + 2


def circle() -> dict[str, Any]:
    value: dict[str, Any] = {**TEMPLATE}
    value["defaults"] = {"a": value}
    return value


def tower() -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(100_000):
        value = {"a": value}
    return value


@pytest.mark.parametrize(
    "template",
    ["text", 5, None, [], {}, {**TEMPLATE, "defaults": {"a": float("nan")}}, {**TEMPLATE, "defaults": {"a": {1, 2}}}],
)
def test_what_is_no_template_is_refused_by_name(template: Any) -> None:
    with pytest.raises(CompileError):
        module_for(template)


@pytest.mark.parametrize("made", [circle, tower])
def test_what_never_ends_is_refused_by_name(made: Any) -> None:
    with pytest.raises(CompileError):
        module_for(made())


def test_an_unknown_template_without_the_compiler_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "compiler", None)
    with pytest.raises(ImportError, match=r"pip install 'respc\[compile\]'"):
        module_for(TEMPLATE)


WITHOUT_COMPILER = """
import json, sys
for name in ("compiler", "lark", "jinja2", "transformers"):
    sys.modules[name] = None
from runtime import hf_modules
from runtime.hf import parse_response

hf_modules._index = lambda: {hf_modules.template_digest(json.loads(sys.argv[1])): "smollm3"}

class Tokenizer:
    response_template = json.loads(sys.argv[1])

print(json.dumps(parse_response(Tokenizer(), "Hi", prefix="")))
try:
    parse_response(Tokenizer(), "Hi", json.loads(sys.argv[2]), prefix="")
except ImportError as error:
    print(error)
"""


def test_a_known_template_needs_neither_compiler_nor_transformers() -> None:
    known = to_template(load_grammar(VERSION_1))
    ran = subprocess.run(
        [sys.executable, "-c", WITHOUT_COMPILER, json.dumps(known), json.dumps(TEMPLATE)],
        capture_output=True,
        text=True,
        check=True,
        cwd=INDEX.parents[1],
    )
    message, refusal = ran.stdout.splitlines()
    assert json.loads(message) == {"role": "assistant", "content": "Hi"}
    assert "pip install 'respc[compile]'" in refusal
