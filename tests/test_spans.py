"""With spans: delimiters, chunks and dropped stretches tile the whole text, and all else stays as it is without."""

from __future__ import annotations

import copy
from itertools import pairwise
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler import compile_grammar, compile_template
from runtime.spans import Spanned, spanned
from tests.feeding import BARE, MIXED, TEXT, again, new, read, refusal, tiles

CHAINED = compile_template(
    {
        "start_anchor": "A>",
        "fields": {
            "call": {
                "open_pattern": r"\s*<(?P<name>\w+)>\s*",
                "close_pattern": r"</(?P<end>\w+)>\s*|(?=<!)",
                "transform": {"name": "{name}", "end": "{end}", "text": "{content}"},
                "repeats": True,
            },
            "content": {"close_pattern": r"<!>|$", "repeats": True, "join": "|"},
        },
    }
)
LOOKING_BACK = compile_grammar(
    r'grammar g anchor "A>" field x[]: json { open /(?<=^|\n)#\s*/ close /\n|\Z/ } '
    r"field y: text { open /\b@/ close /@\b/ }"
)
MODULES = [MIXED, BARE, CHAINED, LOOKING_BACK]
PIECES = [
    *[
        "<t>",
        "</t>",
        "<c=f>",
        "</c>",
        "<i>",
        "</i>",
        "<end>",
        "<!>",
        "<f>",
        "</f>",
        "#",
        "@",
        "\n",
        " ",
        "\t\u3000",
        "\x1c",
    ],
    *["1", '{"id": 1}', "a", "<", "</", "Hi", "\u00e9", "<c=", "\ud83d"],
]
texts = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)


def events_of(module: ModuleType, pieces: list[str], **options: Any) -> list[dict[str, Any]]:
    parser = new(module, spans=True, on_error="keep", **options)
    events = [*parser.initial_events]
    for piece in pieces:
        events += parser.feed(piece)
    return [*events, *parser.finalize()[1]]


def without_spans(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {key: value for key, value in event.items() if key not in ("start", "end", "captures", "error")}
        for event in events
        if event["type"] != "text_dropped"
    ]


@pytest.mark.parametrize("module", MODULES)
@given(prefix=texts, text=texts, size=st.integers(1, 7))
def test_spans_tile_the_text(module: ModuleType, prefix: str, text: str, size: int) -> None:
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    whole = prefix + text
    for cut in (pieces, [text]):
        events = events_of(module, cut, prefix="A>" + prefix)
        tiles(events, whole)
        plain = new(module, prefix="A>" + prefix, on_error="keep")
        expected = [
            *plain.initial_events,
            *(event for piece in cut for event in plain.feed(piece)),
            *plain.finalize()[1],
        ]
        assert without_spans(events) == without_spans(expected)


@pytest.mark.parametrize(
    "meddle", [lambda p: again(p, spans=True), copy.copy, copy.deepcopy], ids=["resume", "copy", "deep"]
)
@pytest.mark.parametrize("size", [1, 3])
def test_spans_go_on_from_a_state(meddle: Any, size: int) -> None:
    pieces = [TEXT[at : at + size] for at in range(0, len(TEXT), size)]
    assert read(new(spans=True), pieces, meddle) == read(new(spans=True), pieces)


def test_events_say_where_they_stand() -> None:
    parser = new(spans=True, prefix="before A>Hi ")
    assert parser.initial_events == [
        {"type": "region_open", "field": "content", "start": 0, "end": 0},
        {"type": "region_chunk", "field": "content", "text": "Hi ", "dirty": False, "start": 0, "end": 3},
    ]
    assert parser.feed("<t>deep</t> \n<c=f>") == [
        {"type": "region_close", "field": "content", "value": "Hi", "start": 3, "end": 3},
        {"type": "region_open", "field": "think", "start": 3, "end": 6, "captures": {}},
        {"type": "region_chunk", "field": "think", "text": "deep", "dirty": False, "start": 6, "end": 10},
        {"type": "region_close", "field": "think", "value": "deep", "start": 10, "end": 14},
        {"type": "text_dropped", "start": 14, "end": 16, "rule": "blank"},
        {"type": "region_open", "field": "calls", "start": 16, "end": 21, "captures": {"name": "f"}},
    ]
    assert parser.feed("1") == [
        {"type": "region_chunk", "field": "calls", "text": "1", "dirty": True, "start": 21, "end": 22}
    ]
    assert parser.prefix_end == 3


def test_the_fast_path_keeps_count() -> None:
    parser = new(spans=True)
    parser.feed("<t>")
    for at in range(3, 9):
        assert parser.feed("x") == [
            {"type": "region_chunk", "field": "think", "text": "x", "dirty": False, "start": at, "end": at + 1}
        ]
    parser.feed("<")
    assert parser.feed("y")[0]["text"] == "<y"
    assert parser.feed("</t>") == [
        {"type": "region_close", "field": "think", "value": "xxxxxx<y", "start": 11, "end": 15}
    ]


@pytest.mark.parametrize(
    ("module", "text", "dropped"),
    [
        (BARE, "ab<t>c</t>d", [(0, 2, "no-field"), (10, 11, "no-field")]),
        (MIXED, "<end><end> \n", [(0, 5, "idle-close"), (5, 10, "idle-close"), (10, 12, "blank")]),
        (CHAINED, "a<!>\n", [(4, 5, "idle-close")]),
        (CHAINED, "<f> \tx</g>\n ", [(3, 5, "blank"), (10, 12, "blank")]),
    ],
)
def test_what_is_dropped_is_said_to_be(module: ModuleType, text: str, dropped: list[tuple[int, int, str]]) -> None:
    for pieces in ([text], list(text)):
        events = [event for event in events_of(module, pieces) if event["type"] == "text_dropped"]
        stretches: list[tuple[int, int, str]] = []
        for event in events:
            start, end, rule = event["start"], event["end"], event["rule"]
            if stretches and stretches[-1][1:] == (start, rule) and rule != "idle-close":
                stretches[-1] = (stretches[-1][0], end, rule)
            else:
                stretches.append((start, end, rule))
        assert stretches == dropped


def test_blanks_within_a_delimiter_are_looked_at_once() -> None:
    module = compile_grammar(r'grammar g anchor "A" field x: text { open /<\s*>\s*/ close ">" }')
    blanks = " " * 200_000
    opening, dropped, *_ = new(module, spans=True).feed(f"<{blanks}>{blanks}x")
    assert (opening["start"], opening["end"]) == (0, 200_002)
    assert (dropped["start"], dropped["end"], dropped["rule"]) == (200_002, 400_002, "blank")


def test_captures_are_a_copy() -> None:
    parser = new(spans=True)
    [event] = parser.feed("<c=f>")
    event["captures"]["name"] = "changed"
    parser.feed('{"id": 1}</c>')
    assert parser.finalize()[0]["calls"] == [{"name": "f", "id": 1}]


def test_a_refused_region_is_where_its_error_says() -> None:
    parser = new(spans=True)
    error = refusal(lambda: parser.feed("ab<i>x</i><t>c"))
    assert (error.start, error.end) == (2, 10)
    assert [(event["start"], event["end"]) for event in error.events] == [(0, 0), (0, 2), (2, 2), (2, 5), (5, 6)]
    assert [(event["start"], event["end"]) for event in parser.feed("")] == [(10, 13), (13, 14)]


def test_each_parser_has_one_class_with_spans() -> None:
    with_spans = type(new(spans=True))
    assert issubclass(with_spans, Spanned) and issubclass(with_spans, MIXED.Parser)
    assert type(new(spans=True)) is with_spans is spanned(MIXED.Parser) is spanned(with_spans)
    assert type(new(spans=False)) is MIXED.Parser
    assert with_spans(prefix="", spans=True).feed("<t>")[0]["end"] == 3


def test_adjacent_spans_lie_side_by_side() -> None:
    events = events_of(MIXED, list(TEXT))
    malformed = [event for event in events if event["type"] == "region_malformed"]
    assert [(event["start"], event["end"]) for event in malformed] == [(44, 52), (53, 79)]
    assert all(before["end"] <= after["end"] for before, after in pairwise(events))
