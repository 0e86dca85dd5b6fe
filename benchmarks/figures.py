"""What is measured: in go workloads, out come figures, each under its workload, its cut and its name.

Invariant: a figure is a number whose meaning its name says: microseconds, a ratio (`a / b`), an exponent.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from runtime import read_json

from .contestants import FLOOR, HARMONY, JSON, OURS, SHIPPED, SPANS, TRANSFORMERS, contestants, cut_up, parsing
from .measure import Run, growth, peak, race
from .workloads import WORKLOADS, Workload

Key = tuple[str, str, str]  # workload or other subject, cut (or ""), what
Figures = dict[Key, float]

A_FEED, PEAK, LAX = "us a feed", "peak beyond the text, a character", "read_json / json.loads"
GROWTH, SHIPPED_GROWTH = "growth", f"growth, {SHIPPED}"
RATIOS = [
    (OURS, FLOOR),
    (SHIPPED, FLOOR),
    (SPANS, FLOOR),
    (TRANSFORMERS, OURS),
    (HARMONY, OURS),
    (OURS, JSON),
    (SHIPPED, JSON),
]
DOUBLINGS = 4


def speed(workload: Workload, cut: str, rounds: int) -> Figures:
    """Microseconds a feed of ours, and the ratios."""
    runs = contestants(workload, cut)
    times = race(runs, rounds)
    feeds = sum(map(len, cut_up(workload.responses(), cut)))
    figures: Figures = {(workload.name, cut, A_FEED): times.of(OURS) / feeds * 1e6}
    for above, below in RATIOS:
        if above in runs and below in runs:
            figures[workload.name, cut, f"{above} / {below}"] = times.ratio(above, below)
    return figures


def growths(workload: Workload, cuts: Iterable[str], rounds: int) -> Figures:
    """How the time of ours, and of the shipped module, grows with the text."""
    sizes = [workload.grown << doubling for doubling in range(DOUBLINGS)]
    modules = {GROWTH: workload.module} | ({SHIPPED_GROWTH: workload.shipped_module} if workload.shipped else {})
    return {
        (workload.name, cut, what): growth(
            {size: parsing(module, workload.responses(size), cut) for size in sizes}, rounds
        )
        for cut in cuts
        for what, module in modules.items()
    }


def memory(workload: Workload) -> Figures:
    """What is allocated at most for each further character that arrives in small pieces, without the text that the
    message keeps: two lengths are compared, because up to some length StringIO keeps the pieces themselves."""
    [short], [long] = workload.responses(), workload.responses(4 * workload.size)
    per_character = (_peak(workload, long) - _peak(workload, short)) / (len(long) - len(short))
    return {(workload.name, "tokens", PEAK): per_character - 1}


def _peak(workload: Workload, text: str) -> int:
    parser = workload.shipped_module.Parser

    def run() -> object:
        stream = parser(prefix="")
        for at in range(0, len(text), 4):
            stream.feed(text[at : at + 4])
        return stream.finalize()

    run()
    return peak(run)


def lax_json(rounds: int) -> Figures:
    """Reading a body whose strings have delimiters of their own, beside plain JSON of the same value."""
    workload = WORKLOADS["strings"]
    [text] = workload.responses()
    body = text[text.index("{") : text.index("<tool_call|>")]
    delims = (('<|"|>', '<|"|>'),)
    plain = json.dumps(read_json(body, unquoted_keys=True, string_delims=delims))
    runs: dict[str, Run] = {
        "lax": lambda: read_json(body, unquoted_keys=True, string_delims=delims),
        "plain": lambda: json.loads(plain),
    }
    return {(workload.name, "whole", LAX): race(runs, rounds).ratio("lax", "plain")}


def lengths(workload: Workload, sizes: Iterable[int], rounds: int) -> dict[str, list[tuple[int, float]]]:
    """Who needs how many microseconds a feed, in pieces of four characters or so, for responses of these lengths."""
    lines: dict[str, list[tuple[int, float]]] = {}
    for size in sizes:
        runs = contestants(workload, "tokens", size)
        runs = {name: runs[name] for name in (FLOOR, OURS, TRANSFORMERS)}
        times = race(runs, rounds)
        feeds = sum(map(len, cut_up(workload.responses(size), "tokens")))
        for name in runs:
            lines.setdefault(name, []).append((size, times.of(name) / feeds * 1e6))
    return lines
