"""Our parsers in vLLM's hands: its own managers find them, its own abstract classes and its `DelegatingParser` drive
them, over every case of every grammar. `make test-vllm` fetches vLLM's wheel and unpacks its Python files.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from runtime.adapters.deltas import Text
from tests.adapters.telling import Telling, told
from tests.examples import MODELS, Example, model_examples, module_of
from tests.random_texts import random_cuts
from tests.tiny_tokenizer import tiny_tokenizer
from tests.vllm_door.real import REAL, install

pytestmark = pytest.mark.vllm
PROMPTED = {"gpt_oss-prefilled_channel"}  # the prompt has opened the answer, of which vLLM tells tool parsers nothing
EXAMPLES = [one for one in model_examples() if not one.is_variant and str(one) not in PROMPTED]
FILES = Path(os.environ.get("VLLM_FILES", ".vllm"))
TOKENIZER = tiny_tokenizer()


@pytest.fixture(scope="module", autouse=True)
def vllm() -> Iterator[Any]:
    install(FILES)
    door = importlib.import_module("runtime.adapters.vllm_door")
    for name in REAL:
        assert str(importlib.import_module(name).__file__).startswith(str(FILES))
    door.register()
    yield door
    for name in [name for name in sys.modules if name.partition(".")[0] == "vllm" or name == door.__name__]:
        del sys.modules[name]


def parser_of(family: str, tools: Any = None, *, reasoning: bool = True) -> Any:
    manager = importlib.import_module("vllm.parser.parser_manager").ParserManager
    name = f"respc_{family}"
    kind = manager.get_parser(name, name if reasoning else None, enable_auto_tools=True)
    return kind(TOKENIZER, tools)


def request(example: Example | None = None) -> Any:
    tools = example.tools if example else None
    return SimpleNamespace(tools=tools, tool_choice="auto", include_reasoning=True, messages=[])


def expected(example: Example) -> tuple[Telling, bool]:
    """What deltas tell, and whether all that is thought is thought before the rest."""
    telling = told(module_of(example.family), [example.text], prefix=example.prefix, tools=example.tools)
    kinds = [isinstance(one, Text) and one.role == "reasoning" for one in telling.deltas]
    return telling, True not in kinds[kinds.index(False) :] if False in kinds else True


def alike(example: Example, reasoning: str, content: str, calls: list[tuple[str, str]]) -> None:
    telling, is_ordered = expected(example)
    assert [(name, json.loads(arguments)) for name, arguments in calls] == telling.good
    if is_ordered:
        assert reasoning == telling.texts.get("reasoning", "")
        assert content == telling.texts.get("content", "")
    else:
        both = "".join(one.text for one in telling.deltas if isinstance(one, Text))
        assert "".join((reasoning + content).split()) == "".join(both.split())


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_a_whole_response(example: Example) -> None:
    parser = parser_of(example.family, example.tools)
    parser.set_prompt_token_ids(TOKENIZER.encode(example.prefix))
    reasoning, content, calls = parser.parse(example.text, request(example), enable_auto_tools=True)
    alike(example, reasoning or "", content or "", [(call.name, call.arguments) for call in calls or []])
    assert all(call.id for call in calls or [])


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_a_response_as_it_streams(example: Example) -> None:
    for pieces in (list(example.text), random_cuts(Random(example.text), example.text), [example.text]):
        parser = parser_of(example.family, example.tools)
        prompt, given = TOKENIZER.encode(example.prefix), request(example)
        deltas = []
        for number, piece in enumerate([*pieces, ""]):
            is_last = number == len(pieces)
            deltas.append(parser.parse_delta(piece, TOKENIZER.encode(piece), given, prompt, finished=is_last))
        seen = [one for one in deltas if one is not None]
        calls = [call for one in seen for call in one.tool_calls]
        assert [call.index for call in calls] == list(range(len(calls))) and all(call.id for call in calls)
        told_calls = [(call.function.name, call.function.arguments) for call in calls]
        alike(
            example,
            "".join(one.reasoning or "" for one in seen),
            "".join(one.content or "" for one in seen),
            told_calls,
        )


@pytest.mark.parametrize("family", MODELS)
def test_every_family_has_both_parsers(family: str) -> None:
    tools = importlib.import_module("vllm.tool_parsers").ToolParserManager.get_tool_parser(f"respc_{family}")
    reasoning = importlib.import_module("vllm.reasoning").ReasoningParserManager.get_reasoning_parser(f"respc_{family}")
    assert tools.module is reasoning.module is module_of(family)


def test_the_plugin_file_registers_them(vllm: Any) -> None:
    manager = importlib.import_module("vllm.tool_parsers").ToolParserManager
    manager.lazy_parsers.pop("respc_qwen3")
    manager.import_tool_parser(str(Path("examples/doors/vllm_plugin.py").absolute()))
    assert "respc_qwen3" in manager.lazy_parsers
    with pytest.raises(AttributeError):
        _ = vllm.nothing


def test_where_reasoning_ends() -> None:
    parser = parser_of("qwen3").reasoning_parser
    ends = {
        "<|im_start|>assistant\n": False,
        "<|im_start|>assistant\n<think>\n": False,
        "<|im_start|>assistant\n<think>\n\n</think>\n\n": True,
        "<|im_start|>assistant\n<think>\nHm.</think>Yes": True,
    }
    assert {text: parser.is_reasoning_end(TOKENIZER.encode(text)) for text in ends} == ends
    parser.adjust_initial_state_from_prompt(TOKENIZER.encode("<|im_start|>assistant\n<think>\n"))
    text = "Hm.</think>Yes"
    assert not parser.is_reasoning_end_streaming(TOKENIZER.encode("Hm."), [])
    assert parser.is_reasoning_end_streaming(TOKENIZER.encode(text), [])
    assert TOKENIZER.decode(parser.extract_content_ids(TOKENIZER.encode(text))) == "Yes"
    assert parser_of("mistral_v3").reasoning_parser.is_reasoning_end([])


def test_without_a_reasoning_parser_thoughts_are_content_and_delimiters_stay_special() -> None:
    parser = parser_of("qwen3", reasoning=False)
    assert parser.parse("<think>Hm.</think>Yes.", request(), enable_auto_tools=True)[1] == "Hm.Yes."
    adjusted = parser.tool_parser.adjust_request(request())
    assert adjusted.skip_special_tokens is False
    assert parser_of("qwen3").reasoning_parser.adjust_request(request()).skip_special_tokens is False
    assert parser.tool_parser.finish_streaming() is None
