"""At every point of a response a parser is data: it can be looked at, copied, and gone on from elsewhere."""

from __future__ import annotations

import copy
import pickle
import threading
from typing import Any

import pytest

from compiler import compile_template
from runtime import ParseError
from tests.feeding import BARE, MIXED, TEXT, again, chunk, new, opened, read, refusal


@pytest.mark.parametrize("meddle", [again, copy.copy, copy.deepcopy], ids=["resume", "copy", "deepcopy"])
@pytest.mark.parametrize("size", [1, 2, 5, len(TEXT)])
def test_a_parser_goes_on_from_its_state(meddle: Any, size: int) -> None:
    pieces = [TEXT[at : at + size] for at in range(0, len(TEXT), size)]
    whole = read(new(), [TEXT])
    assert len(whole[1]) == 2
    assert read(new(), pieces) == whole
    assert read(new(), pieces, meddle) == whole


def test_a_parser_left_behind_does_not_disturb_its_twin() -> None:
    for split in range(len(TEXT)):
        for twin_of in (lambda parser: again(parser, on_error="keep"), copy.copy, copy.deepcopy):
            parser = new(on_error="keep")
            parser.feed(TEXT[:split])
            twin = twin_of(parser)
            parser.feed('<junk></t></i></c><c=h>{"id": 3}</c> <t>')
            twin.feed(TEXT[split:])
            assert twin.finalize()[0] == read(new(), [TEXT])[2]


def test_two_parsers_that_resume_from_one_state_share_nothing() -> None:
    parser = new()
    parser.feed('a<c=f>{"id": 1}</c>')
    state = parser.state()
    before = copy.deepcopy(state)
    first, second = MIXED.Parser.resume(state), MIXED.Parser.resume(state)
    first.feed('<c=f>{"id": 2}</c>b')
    assert [call["id"] for call in second.finalize()[0]["calls"]] == [1]
    assert first.finalize()[0]["content"] == "ab"
    assert state == before == parser.state()


def test_a_state_holds_what_is_open_and_held() -> None:
    parser = new()
    parser.feed("Hi <t>deep</")
    assert parser.state() == {
        "state": "in think",
        "is_open": True,
        "body": "deep",
        "behind": "",
        "held": "</",
        "opener": "<t>",
        "captures": {},
        "message": {"role": "assistant", "content": ["Hi"]},
        "offset": 10,
        "opened_at": 3,
        "prefix_end": 0,
    }


def test_a_state_where_blanks_are_swallowed() -> None:
    parser = new()
    parser.feed("<t>a</t> ")
    assert parser.state()["state"] == "blanks"
    twin = again(parser)
    assert twin.feed(" \n b") == [opened("content"), chunk("content", "b")]


def test_a_state_behind_an_error_holds_what_is_unread() -> None:
    parser = new()
    refusal(lambda: parser.feed("<i>x</i><t>a</t>b"))
    assert parser.state()["held"] == "<t>a</t>b"
    assert again(parser).finalize()[0] == {"role": "assistant", "think": "a", "content": "b"}


def test_options_are_given_again_to_resume() -> None:
    parser = new(on_error="keep", tools=[{"name": "f", "parameters": {}}])
    parser.feed("<i>x")
    twin = type(parser).resume(parser.state(), on_error="keep", spans=True)
    assert twin.feed("</i>")[0]["type"] == "region_malformed"
    with pytest.raises(ParseError):
        type(parser).resume(parser.state()).feed("</i>")
    with pytest.raises(TypeError, match="prefix"):
        type(parser).resume(parser.state(), prefix="")


def test_a_state_of_another_parser_is_refused() -> None:
    parser = new()
    parser.feed("<i>")
    with pytest.raises(ValueError, match="no state"):
        BARE.Parser.resume(parser.state())


def test_parsers_are_pickled_as_their_state() -> None:
    for options in ({}, {"spans": True}):
        with pytest.raises(TypeError, match="state"):
            pickle.dumps(new(**options))


def test_partial_is_what_is_certain() -> None:
    parser = new()
    assert parser.partial() == {"message": {"role": "assistant"}, "open": {}}
    parser.feed('a<c=f>{"id": [1]}</c>b<t>de<')
    state = parser.state()
    partial = parser.partial()
    assert partial == {
        "message": {"role": "assistant", "content": "ab", "calls": [{"name": "f", "id": [1]}]},
        "open": {"think": "de"},
    }
    partial["message"]["calls"].append("x")
    partial["open"]["think"] = ""
    assert parser.state() == state
    parser.feed("/t>")
    assert parser.partial()["open"] == {}


def test_messages_do_not_share_their_defaults() -> None:
    module = compile_template(
        {
            "start_anchor": "A",
            "defaults": {"calls": [{"id": 0}], "meta": {"tags": []}},
            "fields": {"calls": {"open": "<c>", "close": "</c>", "content": "json", "repeats": True}},
        }
    )
    first = module.parse("<c>1</c>", prefix="")
    first["calls"][0]["id"] = "changed"
    first["meta"]["tags"].append("changed")
    assert module.parse("<c>1</c>", prefix="") == {"calls": [{"id": 0}, 1], "meta": {"tags": []}}


def test_events_of_two_parsers_share_nothing() -> None:
    first = new().feed("<t>a")
    for event in first:
        event["text"] = event["field"] = "changed"
    assert new().feed("<t>a") == [opened("think"), chunk("think", "a")]


def test_parsers_in_threads_do_not_disturb_one_another() -> None:
    expected = read(new(), [TEXT])
    found: list[Any] = []

    def run(size: int) -> None:
        for _ in range(5):
            found.append(read(new(), [TEXT[at : at + size] for at in range(0, len(TEXT), size)]))

    module_is_fresh = compile_template({"start_anchor": "A", "fields": {"x": {"open_pattern": r"<\d+>"}}})
    assert module_is_fresh.parse("<1>a", prefix="") == {"x": "a"}
    threads = [threading.Thread(target=run, args=(size,)) for size in (1, 2, 3, 50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 20


@pytest.mark.parametrize("foreign", [{}, {"state": "nowhere"}, None, [1]])
def test_a_foreign_state_is_refused(foreign: Any) -> None:
    module = compile_template({"start_anchor": "<A>", "fields": {"content": {}}})
    with pytest.raises(ValueError, match="no state"):
        module.Parser.resume(foreign)


def test_limits_are_limits() -> None:
    module = compile_template({"start_anchor": "<A>", "fields": {"content": {}}})
    with pytest.raises(TypeError, match="limits is a Limits, not int"):
        module.Parser(prefix="", limits=5)


@pytest.mark.parametrize(
    "change",
    [
        {"held": 5},
        {"body": None},
        {"is_open": 1},
        {"is_open": True, "state": "blanks"},
        {"captures": {"name": 5}},
        {"captures": []},
        {"message": "text"},
        {"message": {"content": 5}},
        {"message": {"content": [["a"]]}},
        {"offset": "0"},
        {"opened_at": True},
        {"prefix_end": 1.5},
        {"state": "Parser"},
        {"state": ["content"]},
        {"opener": ["<t>"]},
        {"beyond": 3},
    ],
)
def test_a_state_of_other_kinds_is_refused(change: dict[str, Any]) -> None:
    parser = new()
    parser.feed("Hi <t>deep</")
    with pytest.raises(ValueError):
        type(parser).resume({**parser.state(), **change})
