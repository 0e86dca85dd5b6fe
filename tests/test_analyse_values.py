"""The statements that close a region: what they say for each reader and shape, and that they mean it."""

from __future__ import annotations

from typing import Any

import pytest

from compiler.analyse_readers import Reading, json_watcher
from compiler.analyse_values import (
    close_statements,
    emit_expression,
    is_structured,
    may_be_call,
    value_type,
)
from compiler.captures import tags
from compiler.model import (
    Bool,
    CallList,
    Constant,
    Either,
    Emit,
    Field,
    Float,
    Int,
    Items,
    JsonLines,
    JsonValue,
    KvLines,
    Literals,
    Members,
    Pattern,
    Python,
    Reader,
    Ref,
    Text,
    Xml,
    XmlInline,
)

TAG = Pattern("<(?P<key>.)>(?P<value>[^<]*)")
INNER = Pattern("(?P<key>.)=(?P<value>.)")
END = Literals(("</p>",))
TAGS = {TAG.text: "_TAG_X", INNER.text: "_TAG2_X", "</p>": "_TAG3_X"}


@pytest.mark.parametrize(
    ("reader", "expression"),
    [
        (Text(), "rt.read_text(body)"),
        (Text(strip=False), "body"),
        (Int(), "rt.read_int(body)"),
        (Int(strip=False), "rt.read_int(body, strip=False)"),
        (Float(), "rt.read_float(body)"),
        (Bool(), "rt.read_bool(body)"),
        (Bool(strip=False), "rt.read_bool(body, strip=False)"),
        (CallList(), "rt.read_call_list(body)"),
        (JsonValue(), "rt.read_json(body)"),
        (JsonValue(strip=False), "rt.read_json(body)"),
        (JsonValue(unquoted_keys=True), "rt.read_json(body, unquoted_keys=True)"),
        (JsonValue(string_delims=(("<", '"'),)), 'rt.read_json(body, string_delims=(("<", \'"\'),))'),
        (JsonValue(allow_non_json=True), "rt.read_json(body, allow_non_json=True)"),
        (JsonValue(allow_non_json=True, strip=False), "rt.read_json(body, allow_non_json=True, strip=False)"),
        (XmlInline(TAG), "rt.read_xml_inline(body, _TAG_X)"),
        (XmlInline(TAG, merge_duplicates=True), "rt.read_xml_inline(body, _TAG_X, merge_duplicates=True)"),
        (XmlInline(TAG, Text(strip=False)), "rt.read_xml_inline(body, _TAG_X)"),
        (XmlInline(TAG, JsonValue()), "rt.read_xml_inline(body, _TAG_X, value=rt.read_json)"),
        (
            XmlInline(TAG, XmlInline(INNER, Int())),
            "rt.read_xml_inline(body, _TAG_X, value=lambda raw: rt.read_xml_inline(raw, _TAG2_X, value=rt.read_int))",
        ),
        (Xml(TAG, END), "rt.read_pairs(body, _TAG_X, _TAG3_X)"),
        (Xml(TAG, END, Text(strip=False)), "rt.read_pairs(body, _TAG_X, _TAG3_X)"),
        (
            Xml(TAG, Literals(("</{key}>",)), JsonValue(), merge_duplicates=True),
            'rt.read_pairs(body, _TAG_X, ("</", ">"), value=rt.read_json, merge_duplicates=True)',
        ),
        (
            Xml(TAG, END, by="k", readers=(("a", Text()), ("b", Text(strip=False))), trim="start"),
            'rt.read_pairs(body, _TAG_X, _TAG3_X, by="k", readers={"a": lambda raw: rt.read_text(raw.lstrip()), '
            '"b": lambda raw: raw.lstrip()})',
        ),
        (
            Xml(TAG, END, by="k", readers=(("a", Int()), ("b", Text(strip=False)))),
            'rt.read_pairs(body, _TAG_X, _TAG3_X, by="k", readers={"a": rt.read_int, "b": lambda raw: raw})',
        ),
        (
            Xml(TAG, END, trim="newline", entities=True),
            "rt.read_pairs(body, _TAG_X, _TAG3_X, "
            "value=lambda raw: rt.without_entities(rt.without_newlines(raw)), entities=True)",
        ),
        (
            Xml(TAG, END, JsonValue(), nested="item", trim="both"),
            'rt.read_pairs(body, _TAG_X, _TAG3_X, items="item", value=lambda raw: rt.read_json(raw.strip()))',
        ),
        (CallList(False, "\n"), 'rt.read_call_list(body, brackets=False, separator="\\n")'),
        (Python(), "rt.read_python(body)"),
        (JsonLines(), "rt.read_json_lines(body)"),
        (KvLines(), "rt.read_kv_lines(body)"),
        (
            KvLines(";", "=", strip=False, value=Int(strip=False)),
            'rt.read_kv_lines(body, line_sep=";", kv_sep="=", strip=False, '
            "value=lambda raw: rt.read_int(raw, strip=False))",
        ),
    ],
)
def test_how_a_body_is_read(reader: Reader, expression: str) -> None:
    assert Reading(TAGS).expression(reader, "body") == expression


def test_exactly_read_pairs_are_so_at_every_depth() -> None:
    reader = Xml(TAG, END, KvLines(value=Int()))
    assert Reading(TAGS, exact=True).expression(reader, "body") == (
        "rt.read_pairs(body, _TAG_X, _TAG3_X, value=lambda raw: rt.read_kv_lines(raw, value=rt.read_int, exact=True), "
        "exact=True)"
    )
    inline = XmlInline(TAG, KvLines())
    assert Reading(TAGS, exact=True).expression(inline, "body") == (
        "rt.read_xml_inline(body, _TAG_X, value=lambda raw: rt.read_kv_lines(raw, exact=True))"
    )


@pytest.mark.parametrize(
    ("emit", "expression"),
    [
        (Constant(None), "None"),
        (Constant("x"), '"x"'),
        (Constant(1.5), "1.5"),
        (Ref(("content",)), "content"),
        (Ref(("name",)), 'self._captures["name"]'),
        (Ref(("content", "a", "b")), 'rt.item(content, "a", "b")'),
        (Ref(("name", "a")), 'rt.item(self._captures["name"], "a")'),
        (Items((Constant(True), Ref(("content",)))), "[True, content]"),
        (Members((("a", Constant(1)), ('"', Items(())))), '{"a": 1, \'"\': []}'),
        (Members(()), "{}"),
        (Ref(("content", "@key")), 'rt.item(content, "@key")'),
        (
            Either((Ref(("content", "a")), Ref(("name",)), Constant(1))),
            'rt.either(rt.seek(content, "a"), rt.seek(self._captures, "name"), 1)',
        ),
        (
            Members((("a", Ref(("b", "c"))), ("d", Either((Ref(("e",)), Ref(("f",)))))), ("a", "d")),
            '{**rt.member("a", rt.seek(self._captures, "b", "c")), '
            '**rt.member("d", rt.seek(self._captures, "e"), rt.seek(self._captures, "f"))}',
        ),
    ],
)
def test_how_a_value_is_shaped(emit: Emit, expression: str) -> None:
    assert emit_expression(emit, each=False) == expression


def test_under_each_every_name_is_in_the_scope() -> None:
    emit = Members((("a", Ref(("content",))), ("b", Ref(("x", "y"))), ("c", Ref(("content", "d")))), ("c",))
    expected = (
        '{"a": scope["content"], "b": rt.item(scope["x"], "y"), **rt.member("c", rt.seek(scope, "content", "d"))}'
    )
    assert emit_expression(emit, each=True) == expected


STORED: list[tuple[Field, bool, list[str]]] = [
    (Field("x"), False, ["value = rt.read_text(body)", 'self._message["x"] = value']),
    (
        Field("x", reader=Int(), repeats=True),
        False,
        ["value = rt.read_int(body)", 'self._message.setdefault("x", []).append(value)'],
    ),
    (
        Field("x", repeats=True, joined=""),
        False,
        ["value = rt.read_text(body)", 'self._message.setdefault("x", []).append(value)  # joined in _join'],
    ),
    (Field("x", repeats=True, joined=""), True, ["value = rt.read_text(body)", 'self._join_on("x", value)']),
    (
        Field("x", reader=JsonValue(), repeats=True, joined=""),
        True,
        ["value = self._type_arguments(rt.read_json(body))", 'self._join_on("x", rt.piece(value))'],
    ),
    (
        Field("x", emit=Ref(("content",)), repeats=True, joined=""),
        False,
        [
            "content = rt.read_text(body)",
            "value = content",
            'self._message.setdefault("x", []).append(value)  # joined in _join',
        ],
    ),
    (
        Field("x", emit=Constant("y"), repeats=True, joined=""),
        True,
        ['value = "y"', 'self._join_on("x", value)'],
    ),
    (Field("x", emit=Constant("y"), reader=Text(strip=False)), False, ['value = "y"', 'self._message["x"] = value']),
    (
        Field("x", emit=Constant("y"), reader=JsonValue()),
        False,
        ["rt.read_json(body)", 'value = "y"', 'self._message["x"] = value'],
    ),
    (
        Field("x", emit=Ref(("name",)), repeats=True, joined="-", reader=Text(strip=False)),
        True,
        ['value = self._captures["name"]', 'self._join_on("x", rt.piece(value))'],
    ),
    (
        Field("x", emit=Members((("n", Ref(("n",))),)), each=True, reader=JsonValue()),
        False,
        [
            "content = rt.read_json(body)",
            'value = [{"n": scope["n"]} for scope in rt.scopes(content, self._captures)]',
            'self._message["x"] = value',
        ],
    ),
    (
        Field("x", emit=Ref(("content", "a")), reader=JsonValue(), repeats=True, extend=True),
        True,
        [
            "items = rt.items(rt.read_json(body))",
            'value = [rt.item(content, "a") for content in items]',
            "value = self._type_arguments(value)",
            'self._message.setdefault("x", []).extend(value)',
        ],
    ),
    (
        Field("x", reader=CallList(), repeats=True, extend=True),
        False,
        ["value = rt.items(rt.read_call_list(body))", 'self._message.setdefault("x", []).extend(value)'],
    ),
]


@pytest.mark.parametrize(("field", "has_default", "statements"), STORED)
def test_how_a_region_is_closed(field: Field, has_default: bool, statements: list[str]) -> None:
    assert close_statements(field, TAGS, has_default=has_default) == [*statements, "return value"]


FUNCTION = Members((("name", Ref(("n",))), ("arguments", Ref(("content",)))))


@pytest.mark.parametrize(
    ("reader", "emit", "each", "can"),
    [
        (Text(), None, False, False),
        (Int(), None, False, False),
        (CallList(), None, False, False),
        (JsonValue(), None, False, True),
        (XmlInline(TAG), None, False, True),
        (KvLines(), None, False, True),
        (Python(), None, False, True),
        (JsonLines(), None, False, True),
        (Xml(TAG, END), None, False, True),
        (Text(), Ref(("content",)), False, False),
        (JsonValue(), Ref(("content",)), False, True),
        (JsonValue(), Ref(("item",)), True, True),
        (Text(), Members((("function", FUNCTION),)), False, True),
        (Text(), Items((Members((("function", FUNCTION),)),)), False, True),
        (JsonValue(), Members((("function", Ref(("content",))),)), False, True),
        (JsonValue(), Members((("function", Constant("x")),)), False, False),
        (JsonValue(), Members((("function", Members((("name", Constant("x")),))),)), False, False),
        (JsonValue(), Members((("call", FUNCTION),)), False, False),
        (JsonValue(), FUNCTION, False, False),
        (JsonValue(), Items(()), False, False),
        (JsonValue(), Constant("x"), False, False),
        (JsonValue(), Either((Ref(("name",)), Constant("x"))), False, True),
        (Text(), Members((("function", Either((Ref(("name",)), FUNCTION))),)), False, True),
        (Text(), Either((Ref(("name",)), Constant("x"))), False, False),
    ],
)
def test_whether_tools_can_type_a_value(reader: Reader, emit: Emit | None, each: bool, can: bool) -> None:
    field = Field("x", reader=reader, emit=emit, each=each)
    assert may_be_call(field) is can
    assert any("_type_arguments" in line for line in close_statements(field, TAGS, has_default=False)) is can


@pytest.mark.parametrize(
    ("reader", "structured", "annotation"),
    [
        (Text(), False, "str"),
        (Int(), False, "int"),
        (Float(), False, "float"),
        (Bool(), False, "bool"),
        (JsonValue(), True, None),
        (XmlInline(TAG), True, None),
        (KvLines(), True, None),
        (Xml(TAG, END), True, None),
        (CallList(), True, None),
    ],
)
def test_types(reader: Reader, structured: bool, annotation: str | None) -> None:
    anything = value_type(Field("x", emit=Constant(1)))
    assert is_structured(reader) is structured
    assert value_type(Field("x", reader=reader)) == (annotation or anything)
    assert value_type(Field("x", reader=reader, emit=Constant(1))) == anything


def test_tags_within_tags() -> None:
    inner = XmlInline(INNER)
    outer: Any = XmlInline(TAG, KvLines(value=inner))
    assert list(tags(outer)) == [TAG, INNER]
    assert list(tags(KvLines(value=Int()))) == list(tags(KvLines())) == list(tags(Text())) == []
    assert list(tags(Xml(TAG, Literals(("</{key}>",)), by="k", readers=(("a", inner), ("b", Text()))))) == [TAG, INNER]
    assert list(tags(Xml(TAG, END, KvLines(value=inner)))) == [TAG, END, INNER]


def test_a_dialect_is_lexed_where_that_is_asked_for() -> None:
    reading = Reading({}, lexed=True)
    assert reading.expression(JsonValue(), "body") == "rt.read_json(body)"
    expected = "rt.read_json(body, unquoted_keys=True, lexed=True, allow_non_json=True)"
    assert reading.expression(JsonValue(True, allow_non_json=True), "body") == expected
    inner = reading.expression(KvLines(value=JsonValue(True)), "body")
    assert inner == "rt.read_kv_lines(body, value=lambda raw: rt.read_json(raw, unquoted_keys=True, lexed=True))"


def test_what_follows_the_strings_of_a_body() -> None:
    assert json_watcher(JsonValue(allow_non_json=True)) == "rt.JsonBody"
    assert json_watcher(JsonValue(True)) == "lambda: rt.JsonBody(unquoted_keys=True)"
