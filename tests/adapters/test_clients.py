"""What the official clients put together from our events is our message: every case of every grammar goes through the
client of each API, as server-sent events over a connection of its own.

`make test-clients` installs them: openai and anthropic, in the versions of docs/doors.md.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from runtime.adapters.chat import ChatChunks, assistant
from runtime.adapters.messages import MessagesEvents
from runtime.adapters.responses import ResponsesEvents
from tests.adapters.telling import named, parses
from tests.examples import Example, model_examples, module_of
from tests.random_texts import random_cuts

pytestmark = pytest.mark.clients
EXAMPLES = [example for example in model_examples() if not example.is_variant]
KEY = "none"


def call_id(index: int) -> str:
    return f"call_{index}"


def sent(kind: Any, example: Example, **options: Any) -> tuple[dict[str, Any], list[Any]]:
    """The message, and all events; the prompt stops where the response begins."""
    given = {"prefix": example.prefix, "tools": example.tools, "new_id": call_id, **options}
    parser = kind(module_of(example.family), **given)
    begun = parser.initial_chunks if kind is ChatChunks else parser.initial_events
    pieces = random_cuts(Random(example.text), example.text)
    events = [*begun, *(one for piece in pieces for one in parser.feed(piece))]
    message, last = parser.finalize()
    return message, [*events, *last]


def answering(events: list[Any], named: bool, end: str = "") -> Any:
    """A client's connection that answers with the events."""
    import httpx2

    def lines() -> Iterator[str]:
        for event in events:
            yield (f"event: {event['type']}\n" if named else "") + f"data: {json.dumps(event)}\n\n"
        yield end

    body = "".join(lines()).encode()
    return httpx2.Client(
        transport=httpx2.MockTransport(
            lambda request: httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=body)
        )
    )


def generated(example: Example, message: dict[str, Any]) -> dict[str, Any]:
    """The message without what the prompt wrote of it, which is not sent."""
    begun = module_of(example.family).Parser(prefix=example.prefix, tools=example.tools, on_error="keep").partial()
    there = {**begun["message"], **begun["open"]}
    out = dict(message)
    for key, value in there.items():
        if isinstance(value, str) and key != "role" and key in out:
            out[key] = out[key].removeprefix(value.lstrip()).lstrip() if value.strip() else out[key]
        elif key == "tool_calls":
            out[key] = out[key][len(value) :]
    return {key: value for key, value in out.items() if value}


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_openai_chat_completions(example: Example) -> None:
    import openai

    message, chunks = sent(ChatChunks, example, model="m", id="x", created=1)
    client = openai.OpenAI(api_key=KEY, http_client=answering(chunks, False, "data: [DONE]\n\n"))
    with client.chat.completions.stream(model="m", messages=[]) as stream:
        found = stream.get_final_completion().choices[0].message.model_dump(exclude_unset=True)
    expected = assistant(generated(example, message), new_id=call_id)
    assert found["role"] == "assistant"
    assert (found.get("content") or None) == expected["content"]
    assert squeezed(found.get("reasoning_content")) == squeezed(expected.get("reasoning_content"))
    calls = [{**call, "function": plain(call["function"])} for call in found.get("tool_calls") or []]
    assert [{key: call[key] for key in ("id", "type", "function")} for call in calls] == expected.get("tool_calls", [])


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_openai_responses(example: Example) -> None:
    import openai

    message, events = sent(ResponsesEvents, example, model="m", id="x", created=1)
    client = openai.OpenAI(api_key=KEY, http_client=answering(events, True))
    with client.responses.stream(model="m", input="") as stream:
        seen = list(stream)
        response = stream.get_final_response()
    expected = generated(example, message)
    assert response.output_text == expected.get("content", "")
    thought = [part.text for item in response.output if item.type == "reasoning" for part in item.content]
    assert squeezed("".join(thought)) == squeezed(expected.get("reasoning_content"))
    calls = [item for item in response.output if item.type == "function_call"]
    assert [(call.name, json.loads(call.arguments)) for call in calls] == named(expected)
    assert "".join(event.delta for event in seen if event.type == "response.output_text.delta") == response.output_text
    assert [event.arguments for event in seen if event.type == "response.function_call_arguments.done"] == [
        call.arguments for call in calls
    ]


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_anthropic_messages(example: Example) -> None:
    import anthropic

    message, events = sent(MessagesEvents, example, model="m", id="x")
    client = anthropic.Anthropic(api_key=KEY, http_client=answering(events, True))
    with client.messages.stream(model="m", max_tokens=1, messages=[]) as stream:
        found = stream.get_final_message()
    expected = generated(example, message)
    blocks = found.content
    assert "".join(one.text for one in blocks if one.type == "text") == expected.get("content", "")
    thought = "".join(one.thinking for one in blocks if one.type == "thinking")
    assert squeezed(thought) == squeezed(expected.get("reasoning_content"))
    assert [(one.name, one.input) for one in blocks if one.type == "tool_use"] == named(expected)
    assert found.stop_reason == ("tool_use" if named(expected) else "end_turn")


@pytest.mark.parametrize("example", [one for one in EXAMPLES if one.family == "mistral_v11"], ids=str)
def test_openai_sees_whole_calls_that_were_sent_early(example: Example) -> None:
    import openai

    message, chunks = sent(ChatChunks, example, early=True)
    client = openai.OpenAI(api_key=KEY, http_client=answering(chunks, False, "data: [DONE]\n\n"))
    with client.chat.completions.stream(model="m", messages=[]) as stream:
        found = stream.get_final_completion().choices[0].message
    calls = [call.function for call in found.tool_calls or []]
    whole = [(call.name, json.loads(call.arguments)) for call in calls if parses(call.arguments)]
    assert whole == named(generated(example, message))


def plain(function: dict[str, Any]) -> dict[str, Any]:
    return {key: function[key] for key in ("name", "arguments")}


def squeezed(text: str | None) -> str:
    """Without the blanks at the border to what the prompt wrote."""
    return (text or "").strip()
