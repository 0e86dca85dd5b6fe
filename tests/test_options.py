"""What a parser is made with: options, tools and a prefix are taken, or refused in words."""

from __future__ import annotations

from typing import Any

import pytest

from compiler import compile_grammar, compile_template
from runtime import AnchorNotFound
from tests.feeding import MIXED, chunk, closed, new, opened, refusal


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


def test_tools_type_arguments() -> None:
    module = compile_grammar(
        'grammar g anchor "A" field calls[]: json { open "<c>" close "</c>" emit {"function": content} }'
    )
    tools = [{"name": "f", "parameters": {"properties": {"n": {"type": "integer"}}}}]
    text = '<c>{"name": "f", "arguments": {"n": "1"}}</c>'
    for options, n in (({}, "1"), ({"tools": tools}, 1), ({"tools": iter(tools)}, 1), ({"coerce": "exact"}, "1")):
        assert module.parse(text, prefix="", **options)["calls"][0]["function"]["arguments"] == {"n": n}


def test_tools_may_come_one_by_one() -> None:
    """parse() reads them again when a region is refused."""
    module = compile_grammar("""
        grammar g anchor "A"
        field calls[]: json { open "<c>" close "</c>" emit {"function": content} }
        field count: int { open "<i>" close "</i>" }
        """)
    tools = [{"name": "f", "parameters": {"properties": {"n": {"type": "integer"}}}}]
    text = '<c>{"name": "f", "arguments": {"n": "1"}}</c><i>x</i>'
    error = refusal(lambda: module.parse(text, prefix="", tools=iter(tools)))
    assert error.message["calls"][0]["function"]["arguments"] == {"n": 1}


def test_keeping_errors_drops_what_the_end_cuts_off() -> None:
    module = compile_template(
        {
            "start_anchor": "<A>",
            "fields": {
                "reasoning_content": {"open": "<think>", "close": "</think>"},
                "tool_calls": {"open": "<t>", "close": "</t>", "repeats": True, "content": "json"},
                "content": {},
            },
        }
    )
    parser = module.Parser(prefix="", on_error="keep")
    events = parser.feed('<t>1</t>a<t>{"complete": true}')
    message, last = parser.finalize()
    assert message == {"tool_calls": [1], "content": "a"}
    assert [error.text for error in parser.errors] == ['{"complete": true}']
    assert (events + last)[-1]["reason"] == "incomplete"
    assert module.parse("<think>half a thought", prefix="", on_error="keep") == {"reasoning_content": "half a thought"}
    assert module.parse("<t>1", prefix="", on_error="keep", cut="close") == {"tool_calls": [1]}
    assert module.parse("<t>1", prefix="") == {"tool_calls": [1]}
