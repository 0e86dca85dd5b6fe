"""JSON and its dialects: a body goes in, a JSON value comes out.

Invariant: whatever the dialect, the work is linear in the body, and only ValueError is raised.
"""

from __future__ import annotations

import json

_read = vars(json.JSONDecoder())["scan_once"]  # what json.loads calls, behind checks that are made here in fewer steps
_BLANKS = " \t\n\r"

TYPE_CHECKING = False  # typing is slow to import, and nothing here needs it to run
if TYPE_CHECKING:
    from typing import Any


def read_json(
    body: str,
    *,
    unquoted_keys: bool = False,
    string_delims: tuple[tuple[str, str], ...] = (),
    allow_non_json: bool = False,
    strip: bool = True,
    lexed: bool = False,
    tolerate: tuple[str, ...] = (),
) -> Any:
    """The value that json.loads gives; ValueError when it gives none.

    unquoted_keys: a word between `{` or `,` and `:` is a key, except in "strings".
    string_delims: pairs (open, close), none of them empty; what stands between them is a string, as it stands.
    allow_non_json: a body that is no JSON is text (stripped when `strip`); one nested too deeply, or with an integer
    too long for Python, is refused all the same.
    lexed: the dialect is read token by token: strings of either kind hide those of the other, no character is reserved.
    tolerate: repairs that are made first, as runtime/repair.py has them; those of quotes only where the others fail.
    """
    if tolerate:
        return _repaired(body, tolerate, unquoted_keys, string_delims, lexed)
    text = _in_json(body, unquoted_keys, string_delims, lexed) if unquoted_keys or string_delims else body
    try:
        stripped = text.strip(_BLANKS)
        try:
            value, end = _read(stripped, 0)
            if end == len(stripped):
                return value
        except StopIteration:
            pass
        return json.loads(text)  # refuses it, and says where
    except json.JSONDecodeError:
        if allow_non_json:
            return body.strip() if strip else body
        raise
    except RecursionError:
        raise ValueError("nested too deeply") from None


def read_json_lines(body: str) -> list[Any]:
    """The values of the lines that are not blank; ValueError when one is no JSON."""
    return [read_json(line) for line in body.split("\n") if line.strip()]


def _in_json(body: str, unquoted_keys: bool, string_delims: tuple[tuple[str, str], ...], lexed: bool) -> str:
    from .lax_json import as_json, lexed_as_json

    return (lexed_as_json if lexed else as_json)(body, unquoted_keys, string_delims)


def _repaired(
    body: str, repairs: tuple[str, ...], unquoted_keys: bool, string_delims: tuple[tuple[str, str], ...], lexed: bool
) -> Any:
    from .repair import repaired

    if unquoted_keys or string_delims:
        body = _in_json(body, unquoted_keys, string_delims, lexed)
    last = {"quotes"} & {*repairs}
    ways = [{*repairs} - last, {*repairs, "single"} - last, {*repairs}] if last else [{*repairs}]
    for way in ways[:-1]:
        try:
            return read_json(repaired(body, way, bare_keys=unquoted_keys))
        except ValueError:
            continue
    return read_json(repaired(body, ways[-1], bare_keys=unquoted_keys))
