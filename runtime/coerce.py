"""Exact typing of a call's arguments: by the tool's schema as written, at every depth.

Invariant: only strings change, and only where the schema asks for another type; a text that the schema allows to be a
string changes only into what JSON writes just so. Nothing is raised.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any

from .python_literals import read_python

_Schema = dict[str, Any]
_Place = tuple[Any, Any, list[Any]]  # an object or array, a key or index of it, and the schemas for what stands there

_NO_VALUE = object()
_NULL = {"type": "null"}
_PYTHON = {"True": "true", "False": "false", "None": "null"}
_KINDS: dict[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
    dict: "object",
    list: "array",
}


def type_exactly(arguments: dict[str, Any], schema: _Schema, *, elements: bool = False) -> None:
    """Type the arguments of one call in place, by the schema of the tool's parameters.

    A string stays where the schema wants a string, or says nothing. Where no string is allowed, it becomes the JSON
    value that it spells, when that has a declared type; a whole `3.0` is an integer too. Python's True, False and None
    are JSON, and a list or dict that is no JSON may be Python's.
    Where a string is one type of several, it becomes another value only when JSON writes that value just so: `00501`,
    `1.10`, ` 5` and `None` stay (objects and arrays may be spaced inside). What `enum` and `const` fix comes before
    types. Whole numbers beyond 2**53 stay exact; NaN and the infinities are no JSON.

    Objects and arrays, given or decoded, are typed inside by `properties`, `additionalProperties`, `items` and
    `prefixItems`. `$ref` is followed within the schema. `anyOf`, `oneOf` and `allOf` say what any of their schemas
    says; of several alternatives for an object those are meant whose `required`, `const` and `enum` it meets, all when
    there is none. A list where no array is declared holds the values of a repeated key: each is typed by itself.

    elements: the arguments were elements of tags, in which a number looks like a string, and an empty list or object
    like an empty one. Where the schema says nothing, a string becomes the number, boolean or null that JSON writes just
    so; where an array or an object has to be and no string may, what is blank is an empty one.
    """
    pending = list(_inside(arguments, [schema], schema))
    while pending:
        holder, place, here = pending.pop()
        if isinstance(holder[place], str):
            views = _views(here, schema)
            holder[place] = (_element if elements else _typed)(holder[place], views)
        pending += _inside(holder[place], here, schema)


# -- what the schema says about a place --------------------------------------------------------------------------------


def _inside(value: Any, schemas: list[Any], root: _Schema) -> Iterator[_Place]:
    """The places in an object or array that may hold strings."""
    if isinstance(value, dict):
        views = _views(schemas, root, value)
        for name, one in value.items():
            if isinstance(one, (str, dict, list)):
                yield value, name, [_for_property(view, name) for view in views]
    elif isinstance(value, list):
        views = _views(schemas, root)
        types = {name for view in views for name in _types(view)}
        repeated = types and "array" not in types
        for index, one in enumerate(value):
            if isinstance(one, (str, dict, list)):
                yield value, index, schemas if repeated else [_for_item(view, index) for view in views]


def _for_property(schema: _Schema, name: str) -> Any:
    properties = _properties(schema)
    return properties[name] if name in properties else schema.get("additionalProperties")


def _for_item(schema: _Schema, index: int) -> Any:
    first = _listed(schema, "prefixItems") or _listed(schema, "items")  # the older name for a list of schemas
    return first[index] if index < len(first) else schema.get("items")


def _views(schemas: Iterable[Any], root: _Schema, value: Any = None) -> list[_Schema]:
    """The schemas and all that they refer to or combine, each once; for an object the alternatives that it meets."""
    views: dict[int, _Schema] = {}
    pending = list(schemas)
    while pending:
        one = pending.pop()
        if not isinstance(one, dict) or id(one) in views:
            continue
        views[id(one)] = one
        if "$ref" in one:
            pending.append(_followed(one, root))
        if one.get("nullable"):
            pending.append(_NULL)
        pending += _listed(one, "allOf")
        for union in ("anyOf", "oneOf"):
            choices = _listed(one, union)
            pending += [choice for choice in choices if _meets(value, _followed(choice, root))] or choices
    return list(views.values())


def _followed(schema: Any, root: _Schema) -> Any:
    """What `$ref` points to (`#/$defs/Color`), None when there is nothing; without `$ref` the schema itself."""
    if not isinstance(schema, dict) or "$ref" not in schema:
        return schema
    start, *steps = str(schema["$ref"]).split("/")
    found: Any = root if start == "#" else None
    for step in steps:
        if isinstance(found, list):
            found = {str(index): one for index, one in enumerate(found)}
        found = found.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
    return found


def _meets(value: Any, schema: Any) -> bool:
    """Whether a value is an object that has the keys that a schema requires, and the values that it fixes."""
    if not isinstance(value, dict) or not isinstance(schema, dict) or "object" not in (_types(schema) or ["object"]):
        return False
    if any(isinstance(name, str) and name not in value for name in _listed(schema, "required")):
        return False
    fixed = {name: _fixed(one) for name, one in _properties(schema).items() if name in value and isinstance(one, dict)}
    return all(value[name] in words for name, words in fixed.items() if words)


# -- what a schema says by itself --------------------------------------------------------------------------------------


def _types(schema: _Schema) -> list[str]:
    """The types that it declares, or shows by what it says about the inside."""
    own = schema.get("type")
    types = [name for name in (own if isinstance(own, list) else [own]) if isinstance(name, str)]
    if not types:
        types += ["object"] * ("properties" in schema) + ["array"] * ("items" in schema or "prefixItems" in schema)
    return types


def _fixed(schema: _Schema) -> list[Any]:
    """The values that `enum` and `const` allow, as far as they are no objects or arrays and of a declared type."""
    values = _listed(schema, "enum") + ([schema["const"]] if "const" in schema else [])
    types = set(_types(schema)) or {*_KINDS.values()}
    return [one for one in values if not isinstance(one, (dict, list)) and _as_one_of(types, one) is not _NO_VALUE]


def _properties(schema: _Schema) -> _Schema:
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def _listed(schema: _Schema, word: str) -> list[Any]:
    value = schema.get(word)
    return value if isinstance(value, list) else []


# -- what a text is ----------------------------------------------------------------------------------------------------


def _typed(text: str, views: list[_Schema]) -> Any:
    """The text as a value that the schemas want, else the text."""
    wanted: set[str] = set()  # the types of all values that will do
    types: set[str] = set()  # the types of which any value will do
    fixed: list[Any] = []
    for view in views:
        own, values = _types(view), _fixed(view)
        wanted.update(own or (_KINDS[type(one)] for one in values))
        types.update(own if not values else ())
        fixed += values
    if text in fixed or wanted <= {"string"}:
        return text
    exactly = "string" in wanted
    value = _spelled(text, exactly)
    if not any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in fixed):
        value = _as_one_of(types if exactly else wanted, value)
    if value is _NO_VALUE or (exactly and not isinstance(value, (dict, list)) and json.dumps(value) != text):
        return text
    return value


def _element(text: str, views: list[_Schema]) -> Any:
    """The same for the text of an element, which shows less of what it is."""
    wanted = {name for view in views for name in _types(view)}
    if not wanted and not any(map(_fixed, views)):
        value = _spelled(text, exactly=True)
        return value if _KINDS.get(type(value)) not in (None, "object", "array") and json.dumps(value) == text else text
    if not text.strip() and "string" not in wanted and wanted & {"array", "object"}:
        return [] if "array" in wanted else {}
    return _typed(text, views)


def _spelled(text: str, exactly: bool) -> Any:
    """The JSON value that a text spells, other than a string."""
    bare = text.strip()
    if exactly and bare != text:
        return _NO_VALUE
    try:
        value = _DECODER.decode(bare if exactly else _PYTHON.get(bare, bare))
    except (ValueError, RecursionError):
        return _NO_VALUE if exactly or bare[:1] not in ("[", "{") else _python(bare)
    return _NO_VALUE if isinstance(value, str) else value


def _python(text: str) -> Any:
    try:
        return read_python(text)
    except ValueError:
        return _NO_VALUE


def _as_one_of(types: set[str], value: Any) -> Any:
    """The value as one of the types: a whole number is an integer, an integer a number. Else _NO_VALUE."""
    kind = _KINDS.get(type(value))
    if kind in types or (kind == "integer" and "number" in types):
        return value
    if kind == "number" and "integer" in types and value.is_integer():
        return _whole(repr(value))
    return _NO_VALUE


def _number(text: str) -> int | float:
    """A number with a point or an exponent: an integer where it is whole and a float would change its digits."""
    number = float(text)
    if math.isinf(number):
        raise ValueError("too large")
    if abs(number) < 2**53:
        return number
    whole = _whole(text)
    return number if whole is None or whole == _whole(repr(number)) else whole


def _whole(text: str) -> int | None:
    """The integer that a JSON number is, None when it is not whole. Its exponent is that of a float."""
    mantissa, _, exponent = text.lower().partition("e")
    before, _, behind = mantissa.partition(".")
    shift = int(exponent or 0) - len(behind)
    whole, rest = divmod(int(before + behind) * 10 ** max(shift, 0), 10 ** max(-shift, 0))
    return None if rest else whole


def _refused(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


_DECODER = json.JSONDecoder(parse_float=_number, parse_constant=_refused)
