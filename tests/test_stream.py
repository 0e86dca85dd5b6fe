"""The stream, fed by hand: what each call gives, refuses and leaves behind, at every point of a response."""

from __future__ import annotations

import copy
import json
import pickle
import threading
from types import ModuleType
from typing import Any

import pytest

import runtime
from compiler import compile_grammar, compile_template
from runtime import AnchorNotFound, MissingField, MissingKey, ParseError

Event = dict[str, Any]

MIXED = compile_grammar(r"""
    grammar mixed
    default role = "assistant"
    anchor "A>"
    field think: text { open "<t>" close "</t>" blank after }
    field calls[]: json { open /<c=(?P<name>\w+)>/ close "</c>" emit {"name": name, "id": content.id} }
    field count: int { open "<i>" close "</i>" }
    field content: text joined "" { close "<end>" blank after }
    """)
BARE = compile_grammar('grammar bare anchor "A>" field think: text { open "<t>" close "</t>" }')


def opened(field: str) -> Event:
    return {"type": "region_open", "field": field}


def chunk(field: str, text: str, dirty: bool = False) -> Event:
    return {"type": "region_chunk", "field": field, "text": text, "dirty": dirty}


def closed(field: str, value: Any) -> Event:
    return {"type": "region_close", "field": field, "value": value}


def new(module: ModuleType = MIXED, **options: Any) -> Any:
    return module.Parser(**{"prefix": "", **options})


# -- what the constructor takes ---------------------------------------------------------------------------------------


def test_a_prefix_is_needed() -> None:
    with pytest.raises(ValueError, match="prefix is needed"):
        MIXED.Parser(prefix=None)
    with pytest.raises(TypeError, match="prefix"):
        MIXED.Parser()
    with pytest.raises(TypeError):
        MIXED.Parser("A>")


@pytest.mark.parametrize("foreign", [0, 5, b"", b"A>", [], ["A>"], False])
def test_a_prefix_is_text(foreign: Any) -> None:
    with pytest.raises(TypeError, match="prefix is a str"):
        MIXED.Parser(prefix=foreign)


def test_other_options_are_refused() -> None:
    with pytest.raises(ValueError, match='on_error is "raise" or "keep", not \'drop\''):
        new(on_error="drop")
    with pytest.raises(ValueError, match="coerce is"):
        new(coerce="loose")
    with pytest.raises(TypeError, match="colour"):
        new(colour=True)
    with pytest.raises(TypeError, match="colour"):
        new(spans=True, colour=True)
    with pytest.raises(TypeError, match="colour"):
        MIXED.parse("", prefix="", colour=True)


def test_what_the_prefix_says_comes_first() -> None:
    parser = new(prefix="before A> and A>Hi <t>deep")
    assert parser.prefix_end == len("Hi <t>deep")
    assert parser.initial_events == [
        opened("content"),
        chunk("content", "Hi "),
        closed("content", "Hi"),
        opened("think"),
        chunk("think", "deep"),
    ]
    assert parser.feed("er</t>") == [chunk("think", "er"), closed("think", "deeper")]
    assert parser.finalize() == ({"role": "assistant", "content": "Hi", "think": "deeper"}, [])


def test_what_the_prefix_leaves_open_comes_with_the_text() -> None:
    parser = new(prefix="A>a<t")
    assert parser.initial_events == [opened("content"), chunk("content", "a")]
    assert parser.feed("x>") == [chunk("content", "<tx>")]


def test_an_empty_prefix_says_nothing() -> None:
    parser = new(strict_prefix=True)
    assert (parser.initial_events, parser.prefix_end) == ([], 0)


def test_a_prefix_without_the_anchor_is_parsed_with_a_warning() -> None:
    with pytest.warns(UserWarning, match="does not contain the anchor"):
        parser = new(prefix="<t>x")
    assert parser.initial_events == [opened("think"), chunk("think", "x")]
    with pytest.raises(AnchorNotFound):
        new(prefix="<t>x", strict_prefix=True)


# -- what feed takes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("foreign", [None, 0, 5, b"", b"x", [], ["x"], [""], False, {}])
@pytest.mark.parametrize("before", ["", "<t>deep", "<t>dee<", "A>"])
def test_other_than_text_changes_nothing(foreign: Any, before: str) -> None:
    parser, untouched = new(), new()
    parser.feed(before)
    untouched.feed(before)
    with pytest.raises(TypeError):
        parser.feed(foreign)
    assert parser.state() == untouched.state()
    assert parser.feed("x</t>") == untouched.feed("x</t>")
    assert parser.finalize() == untouched.finalize()


def test_other_than_text_does_not_take_the_place_of_an_owed_error() -> None:
    parser = new(prefix="A><i>x</i>")
    with pytest.raises(TypeError):
        parser.feed(None)
    with pytest.raises(ParseError, match="count"):
        parser.feed("more")
    assert parser.finalize()[0]["content"] == "more"


@pytest.mark.parametrize("foreign", [None, 5, b"x", ["x"]])
def test_parse_takes_text(foreign: Any) -> None:
    with pytest.raises(TypeError):
        MIXED.parse(foreign, prefix="")


def test_an_empty_piece_says_nothing() -> None:
    parser = new()
    for before in ("", "<t", ">a", "</t> ", " b", "<end>"):
        parser.feed(before)
        state = parser.state()
        assert parser.feed("") == []
        assert parser.state() == state


def test_after_the_end_there_is_no_more() -> None:
    parser = new()
    parser.feed("<t>x")
    message, _ = parser.finalize()
    for call in (parser.finalize, parser.state, lambda: parser.feed(""), lambda: parser.feed("x")):
        for _ in range(2):
            with pytest.raises(RuntimeError, match="finalized"):
                call()
    assert parser.partial() == {"message": message, "open": {}}


def test_an_empty_response_has_the_defaults() -> None:
    assert new().finalize() == ({"role": "assistant"}, [])
    assert MIXED.parse("", prefix="") == {"role": "assistant"}


def test_feed_may_be_kept_by_its_caller() -> None:
    parser = new()
    feed = parser.feed
    events = [*feed("<t>"), *feed("a")]
    with pytest.raises(ParseError):
        feed("</t><i>x</i>")
    events += [*feed("b"), *parser.finalize()[1]]
    assert events == [
        opened("think"),
        chunk("think", "a"),
        opened("content"),
        chunk("content", "b"),
        closed("content", "b"),
    ]


# -- regions that are refused -----------------------------------------------------------------------------------------


def refusal(call: Any) -> ParseError:
    with pytest.raises(ParseError) as caught:
        call()
    return caught.value


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
    assert type(other) is ParseError and "'id' is missing" in str(other)


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


# -- its state is data ------------------------------------------------------------------------------------------------

TEXT = 'Hi <t>deep</t> \n there <c=f>{"id": [1]}</c> <i>x</i>a<i><c=g>{"id": 2}</c>b</i><end> \n\n c<t>open'


def read(parser: Any, pieces: Any, meddle: Any = lambda parser: parser) -> tuple[list[Event], list[Any], Any]:
    """Events with chunks merged, errors, the message."""
    events: list[Event] = []
    errors = []
    calls = [*((lambda parser, piece=piece: parser.feed(piece)) for piece in pieces), lambda parser: []]
    for call in calls:
        try:
            events += call(parser)
        except ParseError as error:
            events += error.events
            errors.append((error.field, error.text, error.start, error.end, error.message))
        parser = meddle(parser)
    while True:
        try:
            message, last = parser.finalize()
        except ParseError as error:
            events += error.events
            errors.append((error.field, error.text, error.start, error.end, error.message))
        else:
            break
    merged: list[Event] = []
    for event in [*events, *last]:
        if merged and event["type"] == merged[-1]["type"] == "region_chunk":
            merged[-1] = {**merged[-1], "text": merged[-1]["text"] + event["text"]}
        else:
            merged.append(event)
    return merged, errors, message


def again(parser: Any, **options: Any) -> Any:
    return type(parser).resume(json.loads(json.dumps(parser.state())), **options)


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
    with pytest.raises(KeyError):
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


# -- between regions --------------------------------------------------------------------------------------------------


def test_text_of_no_field_is_dropped() -> None:
    parser = new(BARE)
    assert parser.feed("no<t>yes</t>no") == [opened("think"), chunk("think", "yes"), closed("think", "yes")]
    assert parser.finalize() == ({"think": "yes"}, [])


def test_an_idle_field_swallows_its_close() -> None:
    parser = new()
    assert parser.feed("<end><end> ") == []
    assert parser.finalize() == ({"role": "assistant"}, [])


FINISHING = compile_template(
    {
        "start_anchor": "A",
        "fields": {"content": {"close_pattern": "(?=<x>)"}, "think": {"open": "<t>", "close": "</t>"}},
    }
)


def test_an_empty_close_of_an_idle_field_ends_the_reading() -> None:
    for text in ("<x><t>a</t>", "<t>a</t><x>b"):
        for pieces in ([text], list(text)):
            parser = new(FINISHING)
            for piece in pieces:
                parser.feed(piece)
            assert parser.state()["state"] == "done"
            assert again(parser).finalize()[1] == []
            parser.feed("more <t>text")
            assert parser.finalize()[0] == ({"think": "a"} if text[1] == "t" else {})


def test_an_empty_close_closes_a_field_that_is_open() -> None:
    assert FINISHING.parse("a<x>b<t>c</t>", prefix="") == {"content": "a"}


# -- joined and repeated ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("default", "none", "one", "two"),
    [
        ("", "", "; a", "; a; b"),
        ("x", "x", "x; a", "x; a; b"),
        (None, None, "a", "a; b"),
    ],
)
def test_pieces_are_joined_to_a_default(default: Any, none: Any, one: Any, two: Any) -> None:
    module = compile_template(
        {
            "start_anchor": "A",
            "defaults": {"x": default},
            "fields": {"x": {"open": "<", "close": ">", "repeats": True, "join": "; "}},
        }
    )
    for text, expected in (("", none), ("<a>", one), ("<a><b>", two)):
        assert module.parse(text, prefix="") == {"x": expected}
        parser = new(module)
        for piece in text:
            parser.feed(piece)
            parser = again(parser)
            assert set(parser.partial()["message"]) == {"x"}
        assert parser.finalize()[0] == {"x": expected}


def test_joined_pieces_are_strings() -> None:
    grammar = 'grammar g anchor "A" field x: json joined "-" { open "<" close ">" }'
    module = compile_grammar(grammar)
    assert module.parse('<"a"><"b">', prefix="") == {"x": "a-b"}
    error = refusal(lambda: module.parse('<"a"><1><"b">', prefix=""))
    assert "joined" in str(error) and error.message == {"x": "a-b"}


def test_a_field_that_comes_again_overwrites() -> None:
    assert BARE.parse("<t>a</t><t>b</t>", prefix="") == {"think": "b"}


def test_keys_that_are_empty_are_left_out() -> None:
    assert MIXED.parse("<t> </t>\n", prefix="") == {"role": "assistant"}


# -- context --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("opener", "text", "expected"),
    [
        (r"^<", "<a>b<c", {"x": "a", "content": "b<c"}),
        (r"^<", "b<c", {"content": "b<c"}),
        (r"\A<", "<a>", {"x": "a"}),
        (r"(?<=\n)<", "<\n<a>\nb<", {"content": "<\n\nb<", "x": "a"}),
        (r"(?<!\w)<", "a< <b>", {"content": "a< ", "x": "b"}),
        (r"\b<", "< a<b>", {"content": "< a", "x": "b"}),
        (r"(?<=ab\n)<", "b\n<ab\n<c>", {"content": "b\n<ab\n", "x": "c"}),
        (r"(?<=^\w)<", "a<b>c<", {"content": "ac<", "x": "b"}),
    ],
)
def test_delimiters_look_back_over_the_border_of_pieces(opener: str, text: str, expected: Any) -> None:
    content = {"content_args": {"strip": False}, "repeats": True, "join": ""}
    module = compile_template(
        {"start_anchor": "A", "fields": {"x": {"open_pattern": opener, "close": ">"}, "content": content}}
    )
    assert module.parse(text, prefix="") == expected
    for split in range(len(text) + 1):
        assert module.parse(text[split:], prefix=f"A{text[:split]}") == expected
        for meddle in (again, copy.copy):
            parser = new(module)
            for piece in (text[:split], text[split:]):
                parser.feed(piece)
                parser = meddle(parser)
            assert parser.finalize()[0] == expected
    parser = new(module)
    for character in text:
        parser = again(parser)
        parser.feed(character)
        assert len(parser.state()["behind"]) <= max(1, module.Parser.BEHIND)
    assert parser.finalize()[0] == expected


# -- the module and its runtime ---------------------------------------------------------------------------------------


def test_a_module_of_another_runtime_does_not_run() -> None:
    with pytest.raises(ImportError, match=r"models\.x was generated for runtime ABI 99, this is 1"):
        runtime.require_abi(99, "models.x")
    runtime.require_abi(1, "models.x")


def test_a_subclass_is_a_parser() -> None:
    class Loud(MIXED.Parser):  # type: ignore[misc, name-defined]
        pass

    assert Loud(prefix="").feed("<t>a") == new().feed("<t>a")
    assert Loud(prefix="", spans=True).feed("<t>a")[0]["end"] == 3
    assert isinstance(Loud(prefix="", spans=True), Loud)


def test_tools_type_arguments() -> None:
    module = compile_grammar(
        'grammar g anchor "A" field calls[]: json { open "<c>" close "</c>" emit {"function": content} }'
    )
    tools = [{"name": "f", "parameters": {"properties": {"n": {"type": "integer"}}}}]
    text = '<c>{"name": "f", "arguments": {"n": "1"}}</c>'
    for options, n in (({}, "1"), ({"tools": tools}, 1), ({"tools": iter(tools)}, 1), ({"coerce": "exact"}, "1")):
        assert module.parse(text, prefix="", **options)["calls"][0]["function"]["arguments"] == {"n": n}
