"""families.py, and the patterns that the shipped grammars have: every model that the facts name finds its family."""

from __future__ import annotations

from collections import Counter
from types import ModuleType, SimpleNamespace
from typing import Any, cast

import pytest

from compiler.families import Match, digest_of, of_model, of_template
from compiler.load import all_modules
from compiler.parse import MODEL
from runtime.hf_modules import template_digest
from tests.examples import FORMATS, MODELS
from tests.generated.test_shipped import templates

MODULES = all_modules()
SHARED = {"lfm2_5": "lfm2"}  # families of the facts that are read by the grammar of another one
NAMED = [
    (SHARED.get(one["family"], one["family"]), model)
    for one in FORMATS
    for model in one["models"]
    if MODEL.fullmatch(model) and SHARED.get(one["family"], one["family"]) in MODELS
]


def modules(**patterns: list[str]) -> dict[str, ModuleType]:
    return {name: cast(ModuleType, SimpleNamespace(MODELS=tuple(given))) for name, given in patterns.items()}


def names(found: list[Match]) -> list[str]:
    return [match.name for match in found]


@pytest.mark.parametrize(("family", "model"), NAMED)
def test_a_model_that_the_facts_name_finds_its_family(family: str, model: str) -> None:
    assert names(of_model(model.replace("*", "8b"), MODULES)) == [family]
    copy = f"someone/{model.replace('*', '8B').partition('/')[2]}-GGUF"
    assert names(of_model(copy, MODULES)) in ([family], [])


def test_the_facts_name_many() -> None:
    assert len(NAMED) > 50
    assert len({family for family, _ in NAMED}) > 25


def test_no_two_grammars_have_one_pattern() -> None:
    patterns = Counter(pattern.lower() for module in MODULES.values() for pattern in getattr(module, "MODELS", ()))
    assert [pattern for pattern, count in patterns.items() if count > 1] == []


def test_the_most_particular_pattern_counts() -> None:
    known = modules(a=["Own/Heron-*"], b=["Own/Heron-Coder-*"], c=["Own/*-7B"], d=["Own/Heron-*er-*"])
    assert names(of_model("Own/Heron-Coder-7B", known)) == ["b"]
    assert names(of_model("own/heron-7b", known)) == ["a"]
    assert names(of_model("Own/Egret-7B", known)) == ["c"]
    assert names(of_model("Own/Egret-8B", known)) == []


def test_patterns_that_are_equally_particular_both_count() -> None:
    known = modules(b=["Own/Heron-*"], a=["*/Her*on-"], c=[])
    assert names(of_model("Own/Heron-", known)) == ["a", "b"]
    assert names(of_model("Own/Heron", modules(a=["Own/Hero*n", "Own/He*ron"]))) == ["a"]


def test_an_owner_counts_where_one_is_known() -> None:
    known = modules(a=["Own/Heron-*"], b=["Else/Heron-*"], c=["*/Heron-Mini"])
    assert of_model("Else/Heron-1", known) == [Match("b", "Else/Heron-*", True)]
    assert of_model("Own/Heron-Mini", known) == [Match("c", "*/Heron-Mini", True)]
    assert names(of_model("copies/Heron-1", known)) == ["a", "b"]
    assert of_model("Heron-Mini", known) == [Match("c", "*/Heron-Mini", False)]
    assert of_model("/models/Own/Heron-1/", known) == [Match("a", "Own/Heron-*", True)]


@pytest.mark.parametrize("model", ["", "/", "Own/", "Own", "Own/Heron"])
def test_what_no_pattern_matches(model: str) -> None:
    assert of_model(model, modules(a=["Own/Heron-*"])) == []


def test_a_template_is_known_by_how_its_digest_begins() -> None:
    template: dict[str, Any] = {"start_anchor": "A", "fields": {"content": {}}}
    known = {name: cast(ModuleType, SimpleNamespace(TEMPLATES=(digest_of(template),))) for name in "ba"}
    assert digest_of(template) == template_digest({**template, "version": 1})[:16]
    assert of_template(template, known) == ["a", "b"]
    assert of_template({**template, "defaults": {}}, {**known, "c": ModuleType("c")}) == []


def test_what_the_server_of_transformers_falls_back_to_is_known() -> None:
    shipped = templates("transformers", "cli/serving/utils.py")
    known = [of_template(template, MODULES) for template in shipped.values()]
    assert sorted(known) == [["gemma4"], ["qwen2_5", "qwen3"], ["qwen3_5"]]
