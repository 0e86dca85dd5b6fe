"""What can be said of a response while it arrives: pieces go in, deltas come out that no later one takes back.

Invariant: joined texts are those of the message without what the prompt wrote; each call comes with id and name once,
in final order, and the joined fragments of its arguments parse to the final ones; a call that is cut off or refused
never looks complete: it is not there, or (`early`) its arguments do not parse. However a text is cut, the deltas
(adjacent ones of one kind merged) are the same.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from secrets import token_hex
from types import ModuleType
from typing import Any, Literal

from ..json_body import JsonBody
from ..spans import Spanned
from ..states import State
from ..stream import variant
from .said import Said

Role = Literal["reasoning", "content"]
REASONING = ("reasoning_content", "reasoning", "thinking", "thought", "thoughts", "think", "analysis")
"""Fields that mean what a model thinks, whatever a grammar calls it."""


@dataclass(frozen=True, slots=True)
class Text:
    """More of what is thought or answered; never empty."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class CallBegun:
    """A call: the number of those before it, its id and its name."""

    index: int
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Arguments:
    """More of a call's arguments, as JSON text; never empty."""

    index: int
    text: str


@dataclass(frozen=True, slots=True)
class CallEnded:
    """Nothing more comes of the call. whole: it is one of the message; else it was sent early, and then refused."""

    index: int
    whole: bool


Delta = Text | CallBegun | Arguments | CallEnded


def new_id(index: int) -> str:
    """An id for a call that the model gave none."""
    return f"call_{token_hex(12)}"


class Deltas:
    """feed() -> deltas, finalize() -> the message and the last deltas.

    module: a generated one. prefix, tools, options: as its Parser takes them; errors are kept, in `errors`.
    early: a call is sent before it is known to be good, as far as its class allows (compiler/analyse_streams.py); one
    that is then refused stays behind with arguments that do not parse. new_id: gives an id by the call's index.

    What has no place in such an API, fields of other names and values that are no calls, stands in the message only.
    Raises ParseError when text that was sent is refused after all, which only `limits` and `strict_json` can do.
    """

    def __init__(
        self,
        module: ModuleType,
        *,
        prefix: str,
        tools: Iterable[Any] | None = None,
        early: bool = False,
        new_id: Callable[[int], str] = new_id,
        **options: Any,
    ) -> None:
        tools = None if tools is None else list(tools)
        kind = variant(module.Parser, Marked)
        self._parser = kind(prefix=prefix, tools=tools, spans=True, on_error="keep", **options)
        self._early, self._new_id = early, new_id
        self._said = {
            state.chunk["field"]: Said(*state.streams)
            for state in kind.STATES.values()
            if state.streams and state.streams[0] in ("text", "each")
        }
        self._calls = 0
        self._call: _Early | None = None  # of the open region
        begun = self._parser.partial()
        self._prompted = {**begun["message"], **begun["open"]}  # what the prompt wrote of the message
        list(self._deltas(self._parser.initial_events))
        for said in self._said.values():
            said.forget()
        self._calls = 0

    @property
    def errors(self) -> list[Any]:
        """The ParseError of each refused region so far."""
        return self._parser.errors

    def feed(self, text: str) -> list[Delta]:
        """What this piece decides."""
        return list(self._deltas(self._parser.feed(text)))

    def finalize(self) -> tuple[dict[str, Any], list[Delta]]:
        """The message, with all that the prompt began, and the deltas that only the end decides."""
        message, events = self._parser.finalize()
        deltas = list(self._deltas(events))
        for field, said in self._said.items():
            deltas += _text(field, said.rest())
        for field, value in message.items():
            if field not in self._said and isinstance(value, str):  # shown as a whole: a later region might replace it
                before = self._prompted.get(field)
                deltas += _text(field, value.removeprefix(before if isinstance(before, str) else ""))
        return message, deltas

    def _deltas(self, events: Iterable[Any]) -> Iterator[Delta]:
        for event in events:
            kind, field = event["type"], event.get("field")
            if kind == "text_dropped":
                continue
            if field in self._said:
                yield from self._of_text(kind, field, event)
            elif kind == "region_open":
                self._call = self._may_begin(event["region"], event)
                if self._call is not None:
                    yield from self._call.opened()
            elif kind == "region_chunk":
                if self._call is not None:
                    yield from self._call.more(event["text"])
            else:
                yield from self._ended(event)

    def _of_text(self, kind: str, field: str, event: Any) -> Iterator[Delta]:
        said = self._said[field]
        if kind == "region_open":
            yield from _text(field, said.open())
        elif kind == "region_close":
            yield from _text(field, said.close())
        elif kind == "region_malformed":
            raise event["error"]
        else:
            text = event["text"]
            there = min(len(text), max(0, self._parser.prefix_end - event["start"]))
            if there:
                said.push(text[:there])
                said.forget()
            yield from _text(field, said.push(text[there:]))

    def _may_begin(self, region: State, event: Any) -> _Early | None:
        if not self._early or not region.streams or event["start"] < self._parser.prefix_end:
            return None
        how, name_group, id_group = region.streams
        name, tools = event["captures"].get(name_group), self._parser._tools
        if name is None:
            return None
        if tools is not None and not tools.knows(name) and (self._parser._asked["unknown"] or region.unknown) != "keep":
            return None
        if how == "json" and tools is not None and not tools.leaves_alone(name):
            how = "brace"
        return _Early(how, self._calls, event["captures"].get(id_group) or self._new_id(self._calls), name)

    def _ended(self, event: Any) -> Iterator[Delta]:
        early, self._call = self._call, None
        values = calls_of(event["value"]) if event["type"] == "region_close" else []
        if early is not None and early.is_sent:
            self._calls += 1
            arguments = values[0][2] if values else None
            yield from early.closed(arguments) if values else early.refused()
            return
        for given, name, arguments in values:
            index = self._calls
            self._calls += 1
            yield CallBegun(index, given or self._new_id(index), name)
            yield Arguments(index, json.dumps(arguments))
            yield CallEnded(index, True)


class _Early:
    """A call whose region is open. how: its class, "name", "brace" or "json"."""

    def __init__(self, how: str, index: int, ident: str, name: str) -> None:
        self._how, self._index = how, index
        self._head = CallBegun(index, ident, name)
        self._body: JsonBody | None = JsonBody() if how == "json" else None
        self._waits: list[str] = []  # what ends the value, and stands behind it: sent when the region has closed well
        self._size = 0  # of the body so far, from the brace
        self.is_sent = False

    def opened(self) -> Iterator[Delta]:
        if self._how == "name":
            yield from self._begin("{")

    def more(self, text: str) -> Iterator[Delta]:
        if self._how == "name" or (self._how == "brace" and self.is_sent) or self._how == "never":
            return
        if not self.is_sent:
            text = text.lstrip()
            if not text:
                return
            if text[0] != "{":
                self._how = "never"
                return
            yield from self._begin("{" if self._how == "brace" else "")
        if self._body is not None:
            self._body.read(text)
            end = self._body.end
            certain = len(text) if end < 0 else min(len(text), max(0, end - 1 - self._size))
            self._size += len(text)
            if certain:
                yield Arguments(self._index, text[:certain])
            if certain < len(text):
                self._waits.append(text[certain:])

    def closed(self, arguments: Any) -> Iterator[Delta]:
        text = "".join(self._waits).rstrip() if self._how == "json" else json.dumps(arguments)[1:]
        yield Arguments(self._index, text)
        yield CallEnded(self._index, True)

    def refused(self) -> Iterator[Delta]:
        yield CallEnded(self._index, False)

    def _begin(self, text: str) -> Iterator[Delta]:
        self.is_sent = True
        yield self._head
        if text:
            yield Arguments(self._index, text)


class Marked(Spanned):
    """The parser with spans, whose opens say by which state."""

    __slots__ = ()

    def _enter(self, region: State, start: int, end: int) -> None:
        super()._enter(region, start, end)
        event: Any = self._events[-1]
        event["region"] = region


def calls_of(value: Any) -> list[tuple[str, str, Any]]:
    """The calls of a region's value, or of a message's list: id ("" for none), name, arguments. What is none is passed
    over."""
    found = []
    for one in value if isinstance(value, list) else [value]:
        function = one.get("function") if isinstance(one, dict) else None
        if isinstance(function, dict) and isinstance(name := function.get("name"), str):
            given = one.get("id")
            found.append((given if isinstance(given, str) else "", name, function.get("arguments", {})))
    return found


def _text(field: str, text: str) -> Iterator[Text]:
    role: Role | None = "content" if field == "content" else "reasoning" if field in REASONING else None
    if text and role:
        yield Text(role, text)
