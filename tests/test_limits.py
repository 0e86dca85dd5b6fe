"""runtime/limits.py: N pass, N + 1 do not, whatever the pieces; what is no JSON is refused where that is asked."""

from __future__ import annotations

import copy
import json
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler import compile_grammar, compile_template
from generated import llama3_1
from runtime import ParseError
from runtime.errors import LimitReached
from runtime.limits import DEEPEST, fault_in_json
from runtime.options import Limits
from tests.hostile.outputs import GAPPED, JOINED, LOOKING, PLAIN, TAGGED, call, calls, template

MODULE = compile_template(PLAIN)
MODULES = [
    MODULE,
    compile_template(GAPPED),
    compile_template(LOOKING),
    compile_template(TAGGED),
    compile_template(JOINED),
]
BEYOND = compile_grammar("""
    grammar g anchor "A" policy blank skip, bad text, cut complete, aware
    field calls[]: json { open "<c>" close "</c>" }
    field content: text joined "" {}
    """)
WORDS = ["<call>", "</call>", "<think>", "</think>", "<|end|>", "{}", "a", " ", "<|chan|>tool to=f ", "<|body|>", "<"]


def read(module: ModuleType, pieces: list[str], **options: Any) -> tuple[Any, list[Any], list[tuple[Any, ...]]]:
    """(message, merged events, errors), errors kept."""
    parser = module.Parser(prefix="", on_error="keep", **options)
    events = [event for piece in pieces for event in parser.feed(piece)]
    message, last = parser.finalize()
    errors = [(type(error).__name__, error.field, error.text, error.start, error.end) for error in parser.errors]
    return message, merged([*events, *last]), errors


def merged(events: list[Any]) -> list[Any]:
    out: list[Any] = []
    for event in events:
        shown = {key: value for key, value in event.items() if key != "error"}
        joins = bool(out) and shown["type"] == out[-1]["type"] in ("region_chunk", "text_dropped")
        if joins and shown.get("rule") == out[-1].get("rule"):
            out[-1].update({"text": out[-1]["text"] + shown["text"]} if "text" in shown else {})
            out[-1].update({"end": shown["end"]} if "end" in shown else {})
        else:
            out.append(shown)
    return out


def cuts(text: str) -> list[list[str]]:
    return [[text], list(text), *([text[:at], text[at:]] for at in range(1, len(text)))]


@pytest.mark.parametrize("size", [8, 30])
@pytest.mark.parametrize("ending", ["</think>end", ""])
def test_a_region_of_the_limit_passes_and_one_more_does_not(size: int, ending: str) -> None:
    for pieces in cuts(f"<think>{'x' * size}{ending}"):
        assert read(MODULE, pieces, limits=Limits(region=size))[0]["reasoning_content"] == "x" * size
    size += 1
    for pieces in cuts(f"<think>{'x' * size}{ending}"):
        message, events, errors = read(MODULE, pieces, limits=Limits(region=size - 1))
        assert message == {"role": "assistant", **({"content": "end"} if ending else {})}
        assert errors == [("ParseError", "reasoning_content", "x" * size, 0, 7 + size + len(ending[:8]))]
        assert [event["reason"] for event in events if event["type"] == "region_malformed"] == ["too-long"]


def test_of_a_region_that_is_too_long_no_more_than_the_limit_is_kept() -> None:
    parser = MODULE.Parser(prefix="", limits=Limits(region=100))
    parser.feed("<think>")
    for _ in range(1000):
        parser.feed("x" * 100)
    assert len(parser.state()["body"]) == 101
    with pytest.raises(ParseError, match="longer than 100 characters") as refused:
        parser.feed("</think>tail")
    assert (refused.value.end, refused.value.text) == (100_000 + 15, "x" * 101)
    parser.feed("")
    assert parser.finalize()[0] == {"role": "assistant", "content": "tail"}


@pytest.mark.parametrize("most", [1, 2, 5])
def test_as_many_regions_as_the_limit_pass_and_one_more_does_not(most: int) -> None:
    for pieces in cuts(call("{}") * most):
        assert len(read(MODULE, pieces, limits=Limits(regions=most))[0]["tool_calls"]) == most
    for pieces in cuts(call("{}") * (most + 1) + "tail"):
        message, events, errors = read(MODULE, pieces, limits=Limits(regions=most), spans=True)
        assert len(message["tool_calls"]) == most
        assert "content" not in message
        size = len(call("{}"))
        assert errors == [("LimitReached", "tool_calls", "", most * size, most * size + 6)]
        dropped = events[-1]
        assert (dropped["type"], dropped["rule"]) == ("text_dropped", "limit")
        assert (dropped["start"], dropped["end"]) == (most * size, (most + 1) * size + 4)


def test_an_implicit_region_counts() -> None:
    for pieces in cuts("a<think>b</think>c"):
        message, _, errors = read(MODULE, pieces, limits=Limits(regions=2))
        assert message == {"role": "assistant", "content": "a", "reasoning_content": "b"}
        assert [error[0] for error in errors] == ["LimitReached"]


def test_more_undecided_text_than_the_limit_ends_the_reading() -> None:
    module = compile_template(GAPPED)
    header = "<|chan|>tool to=f "
    for pieces in cuts(header + "a" * (30 - len(header))):
        message, _, errors = read(module, pieces, limits=Limits(region=30))
        assert (message["content"], errors) == ("".join(pieces), [])
    for begin in ("", "begin "):
        for pieces in cuts(begin + header + "a" * (31 - len(header)) + "<|body|>"):
            message, events, errors = read(module, pieces, limits=Limits(region=30), spans=True)
            assert message == {"role": "assistant"}
            seen, total = len(begin) + 31, len(begin) + 39
            start = seen if begin else 0
            assert events[-1] == {"type": "text_dropped", "start": start, "end": total, "rule": "limit"}
            assert errors == [("LimitReached", "content", "".join(pieces)[:seen], 0, seen)]


def test_a_limit_that_is_reached_is_raised_once() -> None:
    parser = MODULE.Parser(prefix="", limits=Limits(regions=1))
    with pytest.raises(LimitReached, match="more than 1 regions") as reached:
        parser.feed("<think>a</think><think>b</think>c")
    assert [event["type"] for event in reached.value.events] == ["region_open", "region_chunk", "region_close"]
    assert reached.value.message == {"role": "assistant", "reasoning_content": "a"}
    assert parser.feed("more<think>") == []
    assert parser.finalize()[0] == {"role": "assistant", "reasoning_content": "a"}
    with pytest.raises(LimitReached) as whole:
        MODULE.parse("<think>a</think><think>b</think>c", prefix="", limits=Limits(regions=1))
    assert whole.value.message == {"role": "assistant", "reasoning_content": "a"}


def test_undecided_text_in_an_open_region_is_that_region_s() -> None:
    module = compile_template(template(calls(close=None, close_pattern=r"</call>\d{9}|</call>x")))
    text = '<call>{"name"</call>12345678'
    for on_error in ("raise", "keep"):
        parser = module.Parser(prefix="", limits=Limits(region=14), on_error=on_error)
        try:
            parser.feed(text)
            error = parser.errors[0]
        except LimitReached as raised:
            error = raised
        assert (error.field, error.text, error.start, error.end) == ("tool_calls", text[6:28], 0, 28)


def test_what_stands_behind_a_refused_region_waits_for_the_next_call() -> None:
    parser = MODULE.Parser(prefix="", limits=Limits(region=6))
    with pytest.raises(ParseError) as first:
        parser.feed("a<call>{</call>b<call>[</call>c<think>d")
    assert [event["type"] for event in first.value.events] == [
        "region_open",
        "region_chunk",
        "region_close",
        "region_open",
        "region_chunk",
    ]
    again = MODULE.Parser.resume(parser.state(), limits=Limits(region=6))
    with pytest.raises(ParseError) as second:
        parser.finalize()
    assert second.value.text == "["
    assert parser.finalize()[0] == {"role": "assistant", "content": "c", "reasoning_content": "d"}
    with pytest.raises(ParseError):
        again.feed("")
    assert again.finalize()[0] == {"role": "assistant", "content": "c", "reasoning_content": "d"}


def test_the_last_text_can_be_refused_behind_text_that_waits() -> None:
    parser = MODULE.Parser(prefix="", limits=Limits(region=9))
    with pytest.raises(ParseError):
        parser.feed("a<call>{</call>bc<call>[")
    with pytest.raises(ParseError) as last:
        parser.finalize()
    assert [event["type"] for event in last.value.events] == [
        "region_open",
        "region_chunk",
        "region_close",
        "region_open",
        "region_chunk",
    ]


def test_a_parser_with_limits_is_copied_and_resumed_with_its_counts() -> None:
    parser = MODULE.Parser(prefix="", limits=Limits(regions=2), on_error="keep")
    parser.feed("<think>a</think>")
    state = json.loads(json.dumps(parser.state()))
    for other in (copy.copy(parser), MODULE.Parser.resume(state, limits=Limits(regions=2), on_error="keep")):
        other.feed("<think>b</think><think>c</think>")
        assert other.finalize()[0]["reasoning_content"] == "b"
        assert len(other.errors) == 1


def test_a_resumed_region_that_is_too_long_stays_so() -> None:
    parser = MODULE.Parser(prefix="", limits=Limits(region=8))
    parser.feed("<think>abcdefghijkl")
    again = MODULE.Parser.resume(parser.state(), limits=Limits(region=8), spans=True)
    with pytest.raises(ParseError) as refused:
        again.feed("mn</think>")
    assert (refused.value.start, refused.value.end, refused.value.text) == (0, 7 + 14 + 8, "abcdefghi")


def resumed(parser: Any, **options: Any) -> Any:
    again = BEYOND.Parser.resume(json.loads(json.dumps(parser.state())), **options)
    again.errors[:] = parser.errors
    return again


@given(
    st.lists(st.sampled_from(["<c>", "</c>", '{"a": "', '"}', "[1]", "text", "   ", "\ud800", "</"]), max_size=14),
    st.integers(1, 30),
    st.sampled_from(["", "drop", "text"]),
)
@settings(max_examples=150)
def test_limits_are_the_same_for_parsers_that_are_copied_and_resumed(words: list[str], region: int, bad: str) -> None:
    options: dict[str, Any] = {"limits": Limits(region=region, regions=6), "spans": True, "strict_json": True}
    options["bad"] = bad
    whole = read(BEYOND, ["".join(words)], **options)
    options["on_error"] = "keep"
    for go_on in (lambda parser, **_: parser, lambda parser, **_: copy.copy(parser), resumed):
        parser, events = BEYOND.Parser(prefix="", **options), []
        for word in words:
            parser = go_on(parser, **options)
            events += parser.feed(word)
        message, last = parser.finalize()
        errors = [(type(error).__name__, error.field, error.text, error.start, error.end) for error in parser.errors]
        assert (message, merged([*events, *last]), errors) == whole


def test_a_limit_that_the_prefix_reaches_drops_the_text_once() -> None:
    parser = BEYOND.Parser(prefix="A    ", limits=Limits(region=3), spans=True)
    assert parser.initial_events == [{"type": "text_dropped", "start": 0, "end": 4, "rule": "limit"}]
    with pytest.raises(LimitReached) as reached:
        parser.feed("a")
    assert reached.value.events == [{"type": "text_dropped", "start": 4, "end": 5, "rule": "limit"}]
    assert parser.feed("b") == [{"type": "text_dropped", "start": 5, "end": 6, "rule": "limit"}]
    assert parser.finalize() == ({}, [])


@pytest.mark.parametrize("pieces", [[" " * 8, "a"], [" " * 7, " a"], list(" " * 8 + "a"), [" " * 8 + "a"]])
def test_blanks_that_may_open_a_region_are_undecided(pieces: list[str]) -> None:
    assert read(BEYOND, pieces, limits=Limits(region=9))[0] == {"content": "a"}
    message, _, errors = read(BEYOND, pieces, limits=Limits(region=7))
    assert (message, errors) == ({}, [("LimitReached", "content", " " * 8, 0, 8)])


def test_what_is_not_all_there_or_refused_by_the_text_field_does_not_go_to_it() -> None:
    assert read(BEYOND, ["<c>[1, 2, 3]</c>x"], limits=Limits(region=8))[0] == {"content": "x"}
    message, events, errors = read(BEYOND, ["\ud800<c>[1]</c>x"], bad="text", strict_json=True)
    assert message == {"calls": [[1]], "content": "x"}
    assert len(errors) == 1
    message, events, _ = read(BEYOND, ["<c>[1, 2, 3"], limits=Limits(region=8))
    assert message == {}
    assert events[-1]["reason"] == "too-long"


def test_the_limit_decides_which_closer_counts() -> None:
    text = '<c>{"a": "</c>bcdefg</c>"}</c>'
    assert read(BEYOND, [text], limits=Limits(region=40))[0] == {"calls": [{"a": "</c>bcdefg</c>"}]}
    refused = ("ParseError", "calls", '{"a": "', 0, 14)
    for pieces in cuts(text):
        assert read(BEYOND, pieces, limits=Limits(region=16))[2][0] == refused


@pytest.mark.parametrize("module", MODULES)
@given(st.lists(st.sampled_from(WORDS), max_size=14), st.integers(3, 40), st.integers(1, 6), st.booleans())
@settings(max_examples=60)
def test_limits_are_the_same_in_any_pieces(
    module: ModuleType, words: list[str], region: int, regions: int, spans: bool
) -> None:
    limits = Limits(region=region, regions=regions)
    text = "".join(words)
    whole = read(module, [text], limits=limits, spans=spans)
    assert read(module, list(text), limits=limits, spans=spans) == whole
    assert read(module, words, limits=limits, spans=spans) == whole


@pytest.mark.parametrize("module", MODULES)
@given(st.lists(st.sampled_from(WORDS), max_size=14).map("".join))
@settings(max_examples=40)
def test_limits_that_are_not_reached_change_nothing(module: ModuleType, text: str) -> None:
    plain = read(module, list(text), spans=True)
    assert read(module, list(text), spans=True, limits=Limits()) == plain
    assert read(module, list(text), spans=True, limits=Limits(region=None, regions=None), strict_json=True) == plain


@pytest.mark.parametrize("wrong", [{"region": 0}, {"regions": -1}, {"region": True}, {"regions": 1.5}, {"region": "9"}])
def test_a_limit_is_a_number_above_zero(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="is a whole number above 0"):
        Limits(**wrong)


# -- strict JSON ------------------------------------------------------------------------------------------------------

FAULTS = ["NaN", "-Infinity", '"\\ud800"', '{"\\udc00": 1}', "1e999", "[" * 99 + "]" * 99]


@pytest.mark.parametrize("fault", FAULTS)
def test_what_no_json_says_is_refused_only_where_that_is_asked(fault: str) -> None:
    text = call("{}") + call(f'{{"x": {fault}}}') + call('{"y": 1}')
    assert len(MODULE.parse(text, prefix="")["tool_calls"]) == 3
    for pieces in ([text], list(text)):
        message, _, errors = read(MODULE, pieces, strict_json=True)
        assert [one["function"]["arguments"] for one in message["tool_calls"]] == [{}, {"y": 1}]
        assert len(errors) == 1
        json.dumps(message, allow_nan=False).encode()


def test_a_refused_value_leaves_what_was_there() -> None:
    message, _, errors = read(MODULE, ["<think>a</think><think>\ud800</think>"], strict_json=True)
    assert (message["reasoning_content"], len(errors)) == ("a", 1)
    message, _, errors = read(MODULE, ["<think>\ud800</think>"], strict_json=True)
    assert ("reasoning_content" in message, len(errors)) == (False, 1)
    joined = compile_template(JOINED)
    message, _, errors = read(joined, ["<think>a</think><think>\ud800</think><think>b</think>"], strict_json=True)
    assert (message["reasoning_content"], len(errors)) == ("a\nb", 1)


def test_a_value_as_deep_as_may_be_passes() -> None:
    value: Any = 1
    for _ in range(DEEPEST):
        value = [value]
    assert fault_in_json(value) == ""
    assert fault_in_json([value]) == "nested deeper than 100 levels"
    assert fault_in_json({"a": value}) == "nested deeper than 100 levels"
    assert fault_in_json({"a": [1.5, None, True, "\u00e9"]}) == ""


def test_options_that_ask_for_nothing_make_the_plain_parser() -> None:
    assert type(MODULE.Parser(prefix="", limits=None, strict_json=False)) is MODULE.Parser
    one, other = (MODULE.Parser(prefix="", strict_json=True) for _ in range(2))
    assert type(one) is type(other) is not MODULE.Parser


def test_a_piece_that_is_no_text_loses_nothing_that_waits() -> None:
    module = compile_template(
        {"start_anchor": "<A>", "fields": {"c": {"open": "<c>", "close": "</c>", "content": "json", "repeats": True}}}
    )
    parser = module.Parser(prefix="", limits=Limits(region=4))
    with pytest.raises(ParseError):
        parser.feed("<c>{</c>" + "<c>1</c>" * 3)
    with pytest.raises(TypeError):
        parser.feed(5)
    parser.feed("")
    assert parser.finalize()[0] == {"c": [1, 1, 1]}


# -- regions of which not all is kept -------------------------------------------------------------------------------

ENDING = compile_grammar("""
    grammar g anchor "A" policy bad drop, aware
    field calls[]: json { open "<c>" close value-end }
    field notes[]: json { open "<n>" close "</n>" }
    field tagged: xml(pair /<p=(?P<key>\\w+)>/ "</p>") { open "<x>" close "</x>" }
    field content: text joined "" {}
    """)
LONG = [
    '<c>{"a": "' + "x" * 30 + '}", "b": [1, {"c": 22}]}tail',
    "<c>[" + "[" * 12 + " " * 30 + "]" * 13 + "tail<c>1 x",
    '<c>[1, "' + "\\u00e9" * 9 + '", tru' + "e" * 3 + ", 2]tail",
    '<c>{"a": "' + "x" * 30,
    '<n>{"a": "' + "x" * 30 + '</n>"}</n>tail</n>"}',
    "<x><p=a>" + "x" * 30 + "</x></p></x>tail",
]


@pytest.mark.parametrize("text", LONG)
@pytest.mark.parametrize("region", [5, 20, 100])
@pytest.mark.parametrize("name", ["copy", "resume", "twice", "both", "deepcopy"])
def test_where_a_long_region_ends_does_not_depend_on_copies(text: str, region: int, name: str) -> None:
    options: dict[str, Any] = {"on_error": "keep", "limits": Limits(region=region), "spans": True}

    def again(parser: Any) -> Any:
        other = ENDING.Parser.resume(json.loads(json.dumps(parser.state())), **options)
        other.errors[:] = parser.errors
        return other

    go_on = {
        "copy": copy.copy,
        "resume": again,
        "twice": lambda p: again(again(p)),
        "both": lambda p: copy.copy(again(p)),
        "deepcopy": copy.deepcopy,
    }[name]
    whole = read(ENDING, [text], limits=options["limits"], spans=True)
    for size in (1, 3, 7):
        parser, events = ENDING.Parser(prefix="", **options), []
        for at in range(0, len(text), size):
            left, parser = parser, go_on(parser)
            events += parser.feed(text[at : at + size])
            left.feed('"]}<c>')
        message, last = parser.finalize()
        errors = [(type(error).__name__, error.field, error.text, error.start, error.end) for error in parser.errors]
        assert (message, merged([*events, *last]), errors) == whole


def test_a_shipped_call_beyond_its_limit_ends_where_it_ends() -> None:
    text = '{"name": "f", "parameters": {"x": "' + "y" * 90 + '}"}}; {"name": "g", "parameters": {}}'
    options = {"limits": Limits(region=40), "on_error": "keep"}
    parser = llama3_1.Parser(prefix="", **options)
    for char in text:
        parser = copy.copy(llama3_1.Parser.resume(parser.state(), **options))
        parser.feed(char)
    calls = parser.finalize()[0]["tool_calls"]
    assert [one["function"]["name"] for one in calls] == ["g"]


def test_a_region_of_which_not_all_is_kept_is_not_taken_for_a_whole_one() -> None:
    parser = ENDING.Parser(prefix="", limits=Limits(region=8))
    parser.feed("<c>[1, 2, 3, 4, 5, 6, 7")
    state = parser.state()
    for limits in (None, Limits(region=None), Limits(region=100)):
        with pytest.raises(ValueError, match="longer than its limit"):
            ENDING.Parser.resume(state, limits=limits)
    shorter = ENDING.Parser.resume(state, limits=Limits(region=3), on_error="keep")
    shorter.feed("]t")
    assert (shorter.errors[0].text, shorter.errors[0].end) == ("[1, ", 24)
    assert shorter.finalize()[0] == {"content": "t"}


@pytest.mark.parametrize(
    "change",
    [
        {"beyond": "9"},
        {"beyond": -1},
        {"beyond": True},
        {"regions": "1"},
        {"reader": ["[", "soon", "", "", "", 9]},
        {"reader": ["", "comma", "", "", "", 9]},
        {"reader": ["(", "comma", "", "", "", 9]},
        {"reader": ["[", "comma", 1, "", "", 9]},
        {"reader": ["[", "comma"]},
        {"reader": 7},
    ],
)
def test_a_state_of_a_long_region_is_refused_when_no_parser_gave_it(change: dict[str, Any]) -> None:
    parser = ENDING.Parser(prefix="", limits=Limits(region=8))
    parser.feed("<c>[1, 2, 3, 4, 5, 6, 7")
    with pytest.raises(ValueError):
        ENDING.Parser.resume({**parser.state(), **change}, limits=Limits(region=8))
