"""A tag pattern as a pair: in goes an `xml-inline` reader, out comes the `xml` reader that reads the same tags.

Invariant: a pattern that does not fall apart into an opener, any text and a closer is left alone.
"""

from __future__ import annotations

import re

from . import pattern
from .analyse_delimiters import pattern_node, pattern_text, words_of
from .captures import compiled
from .model import Delimiter, Field, JsonValue, Literals, Pattern, Text, Xml, XmlInline
from .pattern import Cat, Look, Refused

_VALUE = re.compile(r"(?P<newline>\\n\?)?\(\?P<value>(?:\.|\[\\s\\S\])\*\?\)(?P<behind>\\n\?)?")
_TAG = re.compile(r"(?<!\?)(?<!\?P)<([A-Za-z][\w:.-]*)")
_KEY = "(?P=key)"


def paired(reader: XmlInline) -> Xml | None:
    """The pair that is the tag; None when the pattern is made otherwise, or its values have quotes of their own."""
    parts = _VALUE.search(reader.tag.text)
    if parts is None or (parts["newline"] is None) != (parts["behind"] is None):
        return None
    if isinstance(reader.value, JsonValue) and reader.value.string_delims:
        return None
    opener, closer = reader.tag.text[: parts.start()], reader.tag.text[parts.end() :]
    close = _closer(closer, reader)
    if close is None or "(?P<key>" not in opener or not _is_whole(opener):
        return None
    strips = not (isinstance(reader.value, Text) and not reader.value.strip)
    return Xml(
        Pattern(opener, reader.tag.span),
        close,
        value=reader.value,
        trim="newline" if parts["newline"] and not strips else "none",
        merge_duplicates=reader.merge_duplicates,
    )


def bare(field: Field) -> Delimiter | None:
    """The closer behind which nothing but pairs stands in a body: the field's own, or that with the end of the opener's
    last tag before it. None where something else seems to stand behind the opener."""
    opener, closer = field.open, field.close
    if opener is None or closer is None or any(isinstance(node, Look) for node in pattern.walk(pattern_node(opener))):
        return None
    tags = _TAG.findall(pattern_text(opener))
    if not tags:
        return None
    if f"</{tags[-1]}" in pattern_text(closer):
        return closer
    return Pattern(rf"(?:</{tags[-1]}>\s*)?(?:{pattern_text(closer)})", closer.span)


def _closer(text: str, reader: XmlInline) -> Delimiter | None:
    """A closer of fixed strings, with `{key}` for what repeats the key, or a pattern. The end of the body closes no
    pair: what it cut off is no value."""
    text, stand_in = text.replace(r"|\Z", ""), "\ue000"
    try:
        node = pattern.parse(text.replace(_KEY, stand_in))
    except Refused:
        return None
    words = words_of(node)
    if words and not any(word.blanks or word.ahead or "{key}" in word.text for word in words):
        return Literals(tuple(word.text.replace(stand_in, "{key}") for word in words))
    made = Pattern(text, reader.tag.span)
    is_plain = not pattern.captures(node) and not compiled(made).match("") and _KEY not in text
    return made if is_plain else None


def _is_whole(text: str) -> bool:
    """Whether the text is a pattern of its own, no half of a group and no choice of which the rest was a part."""
    try:
        return isinstance(pattern.parse(text), Cat)
    except Refused:
        return False
