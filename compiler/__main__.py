"""The command line: in go words, out comes an exit code. Argument handling only; the commands are in commands_*.py.

Invariant: a user's mistake is a message on standard error and an exit code, never a traceback.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated

import typer

from runtime.errors import RuntimeMismatch

from . import (
    commands_build,
    commands_chat,
    commands_convert,
    commands_doors,
    commands_find,
    commands_parse,
    commands_show,
)
from .chat.render import ExtraMissing, TemplateFailed
from .checkpoint import NoTemplate
from .diagnostics import CompileError
from .example import Commands, example
from .load import WrongUse, names_like
from .reduce import Only
from .reports import Format
from .show.printable import visible
from .write import WriteRefused

GENERATED = Path("generated")
app = typer.Typer(
    cls=Commands,
    help="Compile response templates and grammars to Python parser modules.",
    epilog="Exit codes: 0 fine, 1 would change or did not parse, 2 wrong use, 130 Ctrl-C.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Grammars = Annotated[list[Path] | None, typer.Argument(metavar="[NAME|PATH]...", help="Default: grammars/*.grammar.")]
Grammar = Annotated[
    str,
    typer.Argument(metavar="NAME|PATH", help="A grammar's name, or its file.", autocompletion=names_like),
]
OnlyPart = Annotated[
    Only | None, typer.Option("--only", help="A machine that reads just that; all other text is content.")
]
Output = Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="A new file, not standard output.")]


def _version(wanted: bool) -> None:
    if wanted:
        try:
            print(f"respc {version('respc')}")
        except PackageNotFoundError:
            print("respc, not installed")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Compile response templates and grammars to Python parser modules."""


@app.command(**example("respc generate --check"))
def generate(
    grammars: Grammars = None,
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 when a module would change.")] = False,
    diff: Annotated[bool, typer.Option("--diff", help="Write nothing; show what would change.")] = False,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where the modules go.")] = GENERATED,
    only: OnlyPart = None,
) -> None:
    """Write the parser modules of grammars; a module that would not change is left alone."""
    if only and out == GENERATED:
        raise WrongUse(
            "reduced machines go to a folder of their own: respc generate smollm3.grammar --only tools --out DIR"
        )
    raise typer.Exit(commands_build.generate(grammars or [], out, dry=check, diff=diff, only=only))


@app.command(**example("respc parse -g smollm3 response.txt"))
def parse(
    grammar: commands_show.Grammar,
    file: commands_show.Response = None,
    prefix: Annotated[
        str, typer.Option(help="The prompt that the response continues; it may have begun the message.")
    ] = "",
    tools: Annotated[Path | None, typer.Option(metavar="FILE", help="JSON list of tool schemas.")] = None,
    stream: Annotated[bool, typer.Option("--stream", help="Feed the text piece by piece, as it arrives.")] = False,
    events: Annotated[
        bool, typer.Option("--events", help="Print each event on a line, the message on the last.")
    ] = False,
    batch: Annotated[
        Path | None,
        typer.Option(
            metavar="ROWS", help="JSONL or Parquet with a column text, perhaps prefix and tools; needs --output."
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Of a batch: a new file.")
    ] = None,
    workers: Annotated[int, typer.Option(min=0, help="Of a batch: processes; 0: one a processor.")] = 0,
) -> None:
    """Parse a response and print the message as JSON. With --batch: many, to the same rows with message and error."""
    if batch is None and output is None:
        code = commands_parse.parse(grammar, file, prefix=prefix, tools=tools, stream=stream, events=events)
    elif batch is None or output is None or file or prefix or stream or events:
        raise WrongUse("a batch is: respc parse -g NAME --batch ROWS.jsonl -o OUT.jsonl [--tools FILE] [--workers N]")
    else:
        code = commands_parse.parse_batch(grammar, batch, output, tools=tools, workers=workers)
    raise typer.Exit(code)


@app.command(**example("respc explain smollm3"))
def explain(grammar: Grammar, only: OnlyPart = None) -> None:
    """Print the machine that a grammar becomes: states, what leaves them, and the facts its code leans on."""
    raise typer.Exit(commands_build.explain(grammar, only))


@app.command(**example("respc check grammars/smollm3.grammar"))
def check(
    grammars: Grammars = None,
    off: Annotated[list[str] | None, typer.Option(metavar="NAME", help="A warning to leave out; repeatable.")] = None,
    format: Annotated[
        Format, typer.Option(help="How it is said: for people, as GitHub annotations, as JSON.")
    ] = "text",
) -> None:
    """Say what is wrong or odd in grammars."""
    raise typer.Exit(commands_build.check_all(grammars or [], off or [], format))


@app.command("import", **example("respc import path/to/checkpoint -o grammars/mine.grammar"))
def import_(
    source: Annotated[Path, typer.Argument(help="Template JSON, tokenizer_config.json, or checkpoint folder.")],
    output: Output = None,
    name: Annotated[str | None, typer.Option(help="The grammar's name; default: made of the file's.")] = None,
    allow_pattern: Annotated[
        list[str] | None, typer.Option(metavar="FIELD", help="A field whose patterns need not be linear; repeatable.")
    ] = None,
    repair: Annotated[
        bool, typer.Option("--repair", help="Keep text, bear bad bodies, stream; list what was changed, and why.")
    ] = False,
) -> None:
    """Print a response template as a grammar, and refuse patterns whose scan is not linear."""
    raise typer.Exit(commands_convert.import_template(source, name, output, allow_pattern or [], repaired=repair))


@app.command(**example("respc export smollm3 -o template.json"))
def export(grammar: Grammar, output: Output = None) -> None:
    """Print a grammar as a response template."""
    raise typer.Exit(commands_convert.export_template(grammar, output))


app.add_typer(commands_show.app)
app.add_typer(commands_find.app)
app.add_typer(commands_chat.app)
app.add_typer(commands_doors.app)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 fine, 1 would change or did not parse, 2 wrong use, 130 Ctrl-C."""
    code = _run(arguments)
    try:
        sys.stdout.flush()
    except BrokenPipeError:  # who read it has gone; Python must not fail at it once more when it ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code


def _run(arguments: Sequence[str] | None) -> int:
    try:
        app(None if arguments is None else list(arguments), prog_name="respc")
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else 0
    except (CompileError, TemplateFailed) as error:
        print(visible(str(error)), file=sys.stderr)
        return 1
    except OSError as error:
        place = "" if error.filename is None else f"{error.filename}: "
        print(visible(f"respc: {place}{error.strerror or error}"), file=sys.stderr)
    except (WrongUse, NoTemplate, WriteRefused, RuntimeMismatch, ExtraMissing, UnicodeDecodeError) as error:
        print(visible(f"respc: {error}"), file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
