"""Time and memory: in go runs, out come seconds, ratios, exponents, bytes.

Invariant: only what was measured in the same round is divided, so that a machine that is busy with something else slows
both sides alike; what is reported is the median over the rounds. Time is the process's own; nothing collects garbage.
"""

from __future__ import annotations

import gc
import math
import time
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import median
from typing import Any

Run = Callable[[], Any]

LEAST = 0.01  # seconds that a timing takes at least: the run is repeated until then
SLOW = 1.0  # seconds; a run that takes longer is timed once


@dataclass(frozen=True)
class Times:
    """seconds: of one run, in each round that it took part in, which are the first ones."""

    seconds: Mapping[str, list[float]]

    def of(self, name: str) -> float:
        return median(self.seconds[name])

    def ratio(self, above: str, below: str) -> float:
        """How many times as long `above` takes as `below`."""
        return median(a / b for a, b in zip(self.seconds[above], self.seconds[below], strict=False))


def race(runs: Mapping[str, Run], rounds: int) -> Times:
    """Time each run in each round, one after the other, in an order that turns."""
    seconds: dict[str, list[float]] = {name: [] for name in runs}
    names = list(runs)
    with no_collection():
        once = {name: _once(run) for name, run in runs.items()}
        for number in range(rounds):
            for name in names[number % len(names) :] + names[: number % len(names)]:
                if once[name] < SLOW:
                    seconds[name].append(timed(runs[name], max(1, round(LEAST / max(once[name], 1e-6)))))
    seconds.update((name, [second]) for name, second in once.items() if second >= SLOW)
    return Times(seconds)


def _once(run: Run) -> float:
    """Seconds that one run takes; where that is not long, of the second one, which finds all caches filled."""
    first = timed(run, 1)
    return first if first >= SLOW else timed(run, 1)


def timed(run: Run, times: int) -> float:
    """Seconds that one run takes, of `times`."""
    began = time.process_time()
    for _ in range(times):
        run()
    return (time.process_time() - began) / times


def growth(runs: Mapping[int, Run], rounds: int) -> float:
    """The exponent that time grows with: the slope, in logarithms, over all sizes of a round."""
    times = race({str(size): run for size, run in runs.items()}, rounds)
    rows = zip(*(times.seconds[str(size)] for size in runs), strict=False)
    return median(slope([math.log(size) for size in runs], [math.log(second) for second in row]) for row in rows)


def slope(xs: list[float], ys: list[float]) -> float:
    """Of the straight line that fits best."""
    x, y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys, strict=True)) / sum((a - x) ** 2 for a in xs)


def peak(run: Run) -> int:
    """The most bytes that the run has allocated and not freed at any one time."""
    gc.collect()
    tracemalloc.start()
    try:
        kept = run()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        del kept


@contextmanager
def no_collection() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
