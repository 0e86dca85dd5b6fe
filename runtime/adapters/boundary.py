"""Where thinking ends: pieces of a response go in, out come what is thought, and then all other text as it stands.

For servers that parse in two steps, reasoning first and calls in what is left. Invariant: what is left begins with the
first region that is no reasoning, or where the message stops; nothing of it is lost, and what the prompt wrote is in
neither.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any

from .deltas import REASONING
from .said import Said


class Boundary:
    """feed() and finish() -> the thoughts and the rest that they decide. ended: all that follows is the rest."""

    def __init__(self, module: ModuleType, *, prefix: str) -> None:
        self._parser = module.Parser(prefix=prefix, spans=True, on_error="keep")
        fields = {state.chunk["field"]: state.streams for state in self._parser.STATES.values()}
        self._said = {name: Said(*how) if how else None for name, how in fields.items() if name in REASONING}
        self._texts: list[str] = []
        self._start = -1  # where the rest begins, once that is known
        self._thoughts(self._parser.initial_events)
        for said in self._said.values():
            if said is not None:
                said.forget()
        has_closed = any(one["type"] == "region_close" for one in self._parser.initial_events)
        is_open = bool(self._parser.partial()["open"].keys() & self._said.keys())
        self.ended = self._start >= 0 or not self._said or (has_closed and not is_open)

    def feed(self, text: str) -> tuple[str, str]:
        """What is thought, and what of the rest there is, as far as this piece decides it."""
        if self.ended:
            return "", text
        self._texts.append(text)
        return self._decided(self._parser.feed(text))

    def finish(self) -> tuple[str, str]:
        """The same at the end of the response."""
        return ("", "") if self.ended else self._decided(self._parser.finalize()[1])

    def _decided(self, events: Iterable[Any]) -> tuple[str, str]:
        thoughts = self._thoughts(events)
        if self._start < 0:
            return thoughts, ""
        self.ended = True
        return thoughts, "".join(self._texts)[max(0, self._start - self._parser.prefix_end) :]

    def _thoughts(self, events: Iterable[Any]) -> str:
        """What the events say of thoughts, up to where the rest begins."""
        out = []
        for event in events:
            kind, said = event["type"], self._said.get(event.get("field"))
            if kind == "text_dropped":
                if event["rule"] == "stop":
                    self._start = event["start"]
                    break
            elif event["field"] not in self._said:
                self._start = event["start"]
                break
            elif said is None:  # it is told as a whole
                out.append(event["value"] if kind == "region_close" else "")
            elif kind == "region_open":
                out.append(said.open())
            elif kind == "region_close":
                out.append(said.close())
            elif kind == "region_chunk":
                there = min(len(event["text"]), max(0, self._parser.prefix_end - event["start"]))
                if there:
                    said.push(event["text"][:there])
                    said.forget()
                out.append(said.push(event["text"][there:]))
        return "".join(out)
