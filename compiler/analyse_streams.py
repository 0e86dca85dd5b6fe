"""What a region may show before it closes: a field goes in, out comes the class that runtime/adapters/ lean on.

Invariant: what is sent by a class is never taken back by what the grammar says of a body that its field accepts.
"""

from __future__ import annotations

from .captures import groups as groups_of
from .model import Emit, Field, Grammar, JsonValue, KvLines, Members, Place, Ref, Text, Xml, XmlInline
from .policies import choice

Streams = tuple[str, ...]
"""The class and what it needs to know; () is the class `whole`: nothing is sent before the value is there.

("text", SEPARATOR, TRIM): the text as it arrives, trimmed as a whole; ("each", SEPARATOR, TRIM): each region by itself.
Of a call NAME and ID are groups of the opener, ID "" for none. ("name", NAME, ID): the name is sent at the opener, and
the arguments are an object whatever the body; ("brace", NAME, ID): where the body begins with `{`; ("json", NAME, ID):
as "brace", and the body is the arguments as they stand.
"""


def streams(grammar: Grammar, field: Field) -> Streams:
    """The class of a field's regions."""
    return _of_text(grammar, field) or _of_call(field)


def _of_text(grammar: Grammar, field: Field) -> Streams:
    blocks = [other for other in grammar.fields if other.name == field.name]
    if field.name in grammar.default_values or any(other.emit is not None for other in blocks):
        return ()
    if not all(isinstance(other.reader, Text) for other in blocks):
        return ()
    places = [opening.place for other in blocks for opening in other.openings]
    opens_once = all(place == Place("start") for place in places) and not any(other.implicit for other in blocks)
    is_only = opens_once and not any(other.repeats for other in blocks)
    if field.joined is None and not is_only:
        return ()
    ways = {(choice(grammar, other, "trim"), other.reader) for other in blocks}
    if len(ways) > 1:
        return ()
    separator = field.joined or ""
    trim = choice(grammar, field, "trim")
    if trim:
        return ("text", separator, trim)
    strips = isinstance(field.reader, Text) and field.reader.strip
    return ("each", separator, "both" if strips else "none")


def _of_call(field: Field) -> Streams:
    groups = _groups(field.emit)
    if field.each or field.extend or groups is None:
        return ()
    if not {*groups} - {""} <= {*groups_of(field.open)} - {*groups_of(field.close)}:
        return ()
    reader = field.reader
    if isinstance(reader, XmlInline | KvLines) or (isinstance(reader, Xml) and not reader.nested):
        return ("name", *groups)
    if not isinstance(reader, JsonValue) or reader.allow_non_json:
        return ()
    is_strict = reader == JsonValue() and {*field.tolerate} <= {"double-encoded"}
    return ("json" if is_strict else "brace", *groups)


def _groups(emit: Emit | None) -> tuple[str, str] | None:
    """The groups that are a call's name and id, where its arguments are the body and nothing else is read from that."""
    if not isinstance(emit, Members):
        return None
    call = dict(emit.members)
    function = call.pop("function", None)
    if not isinstance(function, Members) or {key for key, _ in function.members} != {"name", "arguments"}:
        return None
    said = dict(function.members)
    name, ident = _group(said["name"]), _group(call.pop("id")) if "id" in call else ""
    if name is None or ident is None or said["arguments"] != Ref(("content",)) or function.optional:
        return None
    return None if any(isinstance(one, Ref) and one.path[0] == "content" for one in call.values()) else (name, ident)


def _group(emit: Emit) -> str | None:
    """The group of the opener that a value is."""
    is_group = isinstance(emit, Ref) and len(emit.path) == 1 and emit.path[0] != "content"
    return emit.path[0] if is_group and isinstance(emit, Ref) else None
