"""Facts about values, and the code that makes them: in goes a field, out come the statements that close its region.

Invariant: the statements read the body, shape, type and store the value, in this order, and return it.
"""

from __future__ import annotations

from .analyse_readers import Reading, trimmed
from .model import (
    Bool,
    Constant,
    Either,
    Emit,
    Field,
    Float,
    Int,
    Items,
    JsonLines,
    JsonValue,
    KvLines,
    Members,
    Python,
    Reader,
    Ref,
    Text,
    Xml,
    XmlInline,
    choices,
    refs,
)
from .names import literal, value

_TYPES = {Text: "str", Int: "int", Float: "float", Bool: "bool"}


def is_structured(reader: Reader) -> bool:
    """The text of a region is not part of its value: chunks are `dirty`."""
    return not isinstance(reader, (Text, Int, Float, Bool))


def value_type(field: Field) -> str:
    """The annotation of the value."""
    return "object" if field.emit is not None else _TYPES.get(type(field.reader), "object")


def close_statements(
    field: Field,
    tags: dict[str, str],
    *,
    has_default: bool,
    trim: str = "",
    exact: bool = False,
    lexed: bool = False,
) -> list[str]:
    """The body of `_close_F(self, body)`. tags, exact, lexed: as in analyse_readers.Reading.

    trim: what the field trims, "" as version 1 does. A joined field trims the whole: its pieces are verbatim.
    """
    lines = []
    made = Reading(tags, exact=exact, lexed=lexed).expression(field.reader, "body")
    repairs = [repair for repair in field.tolerate if repair != "double-encoded"]
    if repairs:
        function, _, arguments = made.partition("(")
        named = ", ".join(map(literal, repairs)) + "," * (len(repairs) == 1)
        mended = f"self._if_closed({named})" if isinstance(field.reader, Xml) else f"({named})"
        made = f"self._tolerate({function}, {mended}, {arguments}"
    if trim:
        made = "body" if field.joined is not None else trimmed("body", trim)
    if field.extend:
        made = f"rt.items({made})"
        if field.emit is not None:
            lines.append(f"items = {made}")
            made = f"[{emit_expression(field.emit, each=False)} for content in items]"
    elif field.emit is not None:
        uses = field.each or any(ref.path[0] == "content" for ref in refs(field.emit))
        if uses:
            lines.append(f"content = {made}")
        elif not isinstance(field.reader, (Text, Bool)):  # which refuse nothing
            lines.append(made)
        made = emit_expression(field.emit, each=field.each)
        if field.each:
            made = f"[{made} for scope in rt.scopes(content, self._captures)]"
    if field.extend or "double-encoded" in field.tolerate:
        lines.append(f"value = {made}")
        made = "value"
    if "double-encoded" in field.tolerate:
        lines.append(f"value = self._decode_arguments({made})")
    if may_be_call(field):
        lines.append(f"value = self._type_arguments({made})")
    elif made != "value":
        lines.append(f"value = {made}")
    key = literal(field.name)
    if field.joined is not None and has_default:
        lines.append(f"self._join_on({key}, {_piece(field)})")
    elif field.joined is not None:
        lines.append(f"self._message.setdefault({key}, []).append({_piece(field)})  # joined in _join")
    elif field.repeats:
        adds = "extend" if field.extend else "append"
        lines.append(f"self._message.setdefault({key}, []).{adds}(value)")
    else:
        lines.append(f"self._message[{key}] = value")
    return [*lines, "return value"]


def _piece(field: Field) -> str:
    return "value" if _is_text(field) else "rt.piece(value)"


def _is_text(field: Field) -> bool:
    """The value is a string whatever the body."""
    emit = field.emit
    if emit is None or (isinstance(emit, Ref) and emit.path == ("content",) and not field.each):
        return isinstance(field.reader, Text)
    return isinstance(emit, Constant) and isinstance(emit.value, str) and not field.each


def may_be_call(field: Field) -> bool:
    """Whether a value can have the shape of a tool call, {"function": {"name", "arguments"}}, or be a list of such."""
    if field.emit is None:
        return isinstance(field.reader, JsonValue | JsonLines | Python | XmlInline | KvLines | Xml)
    return _may_be_call(field.emit, field)


def _may_be_call(emit: Emit, field: Field) -> bool:
    if isinstance(emit, Either):
        return any(_may_be_call(choice, field) for choice in emit.choices)
    if isinstance(emit, Members):
        functions = choices(dict(emit.members).get("function", Constant(None)))
        return any(
            {"name", "arguments"} <= dict(one.members).keys() if isinstance(one, Members) else isinstance(one, Ref)
            for one in functions
        )
    if isinstance(emit, Items):
        return any(_may_be_call(item, field) for item in emit.items)
    return isinstance(emit, Ref) and is_structured(field.reader)


def emit_expression(emit: Emit, *, each: bool) -> str:
    """The source of a shaped value; a name that is not there raises KeyError, a key below it ValueError, as when of
    several values none is there."""
    if isinstance(emit, Constant):
        return value(emit.value)
    if isinstance(emit, Items):
        return f"[{', '.join(emit_expression(item, each=each) for item in emit.items)}]"
    if isinstance(emit, Members):
        return "{" + ", ".join(_member(key, item, key in emit.optional, each) for key, item in emit.members) + "}"
    if isinstance(emit, Either):
        return f"rt.either({_sought(emit, each)})"
    root, *keys = emit.path
    if each:
        found = f"scope[{literal(root)}]"
    else:
        found = "content" if root == "content" else f"self._captures[{literal(root)}]"
    return f"rt.item({found}, {', '.join(map(literal, keys))})" if keys else found


def _member(key: str, item: Emit, is_optional: bool, each: bool) -> str:
    if is_optional:
        return f"**rt.member({literal(key)}, {_sought(item, each)})"
    return f"{literal(key)}: {emit_expression(item, each=each)}"


def _sought(emit: Emit, each: bool) -> str:
    """The arguments that stand for the values of which the first that is there counts."""
    return ", ".join(_seek(choice, each) for choice in choices(emit))


def _seek(emit: Emit, each: bool) -> str:
    if not isinstance(emit, Ref):
        return emit_expression(emit, each=each)
    root, *keys = emit.path
    if each or root != "content":
        root, keys = "scope" if each else "self._captures", list(emit.path)
    return f"rt.seek({root}, {', '.join(map(literal, keys))})"
