"""Figures as Markdown: in go figures, out come tables, or a document in which they stand between two markers.

Invariant: nothing outside of the markers changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .contestants import FLOOR, HARMONY, JSON, OURS, SHIPPED, SPANS, TRANSFORMERS
from .costs import BLACK, COMPILE
from .figures import A_FEED, GROWTH, SHIPPED_GROWTH, Figures
from .targets import Target, verdicts
from .workloads import CUTS, WORKLOADS

RATIO = "{} / {}".format
COLUMNS = {
    "us a feed": A_FEED,
    "ours / floor": RATIO(OURS, FLOOR),
    "with spans / floor": RATIO(SPANS, FLOOR),
    "shipped / floor": RATIO(SHIPPED, FLOOR),
    "transformers / ours": RATIO(TRANSFORMERS, OURS),
    "openai-harmony / ours": RATIO(HARMONY, OURS),
}
SHORT = ("us a feed", "ours / floor", "shipped / floor", "transformers / ours")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Markdown: the first column is words, the others are numbers."""
    lines = [head, ["---", *["--:"] * (len(head) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def streamed(figures: Figures, cut: str, columns: Iterable[str] = tuple(COLUMNS)) -> str:
    """A row a workload: what a feed costs, and how that compares."""
    shown = {name: COLUMNS[name] for name in columns}
    kept = [what for what in shown.values() if any(key[1:] == (cut, what) for key in figures)]
    head = ["", *(name for name, what in shown.items() if what in kept)]
    rows = (
        [WORKLOADS[name].title, *(_cell(figures, name, cut, what) for what in kept)] for name in _measured(figures, cut)
    )
    return table(head, rows)


def whole(figures: Figures) -> str:
    """A row a workload: what one response costs when it is there as a whole."""
    whats = [A_FEED, RATIO(OURS, JSON), RATIO(SHIPPED, JSON), RATIO(TRANSFORMERS, OURS)]
    head = ["", "us a response", "ours / json.loads", "shipped / json.loads", "transformers / ours"]
    return table(
        head,
        (
            [WORKLOADS[name].title, *(_cell(figures, name, "whole", what) for what in whats)]
            for name in _measured(figures, "whole")
        ),
    )


def growth(figures: Figures) -> str:
    """A row a workload: the exponents, then those of the shipped module."""
    names = [name for name in WORKLOADS if any(key[0] == name and key[2] == GROWTH for key in figures)]
    rows = (
        [WORKLOADS[name].title, *(_cell(figures, name, cut, what) for what in (GROWTH, SHIPPED_GROWTH) for cut in CUTS)]
        for name in names
    )
    return table(["", *CUTS, *(f"shipped, {cut}" for cut in CUTS)], rows)


def compiling(figures: Figures) -> str:
    """A row a grammar."""
    names = sorted(key[0] for key in figures if key[2] == COMPILE)
    rows = ([name, *(_cell(figures, name, "compile", what) for what in (COMPILE, BLACK))] for name in names)
    return table(["grammar", "compiled, ms", "formatted by black, ms"], rows)


def judged(figures: Figures, targets: list[Target]) -> str:
    """A row a target."""
    rows = []
    for target, verdict in verdicts(figures, targets):
        name, cut, what = target.key
        bound = f"{'>=' if target.at_least else '<='} {target.bound:g}"
        value = _cell(figures, *target.key)
        rows.append([f"{what}: {name}, {cut}", value, bound, f"{target.margin:.0%}", verdict])
    return table(["target", "measured", "bound", "margin", ""], rows)


def put(document: str, name: str, block: str) -> str:
    """The document with the block between `<!-- bench NAME -->` and `<!-- end -->`. Raises ValueError without them."""
    pattern = rf"(<!-- bench {re.escape(name)} -->\n).*?(<!-- end -->)"
    changed, count = re.subn(pattern, lambda found: f"{found[1]}{block}{found[2]}", document, flags=re.DOTALL)
    if count != 1:
        raise ValueError(f"there are {count} places for {name}, not one")
    return changed


def _measured(figures: Figures, cut: str) -> list[str]:
    return [name for name in WORKLOADS if (name, cut, A_FEED) in figures]


def _cell(figures: Figures, name: str, cut: str, what: str) -> str:
    """Three digits that count; "" when it was not measured."""
    value = figures.get((name, cut, what))
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
