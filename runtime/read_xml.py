"""Flat tags: a body goes in, a dict of what its tags say comes out.

Invariant: text that no tag matches is passed over; the tags decide, in the order in which they stand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def read_xml_inline(
    body: str, tag: Any, *, value: Callable[[str], Any] | None = None, merge_duplicates: bool = False
) -> dict[str, Any]:
    """One key for each key that a tag names; ValueError when a tag names none.

    tag: a compiled pattern of `re` or `regex` with the group `key`; without a group `value`, values are "".
    value: reads a value; None leaves it as it stands, and is the one reader for a value group that may take no part.
    merge_duplicates: the values of a repeated key are collected in a list; else the last one counts.
    """
    pairs: dict[str, Any] = {}
    merged: set[str] = set()
    for found in tag.finditer(body):
        groups = found.groupdict(None)
        key, raw = groups["key"], groups.get("value", "")
        if key is None:
            raise ValueError("a tag without a key")
        if value is None:
            read = raw
        elif raw is None:
            raise ValueError(f"the tag {key!r} has no value to read")
        else:
            read = value(raw)
        put(pairs, merged if merge_duplicates else None, key, read)
    return pairs


def put(pairs: dict[str, Any], merged: set[str] | None, key: str, value: Any) -> None:
    """One more pair; with `merged`, the keys that are repeated, the values of such a key are a list."""
    if merged is None or key not in pairs:
        pairs[key] = value
    elif key in merged:
        pairs[key].append(value)
    else:
        merged.add(key)
        pairs[key] = [pairs[key], value]
