"""Shaping: what `emit` names is looked up, and the message leaves without its empty keys.

Invariant: nothing here changes what it is given.
"""

from __future__ import annotations

from collections.abc import Container, Iterator

TYPE_CHECKING = False  # typing is slow to import, and nothing here needs it to run
if TYPE_CHECKING:
    from typing import Any


ABSENT = object()
"""What stands where a value is not there."""


def item(value: Any, *keys: str) -> Any:
    """What stands in `value` under the first key, in that under the second, ...; ValueError when a key is not there.

    `@key` and `@value` stand for the key and the value of an object that has one.
    """
    inner = value
    for depth, key in enumerate(keys, 1):
        if not isinstance(inner, dict):
            raise ValueError(f"no {'.'.join(keys[:depth])}: cannot index into {type(inner).__name__} with {key!r}")
        inner = _step(inner, key)
        if inner is ABSENT:
            raise ValueError(f"no {'.'.join(keys[:depth])}: missing key {key!r}")
    return inner


def seek(value: Any, *keys: str) -> Any:
    """The same, but ABSENT when a key is not there."""
    inner = value
    for key in keys:
        inner = _step(inner, key) if isinstance(inner, dict) else ABSENT
    return inner


def either(*found: Any) -> Any:
    """The first that is not ABSENT; ValueError when all are."""
    for value in found:
        if value is not ABSENT:
            return value
    raise ValueError(f"none of {len(found)} values is there")


def member(key: str, *found: Any) -> dict[str, Any]:
    """The key with the first that is not ABSENT; nothing when all are."""
    for value in found:
        if value is not ABSENT:
            return {key: value}
    return {}


def _step(inner: dict[str, Any], key: str) -> Any:
    if key[0] != "@":
        return inner.get(key, ABSENT)
    if len(inner) != 1:
        return ABSENT
    ((name, value),) = inner.items()
    return name if key == "@key" else value


def scopes(content: Any, captures: dict[str, str]) -> Iterator[dict[str, Any]]:
    """For each item of the content, a dict, what can be named beside it: the captures, and over them the item's keys.

    ValueError when the content is no list; for an item that is no dict, when its turn comes.
    """
    if not isinstance(content, list):
        raise ValueError(f"a list is needed, to shape each of its items, and not a {type(content).__name__}")
    for position, one in enumerate(content):
        if not isinstance(one, dict):
            raise ValueError(f"item {position} is a {type(one).__name__}, where an object is needed")
        yield {**captures, **one}


def items(content: Any) -> list[Any]:
    """The items of a list, an object being the one; ValueError when the content is neither."""
    if not isinstance(content, (dict, list)):
        raise ValueError(f"a list or an object is needed, and not a {type(content).__name__}")
    return content if isinstance(content, list) else [content]


def is_empty(value: Any) -> bool:
    """Whether it is None, "", [] or {}."""
    return value is None or (isinstance(value, (str, list, dict)) and not value)


def without_empty(message: dict[str, Any], kept_keys: Container[str]) -> dict[str, Any]:
    """A new dict without the empty values, those of `kept_keys` aside."""
    return {key: value for key, value in message.items() if value or key in kept_keys or not is_empty(value)}
