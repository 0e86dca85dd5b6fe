"""One Python literal: a body goes in, the value comes out as JSON has it: tuples are lists.

Invariant: nothing is evaluated. Strings without prefix, numbers, constants, lists, tuples and dicts with strings as
keys, each once, are all there is; the work is linear in the body.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from .read_calls import Tokens, token

_PLAIN = token(r"\\.", r"\\\n\r\ud800-\udfff")
_WITH_NEWLINES = token(r"\\.", r"\\\ud800-\udfff")
_ESCAPED = re.compile(
    r"""\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U(00[01][0-9a-fA-F]{5})|(["'\\abfnrtv])|([0-7]{1,3}))"""
)
_CONTROLS = {"a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def read_python(body: str, *, tolerate: tuple[str, ...] = ()) -> Any:
    """The value; ValueError when the body is no literal.

    tolerate: newlines: line breaks in strings. trailing: closing brackets behind the value.
    """
    tokens = _Literals(body, tolerate)
    value = tokens.value(0)
    tokens.demand_end()
    return value


class _Literals(Tokens):
    """As call lists have them, and what Python allows besides: tuples, a last comma, all escapes."""

    __slots__ = ("ended_with_comma",)

    @staticmethod
    def kind_of_token(repairs: tuple[str, ...]) -> re.Pattern[str]:
        return _WITH_NEWLINES if "newlines" in repairs else _PLAIN

    def value(self, depth: int) -> Any:
        if self.word != "(":
            return super().value(depth)
        self.demand_room(depth)
        self.step()
        items = self.items(")", lambda: self.value(depth + 1))
        return items if len(items) != 1 or self.ended_with_comma else items[0]

    def items(self, closing: str, read: Callable[[], Any]) -> list[Any]:
        items: list[Any] = []
        while not self.passes(closing):
            items.append(read())
            if not self.passes(","):
                self.expect(closing)
                self.ended_with_comma = False
                return items
        self.ended_with_comma = bool(items)
        return items

    def unescaped(self, quoted: str) -> str:
        return _ESCAPED.sub(_character, quoted)[1:-1].encode("utf-16", "surrogatepass").decode("utf-16")

    def number(self, word: str) -> int | float:
        return int(word) if word.lstrip("-").isdigit() else super().number(word)


def _character(found: re.Match[str]) -> str:
    if found[5]:
        return chr(int(found[5], 8))
    number = found[1] or found[2] or found[3]
    return chr(int(number, 16)) if number else _CONTROLS.get(found[4], found[4])
