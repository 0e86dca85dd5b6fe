"""Values beyond version 1, from the grammar to the message: one compiled grammar a word, whole and piece by piece."""

from __future__ import annotations

import json
from typing import Any

import pytest

from compiler import compile_grammar
from compiler.check import check
from compiler.diagnostics import CompileError
from compiler.hf_json import from_template, to_template
from compiler.parse import parse
from runtime import ParseError

TOOLS = [{"name": "f", "parameters": {"type": "object", "properties": {"id": {"type": ["string", "integer"]}}}}]


def made(head: str, body: str = "", top: str = "") -> Any:
    """A module whose field is the head, between <c> and </c>, beside joined content."""
    field = f'field {head} {{ open "<c>" close "</c>" {body} }}'
    text = f'grammar g {top} anchor "A>" {field} field content: text joined "" {{}}'
    grammar = parse(text)
    check(grammar)
    assert parse(str(grammar)) == grammar
    return compile_grammar(text)


def read(module: Any, text: str, **options: Any) -> dict[str, Any]:
    """The message, which is the same however the text comes."""
    message: dict[str, Any] = module.parse(text, prefix="", **options)
    parser = module.Parser(prefix="", **options)
    for sign in text:
        parser.feed(sign)
    again, _ = parser.finalize()
    assert again == message
    resumed = module.Parser.resume(module.Parser(prefix="", **options).state(), **options)
    resumed.feed(text)
    assert resumed.finalize()[0] == message
    return message


def closed(module: Any, text: str, **options: Any) -> list[Any]:
    parser = module.Parser(prefix="", **options)
    events = [*parser.feed(text), *parser.finalize()[1]]
    return [event["value"] for event in events if event["type"] == "region_close" and event["field"] != "content"]


CALL = (
    'emit {"id"?: content.id, "function": {"name": content.name ?? content.@key, "arguments": content.arguments ?? {}}}'
)


def test_emit_chooses_what_is_there() -> None:
    module = made("calls[]: json", CALL)
    assert read(module, '<c>{"name": "f", "arguments": null}</c><c>{"g": 1}</c><c>{"name": "h", "id": 2}</c>') == {
        "calls": [
            {"function": {"name": "f", "arguments": None}},
            {"function": {"name": "g", "arguments": {}}},
            {"id": 2, "function": {"name": "h", "arguments": {}}},
        ]
    }
    with pytest.raises(ParseError, match="none of 2 values is there"):
        module.parse("<c>{}</c>", prefix="")


def test_emit_under_each_chooses_too() -> None:
    module = made("calls: json", 'emit each {"n": name ?? id ?? null, "a"?: args.x}')
    assert read(module, '<c>[{"id": 1, "args": {"x": 0}}, {}]</c>') == {"calls": [{"n": 1, "a": 0}, {"n": None}]}


def test_a_list_is_extended_item_by_item() -> None:
    module = made("calls[]: json", f"extend {CALL}")
    text = '<c>[{"f": 1}, {"g": 2}]</c>\n<c>{"h": 3}</c><c>[]</c>'
    assert [call["function"]["name"] for call in read(module, text)["calls"]] == ["f", "g", "h"]
    assert [len(value) for value in closed(module, text)] == [2, 1, 0]
    for body in ("1", '"f"', "[1]", "null"):
        with pytest.raises(ParseError):
            module.parse(f"<c>{body}</c>", prefix="")


def test_extending_adds_to_a_default() -> None:
    module = made("calls[]: json", "extend", "default calls = [0]")
    assert read(module, "<c>[1, [2]]</c><c>{}</c>") == {"calls": [0, 1, [2], {}]}
    assert read(module, "x") == {"calls": [0], "content": "x"}


def test_a_grammar_types_exactly_and_a_parse_may_not() -> None:
    exact = made("calls[]: json", 'emit {"function": content}', "policy coerce exact")
    plain = made("calls[]: json", 'emit {"function": content}')
    text = '<c>{"name": "f", "arguments": {"id": "00501"}}</c>'

    def typed(module: Any, **options: Any) -> Any:
        return module.parse(text, prefix="", tools=TOOLS, **options)["calls"][0]["function"]["arguments"]["id"]

    assert typed(exact) == typed(plain, coerce="exact") == typed(exact, coerce="exact") == "00501"
    assert typed(exact, coerce="v1") == typed(plain) == typed(plain, coerce="v1")
    assert read(exact, text)["calls"][0]["function"]["arguments"] == {"id": "00501"}
    with pytest.raises(ValueError, match="coerce is"):
        exact.Parser(prefix="", coerce="v2")


ARGS = r'xml(pair /<arg k="(?P<key>[^"]+)"(?: t="(?P<t>\w+)")?>/ "</arg>", '


def test_values_between_tags_hold_what_is_no_end() -> None:
    module = made("args: " + ARGS + "value = json(allow_non_json))", "policy exact")
    text = '<c>\n<arg k="a">x </arg> y</arg>\n<arg k="b">{"z": 1}</arg>\n</c>'
    assert read(module, text) == {"args": {"a": "x </arg> y", "b": {"z": 1}}}
    for body in ('x<arg k="a">1</arg>', '<arg k="a">1</arg>x<arg k="b">1</arg>x', '<arg k="a">1'):
        with pytest.raises(ParseError):
            module.parse(f"<c>{body}</c>", prefix="")


def test_an_attribute_chooses_the_reader() -> None:
    module = made("args: " + ARGS + 'value by t {"json": json, "": text}, entities)')
    text = '<c><arg k="a" t="json">[1]</arg><arg k="b"> &lt;1 </arg></c>'
    assert read(module, text) == {"args": {"a": [1], "b": "<1"}}
    with pytest.raises(ParseError, match="no reader for a value with t 'x'"):
        module.parse('<c><arg k="a" t="x">1</arg></c>', prefix="")


def test_exact_lines_are_pairs() -> None:
    module = made("args: kv-lines", "policy exact")
    assert read(module, "<c>a: 1\n\n</c>") == {"args": {"a": "1"}}
    with pytest.raises(ParseError):
        module.parse("<c>a: 1\nb</c>", prefix="")


def test_templates_have_none_of_these_readers() -> None:
    template = {"start_anchor": "A", "fields": {"a": {"open": "b", "content": "xml"}}}
    with pytest.raises(CompileError, match="unknown-reader"):
        from_template(template)
    for reader in (ARGS + "entities)", f"kv-lines(value = {ARGS}entities))"):
        with pytest.raises(CompileError, match="`xml`"):
            to_template(parse(f'grammar g anchor "A>" field a: {reader} {{ open "<c>" }}'))


def test_what_was_refused_is_repaired_and_said_so() -> None:
    module = made("calls[]: json", 'tolerate [trailing, commas] emit {"function": content}')
    text = '<c>{"name": "f"}</c><c>{"name": "g",}}</c>'
    assert read(module, text) == {"calls": [{"function": {"name": "f"}}, {"function": {"name": "g"}}]}
    events = module.Parser(prefix="", spans=True).feed(text)
    assert [event.get("repaired") for event in events if event["type"] == "region_close"] == [None, True]
    assert all("repaired" not in event for event in module.Parser(prefix="").feed(text))
    with pytest.raises(ParseError, match="Expecting value: line 1 column 1"):
        module.parse("<c>nothing</c>", prefix="")
    with pytest.raises(ParseError, match="nested too deeply"):
        module.parse(f"<c>{'[' * 100_000}</c>", prefix="")


def test_arguments_that_are_text_are_decoded_before_they_are_typed() -> None:
    module = made("calls[]: json", 'tolerate [double-encoded] emit {"function": content}')
    text = '<c>{"name": "f", "arguments": "{\\"id\\": \\"7\\"}"}</c>'
    assert read(module, text)["calls"][0]["function"]["arguments"] == {"id": "7"}
    tools = [{"name": "f", "parameters": {"type": "object", "properties": {"id": {"type": "integer"}}}}]
    assert module.parse(text, prefix="", tools=tools)["calls"][0]["function"]["arguments"] == {"id": 7}
    closes = [event for event in module.Parser(prefix="", spans=True).feed(text) if event["type"] == "region_close"]
    assert closes[0]["repaired"] is True
    for arguments in ('"x"', '"[1]"', "1", "null"):
        kept = module.parse(f'<c>{{"name": "f", "arguments": {arguments}}}</c>', prefix="")["calls"][0]
        assert kept["function"]["arguments"] == json.loads(arguments)


def test_literals_and_calls_are_repaired() -> None:
    module = made("a: python", "tolerate [newlines, trailing]")
    assert read(module, "<c>{'a': 'b\nc'}]</c>") == {"a": {"a": "b\nc"}}
    assert read(made("a: call-list", "tolerate [commas]"), "<c>[f() g()]</c>")["a"][1]["name"] == "g"


def test_calls_without_a_name_stay_as_they_are() -> None:
    module = made("calls[]: json", 'tolerate [double-encoded] emit {"function": content}')
    assert read(module, '<c>{"arguments": "{}"}</c>') == {"calls": [{"function": {"arguments": "{}"}}]}


def test_tags_tolerate_what_follows_the_last_pair() -> None:
    module = made("args: " + ARGS + "entities)", "policy exact tolerate [trailing]")
    assert read(module, '<c><arg k="a">1</arg></arg> x</c>') == {"args": {"a": "1"}}
    for body in ('x<arg k="a">1</arg>', '<arg k="a">1'):
        with pytest.raises(ParseError):
            module.parse(f"<c>{body}</c>", prefix="")


@pytest.mark.parametrize(
    ("head", "body", "code"),
    [
        ("a: text", "tolerate [commas]", "tolerate"),
        ("a: json(allow_non_json)", "tolerate [commas]", "tolerate"),
        ("a: python-call-list", "tolerate [quotes]", "tolerate"),
        ("a: python", "tolerate [newlines, trailing, commas]", "tolerate"),
        ("a: python-call-list", "tolerate [double-encoded]", "tolerate"),
        ("a: " + ARGS + "entities)", "tolerate [trailing]", "tolerate"),
        ("a: json", "tolerate [commas, quotes] policy aware", "tolerate"),
        ("a: json", "tolerate [coma]", "unknown-word"),
        ("a: json", "tolerate [commas, commas]", "repeated"),
    ],
)
def test_repairs_fit_their_field(head: str, body: str, code: str) -> None:
    with pytest.raises(CompileError) as refused:
        made(head, body)
    assert refused.value.code == code


def test_python_literals_json_lines_and_calls_on_lines() -> None:
    module = made("calls[]: python", 'extend emit {"function": content}')
    assert read(module, "<c>[{'name': 'f', 'arguments': {'a': True}}]</c>") == {
        "calls": [{"function": {"name": "f", "arguments": {"a": True}}}]
    }
    assert read(made("calls[]: json-lines", "extend"), '<c>{"a": 1}\n\n{"b": 2}</c>') == {"calls": [{"a": 1}, {"b": 2}]}
    module = made(
        'calls[]: call-list(brackets = false, separator = "\\n")', "extend emit {'f': content}".replace("'", '"')
    )
    assert read(module, "<c>a.b(x=1)\nc()</c>") == {
        "calls": [{"f": {"name": "a.b", "arguments": {"x": 1}}}, {"f": {"name": "c", "arguments": {}}}]
    }


def test_pairs_hold_pairs() -> None:
    tags = r'xml(pair /#<(?P<key>[^\/>]+)>/ "#</{key}>", nested, value = text)'
    module = made(f"args: {tags}", "policy exact")
    text = "<c>#<city>Lyon#</city>#<legs>#<item>#<n>1#</n>#</item>#</legs>#<no>#</no></c>"
    assert read(module, text) == {"args": {"city": "Lyon", "legs": [{"n": "1"}], "no": ""}}
    module = made("args: " + tags.replace("nested", 'nested = "n"'))
    assert read(module, "<c>#<a>#<n>1#</n>#</a></c>") == {"args": {"a": ["1"]}}


def test_a_dialect_has_no_reserved_characters_where_types_are_exact() -> None:
    dialect = r"""args: json(unquoted_keys, string_delims = [["<|\"|>", "<|\"|>"]])"""
    text = '<c>{a: <|"|>\x01<|"|>, b: "<|", c: <|"|>d<|"|>}</c>'
    assert read(made(dialect, "", "policy coerce exact"), text) == {"args": {"a": "\x01", "b": "<|", "c": "d"}}
    with pytest.raises(ParseError):
        made(dialect).parse(text, prefix="")


@pytest.mark.parametrize(
    "reader", ["python", "json-lines", 'call-list(separator = "\\n")', "call-list(brackets = false)"]
)
def test_templates_lose_the_other_readers(reader: str) -> None:
    with pytest.raises(CompileError, match="no-template"):
        to_template(parse(f'grammar g anchor "A>" field a: {reader} {{ open "<c>" }}'))
    assert to_template(parse('grammar g anchor "A>" field a: call-list { open "<c>" }'))


@pytest.mark.parametrize(
    ("reader", "code"),
    [
        ('call-list(separator = ";")', "argument-type"),
        ('call-list(separator = "")', "argument-type"),
        ('xml(pair /(?P<key>a)/ "b", nested = 1)', "argument-type"),
        ("python-call-list(brackets)", "unknown-argument"),
    ],
)
def test_what_readers_are_given_fits(reader: str, code: str) -> None:
    with pytest.raises(CompileError) as refused:
        made(f"a: {reader}")
    assert refused.value.code == code


def test_nesting_can_be_turned_off() -> None:
    assert "nested" not in str(parse(f'grammar g anchor "A>" field a: {ARGS}nested = false) {{ open "<c>" }}'))


@pytest.mark.parametrize(
    "body", ["tolerate [commas]", "extend", "emit content.@key", 'emit {"a"?: content.b}', "emit content.a ?? 1"]
)
def test_a_template_says_none_of_it(body: str) -> None:
    with pytest.raises(CompileError, match="no-template"):
        to_template(parse(f'grammar g anchor "A>" field a[]: json {{ open "<c>" {body} }}'))
