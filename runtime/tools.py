"""A request's tools: their schemas, and the typing of a call's string arguments as version 1 means it.

Invariant: wrong tools are refused when they are given, with ValueError or TypeError; typing itself never raises.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, MethodType
from typing import Any

from .coerce import type_exactly
from .errors import UnknownTool

_NULL = {"type": "null"}


class Tools:
    """The tools of one request. `coerce`: "exact" types arguments by the schemas as written, "elements" as well, for
    values that are elements of tags; "v1" and "" as version 1 does."""

    __slots__ = ("_coerce", "_schemas", "_types")

    def __init__(self, tools: Iterable[Any] | None, coerce: str = "") -> None:
        if coerce not in ("", "exact", "elements", "v1"):
            raise ValueError(f'coerce is "exact", "elements", "v1" or "", not {coerce!r}')
        self._schemas = argument_schemas(tools)
        self._coerce = coerce
        self._types: dict[str, dict[str, list[str]]] = {}  # of the tools called so far: property -> declared types

    def demand(self, value: Any) -> None:
        """Raise UnknownTool where the value is, or lists, a call of a tool that the request does not have."""
        for function in _functions(value):
            name = function.get("name")
            if "name" in function and not (isinstance(name, str) and name in self._schemas):
                raise UnknownTool(f"the request has no tool {name!r}")

    def knows(self, name: str) -> bool:
        """Whether the request has the tool."""
        return name in self._schemas

    def leaves_alone(self, name: str) -> bool:
        """Whether typing surely changes no argument of the tool: its schema names strings and nothing else."""
        schema = self._schemas.get(name, {})
        properties = schema.get("properties", {})
        plain = schema.keys() <= {"type", "properties", "required", "description", "title", "$schema"}
        return plain and isinstance(properties, dict) and all(map(_is_string, properties.values()))

    def type_arguments(self, value: Any) -> Any:
        """The value, a call or lists of calls, with the string arguments of known tools typed in place."""
        for name, arguments in _calls(value):
            schema = self._schemas.get(name)
            if schema is None:
                continue
            if self._coerce in ("exact", "elements"):
                type_exactly(arguments, schema, elements=self._coerce == "elements")
                continue
            if name not in self._types:
                self._types[name] = _property_types(schema)
            _cast_arguments(arguments, self._types[name])
        return value


def argument_schemas(tools: Iterable[Any] | None) -> dict[str, dict[str, Any]]:
    """The name of each tool, and the schema of its parameters; {} when it has none.

    Tools are JSON schemas, bare or under "function", and Python functions. The last of equal names counts; what is
    neither is passed over. Functions need transformers, which makes their schemas: TypeError when it is not installed,
    ValueError when it makes none.
    """
    schemas: dict[str, dict[str, Any]] = {}
    for tool in tools or ():
        if isinstance(tool, (FunctionType, MethodType)):
            tool = _schema_of(tool)
        function = tool.get("function", tool) if isinstance(tool, dict) else None
        if isinstance(function, dict) and isinstance(name := function.get("name"), str):
            parameters = function.get("parameters")
            schemas[name] = parameters if isinstance(parameters, dict) else {}
    return schemas


def decode_arguments(value: Any) -> bool:
    """Decode, in place, the arguments of each call that are the JSON text of an object; whether there were any."""
    decoded = False
    for function in _functions(value):
        if isinstance(function.get("name"), str) and isinstance(text := function.get("arguments"), str):
            try:
                function["arguments"] = _object(text)
            except (ValueError, RecursionError):
                continue
            decoded = True
    return decoded


def _calls(value: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """The name and the arguments of each call in a value."""
    for function in _functions(value):
        name, arguments = function.get("name"), function.get("arguments")
        if isinstance(name, str) and isinstance(arguments, dict):
            yield name, arguments


def _functions(value: Any) -> Iterator[dict[str, Any]]:
    """What is called `function` in each call of a value, whatever it holds."""
    pending = [value]
    while pending:
        one = pending.pop()
        if isinstance(one, list):
            pending += reversed(one)
        elif isinstance(one, dict) and isinstance(function := one.get("function"), dict):
            yield function


def _cast_arguments(arguments: dict[str, Any], types: dict[str, list[str]]) -> None:
    """Cast each string to the first declared type that fits. Where no array is declared, a list holds the values of a
    repeated key: its strings are cast one by one."""
    for name, argument in arguments.items():
        declared = types.get(name, [])
        if isinstance(argument, str):
            arguments[name] = _cast(argument, declared)
        elif isinstance(argument, list) and declared and "array" not in declared:
            arguments[name] = [_cast(one, declared) if isinstance(one, str) else one for one in argument]


def _schema_of(function: Callable[..., Any]) -> Any:
    try:
        from transformers.utils import get_json_schema
    except ImportError as error:
        raise TypeError("functions as tools need transformers: install `respc[hf]`, or give JSON schemas") from error
    try:
        return get_json_schema(function)
    except Exception as error:  # it runs type hints and reads docstrings: anything may come out
        raise ValueError(f"no schema can be made of a function given as a tool: {error}") from error


def _is_string(schema: Any) -> bool:
    said = {"type", "description", "title", "default", "minLength", "maxLength", "pattern", "format", "examples"}
    return isinstance(schema, dict) and schema.get("type") == "string" and schema.keys() <= said


def _property_types(schema: dict[str, Any]) -> dict[str, list[str]]:
    properties = schema.get("properties")
    return {name: list(_declared(one)) for name, one in properties.items()} if isinstance(properties, dict) else {}


def _declared(schema: Any) -> Iterator[str]:
    """Its own types, then those of anyOf and oneOf, then null when it is nullable; each schema speaks once."""
    seen: set[int] = set()
    pending = [schema]
    while pending:
        one = pending.pop()
        if not isinstance(one, dict) or id(one) in seen:
            continue
        seen.add(id(one))
        own = one.get("type")
        yield from [own] if isinstance(own, str) else filter(_is_text, own) if isinstance(own, list) else ()
        choices = [choice for union in ("anyOf", "oneOf") for choice in _listed(one.get(union))]
        pending += reversed([*choices, _NULL] if one.get("nullable") else choices)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _listed(value: Any) -> Iterable[Any]:
    return value if isinstance(value, (list, tuple)) else ()


def _cast(text: str, types: list[str]) -> Any:
    for name in types:
        if name in _CASTS:
            try:
                return _CASTS[name](text)
            except (ValueError, RecursionError):
                continue
    return text


# Each gives the text as a value of its type; ValueError, for JSON RecursionError too, when it is none.


def _integer(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        number = float(text)
    if not number.is_integer():
        raise ValueError("not whole")
    return int(number)


def _number(text: str) -> int | float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("no JSON number")
    return int(number) if number.is_integer() and "." not in text else number


def _boolean(text: str) -> bool:
    word = text.strip().lower()
    if word not in ("true", "1", "false", "0"):
        raise ValueError("no boolean")
    return word in ("true", "1")


def _null(text: str) -> None:
    if text.strip() not in ("null", "None"):
        raise ValueError("not null")


def _object(text: str) -> dict[str, Any]:
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("no object")
    return value


def _array(text: str) -> list[Any]:
    value = json.loads(text)
    if not isinstance(value, list):
        raise ValueError("no array")
    return value


_CASTS: dict[str, Callable[[str], Any]] = {
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "null": _null,
    "object": _object,
    "array": _array,
}
