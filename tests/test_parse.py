"""parse.py: what a grammar prints reads back, layout is free, and places are right. Messages: test_diagnostics.py."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from compiler.diagnostics import CompileError
from compiler.hf_json import to_template
from compiler.model import (
    Constant,
    Either,
    Field,
    Grammar,
    Int,
    Items,
    JsonValue,
    KvLines,
    Literals,
    Members,
    Pattern,
    Ref,
    Text,
    Xml,
    XmlInline,
)
from compiler.parse import parse
from tests.strategies import grammars

SMOLLM3 = """\
# SmolLM3: one JSON object a tool call.
#
#   indented

grammar smollm3
default role = "assistant"
anchor  "<|im_start|>assistant\\n"

field reasoning_content: text {
    open  "<think>"
    close "</think>" blank after
}

field tool_calls[]: json {
    open  /<tool_call>\\s*/
    close "</tool_call>" | "<|im_end|>"
    emit  {"type": "function", "function": content}
}

field content: text joined "" {}
"""


def parsed(head: str) -> Field:
    return parse(f'grammar g anchor "a" field {head}').fields[0]


def emitted(text: str) -> object:
    return parsed(f"f: json {{ emit {text} }}").emit


@settings(max_examples=300, deadline=None)
@given(grammars)
def test_a_printed_grammar_reads_back(grammar: Grammar) -> None:
    text = str(grammar)
    again = parse(text)
    assert again == grammar
    assert str(again) == text
    assert repr(again) == repr(grammar)  # True is no 1, -0.0 no 0.0


def test_a_grammar_is_read_and_printed_as_it_is_written() -> None:
    grammar = parse(SMOLLM3, "smollm3.grammar")
    assert str(grammar) == SMOLLM3
    assert grammar.comment == "SmolLM3: one JSON object a tool call.\n\n  indented"
    assert grammar.default_values == {"role": "assistant"}
    reasoning, calls, content = grammar.fields
    assert reasoning == Field("reasoning_content", Literals(("<think>",)), Literals(("</think>",), blank_after=True))
    assert calls == Field(
        "tool_calls",
        Pattern(r"<tool_call>\s*"),
        Literals(("</tool_call>", "<|im_end|>")),
        JsonValue(),
        repeats=True,
        emit=Members((("type", Constant("function")), ("function", Ref(("content",))))),
    )
    assert content == Field("content", repeats=True, joined="") == grammar.implicit


def test_layout_is_free_and_comments_stand_anywhere() -> None:
    loose = """
    grammar smollm3 anchor "<|im_start|>assistant\\n" # the prompt
    default role="assistant"field reasoning_content:text{close"</think>"blank after open"<think>"}
    field tool_calls [ ] : json { # calls
      emit {"type":"function",
            "function":content} open/<tool_call>\\s*/ close "</tool_call>"|"<|im_end|>"|"<|im_end|>" }
    field content: text joined "" {\r\n}"""
    assert parse(loose) == parse(SMOLLM3)
    assert parse(loose).comment == ""


def test_a_comment_at_the_top_is_kept_without_its_last_blank_lines() -> None:
    assert parse("\n # one\n#two\n#\n\n# three\n" + SMOLLM3).comment == "one\ntwo"


def test_each_node_knows_its_place() -> None:
    grammar = parse(SMOLLM3)
    calls = grammar.fields[1]
    emit = calls.emit
    assert isinstance(emit, Members)
    spans = [grammar.span, calls.span, calls.open.span, calls.close.span, emit.span, emit.members[1][1].span]
    assert [SMOLLM3[span.start : span.end] for span in spans] == [
        "smollm3",
        "field tool_calls[]: json",
        r"/<tool_call>\s*/",
        '"</tool_call>" | "<|im_end|>"',
        '{"type": "function", "function": content}',
        "content",
    ]
    assert calls.open.span.place == "<grammar>:15:11"
    assert calls.open.span.line == 15


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (r"/a\/b/", "a/b"),
        (r"/a\\/", r"a\\"),
        (r"/\\\/\d/", r"\\/\d"),
        (r'pattern "a\\/\n"', "a\\/\n"),
        ("//", ""),
    ],
)
def test_patterns_are_raw_between_slashes(written: str, text: str) -> None:
    assert parsed(f"f: text {{ open {written} }}").open == Pattern(text)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("</a>", r"/<\/a>/"),
        (r"\/", r'pattern "\\/"'),
        ("a\\", r'pattern "a\\"'),
        ("a\n", r'pattern "a\n"'),
        (r"\\", r"/\\/"),
        (r"\\/", r"/\\\//"),
    ],
)
def test_patterns_are_printed_so_that_they_stay_the_same(text: str, written: str) -> None:
    assert str(Pattern(text)) == written


def test_words_of_the_language_can_be_names() -> None:
    field = parsed('open: text { open pattern "open" emit {"a": open, "b": close.emit, "c": `each`.`1`} }')
    assert field.name == "open"
    assert field.emit == Members((("a", Ref(("open",))), ("b", Ref(("close", "emit"))), ("c", Ref(("each", "1")))))
    assert parsed('"two words": text {}').name == "two words"
    assert parsed("tool-calls: text {}").name == "tool-calls"


def test_emit_is_json_with_names() -> None:
    expected = Items(
        (Constant(1), Constant(-1.5), Constant(True), Constant(False), Constant(None), Constant("content"))
    )
    assert emitted('[1, -1.5, true, false, null, "content"]') == expected
    assert emitted("[]") == Items(())
    assert emitted("{}") == Members(())
    assert parsed("f: json { emit each content }").each


def test_emit_says_what_may_be_missing() -> None:
    assert emitted("a ?? content.@key ?? null") == Either((Ref(("a",)), Ref(("content", "@key")), Constant(None)))
    assert emitted('{"a"?: b, "c": {"d"?: e.@value.f}}') == Members(
        (("a", Ref(("b",))), ("c", Members((("d", Ref(("e", "@value", "f"))),), ("d",)))), ("a",)
    )
    assert emitted("[a ?? {}, 1]") == Items((Either((Ref(("a",)), Members(()))), Constant(1)))


def test_readers_take_arguments() -> None:
    written = (
        'xml-inline(tag = /<(?<key>a)>/, value = kv-lines(line_sep = ";", kv_sep = "=", strip = false, value = int), '
        "merge_duplicates)"
    )
    expected = XmlInline(Pattern("<(?<key>a)>"), KvLines(";", "=", False, Int()), merge_duplicates=True)
    assert parsed(f"f: {written} {{}}").reader == expected
    assert parsed('f: json(string_delims = [["<", ">"]], strip = true) {}').reader == JsonValue(
        string_delims=(("<", ">"),)
    )
    assert parsed("f: text() required {}") == Field("f", reader=Text(), required=True)
    assert parsed('f: xml-inline(tag = pattern "x") {}').reader == XmlInline(Pattern("x"))


def test_pairs_of_tags_have_two_delimiters_and_one_reader_or_several() -> None:
    written = 'xml(pair /<(?<key>a)>/ "</{key}>" blank after, value = json(unquoted_keys), trim = newline, entities)'
    expected = Xml(
        Pattern("<(?<key>a)>"),
        Literals(("</{key}>",), blank_after=True),
        JsonValue(True),
        trim="newline",
        entities=True,
    )
    assert parsed(f"f: {written} {{}}").reader == expected
    by = parsed('f: xml(pair /a/ "b" | "c", value by kind {"": text, "j": kv-lines(value = int)}) {}').reader
    assert by == Xml(Pattern("a"), Literals(("b", "c")), by="kind", readers=(("", Text()), ("j", KvLines(value=Int()))))


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("", "syntax", ""),
        ("grammar g", "no-anchor", "g"),
        ('grammar g anchor "a" anchor "b"', "repeated", 'anchor "b"'),
        ('grammar g default a = 1 default "a" = 2', "repeated", 'default "a" = 2'),
        ('grammar g anchor "a" field f: text { close "a" close "b" }', "repeated", 'close "b"'),
        ('grammar g anchor "a" blank after blank after', "repeated", "blank after"),
        ('grammar g anchor "a" field f: text required required {}', "repeated", "required"),
        ('grammar g anchor "a" field f: text(strip, strip = false) {}', "repeated", "strip = false"),
        ('grammar g anchor "a" field f: text { emit {"a": 1, "a": 2} }', "repeated", '"a": 2'),
        ('grammar g anchor "a" field f: text { emit a-b }', "syntax", "a-b"),
        ('grammar g default a = [1, {"b": content}]', "not-json", "content"),
        ("grammar g default a = 1e999", "foreign-type", "1e999"),
        (f"grammar g default a = {'1' * 4301}", "foreign-type", "1" * 4301),
        ('grammar g anchor "\\q"', "bad-string", "\\"),
        ('grammar g anchor "a', "unclosed", '"'),
        ("grammar g anchor /a", "unclosed", "/"),
        ('grammar g anchor "a" field f: text { emit `a', "unclosed", "`"),
        ("grammar g achor", "unknown-word", "achor"),
        ('grammar g anchor "a" field f: text { emit a ?? }', "syntax", "}"),
        ('grammar g default a = "b" ?? "c"', "not-json", '"b" ?? "c"'),
        ('grammar g default a = {"b"?: 1}', "not-json", '{"b"?: 1}'),
        ('grammar g anchor "a" field f: text { emit @key }', "syntax", "@key"),
        ('grammar g anchor "a" field f: text { close line-end }', "left-out", "line-end"),
        ('grammar g anchor "a" field f: xml {}', "missing-argument", "xml"),
        ('grammar g anchor "a" field f: xml(pair "a" "b") {}', "syntax", '"a"'),
        ('grammar g anchor "a" field f: xml(pair = 1) {}', "syntax", "="),
        ('grammar g anchor "a" field f: xml(pair /a/ "b", trim = all) {}', "argument-type", "all"),
        ('grammar g anchor "a" field f: xml(pair /a/ "b", trim = 1) {}', "argument-type", "1"),
        ('grammar g anchor "a" field f: xml(pair /a/ "b", by) {}', "argument-type", "by"),
        ('grammar g anchor "a" field f: json(value by a {"b": text}) {}', "unknown-argument", 'value by a {"b": text}'),
        (
            'grammar g anchor "a" field f: xml(pair /a/ "b", value by a {"b": text, "b": int}) {}',
            "repeated",
            '"b": int',
        ),
        ('grammar g anchor "a" field f: json(pair /a/ "b") {}', "unknown-argument", 'pair /a/ "b"'),
        ('grammar g anchor "a" field f: mark {}', "left-out", "mark"),
        ('grammar g anchor "a" field f: txt {}', "unknown-reader", "txt"),
        ('grammar g anchor "a" field f: kv-lines(value = txt) {}', "unknown-reader", "txt"),
        ('grammar g anchor "a" field f: kv-lines(value = a.b) {}', "argument-type", "a.b"),
        ('grammar g anchor "a" field f: kv-lines(value = "text") {}', "argument-type", '"text"'),
        ('grammar g anchor "a" field f: kv-lines(kv_sep = 1) {}', "argument-type", "1"),
        ('grammar g anchor "a" field f: xml-inline(tag = "a") {}', "argument-type", '"a"'),
        ('grammar g anchor "a" field f: json(unquoted_keys = 1) {}', "argument-type", "1"),
        ('grammar g anchor "a" field f: json(string_delims = [["a"]]) {}', "argument-type", '[["a"]]'),
        ('grammar g anchor "a" field f: json(string_delims = "a") {}', "argument-type", '"a"'),
        ('grammar g anchor "a" field f: json(strp) {}', "unknown-argument", "strp"),
        ('grammar g anchor "a" field f: python-call-list(strip) {}', "unknown-argument", "strip"),
        ('grammar g anchor "a" field f: xml-inline {}', "missing-argument", "xml-inline"),
        ("grammar g default a = " + "[" * 33, "too-deep", "["),
        ('grammar g anchor "a" policy clean', "left-out", "clean"),
        ('grammar g anchor "a" field f: text { open "a" when here }', "unknown-word", "when here"),
        ('grammar g anchor "a" policy no clean', "unknown-word", "no clean"),
        ('grammar g anchor "a" policy bat drop', "unknown-word", "bat drop"),
        ('grammar g anchor "a" policy bad', "unknown-word", "bad"),
        ('grammar g anchor "a" policy bad keep', "unknown-word", "bad keep"),
        ('grammar g anchor "a" policy aware yes', "unknown-word", "aware yes"),
        ('grammar g anchor "a" policy bad drop, no bad', "repeated", "no bad"),
        ('grammar g anchor "a" policy bad drop policy cut bad', "repeated", "policy cut bad"),
        ('grammar g anchor "a" stop "b" stop "c"', "repeated", 'stop "c"'),
        ('grammar g anchor "a" stray "b" stray "c"', "repeated", 'stray "c"'),
        ('grammar g models "a/b" models "a/c"', "repeated", 'models "a/c"'),
        ('grammar g anchor "a" models "a/b" | "a/b"', "repeated", '"a/b"'),
        ('grammar g anchor "a" models "a/b" | "a/*"', "model-pattern", '"a/*"'),
        ('grammar g anchor "a" models "a/b/c"', "model-pattern", '"a/b/c"'),
        ('grammar g anchor "a" models "a/b c"', "model-pattern", '"a/b c"'),
        ('grammar g anchor "a" models "a/[b]"', "model-pattern", '"a/[b]"'),
        ('grammar g anchor "a" templates "0123456789ABCDEF"', "template-digest", '"0123456789ABCDEF"'),
        ('grammar g anchor "a" templates "%s"' % ("0" * 64), "template-digest", '"%s"' % ("0" * 64)),
    ],
)
def test_what_cannot_be_read_is_refused_in_its_place(text: str, code: str, at: str) -> None:
    with pytest.raises(CompileError) as refused:
        parse(text)
    span = refused.value.span
    assert (refused.value.code, text[span.start : span.end]) == (code, at)


def test_what_a_grammar_stands_for_is_no_part_of_its_meaning() -> None:
    head = 'models "a/b-*" | "*/c.d"\ntemplates "0123456789abcdef"\n'
    plain = 'grammar g\nanchor "a"\n\nfield models: text { open "x" close "y" }'
    grammar = parse(plain.replace("\n", "\n" + head, 1))
    assert grammar.models == ("a/b-*", "*/c.d") and grammar.templates == ("0123456789abcdef",)
    assert replace(grammar, models=(), templates=()) == parse(plain)
    assert to_template(grammar) == to_template(parse(plain))


@pytest.mark.parametrize("line", ["policy aware", "policy cut close", "policy no cut, aware"])
def test_a_policy_ends_where_the_next_line_begins(line: str) -> None:
    field = parsed(f'cut: json {{ {line} close "x" open "y" }}')
    assert parsed(f'cut: json {{ open "y" close "x" {line} }}') == field
    assert f"    {line.replace(' ', '  ', 1)}\n" in str(field) and field.close == Literals(("x",))


def test_a_word_near_none_is_answered_with_what_can_stand() -> None:
    with pytest.raises(CompileError, match="help: here can stand `pattern`, a pattern between slashes or a string"):
        parse('grammar g anchor "a" field f: text { open xyz }')


def test_a_long_grammar_is_refused_before_it_is_read() -> None:
    with pytest.raises(CompileError, match="too-large"):
        parse("#" + "é" * 40_000)


def test_a_grammar_is_text() -> None:
    with pytest.raises(TypeError, match="a grammar is a str, not bytes"):
        parse(b"grammar g")  # type: ignore[arg-type]
