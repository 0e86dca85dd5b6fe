"""runtime/adapters/rows.py: the step by columns, alone; tests/scale has it in engines."""

from __future__ import annotations

import json

import numpy as np
import pytest

from runtime.adapters.rows import ERROR, MESSAGE, Rows
from tests.examples import model_examples, module_of

EXAMPLES = [example for example in model_examples() if example.family == "smollm3"]


def test_every_row_comes_out_in_order() -> None:
    step = Rows("generated.smollm3")
    texts = [example.text for example in EXAMPLES]
    columns = {"n": list(range(len(texts))), "text": np.array(texts, object)}
    columns["prefix"] = [example.prefix for example in EXAMPLES]
    columns["tools"] = [json.dumps(example.tools) if example.tools else None for example in EXAMPLES]
    out = step(columns)
    assert out["n"] is columns["n"] and out["text"] is columns["text"]
    for example, message, error in zip(EXAMPLES, out[MESSAGE], out[ERROR], strict=True):
        parser = module_of("smollm3").Parser(prefix=example.prefix, tools=example.tools, on_error="keep")
        parser.feed(example.text)
        assert json.loads(message) == parser.finalize()[0]
        assert bool(error) == bool(parser.errors)


def test_what_stands_in_a_row_is_its_error() -> None:
    call = '<tool_call>{"name": "f", "arguments": {"n": "7"}}</tool_call>'
    tools = [{"name": "f", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}]
    step = Rows(module_of("smollm3"), tools)
    out = step(
        {"text": [None, 5, "a", "b", call, "\ud800<tool_call>{</tool_call>"], "tools": [None, None, "{", 3, "", ""]}
    )
    assert out[MESSAGE][:4] == [None] * 4 and all(out[ERROR][:4])
    assert json.loads(out[MESSAGE][4])["tool_calls"][0]["function"]["arguments"] == {"n": 7} and out[ERROR][4] is None
    assert out[ERROR][5].encode()
    assert step({"text": []}) == {"text": [], MESSAGE: [], ERROR: []}


@pytest.mark.parametrize("columns", [{}, {"text": [], "error": []}, {"text": [], "message": []}])
def test_columns_that_do_not_fit(columns: dict[str, list[str]]) -> None:
    with pytest.raises(ValueError, match="columns are text"):
        Rows("generated.smollm3")(columns)
