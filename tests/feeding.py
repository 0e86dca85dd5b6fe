"""A parser to feed by hand, and what comes of it: events as they are written, a whole reading, a refusal.

In goes a parser and pieces of text; a reading says all that the calls said, so two that are equal cannot be told apart.
"""

from __future__ import annotations

import json
from types import ModuleType
from typing import Any

import pytest

from compiler import compile_grammar
from runtime import ParseError

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

TEXT = 'Hi <t>deep</t> \n there <c=f>{"id": [1]}</c> <i>x</i>a<i><c=g>{"id": 2}</c>b</i><end> \n\n c<t>open'
"""A response for MIXED with a bit of everything; two of its regions are refused."""


def opened(field: str) -> Event:
    return {"type": "region_open", "field": field}


def chunk(field: str, text: str, dirty: bool = False) -> Event:
    return {"type": "region_chunk", "field": field, "text": text, "dirty": dirty}


def closed(field: str, value: Any) -> Event:
    return {"type": "region_close", "field": field, "value": value}


def new(module: ModuleType = MIXED, **options: Any) -> Any:
    return module.Parser(**{"prefix": "", **options})


def refusal(call: Any) -> ParseError:
    with pytest.raises(ParseError) as caught:
        call()
    return caught.value


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


def tiles(events: list[Event], whole: str) -> None:
    """Events with spans cover the text from end to end: each begins where the last one ended, a chunk is what stands
    there. What a malformed region said before is void; its stretch counts once, also where its text is given away."""
    at = begun = 0
    given_away: Event | None = None
    for event in events:
        start, end = event["start"], event["end"]
        if event["type"] == "region_malformed":
            assert start == begun <= at <= end and event["text"] in whole[start:end]
            given_away, at = event, end
            continue
        if given_away and event["type"] == "region_open" and (start, end) == (given_away["start"],) * 2:
            at = start
        assert start == at, (event, events)
        if event["type"] == "region_open":
            begun = start
        if event["type"] == "region_chunk":
            assert whole[start:end] == event["text"]
        if event["type"] == "text_dropped":
            assert start < end
        if event["type"] == "region_close":
            assert not whole[start:end].endswith((" ", "\n", "\u3000"))
        given_away, at = None, end
    assert at == len(whole)
