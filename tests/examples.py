"""Every example there is: in go tests/data/formats.jsonl and tests/cases/<model>/*.json, out come Examples.

Invariant: an Example of a model is parsed with the committed module of that name; one of a template has no model.
"""

from __future__ import annotations

import importlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from compiler import compile_template
from compiler.hf_json import to_template
from compiler.load import load_grammar

HERE = Path(__file__).parent
GRAMMARS = sorted((HERE.parent / "grammars").glob("*.grammar"))
MODELS = [path.stem for path in GRAMMARS]
FORMATS = [json.loads(line) for line in (HERE / "data" / "formats.jsonl").open(encoding="utf-8")]


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
                Example(str(number), one["family"], raw["prefix"], raw["raw"], message, raw.get("tools"), fails=fails)
            )
    return found


def model_examples() -> list[Example]:
    """All that the committed modules are held to."""
    found = format_examples(MODELS, reasoning="reasoning_content")
    for path in sorted((HERE / "cases").glob("*/*.json")):
        case = json.loads(path.read_text(encoding="utf-8"))
        case.pop("about")
        found.append(Example(path.stem, path.parent.name, **case))
    return found


@lru_cache
def module_of(model: str) -> ModuleType:
    """The committed module."""
    return importlib.import_module(f"generated.{model}")


@lru_cache
def template_of(model: str) -> dict[str, Any]:
    """The response template that says what the model's grammar says."""
    return to_template(load_grammar(HERE.parent / "grammars" / f"{model}.grammar"))


@lru_cache
def published(family: str) -> tuple[dict[str, Any], ModuleType]:
    """A template of formats.jsonl as it is, and its module."""
    template = next(one["response_template"] for one in FORMATS if one["family"] == family)
    return template, compile_template(template)
