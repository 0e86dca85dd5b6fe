"""compiler/analyse_streams.py: what may be sent of a region before it closes, and what must not."""

from __future__ import annotations

import pytest

from compiler.analyse_streams import Streams, streams
from compiler.parse import parse

CALL = 'emit {"type": "function", "function": {"name": name, "arguments": content}}'
OPEN = r"open /<c (?P<name>\w+)(?: id=(?P<id>\w+))?>/ close '</c>'".replace("'", '"')


def of(field: str, head: str = "", *others: str) -> Streams:
    grammar = parse(f'grammar g {head} anchor "<bot>" {field} {" ".join(others)}', "g")
    return streams(grammar, grammar.fields[0])


@pytest.mark.parametrize(
    "field, head, expected",
    [
        ('field a: text joined "-" {}', "policy trim both", ("text", "-", "both")),
        ('field a: text joined "-" {}', "policy trim none", ("text", "-", "none")),
        ('field a: text joined "-" {}', "", ("each", "-", "both")),
        ('field a: text(strip = false) joined "" {}', "", ("each", "", "none")),
        ('field a: text { open "<a>" when start close "</a>" }', "policy trim newline", ("text", "", "newline")),
        ('field a: text { open "<a>" when start close "</a>" }', "", ("each", "", "both")),
        ('field a: text { open "<a>" close "</a>" }', "", ()),  # a second one takes its place
        ("field a: text {}", "", ()),
        ('field a[]: text { open "<a>" when start close "</a>" }', "", ()),
        ('field a: text joined "" {}', 'default a = "x"', ()),
        ('field a: text joined "" { open "<a>" close "</a>" emit "x" }', "", ()),
        ('field a: int { open "<a>" when start close "</a>" }', "", ()),
    ],
)
def test_text(field: str, head: str, expected: Streams) -> None:
    assert of(field, head) == expected


def test_blocks_of_one_name_have_to_agree() -> None:
    block = 'field a as {}: text joined "" {{ open "<{}>" close "</a>" policy trim {} }}'
    assert of(block.format("b", "b", "both"), "", block.format("c", "c", "both")) == ("text", "", "both")
    assert of(block.format("b", "b", "both"), "", block.format("c", "c", "none")) == ()


PAIRS = r'xml(pair /<(?P<key>\w+)>/ "</p>"{})'


@pytest.mark.parametrize(
    "reader, more, expected",
    [
        ("json", CALL, ("json", "name", "")),
        ("json", f"tolerate [double-encoded] {CALL}", ("json", "name", "")),
        ("json", f"tolerate [commas] {CALL}", ("brace", "name", "")),
        ("json(unquoted_keys)", CALL, ("brace", "name", "")),
        ("json(allow_non_json)", CALL, ()),
        (PAIRS.format(""), CALL, ("name", "name", "")),
        (PAIRS.format(", nested"), CALL, ()),
        ("kv-lines", CALL, ("name", "name", "")),
        ("text", CALL, ()),
        ("call-list", CALL, ()),
        ("json", CALL.replace('"type"', '"id"?: id, "type"'), ("json", "name", "id")),
        ("json", CALL.replace('"type"', '"id": content.id, "type"'), ()),
        ("json", CALL.replace('"function",', "content,"), ()),
        ("json", CALL.replace("name,", "content.name,"), ()),
        ("json", CALL.replace("content}", "content.arguments}"), ()),
        ("json", CALL.replace("content}}", 'content, "more": 1}}'), ()),
        ("json", CALL.replace('"name": name', '"name"?: name'), ()),
        ("json", f"extend {CALL}", ()),
        ("json", "emit each {'name': name}".replace("'", '"'), ()),
        ("json", "emit content", ()),
        ("json", 'emit {"function": content}', ()),
        ("json", "", ()),
    ],
)
def test_calls(reader: str, more: str, expected: Streams) -> None:
    assert of(f"field calls[]: {reader} {{ {OPEN} {more} }}") == expected


def test_what_a_closer_says_comes_too_late() -> None:
    assert of(rf'field calls[]: json {{ open "<c>" close /<\/c (?P<name>\w+)>/ {CALL} }}') == ()
