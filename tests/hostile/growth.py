"""How the time of a parser grows: attacks go in, out comes the CPU time at four times a size over that at the size.

Invariant: each time is the least of some runs in this process, the parser compiled and warm; what takes too little to
be measured is run at larger sizes until it can be.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import ModuleType

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from compiler import compile_template
from runtime import ParseError
from tests.hostile.outputs import ATTACKS, Attack
from tests.hostile.shipped import shipped_attacks

MOST = 6.0  # times the time at four times the size
LEAST = 0.004  # seconds that can be measured
RUNS = 2
HUGE = 2**22  # characters beyond which a quick attack is quick enough
LONG = 2.0  # seconds after which nothing larger is tried
WIDTHS = {"whole": 0, "tokens": 4, "chars": 1}


def cut(pieces: Iterable[str], width: int) -> Iterator[str]:
    """The same text in pieces of a width; 0: all at once."""
    text = "".join(pieces)
    if not width:
        return iter([text])
    return (text[at : at + width] for at in range(0, len(text), width))


def run(module: ModuleType, attack: Attack, pieces: list[str]) -> float:
    """CPU seconds for one reading."""
    parser = module.Parser(prefix=attack.prefix, tools=attack.tools, on_error="keep")
    feed = parser.feed
    gc.collect()
    gc.disable()
    began = time.process_time()
    try:
        for piece in pieces:
            feed(piece)
        parser.finalize()
    except ParseError:
        pass
    took = time.process_time() - began
    gc.enable()
    return took


def growth(module: ModuleType, build: Callable[[int], Attack], width: int, size: int) -> tuple[float, float, int]:
    """(ratio, seconds at four times the size, the size). What grows too fast is tried again at larger sizes, where no
    cache matters: only what stays so counts."""
    while True:
        times = []
        for factor in (1, 4):
            attack = build(size * factor)
            pieces = list(cut(attack.pieces(), width))
            times.append(min(run(module, attack, pieces) for _ in range(RUNS)))
        ratio, seconds = times[1] / max(times[0], LEAST), times[1]
        if times[0] < LEAST and size * 8 <= HUGE:
            size *= 4 if times[0] < LEAST / 4 else 2
        elif ratio > MOST and seconds < LONG:
            size *= 4
        else:
            return ratio, seconds, size


def main() -> int:
    asked = argparse.ArgumentParser(description="CPU(4n) / CPU(n) of hostile outputs, whole, in tokens, in characters")
    asked.add_argument("names", nargs="*")
    asked.add_argument("--size", type=int, default=2000)
    given = asked.parse_args()
    gc.freeze()  # what has been imported is no part of a reading
    worst, failed = 0.0, 0
    attacks = [(name, None, build) for name, build in ATTACKS.items() if build(8).grows]
    attacks += [(f"{model}:{name}", module, build) for model, module, name, build in shipped_attacks()]
    for name, module, build in attacks:
        if given.names and not any(wanted in name for wanted in given.names):
            continue
        module = module or compile_template(build(8).template)
        for way, width in WIDTHS.items():
            ratio, seconds, size = growth(module, build, width, given.size)
            bad = ratio > MOST
            worst, failed = max(worst, ratio), failed + bad
            print(
                f"{'SLOW' if bad else 'ok  '} {ratio:6.2f} {seconds:8.3f} s at {4 * size:>9} {way:7} {name}", flush=True
            )
    print(f"worst {worst:.2f}, over {MOST}: {failed}")
    return min(failed, 1)


if __name__ == "__main__":
    sys.exit(main())
