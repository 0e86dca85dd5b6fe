"""`python -m benchmarks`: in go names of workloads and a number of rounds, out come Markdown and an exit code.

Invariant: 0, or with --check 1 when a target is missed by more than its margin.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import costs, figures, harmony, tables
from .figures import Figures
from .targets import TARGETS, verdicts
from .workloads import CUTS, WORKLOADS


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description="How fast the generated parsers are.")
    parser.add_argument(
        "--only", nargs="+", choices=list(WORKLOADS), metavar="NAME", help="only these workloads' speed"
    )
    parser.add_argument("--cut", nargs="+", choices=list(CUTS), default=list(CUTS), help="only in these pieces")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--growth", action="store_true", help="with --only: the growth too")
    parser.add_argument("--check", action="store_true", help="fail when a target is missed")
    given = parser.parse_args(arguments)
    if harmony.missing():
        print(f"not measured: {harmony.missing()}", file=sys.stderr)
    found = measured(given.only, given.cut, given.rounds, given.growth)
    print(shown(found))
    if not given.check:
        return 0
    print(tables.judged(found, TARGETS))
    return int(any(verdict == "MISSED" for _, verdict in verdicts(found, TARGETS)))


def measured(only: list[str] | None, cuts: list[str], rounds: int, growth: bool) -> Figures:
    """All figures, or those of some workloads."""
    found: Figures = {}
    for name in only or WORKLOADS:
        workload = WORKLOADS[name]
        print(f"measuring {name}", file=sys.stderr)
        for cut in cuts:
            found |= figures.speed(workload, cut, rounds)
        if workload.grown and (growth or not only):
            found |= figures.growths(workload, cuts, max(3, rounds // 2))
    if not only:
        print("measuring the rest", file=sys.stderr)
        found |= figures.lax_json(rounds)
        found |= figures.memory(WORKLOADS["reasoning_400k"])
        found |= costs.imports("smollm3", rounds * 3)
        found |= costs.compiling()
    return found


def shown(found: Figures) -> str:
    """All tables."""
    parts = [tables.streamed(found, cut) for cut in ("tokens", "chars") if any(key[1] == cut for key in found)]
    return "\n".join([*parts, tables.whole(found), tables.growth(found), tables.compiling(found)])


if __name__ == "__main__":
    sys.exit(main())
