"""The options of a parse, as types: they live here, so that a generated module's text does not depend on them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypedDict


@dataclass(frozen=True)
class Limits:
    """How much a parse keeps at most; None: no limit. A parser without `limits` has none.

    region: characters of one region; a longer one is refused at its close, and what is not yet decided to be a
    delimiter or not counts in the same way. regions: regions of one response.
    """

    region: int | None = 8 * 2**20
    regions: int | None = 100_000

    def __post_init__(self) -> None:
        for name, most in (("region", self.region), ("regions", self.regions)):
            if most is not None and (type(most) is not int or most < 1):
                raise ValueError(f"limits: {name} is a whole number above 0, or None, not {most!r}")


class Options(TypedDict, total=False):
    """spans: events carry offsets, and dropped text is reported. on_error: "raise", or "keep" to read on behind a bad
    region and collect the errors; it drops what the end of the text cuts off, too, where the grammar says nothing.
    coerce: "exact" types arguments by the tools' schemas as written, "elements" those that are elements of tags, "v1"
    as version 1 does, "" as the grammar says. strict_prefix: an absent anchor raises AnchorNotFound instead of a
    warning. bad, cut, unknown: what to do about a body that does not parse, a region that the end of the text cuts off,
    and a call of an unknown tool, whatever the grammar says. limits: how much is kept at most. strict_json: what no
    JSON text can say, half characters, or what is nested deeper than 100 levels, is refused.
    """

    spans: bool
    on_error: Literal["raise", "keep"]
    coerce: Literal["", "exact", "elements", "v1"]
    strict_prefix: bool
    bad: Literal["raise", "drop", "text"]
    cut: Literal["close", "bad", "complete"]
    unknown: Literal["keep", "drop", "text"]
    limits: Limits | None
    strict_json: bool
