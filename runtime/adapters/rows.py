"""Many responses, in whatever engine: columns go in, the same columns with message and error come out.

Invariant: every row that goes in comes out, in order; nothing that stands in a row is raised. What
`respc parse --batch` writes into Parquet is the same.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

MESSAGE, ERROR = "message", "error"


class Rows:
    """A step for engines that work by columns: Ray Data's map_batches, datasets.map(batched=True), a loop.

    module: a generated one, or its full name, which each worker imports once. tools: those of rows that have none.
    """

    def __init__(self, module: ModuleType | str, tools: Any = None) -> None:
        self._module = import_module(module) if isinstance(module, str) else module
        self._tools = tools

    def __call__(self, columns: Mapping[str, Sequence[Any]]) -> dict[str, Any]:
        """The columns, and two of strings or None: the message as JSON text, and what was wrong.

        "text" is parsed; "prefix" is the prompt, "tools" are those of the request as JSON text, where there are such
        columns. Raises ValueError without a text, and where the new columns are taken.
        """
        if "text" not in columns or {MESSAGE, ERROR} & columns.keys():
            raise ValueError(f"columns are text, perhaps prefix and tools, and neither {MESSAGE} nor {ERROR}")
        given = [name for name in ("text", "prefix", "tools") if name in columns]
        messages, errors = [], []
        for values in zip(*(columns[name] for name in given), strict=True):
            message, error = parsed(self._module, dict(zip(given, values, strict=True)), self._tools)
            messages.append(None if message is None else json.dumps(message))
            errors.append(error and error.encode("utf-8", "backslashreplace").decode())
        return {**columns, MESSAGE: messages, ERROR: errors}


def parsed(module: ModuleType, row: Mapping[str, Any], tools: Any = None) -> tuple[dict[str, Any] | None, str | None]:
    """Message and error of one row. The message of a bad one is what its good regions give."""
    text, prefix, given = row.get("text"), row.get("prefix") or "", row.get("tools") or tools
    if not isinstance(text, str):
        return None, 'the row has no string "text"'
    try:
        parser = module.Parser(
            prefix=prefix, tools=json.loads(given) if isinstance(given, str) else given, on_error="keep"
        )
    except (ValueError, TypeError, RecursionError) as error:
        return None, str(error)
    parser.feed(text)
    message, _ = parser.finalize()
    return message, "\n".join(map(str, parser.errors)) or None
