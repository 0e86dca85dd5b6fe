"""Dialects of JSON: a body with bare keys or strings in delimiters of their own goes in, JSON text comes out.

Invariant: as_json gives what replacing the strings one by one would give, lexed_as_json reads token by token; either
in one pass, linear in the body.
"""

from __future__ import annotations

import re
from functools import cache
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

# What stands for a string in delimiters of its own until the keys are quoted: its number between these two.
_OPEN, _CLOSE = "\x01", "\x02"
_MARK = re.compile(f"{_OPEN}([0-9]+){_CLOSE}")

_KEY = r"(?<=[{,])(\s*)(\w+)(?=\s*:)"
_KEY_ALONE = r"(?<=[{,])[ \t\n\r]*(\w+)(?=\s*:)"  # without its blanks; other blanks are no JSON
_KEY_OR_STRING = rf'{_KEY}|"([^"\\]*(?:\\.[^"\\]*)*)("?)'


def as_json(text: str, unquoted_keys: bool, string_delims: tuple[tuple[str, str], ...]) -> str:
    if string_delims and (_OPEN in text or _CLOSE in text):
        raise ValueError("U+0001 and U+0002 are reserved where strings have delimiters of their own")
    quote_keys = _with_quoted_keys if unquoted_keys else str
    if not string_delims:
        return quote_keys(text)
    if len(string_delims) == 1:  # marks need no numbers: all stay, in their order
        parts = _apart(text, *string_delims[0])
        parts[::2] = quote_keys(_OPEN.join(parts[::2])).split(_OPEN)
        parts[1::2] = map(quoted, parts[1::2])
        return "".join(parts)
    strings: list[str] = []
    for opening, closing in string_delims:  # a later pair takes the marks of earlier ones for text
        parts = _apart(text, opening, closing)
        first = len(strings)
        strings += parts[1::2]
        parts[1::2] = [f"{_OPEN}{number}{_CLOSE}" for number in range(first, len(strings))]
        text = "".join(parts)
    parts = _MARK.split(quote_keys(text))
    parts[1::2] = [quoted(strings[int(number)]) for number in parts[1::2]]
    return "".join(parts)


def _apart(text: str, opening: str, closing: str) -> list[str]:
    """What stands outside, inside, outside, ... of the delimiters; an opening without a closing stands outside."""
    if opening == closing:
        parts = text.split(opening)
        if len(parts) % 2 == 0:
            parts[-2:] = [opening.join(parts[-2:])]
        return parts
    parts, at = [], 0
    while (start := text.find(opening, at)) >= 0 and (end := text.find(closing, start + len(opening))) >= 0:
        parts += text[at:start], text[start + len(opening) : end]
        at = end + len(closing)
    return [*parts, text[at:]]


def _with_quoted_keys(text: str) -> str:
    in_ascii = text.isascii()
    if in_ascii and '"' not in text:
        return '"'.join(_pattern(_KEY_ALONE, in_ascii).split(text))

    def rewritten(found: re.Match[str]) -> str:
        blanks, key, inside, ended = found.groups()
        if key is not None:
            return f'{blanks}"{key}"'
        if ended:
            return f'"{inside}"'
        # A quote that nothing ends opens no string, and neither does one between it and the place where it broke off.
        rest = _pattern(_KEY, in_ascii).sub(r'\1"\2"', inside)
        return f'"{rest}'

    return str(_pattern(_KEY_OR_STRING, in_ascii).sub(rewritten, text))


@cache
def _pattern(source: str, in_ascii: bool) -> Any:
    """Compiled by `regex`, whose `\\w` and `\\s` are meant; on ASCII text those of `re` are the same ones."""
    if in_ascii:
        return re.compile(source, re.ASCII)
    import regex

    return regex.compile(source)


def lexed_as_json(text: str, unquoted_keys: bool, string_delims: tuple[tuple[str, str], ...]) -> str:
    """The same, token by token: what opens first hides all until it closes. ValueError for a string without end."""
    closers = dict(string_delims)
    token = _tokens(tuple(closers))
    parts, at = [], 0
    while (found := token.search(text, at)) is not None:
        start, end = found.span()
        parts.append(text[at:start])
        if found["own"] is not None:
            closing = closers[found["own"]]
            stop = text.find(closing, end)
            if stop < 0:
                raise ValueError("a string is not closed")
            parts.append(quoted(text[end:stop]))
            end = stop + len(closing)
        elif found["word"] is not None:
            is_key = unquoted_keys and found["colon"] is not None
            parts.append(f'"{found["word"]}"{found["colon"]}' if is_key else found[0])
        elif found["end"]:
            parts.append(found[0])
        else:
            raise ValueError("a string is not closed")
        at = end
    return "".join([*parts, text[at:]])


@cache
def _tokens(openers: tuple[str, ...]) -> re.Pattern[str]:
    """A string of its own, an ordinary one, or a word, and a colon behind it. A longer opener goes before a shorter."""
    own = "|".join(map(re.escape, sorted(openers, key=len, reverse=True))) or "(?!)"
    return re.compile(
        rf"""(?P<own>{own})|"[^"\\]*(?:\\.[^"\\]*)*(?P<end>"?)|(?P<word>\w+)(?P<colon>\s*:)?""", re.DOTALL
    )
