"""A JSON body while it arrives: pieces go in, what can follow comes out, whether inside of a string or not.

Invariant: however a body is cut, the state behind it is the same, and each character is looked at once. `dead` means
that no continuation makes the body a JSON value as its field reads it.
"""

from __future__ import annotations

import re

from .snapshot import alike

_IN_STRING = re.compile(r'["\\\x00-\x1f]')
_ESCAPE = re.compile(r'\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})')
_ESCAPE_BEGUN = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?")
_WHOLE = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|NaN|-?Infinity")
_BEGUN = re.compile(  # never fails: the longest beginning of a scalar, which may be empty
    r"t(?:r(?:ue?)?)?|f(?:a(?:l(?:se?)?)?)?|n(?:u(?:ll?)?)?|N(?:aN?)?|-?I(?:n(?:f(?:i(?:n(?:i(?:ty?)?)?)?)?)?)?"
    r"|-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?(?:(?<=[0-9])[eE][+-]?[0-9]*)?)?"
)
_KEY = re.compile(r"\w+")
_BLANKS = " \t\n\r"
LONGEST = 5_000  # of a number, which Python would not read, or a bare key
DEEPEST = 100_000  # lists and objects in one another, which no reader follows
EXPECTED = ("value", "item", "member", "key", "colon", "comma", "nothing")


class JsonBody:
    """complete: one whole value and blanks. in_string: the next character is inside of a string. dead: see above. end:
    where in the body the value ended, or where it could not go on; -1 before.

    unquoted_keys, string_delims: the dialect, as read_json takes it; strings of either kind hide those of the other.
    """

    __slots__ = ("_begun", "_closer", "_escape", "_expects", "_keys", "_openers", "_stack", "_taken", "dead", "end")

    def __init__(self, *, unquoted_keys: bool = False, string_delims: tuple[tuple[str, str], ...] = ()) -> None:
        self._keys = unquoted_keys
        self._openers = dict(string_delims)
        self._stack = bytearray()  # what is open: "{" and "["
        self._expects = "value"  # value, item (or the end of the list), member (or the end), key, colon, comma, nothing
        self._closer = ""  # what ends the string that is open
        self._escape = ""  # what is known of an escape in it
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

    def twin(self) -> JsonBody:
        """A reader that goes on apart from this one."""
        twin = alike(self)
        twin._stack = self._stack.copy()
        return twin

    def state(self) -> list[str | int]:
        """Where it stands in a value that goes on, JSON-able; `put_back` lets a new one stand there."""
        return [self._stack.decode(), self._expects, self._closer, self._escape, self._begun, self._taken]

    def put_back(self, state: list[str | int]) -> None:
        """Raises ValueError or TypeError where no reader can have stood there."""
        stack, expects, closer, escape, begun, taken = state
        if [type(part) for part in state] != [str] * 5 + [int] or expects not in EXPECTED or set(str(stack)) - {*"{["}:
            raise TypeError("this is no state of a reader")
        if not stack and expects not in ("value", "nothing"):
            raise ValueError("nothing is open")
        self._stack = bytearray(str(stack), "ascii")
        self._expects, self._closer, self._escape, self._begun = str(expects), str(closer), str(escape), str(begun)
        self._taken = int(taken)

    @property
    def is_value(self) -> bool:
        """One whole value has been read, whatever stands behind it; a number only once that is known."""
        return self._expects == "nothing"

    def surely_outside(self, body: str) -> bool:
        """Whether the end of this whole body is outside of its strings, told by counting quotes alone. Where it is not
        sure it says no; a body that is no value may be called outside, where every closer counts."""
        if self._openers:
            (opener, closer), *others = self._openers.items()
            plain = opener == closer and not others and body.count(opener) % 2 == 0
            return plain and '"' not in body.replace(opener, "")
        if "\\" in body:
            body = body.replace("\\\\", "").replace('\\"', "")
        return body.count('"') % 2 == 0

    def read(self, piece: str) -> None:
        """The next characters of the body."""
        text, at = self._begun + piece, 0
        self._begun = ""
        while at < len(text) and not self.dead:
            at = self._in_string(text, at) if self._closer else self._outside(text, at)
            if self.end < 0 and self._expects == "nothing":
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
        if self._escape:
            return self._in_escape(text, at)
        found = _IN_STRING.search(text, at)
        if found is None:
            return len(text)
        if found[0] < " ":  # which a string cannot hold as it is
            return self._die(found.start())
        if found[0] == "\\":
            self._escape = "\\"
        else:
            self._end_string()
        return found.end()

    def _in_escape(self, text: str, at: int) -> int:
        self._escape += text[at]
        if _ESCAPE.fullmatch(self._escape):
            self._escape = ""
        elif not _ESCAPE_BEGUN.fullmatch(self._escape):
            return self._die(at)
        return at + 1

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
                return self._open_string(at, opener, closer)
            if len(text) - at < len(opener) and opener.startswith(text[at:]):
                self._begun = text[at:]
                return len(text)
        if char == '"':
            return self._open_string(at, '"', '"')
        if char in "{[}],:":
            return self._punctuation(char, at)
        if self._keys and self._expects in ("member", "key"):
            return self._key(text, at)
        return self._scalar(text, at)

    def _open_string(self, at: int, opener: str, closer: str) -> int:
        if self._expects not in ("value", "item", "member", "key"):
            return self._die(at)
        if self._expects == "member":
            self._expect("key")
        self._closer = closer
        return at + len(opener)

    def _punctuation(self, char: str, at: int) -> int:
        expects = self._expects
        if char in "{[" and expects in ("value", "item"):
            if len(self._stack) == DEEPEST:
                return self._die(at)
            self._stack.append(ord(char))
            self._expect("member" if char == "{" else "item")
        elif char in "}]" and self._stack and self._closes(char):
            self._stack.pop()
            self._after_value()
        elif char == ":" and expects == "colon":
            self._expect("value")
        elif char == "," and expects == "comma":
            self._expect("key" if self._stack[-1] == ord("{") else "value")
        else:
            return self._die(at)
        return at + 1

    def _key(self, text: str, at: int) -> int:
        """A bare key."""
        found = _KEY.match(text, at)
        if found is None:
            return self._die(at)
        if found.end() - at > LONGEST:
            return self._die(at + LONGEST)
        if found.end() == len(text):
            self._begun = found[0]
        else:
            self._expect("colon")
        return found.end()

    def _scalar(self, text: str, at: int) -> int:
        """A number or a constant: it ends before the first character that cannot continue it."""
        begun = _BEGUN.match(text, at) if self._expects in ("value", "item") else None
        if begun is None:
            return self._die(at)
        if begun.end() - at > LONGEST:
            return self._die(at + LONGEST)
        if at < begun.end() == len(text):
            self._begun = begun[0]
            return begun.end()
        whole = _WHOLE.match(text, at)
        if whole is None:
            return self._die(begun.end())
        self._after_value()
        return whole.end()

    def _die(self, at: int) -> int:
        """No value goes on with the character text[at]."""
        self.dead = True
        if self.end < 0:
            self.end = self._taken + at
        return at

    def _closes(self, char: str) -> bool:
        opened, empty = ("{", "member") if char == "}" else ("[", "item")
        return self._stack[-1] == ord(opened) and self._expects in (empty, "comma")

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
