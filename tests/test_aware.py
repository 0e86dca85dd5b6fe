"""Closers that a body holds in its strings, and values that end by themselves: the same in every chunking."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler import CompileError, compile_grammar, explain
from compiler.parse import parse
from runtime.aware import Aware
from runtime.options import Limits
from runtime.tag_body import TagBody
from tests.test_policies import everywhere, message
from tests.ways import agree

AWARE = compile_grammar("""
    grammar g anchor "A" stop "<end>" policy aware, bad drop
    field calls[]: json { open "<c>" close "</c>" blank after }
    field content: text joined "|" {}
    """)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<c>{"a": 1}</c>x', {"calls": [{"a": 1}], "content": "x"}),
        ('<c>{"a": "</c>"}</c>x', {"calls": [{"a": "</c>"}], "content": "x"}),
        ('<c>{"a": "</c></c>", "b": "</c>"}</c>x', {"calls": [{"a": "</c></c>", "b": "</c>"}], "content": "x"}),
        ('<c>{"a": "<end>"}</c>x<end>y', {"calls": [{"a": "<end>"}], "content": "x"}),
        ('<c>{"a": "\\"</c>"}</c>x', {"calls": [{"a": '"</c>'}], "content": "x"}),
        ('<c>{"a": "\\\\"</c>x', {"content": "x"}),
        ('<c>{"a": "</c>x', {"content": "x"}),
        ('<c>{"a": "</c>x<c>[2]</c>', {"content": "x", "calls": [[2]]}),
        ('<c>{"a": "x</c>\n<c>[2]</c>', {"calls": [[2]]}),
        ('<c>{"a": "x</c>\\z<c>[2]</c>y', {"calls": [[2]], "content": "\\z|y"}),
        ('<c>{"a": "x<end>y', {}),
        ("<c>{]</c>x", {"content": "x"}),
        ('<c>{] "</c>"x', {"content": '"x'}),
        ("<c>[1</c>x", {"content": "x"}),
        ("<c>[1]", {"calls": [[1]]}),
        ('<c>"</c>"</c> <c>"a"</c>', {"calls": ["</c>", "a"]}),
        ('<c>"</', {}),
    ],
)
def test_a_closer_counts_where_the_body_allows_it(text: str, expected: Any) -> None:
    assert message(AWARE, text) == expected


def test_text_streams_until_a_closer_is_in_question() -> None:
    parser = AWARE.Parser(prefix="")
    assert [event["type"] for event in parser.feed('<c>{"a": "x')] == ["region_open", "region_chunk"]
    assert parser.feed("y") == [{"type": "region_chunk", "field": "calls", "text": "y", "dirty": True}]
    assert parser.feed("</c>") == []
    assert parser.feed("z") == []
    events = parser.feed('"}</c>')
    assert events[0] == {"type": "region_chunk", "field": "calls", "text": '</c>z"}', "dirty": True}
    assert events[1]["value"] == {"a": "xy</c>z"}


DELIMITED = compile_grammar("""
    grammar g anchor "A" policy aware, bad drop
    field call: json(unquoted_keys, string_delims = [["<|", "|>"]]) { open "<c>" close "</c>" | "<;>" }
    field content: text joined "" {}
    """)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<c>{a:<|x</c>y|>}</c>z", {"call": {"a": "x</c>y"}, "content": "z"}),
        ('<c>{a:"<;>"}<;>z', {"call": {"a": "<;>"}, "content": "z"}),
        ("<c>{a:1}<;>z", {"call": {"a": 1}, "content": "z"}),
        ("<c>{a:<|x</c>z", {"content": "z"}),
    ],
)
def test_strings_have_delimiters_of_their_own(text: str, expected: Any) -> None:
    assert message(DELIMITED, text) == expected


VALUES = compile_grammar("""
    grammar g anchor "A" policy bad drop
    field calls[]: json { open "<c>" close value-end }
    field content: text joined "|" {}
    """)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<c> {"a": "}"}x', {"calls": [{"a": "}"}], "content": "x"}),
        ("<c>[1]<c>[2] <c>3 x", {"calls": [[1], [2], 3], "content": "|x"}),
        ("<c>12<c>true<c>null", {"calls": [12, True, None]}),
        ("<c>-1.5e2x", {"calls": [-150.0], "content": "x"}),
        ('<c>"a"b', {"calls": ["a"], "content": "b"}),
        ("<c>x", {"content": "x"}),
        ("<c>{x}", {"content": "x}"}),
        ('<c>{"a": tru}', {"content": "}"}),
        ("<c>[1, 2", {}),
        ("<c>", {}),
        ("<c>7", {"calls": [7]}),
    ],
)
def test_a_value_ends_a_region(text: str, expected: Any) -> None:
    assert message(VALUES, text) == expected


def test_what_is_no_value_is_refused_where_it_goes_wrong() -> None:
    [(error, place)] = everywhere(VALUES, "<c>{x}").errors
    assert (error.policy, place["text"], place["start"], place["end"]) == ("drop", "{", 0, 4)


STRINGS = compile_grammar(r"""
    grammar g anchor "A" stop "<end>" policy bad text, blank skip, trim both
    field calls[] as tagged: json { open "<c>" close value-end }
    field calls[] as named: json { open /<n=(?P<name>\w+)>/ close value-end emit {"name": name, "body": content} }
    field calls[] as bare: json { open /(?=\{)/ close value-end }
    field content: text joined "" {}
    """)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('<c>{"a": "<c>1<n=b>2<end>"}x<end>y', {"calls": [{"a": "<c>1<n=b>2<end>"}], "content": "x"}),
        ('<c>{"a": "b}<c>1<n=x>2<end>', {"content": '<c>{"a": "b}', "calls": [1, {"name": "x", "body": 2}]}),
        ('<c>{"a": "b}<n=x>{"c": 2}d', {"content": '<c>{"a": "b}d', "calls": [{"name": "x", "body": {"c": 2}}]}),
        ('<c>{"a": "b}<n=x', {"content": '<c>{"a": "b}<n=x'}),
        ('<c>{"a": "b}<end><c>2', {"content": '<c>{"a": "b}'}),
        ('<c>"a\n<c>2', {"content": '<c>"a', "calls": [2]}),
        ('<c>["a<n="b<c>2', {"content": '<c>["a<n="b', "calls": [2]}),
        ('<c>"a<n=1b"<c>2', {"calls": ["a<n=1b", 2]}),
        ("<c><c>2<end>", {"content": "<c>", "calls": [2]}),
        ("<c>[<end>3", {"content": "<c>["}),
        ("{}<c>{", {"calls": [{}], "content": "<c>{"}),
    ],
)
def test_a_string_that_never_ends_ends_at_a_delimiter(text: str, expected: Any) -> None:
    assert message(STRINGS, text) == expected


@pytest.mark.parametrize("opener", ['"["', '"{"', r"/\[|<c>/", r'/"<c>/', r"/\d<c>?/", r"/[<\[]/"])
def test_what_json_has_outside_of_strings_ends_no_value(opener: str) -> None:
    assert "where it is none" not in explained(opener)


@pytest.mark.parametrize("opener", ['"[c]"', '"<c>"', r"/\s*;\s*(?=\{)/", r"/(?:<c>|<d>)[\[{]/", r"/(?<=\})(?:;+)x?/"])
def test_what_json_has_in_strings_alone_does(opener: str) -> None:
    assert "where it is none" in explained(opener)


def explained(opener: str) -> str:
    """What leaves a value behind the opener."""
    return explain(parse(f'grammar g anchor "A" field call[]: json {{ open {opener} close value-end }}'))


def test_a_dialect_has_an_end_too() -> None:
    module = compile_grammar("""
        grammar g anchor "A" policy bad drop
        field call: json(unquoted_keys, string_delims = [["<|", "|>"]], allow_non_json) { open "<c>" close value-end }
        field content: text joined "" {}
        """)
    assert message(module, "<c>{a:<|}|>, b: 1}z") == {"call": {"a": "}", "b": 1}, "content": "z"}


@pytest.mark.parametrize(
    ("field", "code"),
    [
        ('field x: text { open "<x>" close "</x>" policy aware }', "misplaced-policy"),
        ('field x: json(allow_non_json) { open "<x>" close "</x>" policy aware }', "misplaced-policy"),
        ('field x: xml(pair /<(?P<key>k)>/ "</{key}>") { open "<x>" close "</x>" policy aware }', "misplaced-policy"),
        ('field x: call-list { close "</x>" policy aware }', "misplaced-policy"),
        ('field x: text { open "<x>" close value-end }', "value-end"),
        ("field x: json { close value-end }", "value-end"),
    ],
)
def test_what_has_no_strings_or_no_end_is_refused(field: str, code: str) -> None:
    with pytest.raises(CompileError) as caught:
        compile_grammar(f'grammar g anchor "A" {field}')
    assert caught.value.code == code


TAGS = compile_grammar(r"""
    grammar g anchor "A" stop "<end>" policy aware, exact, bad text, cut complete, blank skip, trim both
    field calls[]: xml(pair /<p=(?P<key>\w+)>/ "</p>", trim = newline) {
        open  /<f=(?P<name>\w+)>/
        close "</f>"
        emit  {name: content}
    }
    field content: text joined "" {}
    """.replace("{name: content}", '{"name": name, "arguments": content}'))


def called(name: str, **arguments: str) -> dict[str, Any]:
    return {"name": name, "arguments": arguments}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<f=a><p=k>1</p></f>x", {"calls": [called("a", k="1")], "content": "x"}),
        ("<f=a></f>x", {"calls": [called("a")], "content": "x"}),
        ("<f=a><p=k>see </f> here</p>\n</f>x", {"calls": [called("a", k="see </f> here")], "content": "x"}),
        ("<f=a><p=k>1</p>, <end> </f></p> </f>x", {"calls": [called("a", k="1</p>, <end> </f>")], "content": "x"}),
        ("<f=a><p=k>1</p> <end> </f></p> </f>x", {"calls": [called("a", k="1")]}),
        ("<f=a><p=k>never</f>x", {"content": "<f=a><p=k>never</f>x"}),
        ("<f=a><p=k>cut</f> <f=b><p=k>2</p></f>", {"content": "<f=a><p=k>cut</f>", "calls": [called("b", k="2")]}),
        ("<f=a><p=k>1</p></f><f=b><p=k></f></p></f>", {"calls": [called("a", k="1"), called("b", k="</f>")]}),
        ("<f=a><p=k>1</p>" + " \n" * 300 + "</f>", {"calls": [called("a", k="1")]}),
        ("<f=a><p=k></f>" + " " * 600 + "</p>" + " " * 600 + "</f>", {"calls": [called("a", k="</f>" + " " * 600)]}),
    ],
)
def test_a_close_inside_of_a_value_is_text(text: str, expected: dict[str, Any]) -> None:
    assert agree(TAGS, text, prefix="").message == expected
    assert TAGS.parse(text, prefix="") == expected


PATTERNS = compile_grammar(r"""
    grammar g anchor "A" stop "<end>" policy aware, exact, bad text, cut complete, blank skip, trim both
    field calls[] as tags: xml(pair /<p=(?P<key>\w+)>/ /<\/p>|(?<!>)(?=\n<p=)/) {
        open  /<f=(?P<name>\w+)>/
        close /(?:\s*<\/f>)?\s*<\/c>|(?<=<\/p>)\s*(?=<f=)/
        emit  {"name": name, "arguments": content}
    }
    field calls[] as json: json {
        open  /<j(?P<name>\w*)>/
        close /\s*<\/(?:j|json)>/
        emit  {"name": name, "arguments": content}
    }
    field calls[] as list: call-list {
        open  /<l>\s*/
        close /<\/l>;?/
        extend
        emit  {"name": content.name, "arguments": content.arguments}
    }
    field calls[] as lines: json-lines {
        open  "<n>"
        close "</n>" | "</lines>"
        extend
    }
    field content: text joined "" {}
    """)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<f=a><p=k>1</p></f> </c>x", {"calls": [called("a", k="1")], "content": "x"}),
        ("<f=a><p=k>see </f></c> here</p>\n</f></c>x", {"calls": [called("a", k="see </f></c> here")], "content": "x"}),
        ("<f=a><p=k>see <end> here</p></c>x<end>y", {"calls": [called("a", k="see <end> here")], "content": "x"}),
        ("<f=a><p=k>1</p><f=b><p=k></c></p></c>", {"calls": [called("a", k="1"), called("b", k="</c>")]}),
        ("<f=a><p=k>cut</c> <f=b><p=k>2</p></c>", {"content": "<f=a><p=k>cut</c>", "calls": [called("b", k="2")]}),
        ("<f=a><p=k>1\n<p=m>2</p></c>", {"calls": [called("a", k="1", m="2")]}),
        ("<f=a><p=k>never</f></c>x", {"content": "<f=a><p=k>never</f></c>x"}),
        ("<f=a><p=k>never<end>x", {"content": "<f=a><p=k>never"}),
        ('<jf>{"a": " </j></json>"} </json>x', {"calls": [called("f", a=" </j></json>")], "content": "x"}),
        ('<jf>{"a": "</j>x', {"content": '<jf>{"a": "</j>x'}),
        ('<jf>{"a": "</j>\n<jf>{}</j>', {"content": '<jf>{"a": "</j>', "calls": [called("f")]}),
        ("<l>[f(a='</l>', b=\"it's </l>\")]</l>;x", {"calls": [called("f", a="</l>", b="it's </l>")], "content": "x"}),
        ("<l>[f(a='\\'</l>')]</l>x", {"calls": [called("f", a="'</l>")], "content": "x"}),
        ("<l>[f(a='<end>')]</l>", {"calls": [called("f", a="<end>")]}),
        ("<l>[f(a='</l>x", {"content": "<l>[f(a='</l>x"}),
        ("<l>[f(a='</l>\n<l>[f()]</l>", {"content": "<l>[f(a='</l>", "calls": [called("f")]}),
        ("<l>[f(a=\\'</l>')]</l>", {"content": "<l>[f(a=\\'</l>')]</l>"}),
        ("<l>[f()]</", {"calls": [called("f")]}),
        (
            '<n>\n{"a": "</n>"}\n\n{"a": "<end>\\"</lines>"}\n</n>x',
            {"calls": [{"a": "</n>"}, {"a": '<end>"</lines>'}], "content": "x"},
        ),
        ('<n>\n{"a": "</n>\n<n>{}</n>', {"content": '<n>\n{"a": "</n>', "calls": [{}]}),
        ('<n>{"a": "</n>x', {"content": '<n>{"a": "</n>x'}),
        ("<n>{}\n{}</li", {"calls": [{}, {}]}),
    ],
)
def test_closers_may_be_patterns(text: str, expected: dict[str, Any]) -> None:
    assert agree(PATTERNS, text, prefix="").message == expected
    assert PATTERNS.parse(text, prefix="") == expected


PIECES = [
    "<f=a>",
    "<p=k>",
    "\n<p=m>",
    "</p>",
    "</f>",
    "</c>",
    "<jf>",
    "</j>",
    "</json>",
    "<l>",
    "[f(a=",
    "f()]",
    "</l>",
    ";",
    "<n>",
    "{}\n",
    "</n>",
]
PIECES += ['{"a": "', '"}', '"', "'", "\\", "<end>", " ", "\n", "x", "<", "</"]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_every_way_of_reading_finds_the_same_closer(text: str) -> None:
    agree(PATTERNS, text, prefix="")


def test_an_opener_in_a_value_that_is_too_long_gives_back_the_first_close() -> None:
    text = "<f=a><p=k>1</f>" + "x" * 15 + "<f=b><p=k>2</p></f>"
    heads = compile_grammar(r"""
        grammar g anchor "A" policy aware, bad drop
        field calls[]: xml(pair /<p=(?P<key>\w+)>/ "</p>") { open "<f=a>" | "<f=b>" close "</f>" }
        field content: text joined "" {}
        """)
    for size in (1, 7, len(text)):
        parser = heads.Parser(prefix="", on_error="keep", limits=Limits(region=20))
        for at in range(0, len(text), size):
            parser.feed(text[at : at + size])
        assert parser.finalize()[0] == {"content": "x" * 15, "calls": [{"k": "2"}]}


def test_an_opener_beyond_the_limit_says_that_the_first_closer_counted() -> None:
    class Standing:
        @staticmethod
        def _offset_in_body(at: int) -> int:
            return 0

    text = "<p>1</f>and so on<f>"
    for limit, given_back in ((10, True), (-1, True)):
        aware = Aware(TagBody(re.compile("<p>"), ("</p>",)), limit)
        standing: Any = Standing()
        standing._taken = str
        assert not aware.allows(standing, text, 0, 4)
        assert aware.gives_up(standing, text, 0, 17) is given_back
        assert aware.gives_up(standing, text, 0, 17) is False
        assert aware.allows(standing, text, 0, 4)
