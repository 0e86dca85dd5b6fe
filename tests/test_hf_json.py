"""hf_json.py, strict_json.py: what transformers loads is loaded, as the model it means; the way back loses nothing."""

from __future__ import annotations

import copy
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from transformers.utils.chat_parsing.response_templates import load_response_template

from compiler.check import check
from compiler.diagnostics import CODES, CompileError
from compiler.hf_json import from_template, loads_strictly, to_template
from compiler.model import (
    CallList,
    Constant,
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
    XmlInline,
)
from compiler.parse import parse
from tests.strategies import grammars

FORMATS = [json.loads(line) for line in Path(__file__).with_name("data").joinpath("formats.jsonl").open("rb")]


def template(fields: Any = None, **more: Any) -> dict[str, Any]:
    return {"start_anchor": "<A>", "fields": {"content": {}} if fields is None else fields, **more}


def field(**keys: Any) -> dict[str, Any]:
    return template({"a": keys})


def loaded(**keys: Any) -> Field:
    return from_template(field(**keys)).fields[0]


def refused(value: object, *, strict: bool = False) -> tuple[str, str]:
    with pytest.raises(CompileError) as error:
        from_template(value, strict=strict)
    return error.value.code, error.value.span.path


# -- meaning ----------------------------------------------------------------------------------------------------------


def test_a_template_becomes_the_model() -> None:
    tag = "<(?P<key>a)>"
    grammar = from_template(
        {
            "version": 1,
            "defaults": {"role": "assistant", "n": [1, None, -0.0]},
            "start_anchor": ["<A>", "<B>", "<A>"],
            "fields": {
                "reasoning_content": {"open": "<think>", "close_pattern": "</think>\\s*", "optional": False},
                "tool_calls": {
                    "open_pattern": "<t:(?P<n>a)>",
                    "content": "xml-inline",
                    "content_args": {"tag_pattern": tag, "value_parser": {}, "merge_duplicates": True},
                    "repeats": True,
                    "transform": {"f": ["{n}", "{content.a.b}", "{}", 1, {"{content}": None}]},
                },
                "calls": {"open": "<c>", "content": "python-call-list", "transform": "{name}", "transform_each": True},
                "content": {"repeats": True, "join": "\n", "content_args": {"strip": False}},
            },
        },
        name="g",
    )
    emit = (
        Ref(("n",)),
        Ref(("content", "a", "b")),
        Constant("{}"),
        Constant(1),
        Members((("{content}", Constant(None)),)),
    )
    assert grammar == Grammar(
        "g",
        Literals(("<A>", "<B>")),
        (
            Field("reasoning_content", Literals(("<think>",)), Pattern("</think>\\s*"), required=True),
            Field(
                "tool_calls",
                Pattern("<t:(?P<n>a)>"),
                reader=XmlInline(Pattern(tag), Text(), merge_duplicates=True),
                repeats=True,
                emit=Members((("f", Items(emit)),)),
            ),
            Field("calls", Literals(("<c>",)), reader=CallList(), emit=Ref(("name",)), each=True),
            Field("content", reader=Text(strip=False), repeats=True, joined="\n"),
        ),
        (("role", '"assistant"'), ("n", "[1, null, -0.0]")),
    )
    assert grammar.fields[1].emit.members[0][1].items[1].span.place == "g: fields.tool_calls.transform.f[1]"
    assert grammar.fields[1].reader.tag.span.path == "fields.tool_calls.content_args.tag_pattern"


def test_arguments_become_readers() -> None:
    args = {"string_delims": [["<", ">"]], "unquoted_keys": 1, "allow_non_json": "", "strip": None}
    assert loaded(content="json", content_args=args).reader == JsonValue(True, (("<", ">"),), False, False)
    args = {"line_sep": ";", "kv_sep": "=", "value_parser": {"name": "int", "args": {"strip": 0}}}
    assert loaded(content="kv-lines", content_args=args).reader == KvLines(";", "=", value=Int(False))
    assert loaded(content="kv-lines", content_args={"value_parser": None}).reader == KvLines()


def test_truth_values_count_unless_loading_is_strict() -> None:
    assert loaded(repeats="false", optional=[]) == Field("a", repeats=True, required=True)
    assert refused(field(repeats="false"), strict=True) == ("shape", "fields.a.repeats")
    assert refused(field(optional=0), strict=True) == ("shape", "fields.a.optional")
    assert refused(field(content_args={"strip": 1}), strict=True) == ("shape", "fields.a.content_args.strip")
    assert refused(template(version=1.0), strict=True) == ("version", "version")
    assert from_template(field(repeats=True, optional=False), strict=True).fields[0].required


@pytest.mark.parametrize(
    ("value", "code", "path"),
    [
        (None, "shape", ""),
        ([], "shape", ""),
        (template(version=None), "version", "version"),
        (template(version="1"), "version", "version"),
        (template(extra=1), "unknown-key", "extra"),
        (template(defaults=[]), "shape", "defaults"),
        (template(fields=[1]), "shape", "fields"),
        ({"fields": {"a": {}}}, "no-anchor", ""),
        (template(start_anchor_pattern="b"), "two-spellings", ""),
        ({"start_anchor": None, "fields": {"a": {}}}, "shape", "start_anchor"),
        ({"start_anchor": ["a", 1], "fields": {"a": {}}}, "shape", "start_anchor[1]"),
        ({"start_anchor": [], "fields": {"a": {}}}, "empty-list", "start_anchor"),
        ({"start_anchor_pattern": 5, "fields": {"a": {}}}, "shape", "start_anchor_pattern"),
        (template({"a b": []}), "shape", 'fields."a b"'),
        (field(bogus=1), "unknown-key", "fields.a.bogus"),
        (field(open="b", open_pattern="c"), "two-spellings", "fields.a"),
        (field(open=None), "shape", "fields.a.open"),
        (field(join=1), "shape", "fields.a.join"),
        (field(join=""), "join-alone", "fields.a.join"),
        (field(transform_each=1), "shape", "fields.a.transform_each"),
        (field(transform={"b": ["{c} "]}), "mixed-placeholder", "fields.a.transform.b[0]"),
        (field(transform="{{c}}"), "mixed-placeholder", "fields.a.transform"),
        (field(transform="{c}\n"), "mixed-placeholder", "fields.a.transform"),
        (field(content=None), "shape", "fields.a.content"),
        (field(content="yaml"), "unknown-reader", "fields.a.content"),
        (field(content_args=None), "argument-type", "fields.a.content_args"),
        (
            field(content="json", content_args={"string_delims": None}),
            "argument-type",
            "fields.a.content_args.string_delims",
        ),
        (field(content="kv-lines", content_args={"kv_sep": 1}), "argument-type", "fields.a.content_args.kv_sep"),
        (field(content="kv-lines", content_args={"line_sep": None}), "argument-type", "fields.a.content_args.line_sep"),
        (
            field(content="kv-lines", content_args={"value_parser": "json"}),
            "argument-type",
            "fields.a.content_args.value_parser",
        ),
        (
            field(content="kv-lines", content_args={"value_parser": {"name": "eval"}}),
            "unknown-reader",
            "fields.a.content_args.value_parser.name",
        ),
        (
            field(content="kv-lines", content_args={"value_parser": {"args": []}}),
            "argument-type",
            "fields.a.content_args.value_parser.args",
        ),
        (field(content="xml-inline"), "missing-argument", "fields.a.content"),
        (
            field(content="xml-inline", content_args={"tag_pattern": 1}),
            "argument-type",
            "fields.a.content_args.tag_pattern",
        ),
        (template({1: {}}), "foreign-type", "fields"),
        (template(defaults={"a": (1,)}), "foreign-type", "defaults.a"),
        (template(defaults={"a": [float("nan")]}), "foreign-type", "defaults.a[0]"),
        (template(defaults={"a": 10**4300}), "foreign-type", "defaults.a"),
        (template(defaults={"a": "\ud83d\ude00"}), "foreign-type", "defaults.a"),
        (template(defaults={"a": type("Str", (str,), {})("b")}), "foreign-type", "defaults.a"),
        (template(defaults=type("Dict", (dict,), {})()), "foreign-type", "defaults"),
        (template(defaults={"a": type("Int", (int,), {})(1)}), "foreign-type", "defaults.a"),
        (template(defaults={"a": "b" * 70_000}), "too-large", ""),
        (template(defaults={"a": [0] * 70_000}), "too-large", ""),
    ],
)
def test_what_is_no_template_is_refused_with_a_path(value: object, code: str, path: str) -> None:
    assert refused(value) == (code, path)


def test_cycles_depth_and_shared_parts_are_bounded() -> None:
    cycle: list[Any] = []
    cycle.append(cycle)
    assert refused(field(transform=cycle)) == ("foreign-type", "fields.a.transform[0]")
    nested: Any = 0
    for _ in range(30):
        nested = [nested]
    from_template(template(defaults={"a": nested}))
    assert refused(template(defaults={"a": [nested]}))[0] == "too-deep"
    shared: Any = [0]
    for _ in range(20):
        shared = [shared, shared]
    assert refused(template(defaults={"a": shared}))[0] == "too-large"


def test_surrogates_and_any_text_are_data() -> None:
    odd = "\ud83d'\"\\\x00\u2028{% x %}"
    grammar = from_template(field(open=odd, close=[odd, "b"]))
    assert grammar.fields[0].open == Literals((odd,))
    assert to_template(grammar)["fields"]["a"]["close"] == [odd, "b"]


# -- against transformers ---------------------------------------------------------------------------------------------

PARTS: dict[str, list[Any]] = {
    "open": ["<t>", ["<t>", "<u>"], "", [], None, [None], 3, {}],
    "open_pattern": [r"<t>\s*", "(?P<n>a)", "(", None, 5, "a", r"(?P<content>b)", "a{2"],
    "close": ["</t>", ["</t>", "</t>"], "", None],
    "close_pattern": [r"</t>|$", "(?P<q>x)", "[", "\\", 1],
    "content": ["text", "json", "int", "xml-inline", "kv-lines", "python-call-list", "yaml", None, [], 1],
    "content_args": [
        {},
        {"strip": False},
        {"nope": 1},
        None,
        [],
        {"tag_pattern": "(?P<key>a)"},
        {"tag_pattern": "("},
        {"kv_sep": ""},
    ],
    "repeats": [True, False, "false", 0, None, 2, []],
    "join": ["", "\n", None, 1, []],
    "optional": [True, False, "no", None, 0],
    "transform": [
        "{content}",
        "{n}",
        {"a": ["{q}", 1]},
        "a {content}",
        "{{content}}",
        "{}",
        "{a b}",
        5,
        None,
        [],
        "{content.a}",
    ],
    "transform_each": [True, False, 1, "yes", None],
    "bogus": [1],
}
TOPS: dict[str, list[Any]] = {
    "version": [1, 2, "1", None, 1.0, True, 0],
    "defaults": [{}, {"a": None}, {"b": []}, [], None, {"a": "x"}],
    "start_anchor": ["<A>", ["<A>", "<B>"], "", [], 3, None, ["a", 1]],
    "start_anchor_pattern": ["<A>", "(", None],
    "fields": [{}, [], None],
    "extra": [1],
}


def invented(rng: random.Random) -> object:
    """A template with about one defect, anywhere."""
    fields: dict[str, Any] = {}
    for name in rng.sample(["a", "b", "c"], rng.choice([1, 1, 2, 3])):
        keys = rng.sample(list(PARTS)[:-1], rng.randrange(5))
        fields[name] = {key: copy.deepcopy(rng.choice(PARTS[key][: rng.choice([2, 2, 2, 12])])) for key in keys}
        if rng.random() < 0.02:
            fields[name] = rng.choice([None, [], "x", {"bogus": 1}])
    found: dict[str, Any] = {"start_anchor": "<A>", "fields": fields}
    if rng.random() < 0.3:
        key = rng.choice(list(TOPS))
        found[key] = copy.deepcopy(rng.choice(TOPS[key]))
    if rng.random() < 0.03:
        del found[rng.choice(list(found))]
    return found if rng.random() < 0.99 else rng.choice([None, [], "x", 1])


def test_what_transformers_loads_is_loaded() -> None:
    """And what it refuses is refused; where we alone refuse, the code is one that diagnostics.py marks."""
    verdicts = {"both load": 0, "both refuse": 0, "stricter": 0}
    for seed in range(6_000):
        value = invented(random.Random(seed))
        theirs = ours = None
        try:
            load_response_template(copy.deepcopy(value))
        except (ValueError, TypeError) as error:
            theirs = error
        try:
            check(from_template(value))
        except CompileError as error:
            ours = error
        assert not (theirs and not ours), (seed, value, theirs)
        if ours and not theirs:
            assert CODES[ours.code].stricter, (seed, value, ours)
        verdicts["both load" if not ours else "both refuse" if theirs else "stricter"] += 1
    assert min(verdicts.values()) > 50, verdicts


@pytest.mark.parametrize("family", FORMATS, ids=lambda family: family["family"])
def test_the_templates_of_all_families_go_through(family: dict[str, Any]) -> None:
    text = json.dumps(family["response_template"])
    grammar = from_template(loads_strictly(text), name=family["family"], strict=True)
    check(grammar)
    assert from_template(to_template(grammar), name=family["family"], strict=True) == grammar
    assert parse(str(grammar)) == grammar


# -- and back ---------------------------------------------------------------------------------------------------------


@settings(max_examples=200, deadline=None)
@given(grammars)
def test_the_way_to_a_template_and_back_loses_nothing(grammar: Grammar) -> None:
    names = [field.name for field in grammar.fields]
    if len(set(names)) < len(names):
        return
    try:
        value = to_template(grammar)
    except CompileError as error:
        assert error.code == "no-template"
        return
    again = from_template(loads_strictly(json.dumps(value)), name=grammar.name, strict=True)
    if "blank " not in str(grammar):
        unsaid = tuple(replace(field, policies=()) for field in grammar.fields)  # policies that change nothing
        assert repr(again) == repr(replace(grammar, fields=unsaid, policies=(), models=(), templates=()))
    assert to_template(again) == value


def test_blanks_become_patterns() -> None:
    grammar = parse('grammar g anchor "a.b" blank after field a: text { open "c" | "cd" blank before blank after }')
    assert to_template(grammar) == {
        "start_anchor_pattern": r"a\.b\s*",
        "fields": {"a": {"open_pattern": r"\s*(?:cd|c)\s*", "content": "text"}},
    }


def test_what_a_template_cannot_say_is_named() -> None:
    for emit in ("null", '"{content}"', '[{"a": "x {b}"}]', "content.a ?? 1", '{"a"?: content.a}', "content.@key"):
        with pytest.raises(CompileError, match="no-template"):
            to_template(parse(f'grammar g anchor "a" field a: text {{ emit {emit} }}'))


CLOSED = {"close": 'close "x"'}
SAYING = """
    grammar g {head} anchor "a" {ends}
    field a[]{label}: json {{ open "b" {when} {close} {lines} }}
    field c: text {{ open "d" }}
    field e: text joined "" {{}}
"""


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"ends": 'stop "s"'}, "`stop`"),
        ({"ends": 'stray "s"'}, "`stray`"),
        ({"ends": 'stop "s" stray "s"', "lines": "ended by c"}, "`stop`, `stray`, `ended by c`"),
        ({"lines": "ended by c unless closed"}, "`ended by c unless closed`"),
        ({"lines": "policy bad drop, cut complete"}, "`bad drop`, `cut complete`"),
        ({"head": "policy blank skip, trim both, unknown text"}, "`unknown text`, `blank skip`, `trim both`"),
        ({"head": "policy trim newline, aware"}, "`aware`, `trim newline`"),
        ({"head": "policy bad text", "lines": "policy bad drop"}, "`bad drop`"),
        ({"head": "policy coerce exact", "lines": "extend"}, "`coerce exact`, `extend`"),
        ({"label": " as x", "when": "when line"}, "`as x`, `when line`"),
        ({"close": "close value-end"}, "`close value-end`"),
    ],
)
def test_each_word_that_would_be_lost_is_named(said: dict[str, str], words: str) -> None:
    grammar = parse(
        SAYING.format(**{**dict.fromkeys(("head", "ends", "label", "when", "lines"), ""), **CLOSED, **said})
    )
    check(grammar)
    with pytest.raises(CompileError, match="no-template") as refused:
        to_template(grammar)
    assert refused.value.what == f"response templates cannot say {words}"


def test_words_that_change_nothing_can_be_left_out() -> None:
    head = "policy bad raise, cut close, unknown keep, no aware, no coerce, no blank"
    grammar = parse(SAYING.format(head=head, ends="", label="", when="", lines="policy no bad", **CLOSED))
    check(grammar)
    plain = parse(SAYING.format(**dict.fromkeys(("head", "ends", "label", "when", "lines"), ""), **CLOSED))
    assert to_template(grammar) == to_template(plain)


@pytest.mark.parametrize(("reader", "trim"), [("text", "both"), ("text(strip = false)", "none")])
def test_what_a_field_trims_anyway_is_no_loss(reader: str, trim: str) -> None:
    def template(policy: str) -> object:
        return to_template(parse(f'grammar g {policy} anchor "a" field a: {reader} {{ open "b" }}'))

    assert template(f"policy trim {trim}") == template("")
    for other in {"both", "none", "start"} - {trim}:
        with pytest.raises(CompileError, match=f"cannot say `trim {other}`"):
            template(f"policy trim {other}")


# -- strict JSON ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ("{", "bad-json", ""),
        ("", "bad-json", ""),
        ("\ufeff{}", "bad-json", ""),
        ("[]", "shape", ""),
        ('{"a": {"b": 1, "b": 2}}', "repeated", "a.b"),
        ('{"a": [NaN]}', "foreign-type", "a[0]"),
        ('{"a": -Infinity}', "foreign-type", "a"),
        ('{"a": 1e999}', "foreign-type", "a"),
        ('{"a": ' + "1" * 4301 + "}", "foreign-type", "a"),
        ('{"a": ' + "[" * 32 + "]" * 32 + "}", "too-deep", "a" + "[0]" * 31),
        ("[" * 30_000, "too-deep", ""),
        (" " * 65_537, "too-large", ""),
        ('"' + "é" * 40_000 + '"', "too-large", ""),
    ],
)
def test_json_is_read_strictly(text: str, code: str, path: str) -> None:
    with pytest.raises(CompileError) as error:
        loads_strictly(text)
    assert (error.value.code, error.value.span.path) == (code, path)


def test_bad_json_is_shown() -> None:
    with pytest.raises(CompileError, match=r"^a\.json:2:1: error\[bad-json\]: no JSON: expecting"):
        loads_strictly('{"a": 1,\n}', name="a.json")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)


@settings(deadline=None)
@given(st.dictionaries(st.text(), json_values, max_size=4))
def test_strict_json_reads_what_json_reads(value: dict[str, Any]) -> None:
    assert repr(loads_strictly(json.dumps(value))) == repr(value)
