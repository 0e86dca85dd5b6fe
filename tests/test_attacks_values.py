"""What attackers tried on values: bodies for every reader, tools' schemas, states that no parser gave.

In goes what they wrote; out comes a message, a ParseError or, for a state, a ValueError, and nothing else.
"""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler import compile_grammar
from generated import llama3_1, mistral_v3, qwen3, qwen3_coder
from runtime import Limits, ParseError

READERS = {
    "json": ("json", ""),
    "json of two dialects": ('json(unquoted_keys, string_delims = [["<s>","</s>"]])', ""),
    "json with text": ("json(allow_non_json)", ""),
    "json, aware": ("json", "policy aware"),
    "json, repaired": ("json", "tolerate [commas, quotes, escapes, newlines, trailing]"),
    "calls in json": ("json", 'tolerate [double-encoded, commas] emit {"function": content}'),
    "tags": (r'xml(pair /<(?P<key>\w+)>/ "</{key}>", nested, entities, value = json(allow_non_json))', ""),
    "tags merged": (r'xml(pair /<(?P<key>\w+)>/ "</{key}>", merge_duplicates)', ""),
    "tags, aware": (r'xml(pair /<(?P<key>\w+)>/ "</a>", trim = newline)', "policy aware, exact"),
    "lines": ("kv-lines", "policy exact"),
    "calls": ("call-list", "tolerate [commas, escapes, newlines, trailing]"),
    "calls by lines": ('call-list(brackets = false, separator = "\\n")', "policy aware"),
    "python": ("python", "tolerate [newlines, trailing]"),
    "json lines": ("json-lines", ""),
}
BODIES = [
    *("[{", "(", '"', "'", "'''", "-", "9", ":", "\n", "&", "&#x", "<![CDATA[", "f(", "<s>", "</c>"),
    *("<a>", "</a>", "<a>x</a>", "<a>&lt", "a: b\n", "f(a=1)\n", "[f(a=", "1+", "1**9", "1_", "\\", '"\\ud800"'),
    *(
        "'a' ",
        "{'a':",
        '{"a": ',
        '"x" y ',
        "}",
        "]}",
        "1\n",
        "[\n",
        "{a:1,",
        '{"name":"f","arguments":"{',
        "\x00",
        "\ud800",
    ),
]


def reader(name: str) -> ModuleType:
    kind, more = READERS[name]
    return compile_grammar(
        f'grammar g anchor "A" field c: {kind} {{ open "<c>" close "</c>" {more} }} field d: text joined "" {{}}'
    )


@pytest.mark.parametrize("name", READERS)
def test_a_body_of_any_shape_gives_a_message(name: str) -> None:
    module = reader(name)
    for body in BODIES:
        for size in (1, 2, 40, 3_000):
            text = f"keep<c>{body * size}</c>this"
            message = module.parse(text, prefix="", on_error="keep")
            assert (message["d"].startswith("keep") and message["d"].endswith("this")) or "</c>" in body


# -- tools ---------------------------------------------------------------------------------------------------------


def shared(levels: int) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "integer"}
    for _ in range(levels):
        schema = {"anyOf": [schema, schema]}
    return schema


def circle() -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    schema["properties"]["a"] = schema["items"] = schema
    schema["anyOf"] = schema["allOf"] = [schema]
    return schema


SCHEMAS: dict[str, Any] = {
    "shared": {"type": "object", "properties": {"a": shared(60)}},
    "circle": circle(),
    "references in a circle": {"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
    "references that double": {
        "$defs": {
            f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n + 1}"}, {"$ref": f"#/$defs/d{n + 1}"}]} for n in range(60)
        },
        "properties": {"a": {"$ref": "#/$defs/d0"}},
    },
    "no schema": {"properties": {"a": {"type": [[], {}], "enum": {"x": 1}, "anyOf": 5, "$ref": 7, "items": 9}}},
    "no properties": {"properties": ["a"], "required": 5},
    "a pattern": {"properties": {"a": {"type": ["string", "integer"], "pattern": "(a+)+b"}}},
}
VALUES = [
    *("5", "a" * 3_000, "9" * 5_000, "1e400", "1e-400", "0x10", "[" * 5_000, "\ud800", "1" + "0" * 4_000 + "e-4000"),
    *("-0", "\u0663", "1_0", "NaN", ["1", {"a": "2"}], {"a": {"a": "7"}}, [[["1"]]]),
]


@pytest.mark.parametrize("coerce", ["", "exact", "v1"])
@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_of_any_shape_types_arguments(name: str, coerce: str) -> None:
    tools = [{"type": "function", "function": {"name": "f", "parameters": SCHEMAS[name]}}]
    for value in VALUES:
        call = json.dumps({"name": "f", "arguments": {"a": value}})
        tag = value if isinstance(value, str) else json.dumps(value)
        texts = [
            (qwen3, f"<tool_call>{call}</tool_call>"),
            (qwen3_coder, f"<tool_call>\n<function=f>\n<parameter=a>\n{tag}\n</parameter>\n</function>\n</tool_call>"),
        ]
        for module, text in texts:
            message = module.parse(text, prefix="", tools=tools, coerce=coerce)
            assert list(message["tool_calls"][0]["function"]["arguments"]) == ["a"]


# -- states --------------------------------------------------------------------------------------------------------

MODULES = [llama3_1, mistral_v3, qwen3, qwen3_coder]
PIECES = [
    "<think>a",
    "</think>",
    "<tool_call>",
    '{"name": "f", "arguments": {}}',
    "</tool_call>",
    " ",
    "[TOOL_CALLS]",
    "[{",
]
JUNK = [
    None,
    True,
    -1,
    3,
    10**30,
    1.5,
    "",
    "x",
    "</think>",
    "blanks",
    "stopped",
    "outside",
    [],
    ["a"],
    {"a": 1},
    [[["a"]]],
]
KEYS = [
    "state",
    "is_open",
    "body",
    "behind",
    "held",
    "opener",
    "captures",
    "message",
    "offset",
    "opened_at",
    "prefix_end",
]


@given(
    st.sampled_from(MODULES),
    st.lists(st.sampled_from(PIECES), max_size=4),
    st.dictionaries(
        st.sampled_from([*KEYS, "regions", "beyond", "reader"]), st.sampled_from(JUNK), min_size=1, max_size=3
    ),
    st.booleans(),
    st.booleans(),
)
@settings(max_examples=300, deadline=None)
def test_a_state_that_no_parser_gave_is_refused_or_read_on(
    module: ModuleType, pieces: list[str], changes: dict[str, Any], limited: bool, spans: bool
) -> None:
    options: dict[str, Any] = {"on_error": "keep", "spans": spans}
    if limited:
        options["limits"] = Limits(region=10, regions=9)
    parser = module.Parser(prefix="", **options)
    for piece in pieces:
        parser.feed(piece)
    try:
        other = module.Parser.resume({**parser.state(), **changes}, **options)
    except ValueError:
        return
    try:
        for piece in PIECES:
            other.feed(piece)
            json.dumps([other.partial(), other.state()])
        assert isinstance(other.finalize()[0], dict)
    except ParseError:
        pass
