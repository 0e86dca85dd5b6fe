"""A call goes in, what came of it comes out: a value told apart by type at every depth, or that it was refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

REFUSED = "refused"


def exact(value: Any) -> Any:
    """A value that is equal only to what has the same types, key order and float digits at every depth."""
    if isinstance(value, dict):
        return "dict", [(exact(key), exact(one)) for key, one in value.items()]
    if isinstance(value, list):
        return "list", [exact(one) for one in value]
    return type(value).__name__, repr(value)


def ours(call: Callable[..., Any], *args: Any, **keywords: Any) -> Any:
    """Only a ValueError counts as refused."""
    try:
        return exact(call(*args, **keywords))
    except ValueError:
        return REFUSED


def theirs(call: Callable[..., Any], *args: Any, **keywords: Any) -> Any:
    """The reference also refuses by what a template or a text made it stumble over."""
    try:
        return exact(call(*args, **keywords))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return REFUSED
