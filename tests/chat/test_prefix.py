"""What prompts leave open is what a parser holds open behind them."""

from __future__ import annotations

import pytest

from compiler.chat.prefix import Point, report
from compiler.parse import parse

from .templates import GRAMMAR as JSON_GRAMMAR
from .templates import JSON, PLAIN, bench
from .test_roundtrip import ON_PLAIN


def points(text: str, grammar: str) -> dict[tuple[str, str], Point]:
    return {(point.context, point.thinking): point for point in report(bench(text, grammar), parse(grammar, "g"))}


def test_reasoning_is_open_where_the_prompt_opens_it() -> None:
    found = points(JSON, JSON_GRAMMAR)
    for context in ("single turn", "multi turn", "tool result"):
        assert (found[context, "default"].region, found[context, "default"].behind) == (
            "reasoning_content",
            "<think>\n",
        )
        assert found[context, "on"].region == "reasoning_content"
        assert (found[context, "off"].region, found[context, "off"].behind) == ("", "<think>\n\n</think>\n\n")
    assert not any(point.warnings for point in found.values())
    assert all(point.continues == "" for point in found.values())


def test_an_anchor_that_eats_the_opener() -> None:
    grammar = JSON_GRAMMAR.replace('assistant\\n"', 'assistant\\n<think>\\n" | "<|im_start|>assistant\\n"')
    found = points(JSON, grammar)
    assert found["single turn", "default"].warnings == (
        "the anchor eats '<think>', which should open reasoning_content",
    )
    assert found["single turn", "default"].region == ""


def test_an_anchor_that_eats_an_empty_block_eats_nothing() -> None:
    anchor = "anchor /<\\|im_start\\|>assistant\\n(?:<think>\\s*<\\/think>)?/"
    grammar = JSON_GRAMMAR.replace('anchor "<|im_start|>assistant\\n"', anchor)
    found = points(JSON, grammar)
    assert not any(point.warnings for point in found.values())
    assert found["single turn", "off"].behind == "\n\n"


def test_an_anchor_that_is_not_there() -> None:
    found = points(PLAIN, ON_PLAIN.replace("<|assistant|>", "<|model|>"))
    (point,) = {point for key, point in found.items() if key[0] == "single turn"}
    assert point.behind is None
    assert point.warnings == ("the prompt does not contain the anchor: all of it will be parsed",)
    assert point.continues == "the prefix does not contain the anchor"


def test_contexts_that_are_refused_are_left_out() -> None:
    assert {context for context, _ in points(PLAIN, ON_PLAIN)} == {"single turn", "system", "multi turn"}


@pytest.mark.parametrize(
    ("text", "grammar", "why"),
    [
        (
            PLAIN.replace("m.content", "(m.content | replace('degrees', '°'))"),
            ON_PLAIN,
            "continue_final_message is set but",
        ),
        (PLAIN.replace("m.content +", "(m.content | length ~ m.content) +"), ON_PLAIN, "the whole message does not"),
        (PLAIN, ON_PLAIN.replace("content: text", "other: text"), "it is read as ''"),
    ],
)
def test_why_a_message_does_not_continue(text: str, grammar: str, why: str) -> None:
    assert why in points(text, grammar)["single turn", "default"].continues
