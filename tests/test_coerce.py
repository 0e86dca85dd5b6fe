from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from outcomes import exact

from runtime.coerce import type_exactly
from runtime.tools import Tools

SCALAR_TYPES = ["string", "integer", "number", "boolean", "null"]
COLOR = {"enum": ["red", 1, 2]}
NODE = {"type": "object", "properties": {"n": {"type": "integer"}, "next": {"$ref": "#/$defs/Node"}}}
CIRCLE = {"type": "object", "required": ["r"], "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}}
NAMED = {"type": "object", "properties": {"kind": {"enum": ["named"]}, "r": {"type": "string"}}}
DEFS = {"Color": COLOR, "Node": NODE, "a/b~c": {"type": "integer"}, "Loop": {"$ref": "#/$defs/Loop"}}


def typed(schema: Any, value: Any) -> Any:
    arguments = {"a": copy.deepcopy(value)}
    type_exactly(arguments, {"type": "object", "properties": {"a": schema}, "$defs": {**DEFS, "Circle": CIRCLE}})
    return arguments["a"]


@pytest.mark.parametrize(
    "schema, value, expected",
    [
        # a string stays where a string is wanted, or nothing is
        ({"type": "string"}, "5", "5"),
        ({"type": "string"}, '{"k": 1}', '{"k": 1}'),
        ({"type": "string", "enum": ["1", "2"]}, "1", "1"),
        ({"type": "string", "enum": [1, 2]}, "1", "1"),
        ({"type": "string", "format": "date", "nullable": False}, "null", "null"),
        ({}, "5", "5"),
        (True, "5", "5"),
        ({"type": 5}, "5", "5"),
        ({"type": "date"}, "5", "5"),
        ({"$ref": "#/$defs/Nowhere"}, "5", "5"),
        ({"$ref": "other.json"}, "5", "5"),
        ({"$ref": "#/type/object"}, "5", "5"),
        ({"$ref": 5}, "5", "5"),
        ({"$ref": "#/$defs/Loop"}, "5", "5"),
        # unions with a string: only what JSON writes just so
        ({"type": ["integer", "string"]}, "501", 501),
        ({"type": ["integer", "string"]}, "00501", "00501"),
        ({"type": ["string", "integer"]}, "-0", "-0"),
        ({"type": ["string", "integer"]}, "3.0", "3.0"),
        ({"type": ["string", "integer"]}, " 5", " 5"),
        ({"type": ["string", "number"]}, "1.10", "1.10"),
        ({"type": ["string", "number"]}, "1.5", 1.5),
        ({"type": ["string", "number"]}, "9007199254740993", 9007199254740993),
        ({"type": ["string", "number"]}, "9007199254740993.0", "9007199254740993.0"),
        ({"type": ["string", "boolean"]}, "true", True),
        ({"type": ["string", "boolean"]}, "True", "True"),
        ({"type": "string", "nullable": True}, "null", None),
        ({"type": "string", "nullable": True}, "None", "None"),
        ({"anyOf": [{"type": "string"}, {"type": "object"}]}, '{"k": 1}', {"k": 1}),
        ({"anyOf": [{"type": "string"}, {"type": "object"}]}, '{"k": 1', '{"k": 1'),
        ({"anyOf": [{"type": "string"}, {"type": "object"}]}, "5", "5"),
        ({"type": ["string", "integer"]}, '"5"', '"5"'),
        # no string allowed: what it spells
        ({"type": "integer"}, " 5\n", 5),
        ({"type": "integer"}, "3.0", 3),
        ({"type": "integer"}, "3.5", "3.5"),
        ({"type": "integer"}, "1e3", 1000),
        ({"type": "integer"}, "1_000", "1_000"),
        ({"type": "integer"}, "\u0663", "\u0663"),
        ({"type": "integer"}, "true", "true"),
        ({"type": "integer"}, "9007199254740993.0", 9007199254740993),
        ({"type": "integer"}, "-9.007199254740993e15", -9007199254740993),
        ({"type": "integer"}, "9" * 5000, "9" * 5000),
        ({"type": "integer"}, "9" * 5000 + "e-4900", "9" * 5000 + "e-4900"),
        ({"type": "number"}, "1", 1),
        ({"type": "number"}, "1.0", 1.0),
        ({"type": "number"}, "9007199254740993", 9007199254740993),
        ({"type": "number"}, "9007199254740993.5", 9007199254740994.0),
        ({"type": "number"}, "1e22", 1e22),
        ({"type": "number"}, "1e23", 1e23),
        ({"type": "number"}, "9007199254740993.0", 9007199254740993),
        ({"type": "integer"}, "3.77679464051215e+16", 37767946405121500),
        ({"type": "number"}, "NaN", "NaN"),
        ({"type": "number"}, "-Infinity", "-Infinity"),
        ({"type": "number"}, "1e400", "1e400"),
        ({"type": ["integer", "number"]}, "3.0", 3.0),
        ({"type": "boolean"}, "True", True),
        ({"type": "boolean"}, " false ", False),
        ({"type": "boolean"}, "1", "1"),
        ({"type": "boolean"}, "yes", "yes"),
        ({"type": "integer", "nullable": True}, "None", None),
        ({"type": "integer"}, '"5"', '"5"'),
        ({"allOf": [{"type": "integer"}]}, "1", 1),
        ({"oneOf": [{"type": "boolean"}, {"anyOf": [{"type": "number"}]}]}, "2", 2),
        ({"anyOf": {"type": "integer"}}, "2", "2"),
        # enum and const
        ({"enum": [1]}, "1", 1),
        ({"enum": [1]}, "2", 2),
        ({"const": 1}, "1", 1),
        ({"enum": ["1", 1]}, "1", "1"),
        ({"enum": [True]}, "1", "1"),
        ({"enum": [1]}, "true", "true"),
        ({"enum": [[1], {"a": 1}]}, "[1]", "[1]"),
        ({"enum": [None, "a"]}, "null", None),
        ({"type": "integer", "enum": [1, 2]}, "3", 3),
        ({"type": ["string", "integer"], "enum": ["auto", 10]}, "10", 10),
        ({"type": ["string", "integer"], "enum": ["auto", 10]}, "5", "5"),
        ({"anyOf": [{"type": "string"}, {"type": "integer", "enum": [1, 2]}]}, "3", "3"),
        ({"anyOf": [{"type": "string"}, {"type": "integer", "enum": [1, 2]}]}, "2", 2),
        # references
        ({"$ref": "#/$defs/Color"}, "1", 1),
        ({"$ref": "#/$defs/Color"}, "red", "red"),
        ({"$ref": "#/$defs/Color", "nullable": True}, "null", None),
        ({"$ref": "#/$defs/a~1b~0c"}, "1", 1),
        ({"$ref": "#/$defs/Color/enum/9"}, "1", "1"),
        ({"anyOf": [{"$ref": "#/$defs/Color"}, {"type": "null"}]}, "null", None),
        # inside objects and arrays
        ({"type": "object", "properties": {"n": {"type": "integer"}}}, '{"n": "5", "m": "5"}', {"n": 5, "m": "5"}),
        ({"properties": {"n": {"type": "integer"}}}, {"n": "5"}, {"n": 5}),
        ({"properties": {"n": {"type": "integer"}}}, '{"n": "5"}', {"n": 5}),
        ({"type": "object", "additionalProperties": {"type": "integer"}}, {"x": "5"}, {"x": 5}),
        ({"type": "object", "additionalProperties": False}, {"x": "5"}, {"x": "5"}),
        ({"type": "array", "items": {"type": "integer"}}, '["1", 2, "x"]', [1, 2, "x"]),
        ({"items": {"type": "integer"}}, ["1", [3]], [1, [3]]),
        ({"prefixItems": [{"type": "integer"}], "items": {"type": "boolean"}}, ["1", "true"], [1, True]),
        ({"type": "array", "items": [{"type": "integer"}]}, ["1", "1"], [1, "1"]),
        (
            {"type": "array", "items": {"type": "object", "properties": {"n": {"type": "integer"}}}},
            '["{\\"n\\": \\"1\\"}"]',
            [{"n": 1}],
        ),
        (
            {"$ref": "#/$defs/Node"},
            '{"n": "1", "next": {"n": "2", "next": {}}}',
            {"n": 1, "next": {"n": 2, "next": {}}},
        ),
        ({"type": "array"}, '{"a": 1}', '{"a": 1}'),
        # lists and dicts as Python prints them
        ({"type": "array"}, "['a', 'it\\'s', True]", ["a", "it's", True]),
        ({"type": "object"}, " {'n': None} ", {"n": None}),
        ({"type": "object", "properties": {"n": {"type": "integer"}}}, "{'n': '5'}", {"n": 5}),
        ({"type": "array"}, "{'a': 1}", "{'a': 1}"),
        ({"type": "array"}, "('a',)", "('a',)"),
        ({"type": "array"}, "['a", "['a"),
        ({"type": ["array", "string"]}, "['a']", "['a']"),
        ({"type": "array"}, "[1e400]", "[1e400]"),
        ({"type": "object"}, "[" * 100_000, "[" * 100_000),
        ({"type": "integer"}, ["1", "x", 2, ["3"]], [1, "x", 2, [3]]),  # the values of a repeated key
        ({}, ["1"], ["1"]),
        # alternatives for an object
        ({"anyOf": [NAMED, CIRCLE]}, {"kind": "circle", "r": "1.5"}, {"kind": "circle", "r": 1.5}),
        ({"anyOf": [{"$ref": "#/$defs/Circle"}, NAMED]}, {"kind": "named", "r": "1.5"}, {"kind": "named", "r": "1.5"}),
        ({"oneOf": [CIRCLE, NAMED, {"type": "null"}, True]}, {"kind": "circle", "r": "1"}, {"kind": "circle", "r": 1}),
        ({"anyOf": [CIRCLE, {"type": "null"}]}, {"kind": "square", "r": "1"}, {"kind": "square", "r": 1}),
        (
            {"anyOf": [{"required": ["x"], "properties": {"n": {"type": "integer"}}}, {"type": "null"}]},
            {"n": "1"},
            {"n": 1},
        ),
        # what is typed already
        ({"type": "string"}, 5, 5),
        ({"type": "integer"}, 5.0, 5.0),
        ({"type": "integer"}, None, None),
    ],
)
def test_a_value_by_its_schema(schema: Any, value: Any, expected: Any) -> None:
    assert exact(typed(schema, value)) == exact(expected)
    assert exact(typed(schema, expected)) == exact(expected)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abn"), inner, max_size=3),
    max_leaves=6,
)
TEXTS = st.sampled_from(
    ["1", "00501", "1.0", "true", "None", "null", '{"a": "1"}', '["1", ["2"]]', "NaN", "red", "\ud800"]
)
VALUES = st.recursive(TEXTS | JSON, lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from("abn"), inner))
ANYTHING = st.sampled_from([None, True, 5, "integer", [], {}, [5], ["integer", "null"], ["1", 1, None], {"a": 5}])
SCHEMAS = st.recursive(
    ANYTHING
    | st.sampled_from([COLOR, NODE, CIRCLE, NAMED, {"$ref": "#"}, {"$ref": "#/properties/a"}, {"type": "array"}]),
    lambda inner: st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from([*SCALAR_TYPES, "object", "array"]) | ANYTHING,
            "enum": ANYTHING,
            "const": ANYTHING,
            "nullable": ANYTHING,
            "required": ANYTHING,
            "anyOf": st.lists(inner, max_size=3) | ANYTHING,
            "allOf": st.lists(inner, max_size=3) | ANYTHING,
            "properties": st.dictionaries(st.sampled_from("abn"), inner) | ANYTHING,
            "additionalProperties": inner,
            "items": inner | st.lists(inner, max_size=2),
            "$ref": st.sampled_from(["#", "#/properties/a", "#/anyOf/0", "x", "#/"]) | ANYTHING,
        },
    ),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from("abn"), VALUES, max_size=3), SCHEMAS.filter(lambda one: isinstance(one, dict)))
@settings(max_examples=250, deadline=None)
def test_nothing_is_raised_and_a_second_time_changes_nothing(arguments: dict[str, Any], schema: dict[str, Any]) -> None:
    unchanged = copy.deepcopy(schema)
    type_exactly(arguments, schema)
    once = exact(arguments)
    type_exactly(arguments, schema)
    assert exact(arguments) == once
    assert exact(schema) == exact(unchanged)


@given(JSON.filter(lambda value: not isinstance(value, str)), st.booleans())
@settings(deadline=None)
def test_json_of_a_declared_type_comes_back(value: Any, or_a_string: bool) -> None:
    types = ["integer", "number", "boolean", "null", "object", "array"] + ["string"] * or_a_string
    assert exact(typed({"type": types}, json.dumps(value))) == exact(value)


@given(st.integers(), st.integers(0, 9))
@settings(deadline=None)
def test_whole_numbers_keep_their_digits(value: int, zeros: int) -> None:
    assert exact(typed({"type": "integer"}, f"{value}.{'0' * (zeros + 1)}")) == exact(value)
    assert exact(typed({"type": "integer"}, f"{value}e{zeros}")) == exact(value * 10**zeros)


@given(st.text(alphabet='0123456789+-.eE trufalsnN[]{}"', max_size=8), st.sampled_from(SCALAR_TYPES[1:]))
@settings(max_examples=300, deadline=None)
def test_beside_a_string_only_what_json_writes_just_so_changes(text: str, kind: str) -> None:
    value = typed({"type": ["string", kind]}, text)
    assert value == text or json.dumps(value) == text


@given(VALUES)
@settings(deadline=None)
def test_strings_that_may_be_strings_stay(value: Any) -> None:
    assert exact(typed({"type": "string"}, value)) == exact(value)


def test_a_deep_value_under_a_schema_that_contains_itself() -> None:
    depth = 10_000
    value: dict[str, Any] = {"n": "1"}
    for _ in range(depth):
        value = {"n": "1", "next": value}
    type_exactly(value, {"type": "object", "properties": {"n": {"type": "integer"}, "next": {"$ref": "#"}}})
    while "next" in value:
        assert value["n"] == 1
        value = value["next"]
    assert value == {"n": 1}


def test_the_words_of_a_request_choose_exactness() -> None:
    tools = [{"name": "f", "parameters": {"properties": {"a": {"type": ["integer", "string"]}}}}]
    calls = [{"function": {"name": "f", "arguments": {"a": text}}} for text in ("501", "00501")]
    assert [one["function"]["arguments"]["a"] for one in Tools(tools, "exact").type_arguments(calls)] == [501, "00501"]
    calls = [{"function": {"name": "f", "arguments": {"a": "00501"}}}]
    assert [one["function"]["arguments"]["a"] for one in Tools(tools).type_arguments(calls)] == [501]


@pytest.mark.parametrize(
    "schema, value, expected",
    [
        # the schema says nothing: what JSON writes just so, but no objects and lists
        (
            {},
            ["1", "01", "2.5", "2.50", "true", "True", "null", " 1", "", "Oslo"],
            [1, "01", 2.5, "2.50", True, "True", None, " 1", "", "Oslo"],
        ),
        ({"type": "object"}, {"n": "1", "s": "[1]", "t": "{}"}, {"n": 1, "s": "[1]", "t": "{}"}),
        ({"type": "array", "items": {"type": "object"}}, [{"n": "-3"}, "x"], [{"n": -3}, "x"]),
        # what is blank is the empty list or object that has to be
        ({"type": "array"}, "", []),
        ({"properties": {"a": {}}}, "\n", {}),
        ({"type": ["array", "null"]}, "", []),
        ({"type": ["array", "string"]}, "", ""),
        ({"type": "integer"}, "", ""),
        ({"type": "string"}, "", ""),
        # all else is exact
        ({"type": "string"}, "5", "5"),
        ({"type": "integer"}, "5", 5),
        ({"enum": [1, "2"]}, "2", "2"),
        ({"enum": [1, "2"]}, "1", 1),
        ({"type": "array", "items": {"type": "string"}}, ["1"], ["1"]),
        ({"type": "array"}, "[1]", [1]),
    ],
)
def test_elements_show_less_of_what_they_are(schema: Any, value: Any, expected: Any) -> None:
    arguments = {"a": copy.deepcopy(value)}
    type_exactly(arguments, {"properties": {"a": schema}}, elements=True)
    assert exact(arguments["a"]) == exact(expected)


def test_a_request_types_elements() -> None:
    tools = [{"name": "f", "parameters": {"properties": {"a": {"type": "array"}}}}]

    def typed_as(coerce: str) -> list[Any]:
        calls = [{"function": {"name": "f", "arguments": {"a": text}}} for text in ("", ["1"])]
        return [one["function"]["arguments"]["a"] for one in Tools(tools, coerce).type_arguments(calls)]

    assert typed_as("elements") == [[], [1]]
    assert typed_as("exact") == ["", ["1"]]
