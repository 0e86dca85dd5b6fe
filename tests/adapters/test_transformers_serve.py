"""Where transformers parses by itself: its text-generation pipeline, and what `transformers serve` streams."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import transformers
import transformers.cli.serving.utils as serving
from transformers.pipelines.text_generation import Chat, ReturnType, TextGenerationPipeline

from runtime.adapters import transformers_serve
from runtime.adapters.transformers_serve import TESTED, ServeParser
from runtime.hf import attach, template_for
from tests.adapters.telling import named
from tests.examples import Example, model_examples, module_of
from tests.tiny_tokenizer import tiny_tokenizer

EXAMPLES = [example for example in model_examples() if not example.is_variant]


def test_the_version_is_the_one_that_was_tested() -> None:
    assert transformers.__version__ == TESTED["transformers"]


def test_the_text_generation_pipeline_gives_our_message() -> None:
    tokenizer = attach(tiny_tokenizer(template_for("qwen3_coder")))
    prompt = "<|im_start|>assistant\n<think>\n"
    written = "Hm.\n</think>\n<tool_call>\n<function=f>\n<parameter=n>\n7\n</parameter>\n</function>\n</tool_call>"
    tools = [{"name": "f", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}]
    pipeline = SimpleNamespace(tokenizer=tokenizer, generation_config=None, framework="pt")
    begun, rest = tokenizer.encode(prompt), tokenizer.encode(written)
    outputs = {
        "generated_sequence": [SimpleNamespace(numpy=lambda: np.array([begun + rest]))],
        "input_ids": np.array([begun]),
        "prompt_text": Chat([{"role": "user", "content": "Hi"}]),
    }
    [record] = TextGenerationPipeline.postprocess(
        pipeline, outputs, ReturnType.FULL_TEXT, continue_final_message=False, tools=tools
    )
    call = {"type": "function", "function": {"name": "f", "arguments": {"n": 7}}}
    assert record["generated_text"][-1] == {"role": "assistant", "reasoning_content": "Hm.", "tool_calls": [call]}


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    base = transformers.PreTrainedTokenizerBase
    monkeypatch.setattr(serving, "ResponseParser", serving.ResponseParser)
    monkeypatch.setattr(base, "parse_response", base.parse_response)
    monkeypatch.setattr(base, "get_response_parser", base.get_response_parser)
    transformers_serve.install()


class Loop:
    """An event loop that does at once what it is told."""

    def call_soon_threadsafe(self, what: Any, *given: Any) -> None:
        what(*given)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_serve_streams_every_case_and_answers_with_it(example: Example) -> None:
    tokenizer = tiny_tokenizer(template_for(example.family))
    prompt, answer = np.array([tokenizer.encode(example.prefix)], int), tokenizer.encode(example.text)
    queue: asyncio.Queue[Any] = asyncio.Queue()
    parser = serving.build_response_parser(tokenizer, None, prompt, tools=example.tools)
    streamer = serving.DirectStreamer(tokenizer._tokenizer, Loop(), queue, parser)
    streamer.put(prompt)
    for number in answer:
        streamer.put(np.array([number]))
    streamer.end()
    items = [queue.get_nowait() for _ in range(queue.qsize())]
    assert items.pop() is None
    content, reasoning, calls = serving.parse_assistant_message(
        tokenizer, None, np.array(answer, int), prompt, tools=example.tools
    )
    message = module_of(example.family).parse(example.text, prefix=example.prefix, tools=example.tools, on_error="keep")
    assert (content, reasoning or None) == (message.get("content", ""), message.get("reasoning_content"))
    told = [(one.name, json.loads(one.arguments)) for one in items if isinstance(one, serving.ToolCall)]
    assert told == named(message)[len(named(message)) - len(told) :]
    assert [one.name for one in calls or []] == [name for name, _ in named(message)]
    text = "".join(one for one in items if type(one) is str)
    assert content.endswith(text) and (text == content or example.prefix)


def test_calls_keep_the_model_s_id_and_thoughts_their_name() -> None:
    parser = ServeParser(module_of("kimi_k2"), prefix="", reasoning="thinking")
    events = parser.feed("<think>Hm</think>")
    assert events == [{"type": "region_chunk", "field": "thinking", "text": "Hm", "dirty": False}]
    text = "<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{}<|tool_call_end|>"
    value = {"type": "function", "id": "functions.f:0", "function": {"name": "f", "arguments": "{}"}}
    assert parser.feed(text) == [{"type": "region_close", "field": "tool_calls", "value": value}]
    assert parser.finalize()[1] == []
