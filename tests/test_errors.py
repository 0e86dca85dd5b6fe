"""Regions that are refused, fields that are missed: what the exceptions carry, and that nothing else is lost."""

from __future__ import annotations

import copy
import json
import pickle
import traceback
from itertools import pairwise
from typing import Any

import pytest

from compiler import compile_grammar, compile_template
from runtime import MissingField, MissingKey, ParseError
from runtime.stream import WITH_CAUSE
from tests.feeding import MIXED, chunk, closed, new, opened, refusal


def test_a_refused_region_costs_nothing_else() -> None:
    parser = new()
    error = refusal(lambda: parser.feed("Hi <t>deep</t><i>many</i> there<i>2</i>"))
    assert (error.field, error.text, error.start, error.end) == ("count", "many", 14, 25)
    assert error.message == {"role": "assistant", "content": "Hi", "think": "deep"}
    assert error.events[-2:] == [opened("count"), chunk("count", "many")]
    assert parser.feed("") == [
        opened("content"),
        chunk("content", " there"),
        closed("content", "there"),
        opened("count"),
        chunk("count", "2"),
        closed("count", 2),
    ]
    assert parser.finalize()[0] == {"role": "assistant", "content": "Hithere", "think": "deep", "count": 2}
    assert error.message == {"role": "assistant", "content": "Hi", "think": "deep"}


def test_each_feed_stops_at_the_first_refused_region() -> None:
    parser = new()
    assert refusal(lambda: parser.feed("<i>a</i>x<i>b</i><c=f>{}</c>y")).text == "a"
    assert refusal(lambda: parser.feed("z")).text == "b"
    error = refusal(lambda: parser.feed("<i>c</i>"))
    assert (type(error), error.field, error.text) == (ParseError, "calls", "{}")
    assert refusal(parser.finalize).text == "c"
    assert parser.finalize()[0]["content"] == "xyz"


def test_a_region_that_the_end_cuts_is_refused_once() -> None:
    parser = new()
    parser.feed("say <c=f>[1")
    error = refusal(parser.finalize)
    assert (error.field, error.text, error.start, error.end) == ("calls", "[1", 4, 11)
    assert error.message == {"role": "assistant", "content": "say"}
    assert parser.finalize() == ({"role": "assistant", "content": "say"}, [])


@pytest.mark.parametrize(
    ("call", "content"), [(lambda parser: lambda: parser.feed("c"), "abc"), (lambda parser: parser.finalize, "ab")]
)
def test_a_refused_region_of_the_prefix_is_raised_by_the_next_call(call: Any, content: str) -> None:
    parser = new(prefix="A>a<i>x</i>b<i>y</i>")
    assert parser.initial_events == [
        *(opened("content"), chunk("content", "a"), closed("content", "a")),
        *(opened("count"), chunk("count", "x")),
    ]
    with pytest.raises(ParseError):
        parser.state()
    first, second = refusal(call(parser)), refusal(parser.finalize)
    assert (first.text, first.events, second.text) == ("x", [], "y")
    assert parser.finalize()[0]["content"] == content


def test_parse_raises_the_first_error_and_has_all() -> None:
    for prefix, text in (("A>", "a<i>x</i>b<i>y</i>c"), ("A>a<i>x</i>b<i>", "y</i>c"), ("A>a<i>x</i>b<i>y</i>c", "")):
        error = refusal(lambda prefix=prefix, text=text: MIXED.parse(text, prefix=prefix))
        assert [one.text for one in error.errors] == ["x", "y"]
        assert error.message == {"role": "assistant", "content": "abc"}
        assert error.errors[1].message == {"role": "assistant", "content": "ab"}


def test_parse_tells_what_stood_before_the_first_error() -> None:
    error = refusal(lambda: MIXED.parse("<t>a</t><i>x</i>b", prefix=""))
    assert error.events == [
        opened("think"),
        chunk("think", "a"),
        closed("think", "a"),
        opened("count"),
        chunk("count", "x"),
    ]


def test_errors_can_be_kept() -> None:
    parser = new(on_error="keep", prefix="A><i>x</i>")
    events = [*parser.initial_events, *parser.feed("a<c=f>{</c>b")]
    message, last = parser.finalize()
    events += last
    assert message == {"role": "assistant", "content": "ab"}
    assert [error.text for error in parser.errors] == ["x", "{"]
    malformed = [event for event in events if event["type"] == "region_malformed"]
    assert [event["error"] for event in malformed] == parser.errors
    assert {key: malformed[1][key] for key in ("field", "start", "end", "text", "reason")} == {
        "field": "calls",
        "start": 9,
        "end": 19,
        "text": "{",
        "reason": "unreadable",
    }
    assert [error.message for error in parser.errors] == [
        {"role": "assistant"},
        {"role": "assistant", "content": "a"},
    ]
    assert MIXED.parse("a<i>x</i>b", prefix="", on_error="keep") == {"role": "assistant", "content": "ab"}


def test_a_key_that_is_not_there_has_an_error_of_its_own() -> None:
    module = compile_template(
        {
            "start_anchor": "A>",
            "fields": {
                "calls": {
                    "open_pattern": r"<c(?:=(?P<name>\w+))?>",
                    "close": "</c>",
                    "content": "json",
                    "transform": {"name": "{name}", "id": "{content.id}"},
                }
            },
        }
    )
    error = refusal(lambda: module.parse('<c>{"id": 1}</c>', prefix=""))
    assert type(error) is MissingKey and isinstance(error, KeyError) and isinstance(error, ValueError)
    assert "name" in str(error) and error.field == "calls"
    other = refusal(lambda: module.parse("<c=f>{}</c>", prefix=""))
    assert type(other) is ParseError and "missing key 'id'" in str(other)


def test_captures_of_a_refused_region_are_gone() -> None:
    parser = new()
    refusal(lambda: parser.feed("<c=f>[</c>"))
    assert parser.state()["captures"] == {}


def test_bodies_nested_too_deeply_are_refused() -> None:
    for body in ("[" * 200_000, "[" * 200_000 + "]" * 200_000):
        error = refusal(lambda body=body: MIXED.parse(f"<c=f>{body}</c>ok", prefix=""))
        assert type(error) is ParseError and error.message["content"] == "ok"
        assert len(str(error)) < 1000


NEEDED = compile_grammar(
    'grammar needed anchor "A>" field need: text required { open "<n>" close "</n>" } field think: text { open "<t>" }'
)


def test_a_required_field_is_missed_once() -> None:
    parser = new(NEEDED)
    parser.feed("<t>abc")
    error = refusal(parser.finalize)
    assert type(error) is MissingField
    assert (error.field, error.text, error.start, error.end) == ("need", "", 6, 6)
    assert error.events == [closed("think", "abc")] and error.message == {"think": "abc"}
    assert parser.finalize() == ({"think": "abc"}, [])
    with pytest.raises(RuntimeError):
        parser.finalize()


def test_text_behind_a_missed_field_is_read() -> None:
    parser = new(NEEDED)
    parser.feed("<t>abc")
    refusal(parser.finalize)
    assert parser.feed("zz") == []
    assert parser.feed("<n>y</n>") == [opened("need"), chunk("need", "y"), closed("need", "y")]
    assert parser.finalize()[0] == {"think": "abc", "need": "y"}


def test_a_missed_field_among_kept_errors() -> None:
    parser = new(NEEDED, on_error="keep")
    parser.feed("<t>abc")
    assert parser.finalize()[0] == {"think": "abc"}
    assert [type(error) for error in parser.errors] == [MissingField]
    error = refusal(lambda: NEEDED.parse("<t>abc", prefix=""))
    assert type(error) is MissingField and error.message == {"think": "abc"} and error.errors == [error]


def test_a_required_field_that_is_written_empty_is_there() -> None:
    assert NEEDED.parse("<n></n>", prefix="") == {}
    module = compile_template(
        {"start_anchor": "A", "defaults": {"x": None}, "fields": {"x": {"open": "<", "optional": False}}}
    )
    assert module.parse("", prefix="") == {"x": None}


# -- the exceptions themselves ----------------------------------------------------------------------------------------


def carried(error: ParseError) -> tuple[Any, ...]:
    place = (error.field, error.text, error.start, error.end)
    return (type(error), str(error), error.reason, *place, error.policy, error.events)


@pytest.mark.parametrize("twin_of", [lambda error: pickle.loads(pickle.dumps(error)), copy.copy, copy.deepcopy])
def test_errors_travel(twin_of: Any) -> None:
    first = refusal(lambda: MIXED.parse("<t>a</t><i>x</i><i>y</i><c=f>{}</c>", prefix=""))
    twin = twin_of(first)
    assert carried(twin) == carried(first)
    assert twin.message == first.message == {"role": "assistant", "think": "a"}
    assert [carried(one) for one in twin.errors] == [carried(one) for one in first.errors]
    for kind in (MissingKey, MissingField):
        error = kind("why", field="x", text="body", start=1, end=2)
        error.policy = "drop"
        assert carried(twin_of(error)) == carried(error)


def test_kept_errors_travel() -> None:
    parser = new(on_error="keep")
    events = parser.feed("<t>a</t><i>x</i>")
    twins = pickle.loads(pickle.dumps(events))
    assert carried(twins[-1]["error"]) == carried(parser.errors[0])


def test_an_error_shows_an_excerpt() -> None:
    short = ParseError("why", field="x", text="b" * 200, start=7, end=9)
    assert str(short) == f"x at 7: why; the body is {'b' * 200!r}"
    long = ParseError("why", field="x", text="b" * 201, start=7, end=9)
    assert str(long) == f"x at 7: why; the body is {'b' * 197 + '...'!r}"
    assert long.text == "b" * 201 and long.message == {} and long.errors == [long] and long.events == []


def test_a_missing_key_shows_itself_as_other_errors_do() -> None:
    error = MissingKey("no name", field="x", text="", start=0, end=0)
    assert str(error) == "x at 0: no name; the body is ''"
    assert isinstance(error, KeyError)


def test_the_cause_and_the_generated_line_are_in_the_traceback() -> None:
    error = refusal(lambda: MIXED.parse("<c=f>{</c>", prefix=""))
    assert isinstance(error.__cause__, json.JSONDecodeError)
    shown = "".join(traceback.format_exception(error))
    assert "content = rt.read_json(body)" in shown
    assert 'File "<generated_in_memory_' in shown


def test_the_first_errors_keep_their_cause_and_the_first_its_place_in_the_code() -> None:
    parser = new(on_error="keep")
    parser.feed("<c=f>{</c>" * (WITH_CAUSE + 3))
    assert [error.__cause__ is not None for error in parser.errors] == [True] * WITH_CAUSE + [False] * 3
    assert [error.__cause__.__traceback__ is not None for error in parser.errors[:3]] == [True, False, False]  # type: ignore[union-attr]
    assert {error.reason for error in parser.errors} == {str(parser.errors[0].__cause__)}


def test_errors_that_find_the_same_message_share_it() -> None:
    parser = new(on_error="keep")
    parser.feed('<i>x</i><i>y</i><c=f>{"id": 1}</c><i>z</i><t>a</t><i>w</i>')
    so_far = [error._message_so_far for error in parser.errors]
    assert [one is other for one, other in pairwise(so_far)] == [True, False, False]
    assert [len(error.message) for error in parser.errors] == [1, 1, 2, 3]


def test_a_message_so_far_is_told_again_and_does_not_grow() -> None:
    parser = new()
    parser.feed('a<c=f>{"id": 1}</c>')
    error = refusal(lambda: parser.feed('<i>x</i><c=f>{"id": 2}</c>b'))
    expected = {"role": "assistant", "content": "a", "calls": [{"name": "f", "id": 1}]}
    parser.feed('<c=f>{"id": 3}</c>')
    assert error.message == expected
    error.message["calls"].clear()
    assert error.message == expected
    assert len(parser.finalize()[0]["calls"]) == 3
