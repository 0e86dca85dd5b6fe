"""Calls, as in `[name(key=value, ...), ...]`: a body goes in, the calls come out.

Invariant: the notation is read strictly, token by token and once. What is not certain to mean the same to every reader
(positional arguments, repeated names, integers that a double cannot hold, lone surrogates) is refused with ValueError.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

_MAX_DEPTH = 100  # of lists and dicts in an argument
_MAX_INTEGER = 2**53 - 1
_CONSTANTS = {"True": True, "true": True, "False": False, "false": False, "None": None, "null": None}

_ESCAPE = r"""\\(?:["'\\/bfnrt]|u[0-9a-fA-F]{4})"""
_NOT_PLAIN = r"\\\n\r\ud800-\udfff"


# The kinds of token differ in their first character, so that each place in a text allows one of them only.
def token(escape: str, not_plain: str) -> re.Pattern[str]:
    return re.compile(
        r"[ \t\n\r]*(?:"
        r"(?P<mark>[][(){},:=])"
        rf"|(?P<string>'[^'{not_plain}]*(?:{escape}[^'{not_plain}]*)*'"
        rf'|"[^"{not_plain}]*(?:{escape}[^"{not_plain}]*)*")'
        r"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
        r"|(?P<name>[A-Za-z_][A-Za-z0-9_]*(?:[-.][A-Za-z0-9_]+)*)"
        r"|(?P<end>\Z))",
        re.DOTALL,
    )


_TOKEN = token(_ESCAPE, _NOT_PLAIN)
_TOLERANT = {
    ("newlines",): token(_ESCAPE, _NOT_PLAIN.replace(r"\n\r", "")),
    ("escapes",): token(r"\\.", _NOT_PLAIN),
    ("escapes", "newlines"): token(r"\\.", _NOT_PLAIN.replace(r"\n\r", "")),
}
_ESCAPED = re.compile(r"""\\(?:u([0-9a-fA-F]{4})|(["'\\/bfnrt]))""")
_CONTROLS = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


def read_call_list(
    body: str, *, brackets: bool = True, separator: str = ",", tolerate: tuple[str, ...] = ()
) -> list[dict[str, Any]]:
    """Each call as {"name": ..., "arguments": {...}}, in their order.

    brackets: they stand around the calls. separator: what stands between calls: a comma, or white space amid blanks.
    tolerate: commas: missing, doubled or trailing ones. escapes: a backslash before what needs none stands for itself.
    newlines: line breaks in strings. trailing: closing brackets behind the list.
    """
    tokens = Tokens(body, tolerate)
    closing = "]" if brackets else ""
    if brackets:
        tokens.expect("[")
    calls = tokens.items(closing, tokens.call) if separator == "," else tokens.calls_apart(closing, separator)
    tokens.demand_end()
    return calls


class Tokens:
    """The body from `at` on, and the token before it: its kind, its text and where it stands. Only strings hold quotes.

    The end of the body is a token without text.
    """

    __slots__ = ("at", "before", "body", "kind", "lax_commas", "lax_end", "start", "token", "word")

    def __init__(self, body: str, tolerate: tuple[str, ...] = ()) -> None:
        self.body, self.at, self.kind, self.word = body, 0, "", ""
        self.token = self.kind_of_token(tuple(repair for repair in ("escapes", "newlines") if repair in tolerate))
        self.lax_commas, self.lax_end = "commas" in tolerate, "trailing" in tolerate
        self.step()

    @staticmethod
    def kind_of_token(repairs: tuple[str, ...]) -> re.Pattern[str]:
        return _TOLERANT.get(repairs, _TOKEN)

    def step(self) -> None:
        found = self.token.match(self.body, self.at)
        if found is None:
            raise self.fault("a token")
        self.before = self.at  # where the token before this one ends
        self.kind = str(found.lastgroup)
        self.word = found[self.kind]
        self.start, self.at = found.span(self.kind)

    def fault(self, expected: str) -> ValueError:
        return ValueError(f"expected {expected} at or before offset {self.at}")

    def demand_end(self) -> None:
        while self.lax_end and self.word in ("]", ")", "}"):
            self.step()
        if self.kind != "end":
            raise self.fault("the end")

    def passes(self, mark: str) -> bool:
        here = self.word == mark
        if here:
            self.step()
        return here

    def expect(self, mark: str) -> None:
        if not self.passes(mark):
            raise self.fault(repr(mark))

    def name(self) -> str:
        if self.kind != "name":
            raise self.fault("a name")
        name = self.word
        self.step()
        return name

    def items(self, closing: str, read: Callable[[], Any]) -> list[Any]:
        """What `read` gives, time and again, with commas between and none behind; lax ones stand where they will."""
        items: list[Any] = []
        if not self.passes(closing):
            items.append(read())
            while not self.passes(closing):
                if not self.lax_commas:
                    self.expect(",")
                elif self.passes(","):
                    continue
                items.append(read())
        return items

    def unique(self, closing: str, read: Callable[[], tuple[str, Any]]) -> dict[str, Any]:
        pairs = self.items(closing, read)
        unique = dict(pairs)
        if len(unique) < len(pairs):
            raise self.fault("each name once")
        return unique

    def call(self) -> dict[str, Any]:
        name = self.name()
        self.expect("(")
        return {"name": name, "arguments": self.unique(")", self.argument)}

    def calls_apart(self, closing: str, separator: str) -> list[dict[str, Any]]:
        """Calls with a separator among the blanks between them."""
        calls: list[dict[str, Any]] = []
        while not self.passes(closing):
            if calls and separator not in self.body[self.before : self.start]:
                raise self.fault(repr(separator))
            calls.append(self.call())
        return calls

    def argument(self) -> tuple[str, Any]:
        name = self.name()
        self.expect("=")
        return name, self.value(0)

    def member(self, depth: int) -> tuple[str, Any]:
        if self.kind != "string":
            raise self.fault("a string as key")
        key = self.unescaped(self.word)
        self.step()
        self.expect(":")
        return key, self.value(depth)

    def value(self, depth: int) -> Any:
        """The value that begins here, in so many lists and dicts."""
        kind, word = self.kind, self.word
        if word in ("[", "{"):
            self.demand_room(depth)
            self.step()
            if word == "[":
                return self.items("]", lambda: self.value(depth + 1))
            return self.unique("}", lambda: self.member(depth + 1))
        if kind == "string":
            value: Any = self.unescaped(word)
        elif kind == "number":
            value = self.number(word)
        elif word in _CONSTANTS:
            value = _CONSTANTS[word]
        else:
            raise self.fault("a value")
        self.step()
        return value

    def demand_room(self, depth: int) -> None:
        if depth == _MAX_DEPTH:
            raise self.fault(f"at most {_MAX_DEPTH} lists and dicts in one another")

    def unescaped(self, quoted: str) -> str:
        if "\\" not in quoted:
            return quoted[1:-1]
        text = _ESCAPED.sub(_character, quoted)
        return text[1:-1].encode("utf-16", "surrogatepass").decode("utf-16")  # joins surrogates, refuses a lone one

    def number(self, word: str) -> int | float:
        if word.lstrip("-").isdigit():
            if len(word) > 17 or abs(int(word)) > _MAX_INTEGER:
                raise ValueError("an integer that a double may not hold")
            return int(word)
        number = float(word)
        if math.isinf(number):
            raise ValueError("a number that no double can hold")
        return number


def _character(found: re.Match[str]) -> str:
    return chr(int(found[1], 16)) if found[1] else _CONTROLS.get(found[2], found[2])
