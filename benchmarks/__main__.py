"""`python -m benchmarks`: in go names of workloads and a number of rounds, out come Markdown and an exit code.

Invariant: 0, or with --check 1 when a target is missed by more than its margin. Nothing is written without --write.
"""

from __future__ import annotations

import argparse
import platform
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from . import costs, figures, harmony, tables
from .charts import chart
from .figures import A_FEED, GROWTH, SHIPPED_GROWTH, Figures
from .targets import TARGETS, verdicts
from .workloads import CUTS, WORKLOADS

ROOT = Path(__file__).parents[1]
README, DOCUMENT, CHARTS = ROOT / "README.md", ROOT / "docs" / "performance.md", ROOT / "docs" / "charts"
CHARTED = {
    "reasoning": ("reasoning_100k", "Reasoning", [3_000 << doubling for doubling in range(8)]),
    "newlines": (
        "newlines",
        "Newlines that might stand before a tool call",
        [1_250 << doubling for doubling in range(5)],
    ),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and as asked for: judge, write. -> the exit code."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="How fast the generated parsers are.")
    parser.add_argument("--only", nargs="+", choices=list(WORKLOADS), metavar="NAME", help="only these workloads")
    parser.add_argument("--cut", nargs="+", choices=list(CUTS), default=list(CUTS), help="only in these pieces")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--no-growth", action="store_true", help="not the exponents, which take longest")
    parser.add_argument("--check", action="store_true", help="measure what has a target, and fail when one is missed")
    parser.add_argument("--write", action="store_true", help="put tables and charts into README.md and docs/")
    given = parser.parse_args(arguments)
    if given.write and given.only:
        parser.error("--write needs all workloads")
    missing = harmony.missing()
    if missing:
        print(f"not measured: {missing}", file=sys.stderr)
    found = measured(given.only, given.cut, given.rounds, growth=not given.no_growth, judged=given.check)
    blocks = dict(shown(found))
    print("\n".join(blocks.values()))
    if given.write:
        write(blocks)
        draw(given.rounds)
    return int(given.check and any(verdict == "MISSED" for _, verdict in verdicts(found, TARGETS)))


def measured(only: list[str] | None, cuts: list[str], rounds: int, *, growth: bool, judged: bool) -> Figures:
    """The figures of all workloads and the rest, or those of some workloads. judged: but those without a target."""
    speeds = {target.key[:2] for target in TARGETS if target.key[2] not in (GROWTH, SHIPPED_GROWTH)}
    found: Figures = {}
    for name in only or WORKLOADS:
        workload = WORKLOADS[name]
        print(f"measuring {name}", file=sys.stderr)
        for cut in cuts:
            if not judged or (name, cut) in speeds:
                found |= figures.speed(workload, cut, rounds)
        if growth and workload.grown:
            found |= figures.growths(workload, cuts, max(3, rounds // 2))
    if not only:
        print("measuring bodies, memory, imports and the compiler", file=sys.stderr)
        found |= figures.lax_json(rounds)
        found |= figures.memory(WORKLOADS["reasoning_400k"])
        found |= costs.imports("smollm3", rounds * 3)
        found |= costs.compiling()
    return found


def shown(found: Figures) -> Iterator[tuple[str, str]]:
    """The tables that there are figures for, and the names of their places in the documents."""
    for cut in ("tokens", "chars"):
        if any(key[1:] == (cut, A_FEED) for key in found):
            yield cut, tables.streamed(found, cut)
    if any(key[1:] == ("whole", A_FEED) for key in found):
        yield "whole", tables.whole(found)
    if any(key[2] == GROWTH for key in found):
        yield "growth", tables.growth(found)
    if any(key[1] == "compile" for key in found):
        yield "compiling", tables.compiling(found)
        yield "targets", tables.judged(found, TARGETS)
        yield "short", tables.streamed(found, "tokens", tables.SHORT)
        machine = f"{platform.python_implementation()} {platform.python_version()}, {platform.machine()}"
        yield "machine", f"Measured on {machine}.\n"


def write(blocks: dict[str, str]) -> None:
    """Each table to its place: the short one in the README, the others in the document on performance."""
    for path, names in ((README, {"short"}), (DOCUMENT, blocks.keys() - {"short"})):
        text = path.read_text(encoding="utf-8")
        for name in sorted(names):
            text = tables.put(text, name, blocks[name])
        path.write_text(text, encoding="utf-8")


def draw(rounds: int) -> None:
    """The charts: what a feed costs, for responses of growing length."""
    CHARTS.mkdir(exist_ok=True)
    for name, (workload, title, sizes) in CHARTED.items():
        print(f"drawing {name}", file=sys.stderr)
        lines = figures.lengths(WORKLOADS[workload], sizes, rounds)
        picture = chart(title, "characters in the response", "microseconds a feed", lines)
        (CHARTS / f"{name}.svg").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
