"""The places where TRL's trainers parse, with parsers of ours. TRL is read, not imported: it asks for a great deal.

The tests marked `trl` run its own `parse_response`, cut out of its source: `make test-trl`.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
from pathlib import Path
from typing import Any

import pytest

from runtime.adapters.training import TESTED, parse_response
from runtime.hf import attach, template_for
from tests.examples import Example, model_examples, module_of
from tests.tiny_tokenizer import tiny_tokenizer

EXAMPLES = [example for example in model_examples() if not example.is_variant]
TOKENIZER = tiny_tokenizer()
SPEC = importlib.util.find_spec("trl")
SOURCE = Path(SPEC.origin).parent / "chat_template_utils.py" if SPEC is not None and SPEC.origin else Path("nowhere")


def ids(text: str) -> list[int]:
    found: list[int] = TOKENIZER.encode(text)
    return found


def expected(example: Example) -> dict[str, Any]:
    given = {"prefix": example.prefix, "tools": example.tools}
    message = module_of(example.family).parse(example.text, on_error="keep", **given)
    return {**message, "content": message.get("content", "")}


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_every_case_by_its_ids(example: Example) -> None:
    text, prefix = ids(example.text), ids(example.prefix)
    by_module = parse_response(TOKENIZER, text, prefix=prefix, tools=example.tools, module=module_of(example.family))
    assert by_module == expected(example)
    TOKENIZER.response_template = template_for(example.family)
    assert parse_response(TOKENIZER, text, prefix=prefix, tools=example.tools) == by_module
    assert by_module["content"] is not None


def test_content_is_a_string_and_the_end_of_the_sequence_is_none_of_it() -> None:
    tokenizer = tiny_tokenizer()
    tokenizer.eos_token = "</s>"
    module = module_of("smollm3")
    assert parse_response(tokenizer, ids("Yes.</s>"), module=module)["content"] == "Yes."
    assert parse_response(tokenizer, [], module=module) == {"role": "assistant", "content": ""}
    wrong = '<tool_call>{"name": 5}</tool_call><tool_call>{"name": "f"}</tool_call>'
    assert [one["function"]["name"] for one in parse_response(tokenizer, ids(wrong), module=module)["tool_calls"]] == [
        "f"
    ]


def weather(city: str) -> str:
    """Ask.

    Args:
        city: where
    """
    return city


@pytest.mark.parametrize(
    "given, kinds",
    [
        ({"ids": None}, (ValueError, TypeError)),
        ({"ids": [-1]}, (ValueError, TypeError)),
        ({"ids": [10**12]}, (ValueError, TypeError)),
        ({"ids": ["a", 1]}, (ValueError, TypeError)),
        ({"prefix": object()}, (ValueError, TypeError)),
        ({"tools": 5}, (ValueError, TypeError)),
        ({"tools": [lambda x: x]}, (ValueError, TypeError)),
        ({"module": None}, (ValueError, TypeError)),
    ],
)
def test_wrong_use_is_one_of_two_errors(given: dict[str, Any], kinds: Any) -> None:
    good: dict[str, Any] = {"ids": ids("Hi"), "prefix": ids(""), "tools": [weather], "module": module_of("qwen3")}
    assert parse_response(tiny_tokenizer(), **good)["content"] == "Hi"
    with pytest.raises(kinds):
        parse_response(tiny_tokenizer(), **{**good, **given})


def test_a_template_that_names_a_module() -> None:
    with pytest.raises(ValueError, match="no committed module"):
        template_for("nothing")
    tokenizer = attach(tiny_tokenizer(template_for("kimi_k3")), rename={"reasoning_content": "thinking"})
    text = "<|open|>think<|sep|>Hm<|close|>think<|sep|>Hi<|end_of_msg|>"
    assert tokenizer.parse_response(text, prefix="") == {"role": "assistant", "thinking": "Hm", "content": "Hi"}
    parser = tokenizer.get_response_parser(prefix="")
    events = [*parser.initial_events, *parser.feed(text)]
    assert [event["field"] for event in events if event["type"] == "region_open"] == ["thinking", "content"]
    assert parser.partial()["message"]["thinking"] == "Hm" and parser.errors == []
    assert parser.finalize()[0]["thinking"] == "Hm"


# -- TRL's own --------------------------------------------------------------------------------------------------------


def theirs(**names: Any) -> Any:
    """TRL's `parse_response`, with what it needs of its module."""
    tree = ast.parse(SOURCE.read_text(encoding="utf-8"))
    wanted = ("parse_response", "_validate_tool_calls")
    tree.body = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in wanted]
    space: dict[str, Any] = {"PreTrainedTokenizerBase": Any, "Callable": Any, **names}
    exec(compile(tree, str(SOURCE), "exec"), space)
    return space["parse_response"]


@pytest.mark.trl
def test_the_version_is_the_one_that_was_tested() -> None:
    from importlib.metadata import version

    assert version("trl") == TESTED["trl"]
    trainer = (SOURCE.parent / "trainer" / "grpo_trainer.py").read_text(encoding="utf-8")
    assert "parse_response(self._tokenizer, ids, prefix=prompt_ids[i], tools=per_prompt_tools[i])" in trainer


@pytest.mark.trl
@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_trl_s_own_function_gives_the_same_with_an_attached_tokenizer(example: Example) -> None:
    own = theirs(_SUPPORTS_RESPONSE_TEMPLATE=True, _SUPPORTS_PARSE_RESPONSE_TOOLS=True)
    assert [*inspect.signature(own).parameters] == [*inspect.signature(parse_response).parameters][:4]
    tokenizer = attach(tiny_tokenizer(template_for(example.family)), on_error="keep")
    tokenizer.eos_token = "<never>"
    found = own(tokenizer, ids(example.text), prefix=ids(example.prefix), tools=example.tools)
    given = {"prefix": ids(example.prefix), "tools": example.tools, "module": module_of(example.family)}
    assert found == parse_response(tokenizer, ids(example.text), **given)
