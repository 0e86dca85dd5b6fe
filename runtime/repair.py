"""Repairs of JSON that strict reading refused: a body and the names of repairs go in, other text comes out, to be read
strictly in its turn.

Invariant: one pass, linear in the body. Nothing is invented: no key, no name, no value, only commas, quotes and
backslashes are added, and only commas and closing brackets go.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection

JSON_ESCAPES = '"\\/bfnrtu'
_BLANKS = re.compile(r"[ \t\n\r]*")
_SCALAR = re.compile(r"""[^\s,:{}\[\]"']+""")
_HEX = re.compile("[0-9a-fA-F]{4}")
_SPECIAL = re.compile(r"""["'\\\x00-\x1f]""")
_ENDS = {"{": "}", "[": "]"}


def repaired(text: str, repairs: Collection[str], *, bare_keys: bool = False) -> str:
    """The text with these repairs: commas, escapes, newlines, trailing; single (strings in such quotes), quotes (and
    any quote in a string that nothing which can follow a string follows). bare_keys: words can be keys.

    ValueError for what they do not help; that the rest is JSON is not promised.
    """
    return _Repair(text, repairs, bare_keys).made()


class _Repair:
    """What stands before `at` is read, and written to `out`; `open` holds the brackets that are not closed."""

    def __init__(self, text: str, repairs: Collection[str], bare_keys: bool) -> None:
        self.text, self.at = text, 0
        self.repairs, self.bare_keys = frozenset(repairs), bare_keys
        self.out: list[str] = []
        self.open: list[str] = []
        self.expects = "value"  # key, colon, value, comma (or the end of what is open), nothing
        self.owes_comma = False  # one was read, or is missing, before what comes next

    def made(self) -> str:
        while True:
            self.at = self._past_blanks(self.at)
            if self.at == len(self.text):
                return "".join(self.out)
            char = self.text[self.at]
            if char in "]}":
                self._close(char)
            elif self.expects == "nothing":
                raise ValueError("more than one value")
            elif char == ",":
                self._comma()
            elif char == ":":
                if self.expects != "colon":
                    raise ValueError("a colon that follows no key")
                self._write(":", "value")
            else:
                self._element(char)

    # -- between the elements -----------------------------------------------------------------------------------------

    def _close(self, char: str) -> None:
        if self.expects == "nothing":
            if "trailing" not in self.repairs:
                raise ValueError("brackets behind the value")
            self.at += 1
            return
        is_trailing = self.owes_comma and "commas" in self.repairs
        is_empty = self.out[-1:] == self.open[-1:] and not self.owes_comma
        if not (self.expects == "comma" or is_empty or is_trailing) or not self.open or _ENDS[self.open[-1]] != char:
            raise ValueError(f"{char!r} closes nothing")
        self.open.pop()
        self.owes_comma = False
        self._write(char, self._after_value())

    def _comma(self) -> None:
        doubled = self.owes_comma and "commas" in self.repairs
        if self.expects != "comma" and not doubled:
            raise ValueError("a comma behind nothing")
        self.owes_comma = True
        self.expects = "key" if self.open[-1] == "{" else "value"
        self.at += 1

    def _element(self, char: str) -> None:
        """A key or a value, and the comma before it."""
        if self.expects == "comma":
            if "commas" not in self.repairs:
                raise ValueError("a comma is missing")
            self.owes_comma, self.expects = True, "key" if self.open[-1] == "{" else "value"
        if self.expects == "colon":
            raise ValueError("a key without a colon")
        if self.owes_comma:
            self.out.append(",")
            self.owes_comma = False
        if char == '"' or (char == "'" and not self.repairs.isdisjoint(("single", "quotes"))):
            self._string(char)
        elif self.expects == "key":
            self._bare_key()
        elif char in _ENDS:
            self.open.append(char)
            self._write(char, "key" if char == "{" else "value")
        else:
            self._write(self._scalar(), self._after_value())

    def _write(self, written: str, expects: str) -> None:
        self.out.append(written)
        self.at += len(written)
        self.expects = expects

    def _after_value(self) -> str:
        return "comma" if self.open else "nothing"

    # -- elements -----------------------------------------------------------------------------------------------------

    def _scalar(self) -> str:
        found = _SCALAR.match(self.text, self.at)
        if found is None:
            raise ValueError("a value is missing")
        return found[0]

    def _bare_key(self) -> None:
        word = self._scalar()
        if not self.bare_keys or not word.isidentifier():
            raise ValueError("a key that is no string")
        self.out.append(f'"{word}"')
        self.at += len(word)
        self.expects = "colon"

    def _string(self, quote: str) -> None:
        """The string that begins here, in double quotes."""
        parts = ['"']
        at = self.at + 1
        while True:
            found = _SPECIAL.search(self.text, at)
            if found is None:
                raise ValueError("a string is not closed")
            start = found.start()
            parts.append(self.text[at:start])
            char, at = found[0], start + 1
            if char == "\\":
                written, at = self._escape(at, quote)
            elif char == quote:
                if self._ends_string(at):
                    break
                written = f"\\{char}" if char == '"' else char
            elif char < " ":
                if "newlines" not in self.repairs:
                    raise ValueError("a control character in a string")
                written = json.dumps(char)[1:-1]
            else:
                written = f"\\{char}" if char == '"' else char
            parts.append(written)
        self.out += [*parts, '"']
        self.at = at
        self.expects = "colon" if self.expects == "key" else self._after_value()

    def _ends_string(self, at: int) -> bool:
        """Whether the quote before `at` ends the string that it stands in."""
        behind = self._past_blanks(at)
        return "quotes" not in self.repairs or behind == len(self.text) or self.text[behind] in ",:}]"

    def _escape(self, at: int, quote: str) -> tuple[str, int]:
        """How what stands behind a backslash is written, and where it ends."""
        char = self.text[at : at + 1]
        if char == quote == "'":
            return char, at + 1
        is_known = char in JSON_ESCAPES and (char != "u" or _HEX.match(self.text, at + 1))
        if char and is_known:
            return f"\\{char}", at + 1
        if "escapes" not in self.repairs:
            raise ValueError("an escape that JSON does not have")
        return "\\\\", at

    def _past_blanks(self, at: int) -> int:
        found = _BLANKS.match(self.text, at)
        assert found is not None, "it matches nothing, too"
        return found.end()
