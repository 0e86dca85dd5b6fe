"""Anthropic's Messages API: pieces of a response go in, its streaming events come out, as plain dicts.

Invariant: blocks come one after the other, each started, filled and stopped before the next. A call is sent when it is
whole: clients of this API read halves of its input as values, so one that is cut off could not be told from a good one.
"""

from __future__ import annotations

from secrets import token_hex
from types import ModuleType
from typing import Any

from .deltas import Arguments, CallBegun, Delta, Deltas, Text

Event = dict[str, Any]
_BLOCKS: dict[str, tuple[dict[str, Any], str, str]] = {
    "content": ({"type": "text", "text": ""}, "text_delta", "text"),
    "reasoning": ({"type": "thinking", "thinking": "", "signature": ""}, "thinking_delta", "thinking"),
}
_REASONS = {"stop": "end_turn", "length": "max_tokens"}


class MessagesEvents:
    """initial_events, feed() -> events, finalize() -> the message and the last events.

    model, id, input_tokens: what the message says of itself. prefix, tools, new_id, options: as for Deltas.
    """

    def __init__(
        self,
        module: ModuleType,
        *,
        prefix: str,
        model: str = "",
        id: str = "",
        input_tokens: int = 0,
        **options: Any,
    ) -> None:
        if options.pop("early", False):
            raise ValueError("calls are not sent early here: a half one would look complete")
        self.deltas = Deltas(module, prefix=prefix, **options)
        self._kind = ""  # of the open block, "" for none
        self._index = -1
        self._has_calls = False
        message: Event = {
            "id": id or f"msg_{token_hex(12)}",
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": {"input_tokens": input_tokens, "output_tokens": 0},
        }
        self.initial_events: list[Event] = [{"type": "message_start", "message": message}]

    def feed(self, text: str) -> list[Event]:
        """The events that this piece decides."""
        return [event for one in self.deltas.feed(text) for event in self._events(one)]

    def finalize(self, finish_reason: str = "stop", output_tokens: int = 0) -> tuple[dict[str, Any], list[Event]]:
        """The parser's message, and the last events. finish_reason: "stop", "length", or a `stop_reason` of the API;
        where the model stopped by itself and there are calls, it is "tool_use"."""
        message, deltas = self.deltas.finalize()
        events = [event for one in deltas for event in self._events(one)] + self._stop()
        reason = (
            "tool_use" if self._has_calls and finish_reason == "stop" else _REASONS.get(finish_reason, finish_reason)
        )
        ended = {"stop_reason": reason, "stop_sequence": None}
        last = {"type": "message_delta", "delta": ended, "usage": {"output_tokens": output_tokens}}
        return message, [*events, last, {"type": "message_stop"}]

    def _events(self, one: Delta) -> list[Event]:
        match one:
            case Text(role, text):
                block, kind, key = _BLOCKS[role]
                events = [] if self._kind == role else self._start(role, block)
                return [*events, self._delta({"type": kind, key: text})]
            case CallBegun(_, ident, name):
                self._has_calls = True
                return self._start("call", {"type": "tool_use", "id": ident, "name": name, "input": {}})
            case Arguments(_, text):
                return [self._delta({"type": "input_json_delta", "partial_json": text})]
            case _:
                return self._stop()

    def _start(self, kind: str, block: dict[str, Any]) -> list[Event]:
        events = self._stop()
        self._kind, self._index = kind, self._index + 1
        return [*events, {"type": "content_block_start", "index": self._index, "content_block": block.copy()}]

    def _delta(self, delta: dict[str, Any]) -> Event:
        return {"type": "content_block_delta", "index": self._index, "delta": delta}

    def _stop(self) -> list[Event]:
        if not self._kind:
            return []
        self._kind = ""
        return [{"type": "content_block_stop", "index": self._index}]
