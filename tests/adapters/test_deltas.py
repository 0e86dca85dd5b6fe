"""runtime/adapters/deltas.py: its laws, on every case of every shipped grammar, in every chunking."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler import compile_grammar
from runtime import Limits, ParseError
from runtime.adapters.deltas import Arguments, CallBegun, CallEnded, Deltas, Text, calls_of, new_id
from tests.adapters.telling import Telling, named, told
from tests.examples import MODELS, Example, model_examples, module_of
from tests.random_texts import random_cuts

EXAMPLES = model_examples()
OF = {model: [example for example in EXAMPLES if example.family == model] for model in MODELS}


def lawful(telling: Telling, example: Example, prefix: str, text: str, early: bool) -> None:
    """What was told is the message, without what the prefix wrote."""
    message = telling.message
    there, calls_there = prompted(example, prefix, text)
    for role, field in (("reasoning", "reasoning_content"), ("content", "content")):
        whole, sent = message.get(field, ""), telling.texts.get(role, "")
        assert whole.endswith(sent)
        assert unspaced(whole[: len(whole) - len(sent)]) == unspaced(there.get(field, ""))
    assert telling.good == named(message)[calls_there:]
    assert early or all(ended for *_, ended in telling.calls)


def prompted(example: Example, prefix: str, text: str) -> tuple[dict[str, str], int]:
    """By the places of chunks: what the prefix wrote of each field, and how many calls closed in it."""
    parser: Any = module_of(example.family).Parser(prefix=prefix, tools=example.tools, on_error="keep", spans=True)
    closed = [event for event in parser.initial_events if event["type"] == "region_close"]
    events = [*parser.initial_events, *parser.feed(text), *parser.finalize()[1]]
    there: dict[str, str] = {}
    open_text = ""
    for event in events:
        if event["type"] == "region_open":
            open_text = ""
        elif event["type"] == "region_chunk":
            open_text += event["text"][: max(0, parser.prefix_end - event["start"])]
        elif event["type"] == "region_close":
            there[event["field"]] = there.get(event["field"], "") + open_text
    return there, sum(len(calls_of(event["value"])) for event in closed)


def unspaced(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_the_laws_hold_for_every_case(example: Example, early: bool) -> None:
    module, text = module_of(example.family), example.text
    given: dict[str, Any] = {"prefix": example.prefix, "tools": example.tools, "early": early}
    whole = told(module, [text], **given)
    lawful(whole, example, example.prefix, text, early)
    step = 7 if example.is_variant else 3
    ways = [list(text), random_cuts(Random(text), text), *([text[:at], text[at:]] for at in range(1, len(text), step))]
    for pieces in ways:
        assert told(module, pieces, **given).deltas == whole.deltas, pieces


@pytest.mark.parametrize("model", MODELS)
@settings(max_examples=60)
@given(data=st.data())
def test_the_laws_hold_in_every_chunking_and_wherever_a_text_ends(model: str, data: st.DataObject) -> None:
    example = data.draw(st.sampled_from(OF[model]))
    early = data.draw(st.booleans())
    text = example.text[: data.draw(st.integers(0, len(example.text)))]
    border = data.draw(st.integers(0, len(text) // 2))  # the prompt has written this much of the response
    prefix, text = example.prefix + text[:border], text[border:]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=8)))
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    given: dict[str, Any] = {"prefix": prefix, "tools": example.tools, "early": early}
    whole = told(module_of(model), [text], **given)
    lawful(whole, example, prefix, text, early)
    assert told(module_of(model), pieces, **given).deltas == whole.deltas


# -- early ------------------------------------------------------------------------------------------------------------


def pieces_told(module: Any, pieces: list[str], **options: Any) -> list[list[Any]]:
    parser = Deltas(module, early=True, new_id=lambda index: f"c{index}", **{"prefix": "", **options})
    return [*(parser.feed(piece) for piece in pieces), parser.finalize()[1]]


STRICT = [("write", {"type": "object", "properties": {"text": {"type": "string"}, "path": {"type": "string"}}})]
TYPED = [("write", {"type": "object", "properties": {"text": {"type": "integer"}}})]


def tools(schemas: list[tuple[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": "function", "function": {"name": name, "parameters": schema}} for name, schema in schemas]


@pytest.mark.parametrize("given", [None, tools(STRICT), tools([("other", TYPED[0][1])])])
def test_a_strict_body_is_sent_as_it_arrives_but_for_its_last_brace(given: Any) -> None:
    pieces = ['[TOOL_CALLS]write[ARGS] {"te', 'xt": "a', 'b}"} ', "</s>"]
    assert pieces_told(module_of("mistral_v11"), pieces, tools=given) == [
        [CallBegun(0, "c0", "write"), Arguments(0, '{"te')],
        [Arguments(0, 'xt": "a')],
        [Arguments(0, 'b}"'), Arguments(0, "}"), CallEnded(0, True)],
        [],
        [],
    ]


def test_arguments_that_may_be_typed_wait_for_the_close() -> None:
    pieces = ['[TOOL_CALLS]write[ARGS]{"text": "1', '2"}']
    assert pieces_told(module_of("mistral_v11"), pieces, tools=tools(TYPED)) == [
        [CallBegun(0, "c0", "write"), Arguments(0, "{")],
        [Arguments(0, '"text": 12}'), CallEnded(0, True)],
        [],
    ]


def test_a_call_that_is_refused_stays_behind_unfinished_and_is_text_too() -> None:
    pieces = ['[TOOL_CALLS]write[ARGS]{"text": ', "oops}", "</s>"]
    assert pieces_told(module_of("mistral_v11"), pieces) == [
        [CallBegun(0, "c0", "write"), Arguments(0, '{"text": ')],
        [
            CallEnded(0, False),
            Text("content", '[TOOL_CALLS]write[ARGS]{"text":'),  # without the blank that may be the last
            Text("content", " oops}"),
        ],
        [],
        [],
    ]


def test_pairs_announce_the_call_at_its_opener() -> None:
    pieces = ["<tool_call>\n<function=f>\n<parameter=a>\n", "1\n</parameter>\n</function>\n</tool_call>"]
    assert pieces_told(module_of("qwen3_coder"), pieces) == [
        [CallBegun(0, "c0", "f"), Arguments(0, "{")],
        [],  # the closer looks ahead
        [Arguments(0, '"a": "1"}'), CallEnded(0, True)],
    ]


def test_the_model_s_own_id_is_kept() -> None:
    text = "<|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{}<|tool_call_end|>"
    assert pieces_told(module_of("kimi_k2"), [text])[0][0] == CallBegun(0, "functions.f:0", "f")
    assert told(module_of("kimi_k2"), [text], prefix="").calls[0][0] == "functions.f:0"


def test_a_tool_that_the_request_does_not_have_is_not_announced_where_it_would_be_refused() -> None:
    pieces = ["[TOOL_CALLS]other[ARGS]{", '"a": 1}']
    assert pieces_told(module_of("mistral_v11"), pieces, tools=tools(STRICT), unknown="drop") == [[], [], []]
    assert pieces_told(module_of("mistral_v11"), pieces, tools=tools(STRICT))[0]


def test_a_body_that_begins_as_no_object_is_sent_when_it_is_whole() -> None:
    pieces = ["[TOOL_CALLS]write[ARGS]", '"{\\"a\\": ', '1}"', "</s>"]
    assert pieces_told(module_of("mistral_v11"), pieces) == [
        [],
        [],
        [CallBegun(0, "c0", "write"), Arguments(0, '{"a": 1}'), CallEnded(0, True)],
        [],
        [],
    ]


# -- texts that cannot be sent as they arrive, and others --------------------------------------------------------------

REPLACED = compile_grammar("""
    grammar replaced
    default note = "?"
    anchor "<bot>"
    field thinking: text { open "<t>" close "</t>" }
    field note: text { open "<n>" close "</n>" }
    field content: text joined ", " { open "<c>" close "</c>" }
    field score: int { open "<s>" close "</s>" }
""")
LINES = compile_grammar("""
    grammar lines
    anchor "<bot>"
    field reasoning: text joined "" { open "<t>" close "</t>" policy trim newline }
    field content: text(strip = false) joined "|" { open "<c>" close "</c>" }
""")


def test_what_a_later_region_replaces_is_sent_at_the_end() -> None:
    whole = told(REPLACED, ["<t>no</t><c> a </c><s>1</s><t>yes</t><c>b</c><n>x</n>"], prefix="")
    assert whole.deltas == [Text("content", "a, b"), Text("reasoning", "yes")]
    assert whole.message == {"note": "x", "thinking": "yes", "content": "a, b", "score": 1}
    assert told(REPLACED, ["es</t>"], prefix="<bot><t>y").texts == {"reasoning": "es"}


@given(st.lists(st.text(" a\n\r\t", max_size=5), max_size=4), st.lists(st.integers(0, 40), max_size=6))
def test_each_way_to_trim_gives_the_message_s_text(bodies: list[str], cuts: list[int]) -> None:
    text = "".join(f"<t>{body}</t><c>{body}</c>" for body in bodies)
    cuts = sorted(min(cut, len(text)) for cut in cuts)
    for module in (LINES, REPLACED):
        pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
        whole = told(module, pieces, prefix="")
        found = {"reasoning": whole.message.get("reasoning", whole.message.get("thinking"))}
        found["content"] = whole.message.get("content")
        assert whole.texts == {role: value for role, value in found.items() if value}


@pytest.mark.parametrize("trim", ["both", "start", "end", "none", "newline"])
@given(body=st.text(" a\n\r", max_size=8))
def test_policies_of_trimming(trim: str, body: str) -> None:
    module = TRIMMED[trim]
    whole = told(module, list(body), prefix="")
    assert whole.texts.get("content", "") == whole.message.get("content", "")


TRIMMED = {trim: compile_grammar(f"""
        grammar trimmed
        policy trim {trim}
        anchor "<bot>"
        field content: text joined "" {{}}
    """) for trim in ("both", "start", "end", "none", "newline")}


def test_text_that_was_sent_and_is_then_too_long_raises() -> None:
    parser = Deltas(module_of("smollm3"), prefix="", limits=Limits(region=20))
    assert {delta.role for delta in parser.feed("<think>" + "a" * 15)} == {"reasoning"}
    with pytest.raises(ParseError, match="longer"):
        parser.feed("a" * 15 + "</think>")


def test_calls_that_are_none_are_passed_over() -> None:
    text = '<tool_call>{"name": 5, "arguments": {}}</tool_call><tool_call>{"name": "f"}</tool_call>'
    whole = told(module_of("smollm3"), [text], prefix="")
    assert [name for name, _ in whole.good] == ["f"] and len(whole.message["tool_calls"]) == 2


def test_errors_are_kept_and_ids_are_made() -> None:
    parser = Deltas(module_of("smollm3"), prefix="")
    parser.feed("<tool_call>{]</tool_call>")
    assert [error.field for error in parser.errors] == ["tool_calls"]
    assert new_id(0).startswith("call_") and new_id(0) != new_id(0)
