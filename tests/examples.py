"""Every example there is: in go tests/data/formats.jsonl and tests/cases/<model>/*.json, out come Examples.

A file of cases holds one case or a list of them. Invariant: an Example of a model is parsed with the committed module
of that name; one of a template has no model.
"""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from compiler import compile_template
from compiler.diagnostics import CompileError
from compiler.hf_json import to_template
from compiler.load import load_grammar

HERE = Path(__file__).parent
GRAMMARS = sorted((HERE.parent / "grammars").glob("*.grammar"))
MODELS = [path.stem for path in GRAMMARS]
FORMATS = [json.loads(line) for line in (HERE / "data" / "formats.jsonl").open(encoding="utf-8")]
SHARED = {"lfm2_5": "lfm2"}
"""Families of formats.jsonl that write as another one does: the model whose grammar reads them."""


@dataclass(frozen=True)
class Example:
    """What a response means. error: field and raw body of the first region that is refused, if one is."""

    name: str
    family: str
    prefix: str
    text: str
    message: dict[str, Any]
    tools: Any = None
    error: dict[str, str] | None = None
    fails: bool = False  # the template cannot say it: the message is what a user wants and does not get
    is_published: bool = False  # the message leaves ids of calls out where the template of the family does
    is_variant: bool = False  # one of a list of cases that differ in little

    def __str__(self) -> str:
        return f"{self.family}-{self.name}"


def format_examples(families: list[str], *, reasoning: str = "") -> list[Example]:
    """What formats.jsonl knows of some families. reasoning: what the field of that name is called in the messages."""
    found = []
    for one in FORMATS:
        for number, raw in enumerate(one["example_raw"] if one["family"] in families else []):
            message = {reasoning if reasoning and key == "thinking" else key: v for key, v in raw["expected"].items()}
            fails = raw.get("expect_fail", False)
            found.append(
                Example(
                    str(number),
                    one["family"],
                    raw["prefix"],
                    raw["raw"],
                    message,
                    raw.get("tools"),
                    fails=fails,
                    is_published=True,
                )
            )
    return found


def model_examples() -> list[Example]:
    """All that the committed modules are held to."""
    found = format_examples(MODELS, reasoning="reasoning_content")
    for family, model in SHARED.items():
        for one in format_examples([family], reasoning="reasoning_content"):
            found.append(replace(one, name=f"{family}-{one.name}", family=model))
    for path in sorted((HERE / "cases").glob("*/*.json")):
        cases = json.loads(path.read_text(encoding="utf-8"))
        several = isinstance(cases, list)
        for number, case in enumerate(cases if several else [cases]):
            case.pop("about")
            name = f"{path.stem}-{number}" if several else path.stem
            found.append(Example(name, path.parent.name, **case, is_variant=several))
    return found


def examples_of_calls(family: str) -> list[Example]:
    """The published examples of a family; where nobody has published one, the case `example`, which is like them."""
    return format_examples([family]) or [one for one in model_examples() if str(one) == f"{family}-example"]


@lru_cache
def module_of(model: str) -> ModuleType:
    """The committed module."""
    return importlib.import_module(f"generated.{model}")


@lru_cache
def exported(model: str) -> dict[str, Any] | None:
    """The response template that says what the model's grammar says; None when templates cannot say it."""
    try:
        return to_template(load_grammar(HERE.parent / "grammars" / f"{model}.grammar"))
    except CompileError as error:
        assert error.code == "no-template"
        return None


def templated() -> list[str]:
    """The models for which there is a template: that which the grammar exports, or a published one."""
    known = {one["family"] for one in FORMATS}
    return [model for model in MODELS if model in known or exported(model) is not None]


def version_1(model: str) -> tuple[dict[str, Any], ModuleType]:
    """A template for one of `templated()` and its module: what the grammar exports with the committed module, else the
    published template as it is with its own."""
    template = exported(model)
    return published(model) if template is None else (template, module_of(model))


@lru_cache
def published(family: str) -> tuple[dict[str, Any], ModuleType]:
    """A template of formats.jsonl as it is, and its module."""
    template = next(one["response_template"] for one in FORMATS if one["family"] == family)
    return template, compile_template(template)
