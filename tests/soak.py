"""A long day of a parser: how many pieces and which way in, out comes what it kept and how its speed held.

Invariant: the stream is made while it is read, and its events are dropped, so that what grows is the parser's alone.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import importlib
import sys
import threading
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from types import ModuleType
from typing import Any

TURN = (
    '<think>{think}</think>\n<tool_call>{{"name": "f", "arguments": {{"n": {n}}}}}</tool_call>\nsome text, and more.\n'
)


@dataclass(frozen=True)
class Kept:
    """pieces: that were read. text: characters of values in the message. grown: bytes that the parser came to hold.
    halves: CPU seconds of the first and of the second half."""

    pieces: int
    regions: int
    text: int
    grown: int
    halves: tuple[float, float]


def tokens(pieces: int, turn: int = 400) -> Iterator[str]:
    """That many pieces of three characters: reasoning, a call and text, time and again."""
    number = 0
    made = 0
    while made < pieces:
        text = TURN.format(think="so it goes " * (turn // 11), n=number)
        number += 1
        for at in range(0, len(text), 3):
            yield text[at : at + 3]
            made += 1
            if made == pieces:
                return


def soak(module: ModuleType, pieces: int, **options: Any) -> Kept:
    """One parser reads that many pieces."""
    parser = module.Parser(prefix="", **options)
    feed, stream = parser.feed, tokens(pieces)
    gc.collect()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    halves, regions = [], 0
    for _ in range(2):
        began = time.process_time()
        for piece in islice(stream, pieces // 2):
            for event in feed(piece):
                regions += event["type"] == "region_open"
        halves.append(time.process_time() - began)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    message = parser.finalize()[0]
    return Kept(pieces, regions, len(str(message)), grown, (halves[0], halves[1]))


def interleaved(modules: list[ModuleType], pieces: int) -> list[Any]:
    """Messages of parsers that read in threads, side by side."""
    found: list[Any] = [None] * len(modules)

    def read(index: int) -> None:
        parser = modules[index].Parser(prefix="")
        for piece in tokens(pieces):
            parser.feed(piece)
        found[index] = parser.finalize()[0]

    threads = [threading.Thread(target=read, args=(index,)) for index in range(len(modules))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


def in_turns(modules: list[ModuleType], pieces: int) -> list[Any]:
    """The same as tasks, which change with each piece."""

    async def read(module: ModuleType) -> Any:
        parser = module.Parser(prefix="")
        for piece in tokens(pieces):
            parser.feed(piece)
            await asyncio.sleep(0)
        return parser.finalize()[0]

    async def both() -> list[Any]:
        return list(await asyncio.gather(*map(read, modules)))

    return asyncio.run(both())


def alone(module: ModuleType, pieces: int) -> Any:
    parser = module.Parser(prefix="")
    for piece in tokens(pieces):
        parser.feed(piece)
    return parser.finalize()[0]


def main() -> int:
    asked = argparse.ArgumentParser(description="long streams: memory, speed, parsers side by side")
    asked.add_argument("pieces", type=int, nargs="?", default=3_000_000)
    pieces = asked.parse_args().pieces
    for name in ("qwen3", "smollm3", "gpt_oss"):
        kept = soak(importlib.import_module(f"generated.{name}"), pieces)
        first, second = kept.halves
        print(
            f"{name:8} {kept.pieces:,} pieces, {kept.regions:,} regions; message {kept.text:,} characters, "
            f"{kept.grown:,} bytes held; first half {first:.1f} s, second {second:.1f} s",
            flush=True,
        )
    modules = [importlib.import_module(f"generated.{name}") for name in islice(cycle(("qwen3", "smollm3")), 4)]
    expected = [alone(module, pieces // 10) for module in modules]
    print(
        "threads:",
        interleaved(modules, pieces // 10) == expected,
        "tasks:",
        in_turns(modules, pieces // 10) == expected,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
