"""What grammars say beyond version 1, in every chunking: stops, stray closers, blanks, refused bodies, cuts, tools."""

from __future__ import annotations

import copy
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

from compiler import compile_grammar
from tests.feeding import again, tiles
from tests.law import plain
from tests.reference import Reading, ours, same


def everywhere(module: ModuleType, text: str, **options: Any) -> Reading:
    """The reading of the whole text; in pieces, from states, from copies, with spans and at once it is the same."""
    whole = ours(module, [text], **options)
    raises = any(error.policy == "raise" for error, _ in whole.errors)
    again_with = {key: value for key, value in options.items() if key != "prefix"}
    for chunks in (list(text), *([text[:at], text[at:]] for at in range(len(text)))):
        assert not same(whole, ours(module, chunks, **options)), chunks
        assert not same(whole, ours(module, chunks, meddle=copy.copy, **options)), chunks
        resumed = ours(module, chunks, meddle=lambda parser: again(parser, **again_with), **options)
        untold = [replace(without_errors(reading), errors=[]) for reading in (whole, resumed)]  # they are in no state
        assert not same(*untold), chunks
        spanned = ours(module, chunks, spans=True, **options)
        assert not same(without_errors(whole), without_errors(plain(spanned))), chunks
        if not raises:
            tiles(spanned.events, spanned.whole)
    if not raises:
        assert module.parse(text, prefix="", **again_with) == whole.message
    return whole


def without_errors(reading: Reading) -> Reading:
    """Its malformed regions without their places and exceptions, which are compared in `errors`."""
    events = [{k: v for k, v in event.items() if k not in ("start", "end", "error")} for event in reading.events]
    return replace(reading, events=events)


def message(module: ModuleType, text: str, **options: Any) -> Any:
    return everywhere(module, text, **options).message


def types(reading: Reading) -> list[str]:
    return [event["type"].removeprefix("region_") for event in reading.events]


# -- stop and stray ---------------------------------------------------------------------------------------------------

STOPPING = compile_grammar("""
    grammar g anchor "A" stop "<end>" | "<pad>" stray "</t>" | "</x>"
    field think: text { open "<t>" close "</t>" blank after }
    field calls[]: json { open "<c>" close "</c>" }
    field content: text joined "|" { close "<next>" }
    """)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a<end>b<t>c</t>", {"content": "a"}),
        ("<end>", {}),
        ("a<pad><pad>", {"content": "a"}),
        ("<t>a<end></t>b", {"think": "a"}),
        ("<c>[1]<end>]</c>", {"calls": [[1]]}),
        ("a<en", {"content": "a<en"}),
        ("a</t>b", {"content": "a|b"}),
        ("</t></x>a", {"content": "a"}),
        ("<t>a</x>b</t>c", {"think": "a</x>b", "content": "c"}),
        ("<next>a</x><next>", {"content": "a"}),
    ],
)
def test_stops_and_strays(text: str, expected: Any) -> None:
    assert message(STOPPING, text) == expected


def test_a_stop_is_said_to_be_one() -> None:
    spanned = ours(STOPPING, list("a<end>b c"), spans=True)
    assert [(e["start"], e["end"], e["rule"]) for e in spanned.events if e["type"] == "text_dropped"] == [
        (1, 9, "stop")
    ]
    stray = ours(STOPPING, list("</x><next>a"), spans=True)
    assert [(e["start"], e["end"], e["rule"]) for e in stray.events if e["type"] == "text_dropped"] == [
        (0, 4, "stray"),
        (4, 10, "idle-close"),
    ]


def test_behind_a_stop_a_state_says_so() -> None:
    parser = STOPPING.Parser(prefix="")
    parser.feed("a<end>")
    assert parser.state()["state"] == "stopped"
    assert again(parser).feed("<t>b</t>") == []


def test_a_body_that_a_stop_cuts_is_refused() -> None:
    reading = everywhere(STOPPING, "a<c>[1<end>]</c>")
    assert [place["text"] for _, place in reading.errors] == ["[1"]
    assert reading.message == {"content": "a"}


# -- blanks -----------------------------------------------------------------------------------------------------------

SKIPPING = compile_grammar("""
    grammar g anchor "A" policy blank skip
    field calls[]: json { open "<c>" close "</c>" }
    field content: text(strip = false) joined "|" { close "<next>" blank after }
    """)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" \n", {}),
        (" <c>1</c> \n<c>2</c> ", {"calls": [1, 2]}),
        (" a <c>1</c> b ", {"content": " a | b ", "calls": [1]}),
        ("  <next>  a", {"content": "a"}),
        ("  <next>  <next> \u3000b", {"content": "b"}),
        (" \x1c<c>1</c>\x1c", {"calls": [1]}),
        ("a<next> ", {"content": "a"}),
        ("\n\n<c", {"content": "\n\n<c"}),
    ],
)
def test_blanks_open_nothing(text: str, expected: Any) -> None:
    assert message(SKIPPING, text) == expected


def test_blanks_that_wait_are_in_the_state() -> None:
    parser = SKIPPING.Parser(prefix="")
    assert parser.feed(" \n") == []
    assert parser.state()["body"] == " \n" and not parser.state()["is_open"]
    assert parser.partial() == {"message": {}, "open": {}}
    assert again(parser).feed("a") == [
        {"type": "region_open", "field": "content"},
        {"type": "region_chunk", "field": "content", "text": " \na", "dirty": False},
    ]


def test_blanks_before_an_end_of_the_reading_are_dropped() -> None:
    module = compile_grammar('grammar g anchor "A" policy blank skip field content: text { close /x|(?=<y>)/ }')
    reading = everywhere(module, "  <y>b")
    assert (reading.message, reading.events) == ({}, [])


# -- refused bodies ---------------------------------------------------------------------------------------------------


def policed(policy: str, *, field: str = "") -> ModuleType:
    return compile_grammar(f"""
        grammar g anchor "A" policy {policy}
        field calls[]: json {{ open "<c>" close "</c>" blank after emit {{"function": content}} {field} }}
        field count: int {{ open "<i>" close "</i>" }}
        field content: text joined "" {{}}
        """)


DROPPING, GIVING = policed("bad drop"), policed("bad text")
BAD = "a <c>{</c> b<i>x</i><i>2</i><c>[</c>"


def test_a_refused_region_gives_nothing() -> None:
    reading = everywhere(DROPPING, BAD)
    assert reading.message == {"content": "ab", "count": 2}
    assert [(error.policy, place["text"]) for error, place in reading.errors] == [
        ("drop", "{"),
        ("drop", "x"),
        ("drop", "["),
    ]
    assert types(reading)[:6] == ["open", "chunk", "close", "open", "chunk", "malformed"]


def test_the_text_of_a_refused_region_is_content() -> None:
    reading = everywhere(GIVING, BAD)
    assert reading.message == {"content": "a<c>{</c> b<i>x</i><c>[</c>", "count": 2}
    assert types(reading)[3:9] == ["open", "chunk", "malformed", "open", "chunk", "close"]
    malformed = next(event for event in reading.events if event["type"] == "region_malformed")
    assert (malformed["reason"], malformed["start"], malformed["end"]) == ("unreadable", 2, 10)


def test_the_text_of_a_refused_region_stands_at_the_end_and_before_a_stop() -> None:
    assert message(GIVING, "<c>{") == {"content": "<c>{"}
    stopped = compile_grammar("""
        grammar g anchor "A" stop "<end>" policy bad text
        field calls[]: json { open "<c>" close "</c>" } field content: text joined "" {}
        """)
    assert message(stopped, "<c>{<end>x") == {"content": "<c>{"}


def test_a_field_has_the_last_word() -> None:
    module = policed("bad drop", field="policy bad text")
    assert message(module, "<c>{</c><i>x</i>") == {"content": "<c>{</c>"}
    module = policed("bad drop", field="policy no bad")
    assert [error.policy for error, _ in everywhere(module, "<c>{</c><i>x</i>").errors] == ["raise", "drop"]


def test_a_parse_has_the_very_last_word() -> None:
    assert DROPPING.parse("a<c>{</c>", prefix="", bad="text") == {"content": "a<c>{</c>"}
    with pytest.raises(ValueError, match="the body is"):
        DROPPING.parse("a<c>{</c>", prefix="", bad="raise")
    assert message(policed("blank skip"), "a<c>{</c> ", bad="drop") == {"content": "a"}


@pytest.mark.parametrize("word", ["bad", "cut", "unknown"])
def test_other_policies_are_refused(word: str) -> None:
    with pytest.raises(ValueError, match=f"{word} is one of "):
        DROPPING.Parser(prefix="", **{word: "nonsense"})


def test_text_needs_a_place_to_go() -> None:
    bare = compile_grammar('grammar g anchor "A" field calls[]: json { open "<c>" close "</c>" }')
    for word in ("bad", "unknown"):
        with pytest.raises(ValueError, match=f'{word}="text" needs a joined implicit field'):
            bare.Parser(prefix="", **{word: "text"})


def test_the_first_error_that_is_raised_tells_all_events_before_it() -> None:
    module = policed("bad drop", field="policy bad raise")
    with pytest.raises(ValueError, match="calls at 8") as caught:
        module.parse("<i>x</i><c>{</c>", prefix="")
    error: Any = caught.value
    assert [event["type"] for event in error.events] == [
        *("region_open", "region_chunk", "region_malformed", "region_open", "region_chunk")
    ]
    assert [one.field for one in error.errors] == ["calls", "count"]


# -- cuts -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cut", "text", "calls", "reason"),
    [
        ("close", "<c>1", [1], None),
        ("bad", "<c>1", None, "incomplete"),
        ("bad", "<c>1</c>", [1], None),
        ("bad", "<c>1</c", None, "incomplete"),
        ("complete", "<c>1", [1], None),
        ("complete", "<c>1</c", [1], None),
        ("complete", "<c>[1</", None, "incomplete"),
        ("complete", "<c>[1]<", [[1]], None),
    ],
)
def test_what_the_end_of_the_text_does(cut: str, text: str, calls: Any, reason: str | None) -> None:
    fields = 'field calls[]: json { open "<c>" close "</c>" } field content: text joined "" {}'
    said = "" if cut == "close" else f"cut {cut}, "
    by_grammar = compile_grammar(f'grammar g anchor "A" policy {said}bad drop {fields}')
    plain_grammar = compile_grammar(f'grammar g anchor "A" policy bad drop {fields}')
    for reading in (everywhere(by_grammar, text), everywhere(plain_grammar, text, cut=cut)):
        assert reading.message == ({} if calls is None else {"calls": calls})
        malformed = [event["reason"] for event in reading.events if event["type"] == "region_malformed"]
        assert malformed == ([] if reason is None else [reason])


def test_what_is_not_parsed_up_to_a_closer_is_not_cut() -> None:
    module = compile_grammar("""
        grammar g anchor "A"
        field think: text { open "<t>" close "</t>" }
        field last: json { open "<l>" }
        field content: text joined "" {}
        """)
    for cut in ("bad", "complete"):
        assert message(module, "a<t>b", cut=cut) == {"content": "a", "think": "b"}
        assert message(module, "a<l>[1]", cut=cut) == {"content": "a", "last": [1]}
    whole = compile_grammar('grammar g anchor "A" field all: json { close "<end>" }')
    assert message(whole, "[1]", cut="bad") == {"all": [1]}


# -- tools ------------------------------------------------------------------------------------------------------------

TOOLS = [{"name": "f", "parameters": {"properties": {"n": {"type": "integer"}}}}]
KNOWN = '<c>{"name": "f", "arguments": {"n": "1"}}</c>'
UNKNOWN = '<c>{"name": "g", "arguments": {}}</c>'


@pytest.mark.parametrize(
    ("unknown", "calls", "content"),
    [("keep", ["f", "g"], "a"), ("drop", ["f"], "a"), ("text", ["f"], "a" + UNKNOWN)],
)
def test_calls_of_tools_that_are_not_there(unknown: str, calls: list[str], content: str) -> None:
    by_grammar, plain_grammar = policed(f"unknown {unknown}"), policed("blank skip")
    text = KNOWN + "a" + UNKNOWN
    for module, options in ((by_grammar, {}), (plain_grammar, {"unknown": unknown})):
        reading = everywhere(module, text, tools=TOOLS, **options)
        assert reading.message is not None
        assert [call["function"]["name"] for call in reading.message["calls"]] == calls
        assert reading.message["content"] == content
        assert reading.message["calls"][0]["function"]["arguments"] == {"n": 1}
        malformed = [event["reason"] for event in reading.events if event["type"] == "region_malformed"]
        assert malformed == ([] if unknown == "keep" else ["unknown-tool"])
        assert len(module.parse(text, prefix="", **options)["calls"]) == 2  # without tools all are known


# -- trim and ended by ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trim", "expected"),
    [
        ("both", "a  |  b"),
        ("none", " \n a  |  b \n\n"),
        ("newline", " \n a  |  b \n"),
        ("start", "a  |  b \n\n"),
        ("end", " \n a  |  b"),
    ],
)
def test_a_joined_field_is_trimmed_as_a_whole(trim: str, expected: str) -> None:
    module = compile_grammar(f"""
        grammar g anchor "A" policy trim {trim}
        field calls[]: json {{ open "<c>" close "</c>" }} field content: text joined "|" {{}}
        """)
    assert message(module, " \n a  <c>1</c>  b \n\n") == {"content": expected, "calls": [1]}


ENDED = compile_grammar("""
    grammar g anchor "A"
    field think: text { open "<t>" close "</t>" ended by calls }
    field draft: text { open "<d>" close "</d>" ended by calls unless closed }
    field calls[]: json { open "<c>" close "</c>" }
    field content: text joined "" {}
    """)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<t>a<c>1</c>b", {"think": "a", "calls": [1], "content": "b"}),
        ("<t>a</t><c>1</c>", {"think": "a", "calls": [1]}),
        ("<t>a<c>1", {"think": "a", "calls": [1]}),
        ("<d>a<c>1</c>b</d>c", {"draft": "a<c>1</c>b", "content": "c"}),
        ("<d>a<c>1</c>b", {"draft": "a", "calls": [1], "content": "b"}),
        ("<d>a", {"draft": "a"}),
    ],
)
def test_an_opener_can_end_a_region(text: str, expected: Any) -> None:
    assert message(ENDED, text) == expected


def test_a_closer_that_is_scanned_for_may_have_begun() -> None:
    module = compile_grammar(r"""
        grammar g anchor "A" policy cut complete, bad drop
        field calls[]: json { open "<c>" close /<\/c\d*>|]]/ }
        field content: text joined "" {}
        """)
    for text, expected in (("<c>1</c1", {"calls": [1]}), ("<c>1]", {"calls": [1]}), ("<c>[1]", {}), ("<c>1x", {})):
        assert message(module, text) == expected


# -- places and blocks ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("when", "text", "expected"),
    [
        ("start", " \n<t>a</t><t>b</t>", {"think": "a", "content": "<t>b</t>"}),
        ("start", "x<t>a</t>", {"content": "x<t>a</t>"}),
        ("line", "<t>a</t>\n<t>b</t> <t>", {"think": "b", "content": " <t>"}),
        ("line", " <t>a</t>", {"content": " <t>a</t>"}),
    ],
)
def test_an_opener_counts_in_its_place(when: str, text: str, expected: Any) -> None:
    module = compile_grammar(f"""
        grammar g anchor "A" field think: text {{ open "<t>" when {when} close "</t>" }}
        field content: text(strip = false) {{}}
        """)
    assert message(module, text) == expected


def test_blocks_of_a_field_fill_one_key() -> None:
    module = compile_grammar("""
        grammar g anchor "A"
        field calls[] as objects: json { open "<c>" close "</c>" }
        field calls[] as words: text { open "<w>" close "</w>" }
        """)
    assert message(module, "<w>a</w><c>1</c><w>b</w>") == {"calls": ["a", 1, "b"]}
    reading = everywhere(module, "<w>a</w>")
    assert {event["field"] for event in reading.events} == {"calls"}
