"""The commands that show what a parser does: in go a grammar's name and a response, out come traces and pictures.

Invariant: nothing that a model wrote reaches a terminal or a page as anything but text.
"""

from __future__ import annotations

import contextlib
import json
import sys
from io import TextIOWrapper
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any, Literal

import typer

from .check import check
from .example import example
from .load import SUFFIX, WrongUse, find_grammar, find_module, grammar_paths, names_like, reading
from .lower import lower
from .show.diagram import mermaid, svg
from .show.printable import visible
from .show.recording import Generation, Recording, record
from .show.watch import Look
from .write import write_new

app = typer.Typer()

Grammar = Annotated[
    str,
    typer.Option(
        "-g", "--grammar", metavar="NAME|PATH", help="A grammar's name, or its file.", autocompletion=names_like
    ),
]


def _no_dash(file: Path | None) -> Path | None:
    return None if file == Path("-") else file


Response = Annotated[
    Path | None, typer.Argument(help="The response; default, and -: standard input.", callback=_no_dash)
]


@app.command(**example("respc trace -g smollm3 response.txt --html trace.html"))
def trace(
    grammar: Grammar,
    file: Response = None,
    prefix: Annotated[
        str, typer.Option(help="The prompt that the response continues; it may have begun the message.")
    ] = "",
    tools: Annotated[Path | None, typer.Option(metavar="FILE", help="JSON list of tool schemas.")] = None,
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help='Each line is {"text": ..., "prefix": ...}; as for FILE.jsonl.')
    ] = False,
    piece: Annotated[int, typer.Option(min=1, metavar="N", help="Feed N characters at a time.")] = 1,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="A new file: one page, which replays it.")] = None,
) -> None:
    """Show how a response is read. Its regions, what was held and dropped, errors; exit 1 when there are some."""
    module = find_module(grammar)
    given = None if tools is None else _json(tools.read_bytes(), str(tools))
    origin = "standard input" if file is None else str(file)
    with reading(origin):
        data = (sys.stdin.buffer.read() if file is None else file.read_bytes()).decode("utf-8")
    if jsonl or (file is not None and file.suffix == ".jsonl"):
        generations = _generations(data, origin, prefix, given)
    else:
        generations = [Generation(data, prefix, given)]
    recordings = [_recorded(module, generation, piece) for generation in generations]
    if html is not None:
        from .show.trace_html import page

        write_new(html, page(recordings, title=f"{grammar}: {origin}"))
    else:
        _show(recordings)
    raise typer.Exit(1 if any(recording.errors for recording in recordings) else 0)


@app.command(**example("respc diagram smollm3 --format svg -o smollm3.svg"))
def diagram(
    grammar: Annotated[
        str,
        typer.Argument(metavar="NAME|PATH", help="A grammar's name, or its file.", autocompletion=names_like),
    ],
    format: Annotated[Literal["mermaid", "svg"], typer.Option(help="Text for Mermaid, or a picture.")] = "mermaid",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="A new file, not standard output.")
    ] = None,
) -> None:
    """Draw a grammar's state machine. States, the delimiters between them, what each may hold."""
    drawn = find_grammar(grammar)
    check(drawn)
    text = (svg if format == "svg" else mermaid)(lower(drawn))
    if output is None:
        sys.stdout.write(text)
    else:
        write_new(output, text)


@app.command(**example("respc watch grammars/smollm3.grammar"))
def watch(
    grammars: Annotated[
        list[Path] | None, typer.Argument(metavar="[NAME|PATH]...", help="Default: grammars/*.grammar.")
    ] = None,
    cases: Annotated[Path, typer.Option(metavar="DIR", help="Has a folder of cases for each grammar.")] = Path(
        "tests/cases"
    ),
    once: Annotated[bool, typer.Option("--once", help="Look once; exit 1 when a grammar or a case is wrong.")] = False,
) -> None:
    """Check grammars and run their cases at each save. Says how events changed; Ctrl-C ends it."""
    given = grammars or []
    if once:
        all_looks = [Look(path, cases) for path in grammar_paths(given)]
        for look in all_looks:
            _say(look)
        raise typer.Exit(1 if any(look.is_wrong for look in all_looks) else 0)
    try:
        import watchfiles
    except ModuleNotFoundError:
        raise WrongUse("watching needs watchfiles: pip install 'respc[watch]'") from None
    looks = {path.absolute(): Look(path, cases) for path in grammar_paths(given)}
    for look in looks.values():
        _say(look)
    folders = {path.parent for path in looks} | ({cases.absolute()} if cases.is_dir() else set())
    print("watching; Ctrl-C ends it", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        for changes in watchfiles.watch(*sorted(folders)):
            changed = {Path(path) for _, path in changes}
            if not given:
                looks = {path.absolute(): Look(path, cases) for path in grammar_paths(given)} | looks
            for path, look in looks.items():
                is_case = any(case.parent == cases.absolute() / look.name for case in changed)
                is_grammar = changed & {path, *look.files} or (look.is_wrong and any(map(_is_grammar, changed)))
                if is_case or is_grammar:
                    _say(look)


def _is_grammar(path: Path) -> bool:
    return path.suffix == SUFFIX


def _say(look: Look) -> None:
    for line in look.again():
        print(visible(line))
    sys.stdout.flush()


def _show(recordings: list[Recording]) -> None:
    from rich.console import Console

    from .show.trace import show

    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    console = Console(highlight=False, markup=False, emoji=False)
    for number, recording in enumerate(recordings):
        if number:
            console.print()
        show(console, recording)


def _recorded(module: ModuleType, generation: Generation, piece: int) -> Recording:
    try:
        return record(module, generation, piece=piece)
    except (ValueError, TypeError) as error:
        raise WrongUse(f"{generation.title or 'tools'}: {error}") from None


def _generations(text: str, origin: str, prefix: str, tools: Any) -> list[Generation]:
    """One a line: an object with "text", and perhaps "prefix" and "tools"."""
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = f"{origin}:{number}"
        row = _json(line, place)
        if not isinstance(row, dict) or not isinstance(row.get("text"), str):
            raise WrongUse(
                f'{place}: a generation is an object with a string "text"; "prefix" and "tools" may be there'
            )
        found.append(Generation(row["text"], row.get("prefix", prefix), row.get("tools", tools), place))
    return found


def _json(data: str | bytes, origin: str) -> Any:
    try:
        return json.loads(data)
    except ValueError as error:
        raise WrongUse(f"{origin}: {error}") from None
