"""The options of a parse, as types: they live here, so that a generated module's text does not depend on them."""

from __future__ import annotations

from typing import Literal, TypedDict


class Options(TypedDict, total=False):
    """spans: events carry offsets, and dropped text is reported. on_error: "raise", or "keep" to read on behind a bad
    region and collect the errors. coerce: "exact" types arguments by the tools' schemas as written. strict_prefix: an
    absent anchor raises AnchorNotFound instead of a warning."""

    spans: bool
    on_error: Literal["raise", "keep"]
    coerce: Literal["", "exact"]
    strict_prefix: bool
