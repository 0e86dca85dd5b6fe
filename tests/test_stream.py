"""The stream, fed by hand: what each call gives and leaves behind, between regions and over the border of pieces."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

import runtime
from compiler import compile_grammar, compile_template
from runtime import ParseError
from tests.feeding import BARE, MIXED, again, chunk, closed, new, opened, refusal

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
    with pytest.raises(ImportError, match=r"models\.x was generated for runtime ABI 99, this is 2"):
        runtime.require_abi(99, "models.x")
    runtime.require_abi(2, "models.x")


def test_a_subclass_is_a_parser() -> None:
    class Loud(MIXED.Parser):  # type: ignore[misc, name-defined]
        pass

    assert Loud(prefix="").feed("<t>a") == new().feed("<t>a")
    assert Loud(prefix="", spans=True).feed("<t>a")[0]["end"] == 3
    assert isinstance(Loud(prefix="", spans=True), Loud)


def test_a_stream_of_no_grammar_knows_no_anchor() -> None:
    assert runtime.Stream._defaults() == {}
    with pytest.raises(NotImplementedError):
        runtime.Stream._after_anchor("A")


def test_all_that_the_runtime_offers_is_there() -> None:
    names: dict[str, Any] = {}
    exec("from runtime import *", names)
    assert set(runtime.__all__) <= names.keys()
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        exec("runtime.nonsense", {"runtime": runtime})


def test_no_name_that_is_loaded_on_demand_is_the_name_of_a_file() -> None:
    files = {path.stem for path in Path(str(runtime.__file__)).parent.glob("*.py")}
    offered = " ".join(runtime._ON_DEMAND.values()).split()
    assert files.isdisjoint(offered)  # the file, once it is imported, would stand in the place of the name
