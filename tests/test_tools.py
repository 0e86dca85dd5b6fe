from __future__ import annotations

import copy
import sys
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from outcomes import exact
from transformers.utils.chat_parsing.response_parser import ResponseParser

from runtime.tools import Tools, argument_schemas

TYPES = ["string", "integer", "number", "boolean", "null", "object", "array", "date"]
TEXTS = [
    "",
    "1",
    " 1 ",
    "1.0",
    "1.",
    "1e3",
    "1_000",
    "-0",
    "\u0663",
    "00501",
    "9007199254740993",
    "1e400",
    "nan",
    "inf",
]
TEXTS += [
    "9" * 400,
    "9" * 5000,
    "true",
    "TRUE ",
    "False",
    "0",
    "null",
    "None",
    "none",
    "{}",
    '{"a": 1}',
    "[]",
    "[1",
    "x",
]
NAMES = ["a", "b", "c"]

LEAVES = [{"type": name} for name in TYPES] + [{"type": ["integer", 5, "string"]}, {"type": ["null", "boolean"]}]
LEAVES += [{}, True, None, {"type": 5}, {"enum": [1]}, {"$ref": "#/a"}, {"anyOf": None}, {"anyOf": "integer"}]


@st.composite
def schemas(draw: st.DrawFn, depth: int = 2) -> Any:
    schema = draw(st.sampled_from(LEAVES))
    if depth and isinstance(schema, dict) and draw(st.booleans()):
        inner = schemas(depth - 1)
        schema = {**schema, draw(st.sampled_from(["anyOf", "oneOf"])): draw(st.lists(inner, min_size=1, max_size=3))}
        schema["nullable"] = draw(st.sampled_from([True, False, 1, None]))
    return schema


@st.composite
def functions(draw: st.DrawFn) -> dict[str, Any]:
    parameters = {"properties": {name: draw(schemas()) for name in NAMES}}
    wrong = draw(st.sampled_from([parameters] * 20 + [None, {}, {"properties": []}, {"properties": None}, 5]))
    return {"name": draw(st.sampled_from(["f", "f", "g"])), "parameters": wrong}


NO_TOOLS = [{}, None, 5, "f", [], {"function": None}, {"function": {"name": 5}}, {"name": None}, {"name": "g"}]
TOOLS = st.lists(
    functions()
    | functions().map(lambda function: {"type": "function", "function": function})
    | st.sampled_from(NO_TOOLS),
    min_size=1,
    max_size=3,
)


@st.composite
def calls(draw: st.DrawFn) -> Any:
    texts = st.sampled_from(TEXTS)
    argument = (
        texts | st.lists(texts | st.sampled_from([2, ["1"]]), max_size=2) | st.sampled_from([1, None, {"a": "1"}])
    )
    arguments = {name: draw(argument) for name in [*NAMES, "unknown"]}
    call = {"function": {"name": draw(st.sampled_from(["f", "f", "g", "h"])), "arguments": arguments}}
    no_calls = [None, "1", {}, {"function": "f"}, {"function": {"name": 5, "arguments": {}}}, [call, [call]]]
    return draw(st.sampled_from([call] * 20 + no_calls))


VALUES = st.lists(calls(), min_size=1, max_size=3) | calls()


def reference(value: Any, tools: Any) -> Any:
    parser = ResponseParser({"start_anchor": "a", "fields": {"c": {}}}, prefix="", tools=tools)
    return parser._coerce_tool_calls(copy.deepcopy(value))


def one(schema: Any, argument: Any) -> Any:
    call = {"function": {"name": "f", "arguments": {"a": argument}}}
    tools = Tools([{"name": "f", "parameters": {"properties": {"a": schema}}}])
    return tools.type_arguments(call)["function"]["arguments"]["a"]


@given(VALUES, TOOLS)
@settings(max_examples=400, deadline=None)
@example([{"function": {"name": "f", "arguments": {"a": text}}} for text in TEXTS], [])
def test_values_are_the_reference_s(value: Any, tools: list[Any]) -> None:
    typed = Tools(tools)
    expected = reference(value, tools)
    assert exact(typed.type_arguments(copy.deepcopy(value))) == exact(expected)
    assert exact(typed.type_arguments(copy.deepcopy(value))) == exact(expected)  # what was looked up stays true


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", TYPES)
def test_casts_are_the_reference_s(text: str, name: str) -> None:
    tools = [{"name": "f", "parameters": {"properties": {"a": {"type": name}, "b": {"type": name}}}}]
    call = {"function": {"name": "f", "arguments": {"a": text, "b": [text, 2, [text]], "c": text}}}
    assert exact(Tools(tools).type_arguments(copy.deepcopy(call))) == exact(reference(call, tools))


def test_calls_are_typed_in_their_order() -> None:
    shared = {"a": "1"}
    value = [{"function": {"name": name, "arguments": shared}} for name in ("f", "g")]
    tools = [
        {"name": name, "parameters": {"properties": {"a": {"type": kind}}}}
        for name, kind in (("f", "boolean"), ("g", "integer"))
    ]
    assert Tools(tools).type_arguments(value)[0]["function"]["arguments"]["a"] is True


def test_a_schema_that_contains_itself_is_walked_once() -> None:
    schema: dict[str, Any] = {"type": "boolean", "nullable": True}
    schema["anyOf"] = [schema, {"type": "integer"}, {"oneOf": [schema]}]
    assert [one(schema, text) for text in ("1", "7", "null", "x")] == [True, 7, None, "x"]


def test_a_schema_that_doubles_at_every_level_is_walked_once() -> None:
    schema: dict[str, Any] = {"type": "integer"}
    for _ in range(2000):
        schema = {"anyOf": [schema, schema]}
    assert one(schema, "7") == 7


@pytest.mark.parametrize("wrong", [5, {"type": "integer"}, "integer", {1: 2}, [5, None, [{"type": "integer"}]]])
def test_wrong_schemas_type_nothing(wrong: Any) -> None:
    assert one({"anyOf": wrong}, "7") == "7"


def test_deep_values_are_left_alone() -> None:
    deep: Any = {"function": {"name": "f", "arguments": {"a": "1"}}}
    for _ in range(100_000):
        deep = [deep]
    tools = Tools([{"name": "f", "parameters": {"properties": {"a": {"type": "array"}}}}])
    assert tools.type_arguments(deep) is deep
    assert one({"type": ["array", "integer"]}, "[" * 100_000) == "[" * 100_000


def test_no_tools_type_nothing() -> None:
    assert argument_schemas(None) == {}
    assert Tools(None).type_arguments([{"function": {"name": "f", "arguments": {"a": "1"}}}]) == [
        {"function": {"name": "f", "arguments": {"a": "1"}}}
    ]


def test_only_known_ways_to_type() -> None:
    with pytest.raises(ValueError, match="coerce"):
        Tools(None, "exactly")


@pytest.mark.parametrize("tools", [5, True, 1.5])
def test_tools_are_a_list(tools: Any) -> None:
    with pytest.raises(TypeError):
        Tools(tools)


# -- Python functions --------------------------------------------------------------------------------------------------


def add(a: int, b: bool | None = None) -> int:
    """
    Add.

    Args:
        a: A number.
        b: A choice.
    """
    return a if b else 0


class Adder:
    def add(self, a: int) -> int:
        """
        Add.

        Args:
            a: A number.
        """
        return a


@pytest.mark.parametrize("function", [add, Adder().add])
def test_functions_are_tools(function: Any) -> None:
    value = {"function": {"name": "add", "arguments": {"a": "1", "b": "null"}}}
    assert exact(Tools([function]).type_arguments(copy.deepcopy(value))) == exact(reference(value, [function]))
    assert argument_schemas([function])["add"]["properties"]["a"]["type"] == "integer"


def test_a_function_that_has_no_schema_is_refused() -> None:
    with pytest.raises(ValueError, match="no schema can be made"):
        Tools([lambda a: a])


def test_functions_need_transformers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "transformers.utils", None)
    with pytest.raises(TypeError, match=r"respc\[hf\]"):
        Tools([add])
