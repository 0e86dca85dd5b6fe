"""Every message that does not come back has a side, and the side is right."""

from __future__ import annotations

from collections import Counter

import pytest

from compiler.chat.messages import CALLS, CONTENT, CONTEXTS, MARKERS, REASONING, assistant
from compiler.chat.roundtrip import GRAMMAR, REFUSED, TEMPLATE, UNREACHABLE, Bench, Trial, markers_message
from compiler.chat.switches import Thinking

from .templates import GRAMMAR as JSON_GRAMMAR
from .templates import JSON, LIST, PLAIN, TAGS, TURNS, bench, renderer

DEFAULT = Thinking("default")
ON_PLAIN = 'grammar plain\nanchor "<|assistant|>"\nfield content: text joined "" { close "<|end|>" }\n'


def one(bench: Bench, kind: str) -> Trial:
    message = {**CONTENT, **REASONING, **CALLS}[kind]
    return bench.trial(kind, message, CONTEXTS[0], DEFAULT)


def test_everything_comes_back() -> None:
    trials = list(bench(JSON).trials())
    assert {trial.verdict for trial in trials} == {"exact", "outer blanks", UNREACHABLE}
    assert {trial.kind for trial in trials} == {*CONTENT, *REASONING, *CALLS, MARKERS}
    assert {trial.context for trial in trials} == {context.name for context in CONTEXTS}
    assert all(trial.equal == (trial.verdict != UNREACHABLE) == trial.reachable for trial in trials)
    assert all(trial.text_law for trial in trials if trial.verdict == "exact")


def test_unreachable_is_what_the_prompt_does_not_begin() -> None:
    """With thinking off the prompt closes an empty block: a message with reasoning cannot follow it."""
    trials = [trial for trial in bench(JSON).trials() if trial.verdict == UNREACHABLE]
    assert {trial.thinking for trial in trials} == {"off"}
    assert {trial.kind for trial in trials} == {kind for kind in (*REASONING, *CALLS) if "reasoning" in kind}


def test_a_template_that_prints_no_calls_is_sent_none() -> None:
    kinds = bench(PLAIN, ON_PLAIN).kinds()
    assert set(kinds) == set(CONTENT)
    assert [context.name for context in bench(PLAIN, ON_PLAIN).contexts()] == [
        "single turn",
        "system",
        "multi turn",
        "items",
    ]


def test_a_context_that_is_refused() -> None:
    trials = list(bench(PLAIN, ON_PLAIN).trials())
    assert Counter(trial.verdict for trial in trials) == {"exact": 15, "outer blanks": 3, REFUSED: 6}
    assert {trial.context for trial in trials if trial.verdict == REFUSED} == {"items"}
    assert "can only concatenate str" in next(trial.why for trial in trials if trial.verdict == REFUSED)


def test_the_template_loses_blanks_inside() -> None:
    squeezing = PLAIN.replace("m.content", "m.content.split() | join(' ')")
    trial = one(bench(squeezing, ON_PLAIN), "lines")
    assert (trial.verdict, trial.why) == (TEMPLATE, "what was parsed is rendered to the same text")
    assert trial.text_law


def test_the_grammar_does_not_know_calls() -> None:
    """The template prints content as it stands, so the text comes out the same: still the grammar missed the call."""
    trial = one(bench(TAGS, ON_PLAIN), "call")
    assert (trial.verdict, trial.why) == (GRAMMAR, "reasoning or calls are read as content")


def test_the_grammar_cannot_parse() -> None:
    trial = one(bench(JSON, JSON_GRAMMAR.replace("text {", "int {")), "reasoning")
    assert trial.verdict == GRAMMAR
    assert "invalid literal for int" in trial.why
    assert trial.parsed is None


def test_the_grammar_parses_wrongly() -> None:
    trial = one(
        bench(JSON, JSON_GRAMMAR.replace('"function": content', '"function": {"name": "f", "arguments": {}}')), "call"
    )
    assert (trial.verdict, trial.why) == (GRAMMAR, "the message differs")


def test_the_anchor_is_missing() -> None:
    trial = one(bench(JSON, JSON_GRAMMAR.replace("im_start", "start")), "content")
    assert (trial.verdict, trial.why) == (GRAMMAR, "the prefix does not contain the anchor")


def test_the_template_leaks_python() -> None:
    leaking = JSON.replace("c.function.arguments | tojson", "c.function.arguments | string")
    assert one(bench(leaking), "call, types").why.startswith("the template prints Python's {'count': -3")
    assert one(bench(leaking), "call, types").verdict == TEMPLATE


def test_the_template_garbles_a_message_that_parses() -> None:
    quoting = (
        TURNS
        % "{% for c in m.tool_calls or [] %}<f>{{ c.function.name }}('{{ c.function.arguments.text }}')</f>{% endfor %}"
    )
    grammar = ON_PLAIN + (
        "field tool_calls[]: text {\n    open /<f>(?P<name>[^(]+)\\('/\n    close /'\\)<\\/f>|'/\n"
        '    emit {"type": "function", "function": {"name": name, "arguments": {"text": content}}}\n}\n'
    )
    trial = one(
        Bench(renderer(quoting), bench(quoting, grammar).module, bench(TAGS, grammar).convention), "call, quotes"
    )
    assert (trial.verdict, trial.why) == (TEMPLATE, 'the template does not escape "\'" inside "\'"')


def test_what_was_parsed_may_be_refused() -> None:
    """A template that takes no empty content, and a grammar that finds none."""
    strict = PLAIN.replace("{{- '<|'", "{%- if not m.content %}{{ raise_exception('empty') }}{% endif %}{{- '<|'")
    trial = one(bench(strict, ON_PLAIN.replace("joined", "joined").replace("content", "other")), "content")
    assert trial.verdict == GRAMMAR
    assert not trial.text_law


def test_char_by_char(monkeypatch: pytest.MonkeyPatch) -> None:
    made = bench(JSON)
    monkeypatch.setattr(Bench, "_streams", lambda *_: False)
    trial = one(made, "content")
    assert (trial.verdict, trial.why) == (GRAMMAR, "char by char it gives another message")


def test_markers_are_those_of_the_template() -> None:
    made = bench(JSON)
    text = markers_message(made.renderer, made.convention)["tool_calls"][0]["function"]["arguments"]["text"]
    assert text == "<|im_start|> and <think> and </think> and <tool_call> and </tool_call> and <|im_end|> are markers"


def test_markers_of_a_template_that_refuses_calls() -> None:
    refusing = renderer("{{ raise_exception('no') }}")
    assert (
        markers_message(refusing, bench(LIST, ON_PLAIN).convention)["tool_calls"][0]["function"]["arguments"]["text"]
        == "</a>"
    )


def test_equal_messages_are_equal() -> None:
    assert assistant("a") == assistant("a", "")
