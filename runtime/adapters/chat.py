"""OpenAI's chat completions: pieces of a response go in, chunks as its API streams them come out, as plain dicts.

Invariant: what the official client puts together from the chunks is `assistant` of the message. An index is a call's
place in `tool_calls`; `role` comes once, first.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from secrets import token_hex
from types import ModuleType
from typing import Any, Literal

from .deltas import REASONING, Arguments, CallBegun, CallEnded, Delta, Deltas, Text, calls_of, new_id

Chunk = dict[str, Any]
Reasoning = Literal["reasoning_content", "reasoning"]


class ChatChunks:
    """initial_chunks, feed() -> chunks, finalize() -> the message and the last chunks.

    reasoning: the key of what is thought; servers differ. model, id, created: what the chunks say of themselves, the
    last in seconds since 1970. prefix, tools, early, new_id, options: as for Deltas.
    """

    def __init__(
        self,
        module: ModuleType,
        *,
        prefix: str,
        model: str = "",
        reasoning: Reasoning = "reasoning_content",
        id: str = "",
        created: int | None = None,
        **options: Any,
    ) -> None:
        self.deltas = Deltas(module, prefix=prefix, **options)
        self._reasoning = reasoning
        self._has_calls = False
        self._head = {
            "id": id or f"chatcmpl-{token_hex(12)}",
            "object": "chat.completion.chunk",
            "created": int(time.time()) if created is None else created,
            "model": model,
        }
        self.initial_chunks: list[Chunk] = [self._chunk({"role": "assistant", "content": ""})]

    def feed(self, text: str) -> list[Chunk]:
        """The chunks that this piece decides."""
        return self._chunks(self.deltas.feed(text))

    def finalize(self, finish_reason: str = "stop") -> tuple[dict[str, Any], list[Chunk]]:
        """The parser's message, and the last chunks. finish_reason: why generation ended; where the model stopped by
        itself and there are calls, the last chunk says "tool_calls"."""
        message, deltas = self.deltas.finalize()
        chunks = self._chunks(deltas)
        reason = "tool_calls" if self._has_calls and finish_reason == "stop" else finish_reason
        return message, [*chunks, self._chunk({}, reason)]

    def _chunks(self, deltas: list[Delta]) -> list[Chunk]:
        self._has_calls |= any(isinstance(one, CallEnded) and one.whole for one in deltas)
        return [self._chunk(shown) for one in deltas if (shown := delta(one, self._reasoning))]

    def _chunk(self, delta: dict[str, Any], finish_reason: str | None = None) -> Chunk:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        return {**self._head, "choices": [choice]}


def delta(one: Delta, reasoning: str = "reasoning_content") -> dict[str, Any]:
    """The `delta` of a chunk; {} for what needs none."""
    match one:
        case Text("reasoning", text):
            return {reasoning: text}
        case Text(_, text):
            return {"content": text}
        case CallBegun(index, ident, name):
            function = {"name": name, "arguments": ""}
            return {"tool_calls": [{"index": index, "id": ident, "type": "function", "function": function}]}
        case Arguments(index, text):
            return {"tool_calls": [{"index": index, "function": {"arguments": text}}]}
        case _:
            return {}


def assistant(
    message: dict[str, Any], reasoning: Reasoning = "reasoning_content", new_id: Callable[[int], str] = new_id
) -> dict[str, Any]:
    """A parser's message as the API writes it when it does not stream: role, content, reasoning, tool_calls, where the
    arguments are JSON text. new_id: gives an id to a call that has none."""
    content = message.get("content")
    shown: dict[str, Any] = {"role": "assistant", "content": content if isinstance(content, str) else None}
    thought = next((message[name] for name in REASONING if isinstance(message.get(name), str)), None)
    if thought is not None:
        shown[reasoning] = thought
    calls = [call for value in message.values() for call in calls_of(value)]
    if calls:
        shown["tool_calls"] = [
            {
                "id": ident or new_id(index),
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for index, (ident, name, arguments) in enumerate(calls)
        ]
    return shown
