"""OpenAI's Responses API: pieces of a response go in, its streaming events come out, as plain dicts.

Invariant: items come one after the other, each opened, filled and done before the next; `sequence_number` counts all
events. A call that was sent early and then refused ends as an item whose status is "incomplete".
"""

from __future__ import annotations

import time
from secrets import token_hex
from types import ModuleType
from typing import Any

from .deltas import Arguments, CallBegun, CallEnded, Delta, Deltas, Text

Event = dict[str, Any]
_PARTS = {"content": ("message", "output_text"), "reasoning": ("reasoning", "reasoning_text")}


class ResponsesEvents:
    """initial_events, feed() -> events, finalize() -> the message and the last events, to `response.completed`.

    model, id, created: what the response says of itself. prefix, tools, early, new_id, options: as for Deltas. The ids
    of items are made of the response's.
    """

    def __init__(
        self,
        module: ModuleType,
        *,
        prefix: str,
        model: str = "",
        id: str = "",
        created: float | None = None,
        **options: Any,
    ) -> None:
        self.deltas = Deltas(module, prefix=prefix, **options)
        self._id = id or f"resp_{token_hex(12)}"
        self._model, self._created = model, time.time() if created is None else created
        self._output: list[dict[str, Any]] = []
        self._item: dict[str, Any] | None = None  # the open one, the last of _output
        self._text: list[str] = []  # of the open one
        self._number = 0
        begun = self._response("in_progress")
        self.initial_events = [self._event("created", response=begun), self._event("in_progress", response=begun)]

    def feed(self, text: str) -> list[Event]:
        """The events that this piece decides."""
        return [event for one in self.deltas.feed(text) for event in self._events(one)]

    def finalize(self, finish_reason: str = "stop") -> tuple[dict[str, Any], list[Event]]:
        """The parser's message, and the last events. finish_reason: "length" makes the response incomplete."""
        message, deltas = self.deltas.finalize()
        events = [event for one in deltas for event in self._events(one)] + self._done()
        status = "incomplete" if finish_reason == "length" else "completed"
        return message, [*events, self._event(status, response=self._response(status))]

    def _events(self, one: Delta) -> list[Event]:
        match one:
            case Text(role, text):
                kind, part = _PARTS[role]
                events = [] if self._item and self._item["type"] == kind else self._done() + self._open(kind, part)
                self._text.append(text)
                return [*events, self._of_part(f"{part}.delta", delta=text)]
            case CallBegun(_, ident, name):
                call = {"type": "function_call", "call_id": ident, "name": name, "arguments": ""}
                return [*self._done(), self._added(call)]
            case Arguments(_, text):
                self._text.append(text)
                return [self._of_item("function_call_arguments.delta", delta=text)]
            case CallEnded(_, whole):
                return self._call_done(whole)

    def _open(self, kind: str, part: str) -> list[Event]:
        more: dict[str, Any] = {"role": "assistant"} if kind == "message" else {"summary": []}
        added = self._added({"type": kind, "content": [], **more})
        return [added, self._of_part("content_part.added", part=_part(part, ""))]

    def _added(self, item: dict[str, Any]) -> Event:
        self._item = {"id": f"{self._id}_{len(self._output)}", "status": "in_progress", **item}
        self._output.append(self._item)
        self._text = []
        return self._event("output_item.added", output_index=len(self._output) - 1, item=self._item.copy())

    def _done(self) -> list[Event]:
        """What ends an item of text."""
        if self._item is None:
            return []
        text = "".join(self._text)
        name = next(part for kind, part in _PARTS.values() if kind == self._item["type"])
        part = _part(name, text)
        self._item["content"] = [part]
        return [self._of_part(f"{name}.done", text=text), self._of_part("content_part.done", part=part), self._close()]

    def _call_done(self, whole: bool) -> list[Event]:
        assert self._item is not None
        self._item["arguments"] = text = "".join(self._text)
        if not whole:
            return [self._close("incomplete")]
        return [self._of_item("function_call_arguments.done", arguments=text, name=self._item["name"]), self._close()]

    def _close(self, status: str = "completed") -> Event:
        assert self._item is not None
        item, self._item = self._item, None
        item["status"] = status
        return self._event("output_item.done", output_index=len(self._output) - 1, item=item.copy())

    def _of_item(self, kind: str, **more: Any) -> Event:
        assert self._item is not None
        return self._event(kind, item_id=self._item["id"], output_index=len(self._output) - 1, **more)

    def _of_part(self, kind: str, **more: Any) -> Event:
        logprobs: dict[str, Any] = {"logprobs": []} if kind.startswith("output_text") else {}
        return self._of_item(kind, content_index=0, **more, **logprobs)

    def _event(self, kind: str, **more: Any) -> Event:
        self._number += 1
        return {"type": f"response.{kind}", "sequence_number": self._number - 1, **more}

    def _response(self, status: str) -> dict[str, Any]:
        return {
            "id": self._id,
            "object": "response",
            "created_at": self._created,
            "model": self._model,
            "status": status,
            "error": None,
            "incomplete_details": {"reason": "max_output_tokens"} if status == "incomplete" else None,
            "instructions": None,
            "metadata": {},
            "output": [item.copy() for item in self._output],
            "parallel_tool_calls": True,
            "temperature": None,
            "tool_choice": "auto",
            "tools": [],
            "top_p": None,
        }


def _part(kind: str, text: str) -> dict[str, Any]:
    return {"type": kind, "text": text, **({"annotations": []} if kind == "output_text" else {})}
