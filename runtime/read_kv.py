"""Lines of keys and values: a body goes in, a dict comes out.

Invariant: a line without a separator says nothing, or is refused; the last of equal keys counts, at the place of the
first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def read_kv_lines(
    body: str,
    *,
    line_sep: str = "\n",
    kv_sep: str = ":",
    strip: bool = True,
    value: Callable[[str], Any] | None = None,
    exact: bool = False,
) -> dict[str, Any]:
    """One key for each line, split at its first `kv_sep`. Neither separator is empty.

    strip: white space goes from around the line (before it is split), the key and the value.
    value: reads a value; None leaves it as it stands. exact: ValueError for a line that is no pair and not blank.
    """
    pairs: dict[str, Any] = {}
    for line in body.split(line_sep):
        key, separator, raw = (line.strip() if strip else line).partition(kv_sep)
        if separator:
            if strip:
                key, raw = key.strip(), raw.strip()
            pairs[key] = raw if value is None else value(raw)
        elif exact and line.strip():
            raise ValueError(f"a line without {kv_sep!r}")
    return pairs
