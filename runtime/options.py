"""The options of a parse, as types: they live here, so that a generated module's text does not depend on them."""

from __future__ import annotations

from typing import Literal, TypedDict


class Options(TypedDict, total=False):
    """spans: events carry offsets, and dropped text is reported. on_error: "raise", or "keep" to read on behind a bad
    region and collect the errors. coerce: "exact" types arguments by the tools' schemas as written. strict_prefix: an
    absent anchor raises AnchorNotFound instead of a warning. bad, cut, unknown: what to do about a body that does not
    parse, a region that the end of the text cuts off, and a call of an unknown tool, whatever the grammar says."""

    spans: bool
    on_error: Literal["raise", "keep"]
    coerce: Literal["", "exact"]
    strict_prefix: bool
    bad: Literal["raise", "drop", "text"]
    cut: Literal["close", "bad", "complete"]
    unknown: Literal["keep", "drop", "text"]
