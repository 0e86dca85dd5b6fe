"""Which policies hold for a field: a grammar, a field and a word in, the choice out ("" where version 1 has none).

Invariant: a field's own word comes before the grammar's; a word of the grammar passes over the fields it does not fit.
"""

from __future__ import annotations

from .analyse_delimiters import fixed_ends
from .analyse_values import is_structured, may_be_call
from .captures import readers
from .model import CallList, Field, Grammar, JsonLines, JsonValue, KvLines, Policies, Python, Text, Xml

VERSION_1 = {
    "blank": "",
    "trim": "",
    "bad": "raise",
    "cut": "close",
    "unknown": "keep",
    "aware": "no",
    "coerce": "",
    "exact": "no",
}


def choice(grammar: Grammar, field: Field, word: str) -> str:
    """What the field does about `word`; "yes" or "no" for a word without choices."""
    if not fits(field, word):
        return VERSION_1[word]
    for policies in (field.policies, grammar.policies):
        said = _said(policies, word)
        if said is not None:
            return said
    return VERSION_1[word]


def fits(field: Field, word: str) -> bool:
    """Whether the word can mean anything for the field."""
    if word == "blank":
        return field.implicit
    if word == "trim":
        return field.emit is None and isinstance(field.reader, Text)
    if word == "bad":
        return not isinstance(field.reader, Text) or field.emit is not None
    if word == "cut":
        return field.open is not None and field.close is not None and is_structured(field.reader)
    if word == "aware":
        return field.open is not None and not field.late_ends and _has_edges(field)
    if word == "exact":
        return any(isinstance(reader, Xml | KvLines) for reader in readers(field.reader))
    return word == "unknown" and may_be_call(field)


def _has_edges(field: Field) -> bool:
    """Whether a body says where its strings, or the values between its tags, begin and end."""
    reader = field.reader
    if isinstance(reader, JsonValue):
        return not reader.allow_non_json
    if field.close is None:
        return False
    if isinstance(reader, Xml):
        return not reader.nested and bool(fixed_ends(reader.close))
    return isinstance(reader, CallList | Python | JsonLines)


def of_grammar(grammar: Grammar, word: str) -> str:
    """What the grammar does about a word that no field has."""
    return _said(grammar.policies, word) or VERSION_1[word]


def takes_text(field: Field) -> bool:
    """Whether the text of refused regions can go to the field: what it takes, it neither refuses nor replaces."""
    return field.implicit and field.joined is not None and isinstance(field.reader, Text) and field.emit is None


def is_lexed(grammar: Grammar, field: Field) -> bool:
    """Whether dialects of JSON are read token by token: where the edges of strings matter."""
    aware = field.value_end or choice(grammar, field, "aware") == "yes"
    return aware or of_grammar(grammar, "coerce") != ""


def tolerable(grammar: Grammar, field: Field) -> tuple[str, ...]:
    """The repairs that can mean something for the field."""
    reader = field.reader
    repairs: tuple[str, ...] = ("double-encoded",) if may_be_call(field) else ()
    if isinstance(reader, JsonValue) and not reader.allow_non_json:
        repairs += ("commas", "quotes", "escapes", "newlines", "trailing")
    elif isinstance(reader, Python):
        repairs += ("newlines", "trailing")
    elif isinstance(reader, CallList):
        repairs += ("commas", "escapes", "newlines", "trailing")
    elif isinstance(reader, Xml) and choice(grammar, field, "exact") == "yes":
        repairs += ("trailing",)
    return repairs


def own_words(policies: Policies) -> list[str]:
    """The words that a `policy` line is about."""
    return [said if word == "no" else word for word, said in policies]


def _said(policies: Policies, word: str) -> str | None:
    for key, said in policies:
        if key == word:
            return said or "yes"
        if (key, said) == ("no", word):
            return VERSION_1[word]
    return None
