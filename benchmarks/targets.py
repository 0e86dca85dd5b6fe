"""What the figures have to be: in go figures, out come lines that say which targets hold.

Invariant: a target whose figure was not measured is said to be missing; it does not pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .contestants import FLOOR, HARMONY, JSON, OURS, SHIPPED, TRANSFORMERS
from .costs import IMPORT
from .figures import GROWTH, LAX, PEAK, SHIPPED_GROWTH, Figures, Key
from .workloads import CUTS, WORKLOADS

NOISE = 0.15  # the share by which a ratio may miss
EXPONENT_NOISE = 0.05


@dataclass(frozen=True)
class Target:
    """bound: the most the figure may be, or with `at_least` the least."""

    key: Key
    bound: float
    at_least: bool = False

    @property
    def margin(self) -> float:
        return EXPONENT_NOISE if self.key[2] in (GROWTH, SHIPPED_GROWTH) else NOISE

    def holds(self, value: float, margin: float = 0.0) -> bool:
        return value >= self.bound / (1 + margin) if self.at_least else value <= self.bound * (1 + margin)


def _targets() -> Iterator[Target]:
    for name, bound in {
        "literals": 2.2,
        "closers": 2.2,
        "reasoning_100k": 1.6,
        "reasoning_400k": 1.6,
        "near_misses": 4.5,
    }.items():
        yield Target((name, "tokens", f"{OURS} / {FLOOR}"), bound)
        if WORKLOADS[name].shipped:
            yield Target((name, "tokens", f"{SHIPPED} / {FLOOR}"), bound)
    for name, bound in {
        "literals": 9,
        "closers": 6,
        "reasoning_100k": 14,
        "reasoning_400k": 45,
        "newlines": 1000,
        "look_ahead": 1000,
    }.items():
        yield Target((name, "tokens", f"{TRANSFORMERS} / {OURS}"), bound, at_least=True)
    yield Target(("harmony", "tokens", f"{HARMONY} / {OURS}"), 3, at_least=True)
    yield Target(("literals", "whole", f"{OURS} / {JSON}"), 2.2)
    yield Target(("closers", "whole", f"{OURS} / {JSON}"), 2.2)
    yield Target(("closers", "whole", f"{SHIPPED} / {JSON}"), 2.2)
    yield Target(("strings", "whole", LAX), 4)
    yield Target(("reasoning_400k", "tokens", PEAK), 2)
    yield Target(("smollm3", "import", IMPORT), 1.6)
    for workload in WORKLOADS.values():
        if workload.grown:
            for cut in CUTS:
                yield Target((workload.name, cut, GROWTH), 1.1)
                if workload.shipped:
                    yield Target((workload.name, cut, SHIPPED_GROWTH), 1.1)


TARGETS = list(_targets())


def verdicts(figures: Figures, targets: list[Target]) -> Iterator[tuple[Target, str]]:
    """Each target with "holds", "within noise", "MISSED" or "not measured"."""
    for target in targets:
        value = figures.get(target.key)
        if value is None:
            yield target, "not measured"
        elif target.holds(value):
            yield target, "holds"
        else:
            yield target, "within noise" if target.holds(value, target.margin) else "MISSED"
