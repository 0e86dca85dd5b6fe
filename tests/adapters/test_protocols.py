"""The events of three APIs, without their clients (test_clients.py has those): their order, and what is said once."""

from __future__ import annotations

import json
from typing import Any

import pytest

from runtime.adapters.chat import ChatChunks, assistant
from runtime.adapters.messages import MessagesEvents
from runtime.adapters.responses import ResponsesEvents
from tests.examples import module_of

PROMPT = "<|im_start|>assistant\n"
PIECES = ["<think>Hm", ".\n</think>\n", 'Sure. <tool_call>{"name": "now", "arg', 'uments": {}}</tool_call> Done.', " "]
IDS = {"id": "x", "model": "m", "new_id": lambda index: f"call_{index}"}


def fed(parser: Any, pieces: list[str], **end: Any) -> list[Any]:
    begun = parser.initial_chunks if isinstance(parser, ChatChunks) else parser.initial_events
    out = [*begun, *(one for piece in pieces for one in parser.feed(piece))]
    return [*out, *parser.finalize(**end)[1]]


@pytest.mark.parametrize("reasoning", ["reasoning_content", "reasoning"])
def test_chat_chunks(reasoning: Any) -> None:
    parser = ChatChunks(module_of("smollm3"), prefix=PROMPT, created=7, reasoning=reasoning, **IDS)
    chunks = fed(parser, PIECES)
    head = {"id": "x", "object": "chat.completion.chunk", "created": 7, "model": "m"}
    assert all({key: chunk[key] for key in head} == head for chunk in chunks)
    assert [chunk["choices"][0]["delta"] for chunk in chunks] == [
        {"role": "assistant", "content": ""},
        {reasoning: "Hm"},
        {reasoning: "."},
        {"content": "Sure."},
        {
            "tool_calls": [
                {"index": 0, "id": "call_0", "type": "function", "function": {"name": "now", "arguments": ""}}
            ]
        },
        {"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]},
        {"content": "  Done."},
        {},
    ]
    assert [chunk["choices"][0]["finish_reason"] for chunk in chunks] == [None] * 7 + ["tool_calls"]


@pytest.mark.parametrize(
    "pieces, given, said",
    [(PIECES, "stop", "tool_calls"), (PIECES, "length", "length"), (["Hi"], "stop", "stop")],
)
def test_why_a_chat_ends(pieces: list[str], given: str, said: str) -> None:
    chunks = fed(ChatChunks(module_of("smollm3"), prefix=PROMPT), pieces, finish_reason=given)
    assert chunks[-1]["choices"][0]["finish_reason"] == said
    assert chunks[0]["id"].startswith("chatcmpl-") and chunks[0]["created"] > 0


def test_a_refused_call_is_no_reason_to_end() -> None:
    pieces = ["[TOOL_CALLS]f[ARGS]{", "?}"]
    chunks = fed(ChatChunks(module_of("mistral_v11"), prefix="", early=True), pieces)
    assert chunks[1]["choices"][0]["delta"]["tool_calls"]
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"


def test_a_message_as_it_is_not_streamed() -> None:
    message = module_of("smollm3").parse("".join(PIECES), prefix=PROMPT)
    shown = assistant(message, "reasoning", new_id=lambda index: f"c{index}")
    call = {"id": "c0", "type": "function", "function": {"name": "now", "arguments": "{}"}}
    assert shown == {"role": "assistant", "content": "Sure.  Done.", "reasoning": "Hm.", "tool_calls": [call]}
    assert assistant({"role": "assistant"}) == {"role": "assistant", "content": None}


def test_responses_events() -> None:
    events = fed(ResponsesEvents(module_of("smollm3"), prefix=PROMPT, created=7, **IDS), PIECES)
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    assert [event["type"].removeprefix("response.") for event in events] == [
        *("created", "in_progress"),
        *("output_item.added", "content_part.added", "reasoning_text.delta", "reasoning_text.delta"),
        *("reasoning_text.done", "content_part.done", "output_item.done"),
        *("output_item.added", "content_part.added", "output_text.delta"),
        *("output_text.done", "content_part.done", "output_item.done"),
        *("output_item.added", "function_call_arguments.delta", "function_call_arguments.done", "output_item.done"),
        *("output_item.added", "content_part.added", "output_text.delta"),
        *("output_text.done", "content_part.done", "output_item.done"),
        "completed",
    ]
    output = events[-1]["response"]["output"]
    assert [item["id"] for item in output] == ["x_0", "x_1", "x_2", "x_3"]
    assert output[0]["content"] == [{"type": "reasoning_text", "text": "Hm."}]
    assert (output[2]["call_id"], output[2]["name"], output[2]["arguments"]) == ("call_0", "now", "{}")
    assert [item["status"] for item in output] == ["completed"] * 4
    assert events[0]["response"]["output"] == [] and events[0]["response"]["status"] == "in_progress"


def test_a_refused_call_is_an_incomplete_item() -> None:
    pieces = ["[TOOL_CALLS]f[ARGS]{", "?}"]
    events = fed(ResponsesEvents(module_of("mistral_v11"), prefix="", early=True), pieces, finish_reason="length")
    done = [event["item"] for event in events if event["type"] == "response.output_item.done"]
    assert [(item["type"], item["status"]) for item in done] == [
        ("function_call", "incomplete"),
        ("message", "completed"),
    ]
    assert events[-1]["type"] == "response.incomplete"
    assert events[-1]["response"]["incomplete_details"] == {"reason": "max_output_tokens"}


def test_messages_events() -> None:
    parser = MessagesEvents(module_of("smollm3"), prefix=PROMPT, input_tokens=3, **IDS)
    events = fed(parser, PIECES, output_tokens=9)
    assert events[0]["message"]["usage"] == {"input_tokens": 3, "output_tokens": 0}
    assert [(event.get("index"), event["type"].removeprefix("content_block_")) for event in events[1:-2]] == [
        *((0, "start"), (0, "delta"), (0, "delta"), (0, "stop")),
        *((1, "start"), (1, "delta"), (1, "stop")),
        *((2, "start"), (2, "delta"), (2, "stop")),
        *((3, "start"), (3, "delta"), (3, "stop")),
    ]
    assert events[8]["content_block"] == {"type": "tool_use", "id": "call_0", "name": "now", "input": {}}
    assert json.loads(events[9]["delta"]["partial_json"]) == {}
    assert events[-2]["delta"] == {"stop_reason": "tool_use", "stop_sequence": None}
    assert events[-2]["usage"] == {"output_tokens": 9}
    assert events[-1] == {"type": "message_stop"}


@pytest.mark.parametrize(
    "given, said", [("stop", "end_turn"), ("length", "max_tokens"), ("stop_sequence", "stop_sequence")]
)
def test_why_a_message_ends(given: str, said: str) -> None:
    events = fed(MessagesEvents(module_of("smollm3"), prefix=""), ["Hi"], finish_reason=given)
    assert events[-2]["delta"]["stop_reason"] == said
    assert events[0]["message"]["id"].startswith("msg_")


def test_nothing_is_sent_early_where_halves_look_whole() -> None:
    with pytest.raises(ValueError, match="early"):
        MessagesEvents(module_of("smollm3"), prefix="", early=True)
