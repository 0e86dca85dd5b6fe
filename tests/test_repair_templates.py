"""Repaired templates: what was right stays right, what was lost is kept, and each change is listed with its reason."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType
from typing import Any

import pytest

from compiler import compile_grammar
from compiler.check import check
from compiler.diagnostics import CompileError
from compiler.hf_json import from_template
from compiler.model import Field, Grammar, JsonValue, Literals, Pattern, Text, XmlInline
from compiler.parse import parse
from compiler.repair import Change, repair
from compiler.repair_tags import bare, paired
from tests.examples import FORMATS, published
from tests.handed import Report, alike, reports
from tests.reference import ours
from tests.ways import agree

MENDED = {"overwritten", "reasoning-name", "overlooked-argument", "word-name", "content-group"}
UNSAID = {
    # Tags that choose between two ways to write a value, or are no pair.
    *("cohere_cmd5", "deepseek_v3_2", "deepseek_v4", "gigachat3_5", "kimi_k3", "olmo3"),
    # Tags that end where the next begins, which no pair says in linear time.
    *("nemotron3", "qwen3_5", "qwen3_coder"),
    # Text that is no pair in its bodies.
    "hunyuan_v3",
}
"""The families whose tags are not read as pairs, or not exactly."""


def template(fields: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"start_anchor": "A", "fields": fields, **more}


def mended(fields: dict[str, Any], **more: Any) -> tuple[Grammar, list[str]]:
    grammar, changes = repair(from_template(template(fields, **more), name="g"))
    return grammar, [f"{change.field}: {change.what}" for change in changes]


@lru_cache
def repaired(family: str) -> tuple[Grammar, list[Change]]:
    return repair(from_template(published(family)[0], name=family))


def read(grammar: Grammar, text: str, **options: Any) -> Any:
    return agree(compile_grammar(str(grammar)), text, prefix="A", **options).message


def stripped(message: Any) -> Any:
    return {key: value.strip() if isinstance(value, str) else value for key, value in (message or {}).items()}


@pytest.mark.parametrize("one", FORMATS, ids=[one["family"] for one in FORMATS])
def test_what_the_plain_template_gets_right_stays_right(one: dict[str, Any]) -> None:
    plain = published(one["family"])[1]
    grammar, changes = repaired(one["family"])
    assert parse(str(grammar)) == grammar
    assert changes
    module = compile_grammar(str(grammar))
    for example in one["example_raw"]:
        given = {"prefix": example["prefix"], "tools": example.get("tools")}
        before = ours(plain, [example["raw"]], **given)
        if before.errors or not alike(stripped(before.message), stripped(example["expected"])):
            continue
        for chunks in ([example["raw"]], list(example["raw"])):
            after = ours(module, chunks, **given)
            assert not after.errors
            assert alike(stripped(after.message), stripped(example["expected"])), example["raw"]


def test_no_warning_is_left_that_could_be_mended() -> None:
    skipping = set()
    for one in FORMATS:
        grammar, _ = repaired(one["family"])
        names = {warned.name for warned in check(grammar)}
        assert not names & MENDED, one["family"]
        skipping |= {one["family"]} if "skipped-bytes" in names else set()
    assert skipping == UNSAID


def test_more_real_reports_are_read_right_and_none_is_lost() -> None:
    known = [report for report in reports() if report.family in {one["family"] for one in FORMATS}]
    modules = {family: compile_grammar(str(repaired(family)[0])) for family in {report.family for report in known}}

    def is_right(module: ModuleType, report: Report) -> bool:
        reading = ours(module, list(report.text), prefix=report.prefix, tools=report.tools)
        return all(error.policy != "raise" for error, _ in reading.errors) and report.is_right(reading.message)

    before = {report.id for report in known if is_right(published(report.family)[1], report)}
    after = {report.id for report in known if is_right(modules[report.family], report)}
    assert before < after
    assert len(after - before) >= 10


TAGS = {"open": "<call>", "close": "</call>", "content": "json", "repeats": True}


def test_text_is_kept_and_bad_bodies_cost_nothing_else() -> None:
    closer = "(?:<calls>|</calls>|<\\|im_end\\|>)\\s*"
    grammar, changes = mended({"tool_calls": TAGS, "content": {"close_pattern": closer}})
    assert str(grammar) == """grammar g
policy  blank skip, trim both, bad text, cut complete, coerce exact
anchor  "A"
stop    "<|im_end|>"
stray   "<calls>" | "</calls>"

field tool_calls[]: json {
    open  "<call>"
    close "</call>"
    policy  aware
}

field content: text joined "" {}
"""
    assert changes[:2] == ['content: joined ""', ': stop "<|im_end|>", stray "<calls>" | "</calls>"']
    text = 'a\n\n<calls><call>"</call>"</call>\n<call>?</call> b</calls><|im_end|>\n'
    assert read(grammar, text) == {"tool_calls": ["</call>"], "content": "a\n\n<call>?</call> b"}
    assert read(grammar, "a <call>[1") == {"content": "a <call>[1"}


def test_each_change_has_a_reason() -> None:
    _, changes = repair(from_template(template({"content": {}}), name="g"))
    assert str(changes[0]) == 'content: joined "": a later region replaced what an earlier one said'
    assert str(Change("", "a", "b")) == "a: b"
    assert all(change.why for change in changes)


def test_a_refused_grammar_is_not_repaired() -> None:
    with pytest.raises(CompileError, match="empty"):
        repair(from_template(template({"a": {"open": ""}}), name="g"))


def test_what_is_joined_already_is_joined_by_nothing() -> None:
    fields = {"content": {"repeats": True, "join": "\n"}, "note": {"open": "<n>", "repeats": True}}
    grammar, changes = mended(fields)
    assert [field.joined for field in grammar.fields] == ["", None]
    assert 'content: joined ""' in changes


def test_a_default_that_cannot_be_added_to_stays() -> None:
    grammar, _ = mended({"content": {}}, defaults={"content": 1})
    assert grammar.fields[0].joined is None
    assert ("bad", "text") not in grammar.policies


def test_a_list_of_values_in_one_region_adds_up() -> None:
    emit = {"id": "{id}", "function": {"name": "{name}", "arguments": ["{a}", 1]}}
    calls = {"open_pattern": "<c (?P<id>\\d)>", "close": "</c>", "content": "json"}
    grammar, changes = mended({"calls": {**calls, "transform_each": True, "transform": emit}})
    assert "calls: extend" in changes
    assert ': field content: text joined ""' in changes
    message = read(grammar, '<c 1>[{"name": "f", "a": 2}]</c>x<c 2>{"name": "g", "a": 3}</c>')
    assert message == {
        "calls": [
            {"id": "1", "function": {"name": "f", "arguments": [2, 1]}},
            {"id": "2", "function": {"name": "g", "arguments": [3, 1]}},
        ],
        "content": "x",
    }


def test_names_are_wider_and_groups_are_told_from_content() -> None:
    fields = {
        "call": {
            "open_pattern": "<(?P<tool>\\w+)(?P<content>!?)>",
            "transform": [{"name": "{tool}", "a": "{content}"}],
        },
        "content": {"repeats": True, "join": ""},
    }
    grammar, changes = mended(fields)
    assert changes[:2] == [r"call: names of [\w.-]", "call: the group `content` is `unread`"]
    assert read(grammar, "<get-it!>b") == {"call": [{"name": "get-it", "a": "b"}]}


def test_what_nothing_reads_goes() -> None:
    args = {"tag_pattern": "x"}
    grammar, changes = mended({"content": {"content_args": args}})
    assert changes[0] == ": without fields.content.content_args.tag_pattern"
    assert not grammar.overlooked


def test_what_is_not_stripped_stays_so() -> None:
    grammar, _ = mended({"content": {"content_args": {"strip": False}}})
    assert read(grammar, " a ") == {"content": " a "}


def test_where_no_field_takes_text_a_bad_body_is_dropped() -> None:
    grammar, changes = mended({"tool_calls": TAGS, "content": {"open": "<a>", "close_pattern": "</a>\\s*"}})
    assert ": policy bad drop" in changes
    assert read(grammar, "<call>?</call><a>b</a><a>c</a>") == {"content": "b\nc"}


@pytest.mark.parametrize("implicit", [{"content": "json"}, {"close_pattern": "(?=x)|y*"}])
def test_closers_that_are_not_understood_stay(implicit: dict[str, Any]) -> None:
    grammar, _ = mended({"content": {"close": "<|e|>", **implicit} if "content" in implicit else implicit})
    assert grammar.implicit
    assert grammar.implicit.close
    assert (grammar.stop, grammar.stray) == (None, None)


def test_a_closer_of_many_shapes_is_still_swallowed() -> None:
    grammar, _ = mended({"content": {"close_pattern": "<\\d+>"}})
    assert grammar.stray == Pattern("<\\d+>")
    assert read(grammar, "a<12>b") == {"content": "ab"}


def test_closers_that_only_look_ahead_are_no_markers() -> None:
    grammar, changes = mended({"content": {"close_pattern": "(?=<x>)"}})
    assert (grammar.stop, grammar.stray) == (None, None)
    assert ": no close" in changes


@pytest.mark.parametrize(
    ("close", "ended_by", "left"),
    [
        ("</t>\\s*|(?=<call>)", ("tool_calls",), Literals(("</t>",))),
        ("</t>|(?=<\\|end\\|>)", (), Literals(("</t>",))),
        ("</t>|(?=<cal)", (), Pattern("</t>|(?=<cal)")),
        ("(?=<call>)", (), Pattern("(?=<call>)")),
    ],
)
def test_what_looks_ahead_to_an_opener_is_ended_by_it(close: str, ended_by: tuple[str, ...], left: object) -> None:
    thought = {"open": "<t>", "close_pattern": close}
    fields = {"thinking": thought, "tool_calls": TAGS, "content": {"close": "<|end|>"}}
    grammar, _ = mended(fields)
    field = grammar.fields[0]
    assert (field.name, field.ended_by, field.close) == ("reasoning_content", ended_by, left)


# -- tags -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tag", "value", "pair"),
    [
        (r"<(?P<key>\w+)>(?P<value>.*?)</(?P=key)>", None, r'pair /<(?P<key>\w+)>/ "</{key}>"'),
        (r"<p=(?P<key>\w+)>\n?(?P<value>.*?)\n?</p>", Text(False), 'pair /<p=(?P<key>\\w+)>/ "</p>"'),
        (r"<p=(?P<key>\w+)>\n?(?P<value>.*?)\n?</p>", None, 'pair /<p=(?P<key>\\w+)>/ "</p>"'),
        (r"<p=(?P<key>\w+)>(?P<value>[\s\S]*?)(?:</p>|\Z)", None, 'pair /<p=(?P<key>\\w+)>/ "</p>"'),
        (r"<p=(?P<key>\w+)>(?P<value>.*?)</p\d>", None, r"pair /<p=(?P<key>\w+)>/ /<\/p\d>/"),
        (r"<p=(?P<key>\w+)>(?P<value>.*?)(?P<end></p\d>)", None, ""),
        (r"<p=(?P<key>\w+)>(?P<value>.*?)\n?</p>", None, ""),
        (r"<p=(?P<key>\w+)>(?P<value>\d+)</p>", None, ""),
        (r"(?P<value>.*?)=(?P<key>\w+)", None, ""),
        (r"<(?:(?P<key>\w+)>(?P<value>.*?)</p>)", None, ""),
        (r"<(?P<key>(?P<one>\w)(?&one)*)>(?P<value>.*?)</p>", None, ""),
        (r"a|<(?P<key>\w+)>(?P<value>.*?)</p>", None, ""),
        (r"<(?P<key>\w+)>(?P<value>.*?)</p>", JsonValue(string_delims=(("<", ">"),)), ""),
    ],
)
def test_a_tag_becomes_a_pair_where_it_is_one(tag: str, value: Any, pair: str) -> None:
    made = paired(XmlInline(Pattern(tag), value))
    assert str(made).startswith(f"xml({pair}") if pair else made is None, str(made)
    if made is not None:
        assert made.trim == ("newline" if "\\n" in tag and value else "none")


@pytest.mark.parametrize(
    ("opener", "closer", "behind"),
    [
        (Literals(("<call>",)), Literals(("</call>",)), Literals(("</call>",))),
        (
            Pattern(r"<call>\s*<f=(?P<name>\w+)>"),
            Literals(("</call>",)),
            Pattern(r"(?:</f>\s*)?(?:</call>)"),
        ),
        (Pattern(r"<call>(?=<)"), Literals(("</call>",)), None),
        (Literals(("[call]",)), Literals(("[/call]",)), None),
        (Literals(("<call>",)), None, None),
    ],
)
def test_a_body_is_only_pairs_up_to_the_closer_of_the_last_tag(opener: Any, closer: Any, behind: Any) -> None:
    assert bare(Field("a", opener, closer)) == behind


def test_tags_are_exact_and_aware() -> None:
    tags = {"tag_pattern": r"<p=(?P<key>\w+)>(?P<value>.*?)</p>"}
    calls = {"open_pattern": "<c><f=(?P<name>\\w+)>", "close": "</c>", "content": "xml-inline", "content_args": tags}
    emit = {"function": {"name": "{name}", "arguments": "{content}"}}
    grammar, _ = mended({"tool_calls": {**calls, "repeats": True, "transform": emit}, "content": {}})
    call = {"function": {"name": "g", "arguments": {"a": "1"}}}
    assert read(grammar, "<c><f=g><p=a>1</p></f></c>") == {"tool_calls": [call]}
    assert read(grammar, "<c><f=g><p=a>1</p>?</f></c>") == {"content": "<c><f=g><p=a>1</p>?</f></c>"}


def test_quotes_that_cut_values_are_left_as_they_are() -> None:
    args = {"string_delims": [["<", ">"]]}
    grammar, _ = mended({"a": {"open": "<a>", "close": "</a>", "content": "json", "content_args": args}, "content": {}})
    assert ("coerce", "exact") not in grammar.policies
    assert "aware" not in str(grammar)
