"""The command that parses: in go a response's bytes from a file or standard input, out come JSON lines; or rows.

Invariant: the text reaches the parser as it is, line ends included; with `stream` as soon as it arrives.
"""

from __future__ import annotations

import codecs
import json
import os
import sys
import warnings
from collections.abc import Iterable, Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any

from runtime.errors import ParseError
from runtime.events import Event

from .load import WrongUse, find_module, reading
from .show.printable import visible

STDIN = 0  # its descriptor
PIECE = 4096  # bytes at most in one read of a stream


def parse(name: str, file: Path | None, *, prefix: str, tools: Path | None, stream: bool, events: bool) -> int:
    """Parse one response and print the message; `events` prints each event before it, one JSON object a line.

    Returns 1 when a region is malformed: the error goes to standard error, the events before it are printed.
    """

    def show(found: Iterable[Event]) -> None:
        for event in found if events else ():
            print(json.dumps(event, default=str), flush=True)  # an error is what it says

    module = find_module(name)
    with warnings.catch_warnings(record=True) as noted:
        warnings.simplefilter("always")
        parser = module.Parser(prefix=prefix, tools=_tools(tools))
    for warning in noted:
        help_ = "; in a shell, $'...\\n' ends with a line break" if "\\n" in prefix else ""
        print(visible(f"respc: {warning.message}{help_}"), file=sys.stderr)
    try:
        show(parser.initial_events)
        with (
            reading("standard input" if file is None else file),
            open(STDIN if file is None else file, "rb", closefd=file is not None) as source,
        ):
            for piece in _pieces(source, stream):
                show(parser.feed(piece))
        message, last = parser.finalize()
    except ParseError as error:
        show(error.events)
        print(visible(f"respc: {error}"), file=sys.stderr)
        return 1
    show(last)
    print(json.dumps(message, indent=None if events else 2))
    return 0


def parse_batch(name: str, source: Path, out: Path, *, tools: Path | None, workers: int) -> int:
    """Parse each row of `source` into `out`, a progress bar on standard error when that is a terminal.

    Returns 1 when a row has an error. Ctrl-C leaves whole parts: the same command goes on from them.
    """
    from rich.console import Console
    from rich.progress import Progress

    from .show.batch import Batch

    batch = Batch(source, out, name, _tools(tools))
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(source.name, total=batch.plan.rows)
        try:
            counts = batch.run(workers or os.cpu_count() or 1, lambda rows: progress.advance(task, rows))
        except KeyboardInterrupt:
            progress.stop()
            print(f"respc: interrupted; {batch.folder} has what is done, the same command goes on", file=sys.stderr)
            raise
    print(f"respc: {counts.rows} rows in {out}, {counts.wrong} with an error", file=sys.stderr)
    return 1 if counts.wrong else 0


def _tools(file: Path | None) -> list[Any] | None:
    """The tools that a file lists. Raises WrongUse, OSError."""
    if file is None:
        return None
    try:
        tools = json.loads(file.read_bytes())
    except (ValueError, RecursionError) as error:
        raise WrongUse(f"{file}: {error}") from None
    if not isinstance(tools, list):
        raise WrongUse(f"{file}: tools are a JSON list of schemas")
    return tools


def _pieces(source: BufferedReader, stream: bool) -> Iterator[str]:
    """The text of a file, whole, or in the pieces in which it can be had. Raises UnicodeDecodeError."""
    decoder = codecs.getincrementaldecoder("utf-8")()
    while data := source.read1(PIECE) if stream else source.read():
        yield decoder.decode(data)
    yield decoder.decode(b"", final=True)
