"""A JSON body while it arrives: pieces go in, what can follow comes out, whether inside of a string or not.

Invariant: however a body is cut, the state behind it is the same, and each character is looked at once. `dead` means
that no continuation makes the body a JSON value as its field reads it.
"""

from __future__ import annotations

import re

_QUOTE = re.compile(r'["\\]')
_SCALAR = re.compile(r"[^\s,:{}\[\]\"]*")
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|NaN|-?Infinity")
_BEGUN = re.compile(
    r"-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:(?<=[0-9])[eE][+-]?[0-9]*)?)?"
    r"|t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?|N(?:aN?)?|-?I(?:n(?:f(?:i(?:n(?:i(?:ty?)?)?)?)?)?)?"
)
_KEY = re.compile(r"\w+")
_BLANKS = " \t\n\r"
LONGEST = 5_000  # of a number, which Python would not read, or a bare key


class JsonBody:
    """complete: one whole value and blanks. in_string: the next character is inside of a string. dead: see above. end:
    where in the body the value ended, or where it could not go on; -1 before.

    unquoted_keys, string_delims: the dialect, as read_json takes it; strings of either kind hide those of the other.
    """

    __slots__ = ("_begun", "_closer", "_escaped", "_expects", "_keys", "_openers", "_stack", "_taken", "dead", "end")

    def __init__(self, *, unquoted_keys: bool = False, string_delims: tuple[tuple[str, str], ...] = ()) -> None:
        self._keys = unquoted_keys
        self._openers = dict(string_delims)
        self._stack: list[str] = []
        self._expects = "value"  # value, item (or the end of the list), member (or the end), key, colon, comma, nothing
        self._closer = ""  # what ends the string that is open
        self._escaped = False
        self._begun = ""  # of a scalar, a bare key, an opener or a closer, that has not ended yet
        self._taken = 0  # how much of the body is behind what has begun
        self.dead = False
        self.end = -1

    @property
    def in_string(self) -> bool:
        return bool(self._closer)

    @property
    def complete(self) -> bool:
        return not self.dead and not self._closer and self._expects in ("nothing", "value") and self._ends_whole()

    def read(self, piece: str) -> None:
        """The next characters of the body."""
        text, at = self._begun + piece, 0
        self._begun = ""
        while at < len(text) and not self.dead:
            before = at
            at = self._in_string(text, at) if self._closer else self._outside(text, at)
            if self.end < 0 and self.dead:
                self.end = self._taken + before
            elif self.end < 0 and self._expects == "nothing":
                self.end = self._taken + at
        self._taken += len(text) - len(self._begun)

    def _ends_whole(self) -> bool:
        if self._expects == "nothing":
            return True
        return not self._stack and bool(_WHOLE.fullmatch(self._begun))

    # -- strings ------------------------------------------------------------------------------------------------------

    def _in_string(self, text: str, at: int) -> int:
        if self._closer != '"':
            return self._in_delimited(text, at)
        if self._escaped:
            self._escaped = False
            return at + 1
        found = _QUOTE.search(text, at)
        if found is None:
            return len(text)
        if found[0] == "\\":
            self._escaped = True
        else:
            self._end_string()
        return found.end()

    def _in_delimited(self, text: str, at: int) -> int:
        found = text.find(self._closer, at)
        if found >= 0:
            size = len(self._closer)
            self._end_string()
            return found + size
        self._begun = _tail(text, at, self._closer)
        return len(text)

    def _end_string(self) -> None:
        self._closer = ""
        self._after_value() if self._expects in ("value", "item") else self._expect("colon")

    # -- between strings ----------------------------------------------------------------------------------------------

    def _outside(self, text: str, at: int) -> int:
        char = text[at]
        if char in _BLANKS:
            return at + 1
        for opener, closer in self._openers.items():
            if text.startswith(opener, at):
                return self._open_string(closer, at + len(opener))
            if opener.startswith(text[at:]):
                self._begun = text[at:]
                return len(text)
        if char == '"':
            return self._open_string('"', at + 1)
        if char in "{[}],:":
            self._punctuation(char)
            return at + 1
        return self._word(text, at)

    def _open_string(self, closer: str, at: int) -> int:
        if self._expects not in ("value", "item", "member", "key"):
            self.dead = True
        elif self._expects == "member":
            self._expects = "key"
        self._closer = "" if self.dead else closer
        return at

    def _punctuation(self, char: str) -> None:
        expects = self._expects
        if char in "{[" and expects in ("value", "item"):
            self._stack.append(char)
            self._expect("member" if char == "{" else "item")
        elif char in "}]" and self._stack and self._closes(char):
            self._stack.pop()
            self._after_value()
        elif char == ":" and expects == "colon":
            self._expect("value")
        elif char == "," and expects == "comma":
            self._expect("key" if self._stack[-1] == "{" else "value")
        else:
            self.dead = True

    def _word(self, text: str, at: int) -> int:
        """A number, a constant or a bare key: it ends where something else begins."""
        found = _SCALAR.match(text, at)
        assert found is not None
        word = found[0]
        is_key = self._keys and self._expects in ("member", "key")
        if len(word) > LONGEST:
            self.dead = True
        elif found.end() == len(text):
            self._begun = word
            known = _KEY.fullmatch(word) if is_key else _BEGUN.fullmatch(word)
            self.dead = not known or not (is_key or self._expects in ("value", "item"))
        elif is_key and _KEY.fullmatch(word):
            self._expect("colon")
        elif self._expects in ("value", "item") and _WHOLE.fullmatch(word):
            self._after_value()
        else:
            self.dead = True
        return found.end()

    def _closes(self, char: str) -> bool:
        opened, empty = ("{", "member") if char == "}" else ("[", "item")
        return self._stack[-1] == opened and self._expects in (empty, "comma")

    def _after_value(self) -> None:
        self._expect("comma" if self._stack else "nothing")

    def _expect(self, what: str) -> None:
        self._expects = what


def _tail(text: str, at: int, word: str) -> str:
    """The longest end of the text, from `at`, that the word begins with."""
    for size in range(min(len(word) - 1, len(text) - at), 0, -1):
        if text.endswith(word[:size]):
            return text[len(text) - size :]
    return ""
