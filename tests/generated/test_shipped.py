"""Templates that ship with transformers and TRL compile, and mean on texts what transformers makes of them.

They are read out of the packages' sources; nothing of the packages is run. TRL need not be installed.
"""

from __future__ import annotations

import ast
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import pytest

from compiler import compile_template
from tests.law import Case, wrong
from tests.random_texts import random_prefix, random_text, random_tools

TEXTS = 25


def templates(package: str, file: str) -> dict[str, dict[str, Any]]:
    """Every dict in a file that looks like a response template, by its name."""
    spec = find_spec(package)
    path = Path(spec.origin).parent / file if spec and spec.origin else Path("nowhere")
    found = {}
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if path.exists() else ():
        if isinstance(node, ast.Dict):
            try:
                value = ast.literal_eval(node)
            except ValueError:
                continue  # put together when it is run
            if "fields" in value and {"start_anchor", "start_anchor_pattern"} & value.keys():
                found[f"{package}-{node.lineno}"] = value
    return found


SHIPPED = templates("transformers", "cli/serving/utils.py") | templates("trl", "chat_template_utils.py")


@pytest.mark.parametrize("name", SHIPPED)
def test_shipped_templates(name: str) -> None:
    template = SHIPPED[name]
    compile_template(template, patterns="linear")
    for number in range(TEXTS):
        rng = Random(f"{name.partition('-')[0]} {number}")
        case = Case(
            template, random_prefix(rng, template), random_text(rng, template), random_tools(rng, "tools"), number
        )
        assert not wrong(case), case


def test_transformers_ships_some() -> None:
    assert len(SHIPPED) > 1
