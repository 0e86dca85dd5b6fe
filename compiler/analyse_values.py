"""Facts about values, and the code that makes them: in goes a field, out come the statements that close its region.

Invariant: the statements read the body, shape, type and store the value, in this order, and return it.
"""

from __future__ import annotations

from .analyse_delimiters import pattern_text
from .captures import closing_parts
from .model import (
    Bool,
    CallList,
    Constant,
    Either,
    Emit,
    Field,
    Float,
    Int,
    Items,
    JsonValue,
    KvLines,
    Members,
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
    field: Field, tags: dict[str, str], *, has_default: bool, trim: str = "", exact: bool = False
) -> list[str]:
    """The body of `_close_F(self, body)`. tags: the constant that holds each compiled tag pattern, by pattern.

    trim: what the field trims, "" as version 1 does. A joined field trims the whole: its pieces are verbatim. exact:
    what belongs to no pair is refused.
    """
    lines = []
    made = reader_expression(field.reader, "body", tags, exact=exact)
    repairs = [repair for repair in field.tolerate if repair != "double-encoded"]
    if repairs:
        function, _, arguments = made.partition("(")
        made = f"self._tolerate({function}, ({', '.join(map(literal, repairs))},), {arguments}"
    if trim:
        made = "body" if field.joined is not None else trimmed("body", trim)
    if field.extend:
        made = f"rt.items({made})"
        if field.emit is not None:
            made = f"[{emit_expression(field.emit, each=False)} for content in {made}]"
    elif field.emit is not None:
        uses = field.each or any(ref.path[0] == "content" for ref in refs(field.emit))
        if uses:
            lines.append(f"content = {made}")
        elif not isinstance(field.reader, (Text, Bool)):  # which refuse nothing
            lines.append(made)
        made = emit_expression(field.emit, each=field.each)
        if field.each:
            made = f"[{made} for scope in rt.scopes(content, self._captures)]"
    if "double-encoded" in field.tolerate:
        made = f"self._decode_arguments({made})"
    lines.append(f"value = self._type_arguments({made})" if may_be_call(field) else f"value = {made}")
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


def trimmed(text: str, trim: str) -> str:
    """The source of a string without what `trim` takes from it."""
    return {
        "both": f"{text}.strip()",
        "start": f"{text}.lstrip()",
        "end": f"{text}.rstrip()",
        "newline": f"rt.without_newlines({text})",
    }.get(trim, text)


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
        return isinstance(field.reader, (JsonValue, XmlInline, KvLines, Xml))
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


def reader_expression(reader: Reader, body: str, tags: dict[str, str], *, exact: bool = False) -> str:
    """The call that reads `body`."""
    if isinstance(reader, Text):
        return f"rt.read_text({body})" if reader.strip else body
    if isinstance(reader, (Int, Float, Bool)):
        return f"rt.read_{type(reader).__name__.lower()}({body}{'' if reader.strip else ', strip=False'})"
    if isinstance(reader, CallList):
        return f"rt.read_call_list({body})"
    arguments = [body]
    if isinstance(reader, JsonValue):
        if reader.unquoted_keys:
            arguments.append("unquoted_keys=True")
        if reader.string_delims:
            pairs = ", ".join(f"({literal(left)}, {literal(right)})" for left, right in reader.string_delims)
            arguments.append(f"string_delims=({pairs},)")
        if reader.allow_non_json:
            arguments.append("allow_non_json=True")
            if not reader.strip:
                arguments.append("strip=False")
        return f"rt.read_json({', '.join(arguments)})"
    if isinstance(reader, XmlInline):
        arguments.append(tags[reader.tag.text])
        arguments += _value_argument(reader.value, tags, exact)
        if reader.merge_duplicates:
            arguments.append("merge_duplicates=True")
        return f"rt.read_xml_inline({', '.join(arguments)})"
    if isinstance(reader, Xml):
        return f"rt.read_pairs({', '.join([body, *_xml_arguments(reader, tags, exact)])})"
    if reader.line_sep != "\n":
        arguments.append(f"line_sep={literal(reader.line_sep)}")
    if reader.kv_sep != ":":
        arguments.append(f"kv_sep={literal(reader.kv_sep)}")
    if not reader.strip:
        arguments.append("strip=False")
    arguments += _value_argument(reader.value, tags, exact)
    if exact:
        arguments.append("exact=True")
    return f"rt.read_kv_lines({', '.join(arguments)})"


def json_watcher(reader: Reader) -> str:
    """The class that follows a JSON body's strings, or a function without arguments that makes one."""
    dialect = JsonValue(reader.unquoted_keys, reader.string_delims) if isinstance(reader, JsonValue) else reader
    arguments = reader_expression(dialect, "", {}).removeprefix("rt.read_json(").removesuffix(")").removeprefix(", ")
    return f"lambda: rt.JsonBody({arguments})" if arguments else "rt.JsonBody"


def _xml_arguments(reader: Xml, tags: dict[str, str], exact: bool) -> list[str]:
    parts = closing_parts(reader)
    closer = f"({', '.join(map(literal, parts))})" if parts else tags[pattern_text(reader.close)]
    arguments = [tags[pattern_text(reader.open)], closer]
    raw = trimmed("raw", reader.trim)
    raw = f"rt.without_entities({raw})" if reader.entities else raw
    if reader.by:
        made = [(text, reader_expression(one, raw, tags, exact=exact)) for text, one in reader.readers]
        readers = ", ".join(f"{literal(text)}: {_function(call)}" for text, call in made)
        arguments += [f"by={literal(reader.by)}", f"readers={{{readers}}}"]
    elif reader.value is not None or raw != "raw":
        call = raw if reader.value is None else reader_expression(reader.value, raw, tags, exact=exact)
        arguments += [f"value={_function(call)}"] if call != "raw" else []
    arguments += ["entities=True"] * reader.entities + ["merge_duplicates=True"] * reader.merge_duplicates
    return arguments + ["exact=True"] * exact


def _value_argument(reader: Reader | None, tags: dict[str, str], exact: bool) -> list[str]:
    if reader is None or reader == Text(strip=False):
        return []
    return [f"value={_function(reader_expression(reader, 'raw', tags, exact=exact))}"]


def _function(call: str) -> str:
    """The function of `raw` that a call is the body of."""
    function = call.removesuffix("(raw)")
    return function if "(" not in function and function != "raw" else f"lambda raw: {call}"


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
