"""Text, booleans and numbers: a region's body goes in, its value comes out.

Invariant: a blank is what `\\s` of the `regex` module matches: that is what delimiters swallow. Values are stripped by
str.strip, which counts U+001C..U+001F too, as `\\s` of `re` does.
"""

from __future__ import annotations

BLANKS = "\t\n\v\f\r \x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B))) + "\u2028\u2029\u202f\u205f\u3000"
BLANK = r"[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
"""A character class for `re`: the blanks."""
_STEP = 64


def past_blanks(text: str, at: int) -> int:
    """The offset behind the blanks that stand at `at`."""
    while True:
        step = text[at : at + _STEP]
        rest = step.lstrip(BLANKS)
        at += len(step) - len(rest)
        if rest or len(step) < _STEP:
            return at


def read_text(body: str) -> str:
    """The body without white space around it."""
    return body.strip()


def without_newlines(text: str) -> str:
    """The text without the one line break that may stand at each end."""
    start = 1 if text.startswith("\n") else 2 if text.startswith("\r\n") else 0
    end = len(text) - (2 if text.endswith("\r\n") else 1 if text.endswith("\n") else 0)
    return text[start : max(start, end)]


def read_bool(body: str, *, strip: bool = True) -> bool:
    """True for `true` and `1`, in any case; everything else is False."""
    return (body.strip() if strip else body).lower() in ("true", "1")


def read_int(body: str, *, strip: bool = True) -> int:
    """Python's int; ValueError when it is none. int() strips too, except U+001C..U+001F: `strip` decides only there."""
    return int(body.strip() if strip else body)


def read_float(body: str, *, strip: bool = True) -> float:
    """Python's float; ValueError when it is none. For `strip` see read_int."""
    return float(body.strip() if strip else body)
