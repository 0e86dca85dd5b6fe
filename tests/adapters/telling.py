"""What the deltas of a response say: a module and pieces go in, a Telling comes out: texts, calls, the message.

Invariant: reading one checks what holds at every moment: a call begins once, in order, and its arguments parse only
when it has ended well.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from runtime.adapters.deltas import Arguments, CallBegun, CallEnded, Delta, Deltas, Text, calls_of


@dataclass
class Telling:
    """deltas: all, adjacent ones of one kind merged. calls: of each its id, name, fragments, and how it ended."""

    deltas: list[Delta] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    calls: list[tuple[str, str, str, bool | None]] = field(default_factory=list)
    message: dict[str, Any] = field(default_factory=dict)

    def add(self, deltas: Iterable[Delta]) -> None:
        for delta in deltas:
            match delta:
                case Text(role, text):
                    assert text
                    self.texts[role] = self.texts.get(role, "") + text
                case CallBegun(index, ident, name):
                    assert index == len(self.calls) and all(ended is not None for *_, ended in self.calls)
                    self.calls.append((ident, name, "", None))
                case Arguments(index, text):
                    ident, name, before, ended = self.calls[index]
                    assert text and ended is None and index == len(self.calls) - 1
                    self.calls[index] = (ident, name, before + text, None)
                case CallEnded(index, whole):
                    ident, name, arguments, ended = self.calls[index]
                    assert ended is None and parses(arguments) == whole
                    self.calls[index] = (ident, name, arguments, whole)
            self._merge(delta)

    def _merge(self, delta: Delta) -> None:
        last = self.deltas[-1] if self.deltas else None
        if isinstance(last, Text) and isinstance(delta, Text) and last.role == delta.role:
            self.deltas[-1] = Text(last.role, last.text + delta.text)
        elif isinstance(last, Arguments) and isinstance(delta, Arguments) and last.index == delta.index:
            self.deltas[-1] = Arguments(last.index, last.text + delta.text)
        else:
            self.deltas.append(delta)

    @property
    def good(self) -> list[tuple[str, Any]]:
        """Name and arguments of the calls that ended well."""
        return [(name, json.loads(arguments)) for _, name, arguments, ended in self.calls if ended]


def told(module: ModuleType, pieces: Iterable[str], *, early: bool = False, **options: Any) -> Telling:
    """Read the pieces; between two of them no open call may look complete where they are fed one by one."""
    telling = Telling()
    parser = Deltas(module, early=early, new_id=lambda index: f"call_{index}", **options)
    for piece in pieces:
        telling.add(parser.feed(piece))
        if telling.calls and telling.calls[-1][3] is None:
            assert early and not parses(telling.calls[-1][2])
    telling.message, last = parser.finalize()
    telling.add(last)
    assert all(ended is not None for *_, ended in telling.calls)
    return telling


def named(message: dict[str, Any]) -> list[tuple[str, Any]]:
    """Name and arguments of a message's calls."""
    return [(name, arguments) for _, name, arguments in calls_of(message.get("tool_calls", []))]


def parses(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
