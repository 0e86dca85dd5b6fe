"""The commands about chat templates: in go a grammar's name and a checkpoint's path, out come reports and drafts.

Invariant: a checkpoint is only read, but for `migrate`; exit code 1 means that what was asked does not hold.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from . import compile_grammar
from .chat import folder, save
from .chat.deep import search
from .chat.draft import draft as make_draft
from .chat.lint import lint as lint_all
from .chat.prefix import report
from .chat.render import Renderer
from .chat.roundtrip import GRAMMAR, Bench, Trial
from .chat.tables import convention_line, failures, prefix_table, roundtrip_table
from .example import example
from .load import WrongUse, find_grammar, find_module, names_like, reading
from .model import Grammar
from .repair import repair as repaired
from .show.printable import visible
from .write import write_new

app = typer.Typer()

Name = Annotated[
    str, typer.Argument(metavar="NAME|PATH", help="A grammar's name, or its file.", autocompletion=names_like)
]
Folder = Annotated[Path, typer.Argument(metavar="CHECKPOINT", help="A checkpoint folder, or one .jinja file.")]


@app.command(**example("respc roundtrip smollm3 path/to/checkpoint"))
def roundtrip(
    grammar: Name,
    checkpoint: Folder,
    deep: Annotated[int, typer.Option(min=0, metavar="N", help="Generate N messages more, and shrink a failure.")] = 0,
) -> None:
    """Send messages through a chat template and a grammar; exit 1 when the grammar loses one, or none comes through."""
    bench = _bench(grammar, checkpoint)
    trials = list(bench.trials())
    found = search(bench, deep) if deep else None
    if found is not None:
        trials.append(found)
    print(visible(convention_line(bench.convention)))
    print()
    for line in [*roundtrip_table(trials), *failures(trials)]:
        print(visible(line))
    if deep and found is None:
        print(f"deep: none of {deep} generated messages is the grammar's fault")
    raise typer.Exit(0 if _holds(trials) else 1)


@app.command(**example("respc prefix smollm3 path/to/checkpoint"))
def prefix(grammar: Name, checkpoint: Folder) -> None:
    """Print what prompts leave open where generation begins; exit 1 when the anchor is missing or eats an opener."""
    points = list(report(_bench(grammar, checkpoint), find_grammar(grammar)))
    for line in prefix_table(points):
        print(visible(line))
    raise typer.Exit(1 if any(point.warnings for point in points) else 0)


@app.command(**example("respc draft path/to/checkpoint -o grammars/mine.grammar"))
def draft(
    checkpoint: Folder,
    out: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="A new file.")] = None,
    name: Annotated[str | None, typer.Option(help="The grammar's name; default: made of the checkpoint's.")] = None,
    repair: Annotated[
        bool,
        typer.Option(
            "--repair",
            help="As for import, where no message is lost by it: keep text, bear bad bodies; list what was changed.",
        ),
    ] = False,
) -> None:
    """Propose a grammar from a chat template alone, and print its round trip under it; exit 1 when that fails."""
    renderer = _renderer(checkpoint)
    made = make_draft(renderer, name or "")

    def tried(grammar: Grammar) -> list[Trial]:
        return list(Bench(renderer, compile_grammar(str(grammar)), made.convention).trials())

    grammar, trials = made.grammar, tried(made.grammar)
    if repair:
        least = _score(trials)
        grammar, changes = repaired(made.grammar)
        if _score(tried(grammar)) < least:
            grammar, changes = repaired(made.grammar, lambda one: _score(tried(one)) >= least)
        trials = tried(grammar)
        for change in changes:
            print(visible(f"repaired: {change}"), file=sys.stderr)
    table = [convention_line(made.convention), *roundtrip_table(trials), *failures(trials)]
    shown = (one for line in table for one in visible(line).splitlines() or [""])
    text = "\n".join([str(grammar), *(f"# {line}".rstrip() for line in shown), ""])
    if out is None:
        sys.stdout.write(text)
    else:
        write_new(out, text)
        equal, compared = sum(trial.equal for trial in trials), sum(trial.compared for trial in trials)
        print(visible(f"wrote {out}: {equal} of {compared} messages come back; review it"), file=sys.stderr)
    raise typer.Exit(0 if _holds(trials) else 1)


@app.command(**example("respc lint path/to/checkpoint"))
def lint(checkpoint: Folder) -> None:
    """Say what is wrong or odd in chat templates; exit 1 when there is a warning."""
    findings = list(lint_all(_checkpoint(checkpoint)))
    for finding in findings:
        print(visible(str(finding)))
    raise typer.Exit(1 if any(finding.warning for finding in findings) else 0)


@app.command(**example("respc migrate path/to/checkpoint"))
def migrate(
    checkpoint: Folder,
    check: Annotated[
        bool, typer.Option("--check", help="Write nothing; exit 1 when there is something to move.")
    ] = False,
) -> None:
    """Move chat templates from legacy places into .jinja files."""
    if not checkpoint.is_dir():
        raise WrongUse(f"{checkpoint}: is not a folder")
    done = save.migrate(checkpoint, dry=check)
    for line in done:
        print(visible(line))
    raise typer.Exit(1 if check and done else 0)


def _checkpoint(path: Path) -> folder.Checkpoint:
    if not path.exists():
        raise WrongUse(f"{path}: No such file or directory")
    with reading(path):
        checkpoint = folder.read(path)
    for note in checkpoint.notes:
        print(visible(f"note: {note}"), file=sys.stderr)
    return checkpoint


def _renderer(path: Path) -> Renderer:
    return Renderer(_checkpoint(path))


def _bench(grammar: str, checkpoint: Path) -> Bench:
    return Bench.of(_renderer(checkpoint), find_module(grammar))


def _score(trials: list[Trial]) -> int:
    """How many messages come back, without those that are the grammar's fault."""
    return sum(trial.equal - (trial.verdict == GRAMMAR) for trial in trials)


def _holds(trials: list[Trial]) -> bool:
    return any(trial.equal for trial in trials) and not any(trial.verdict == GRAMMAR for trial in trials)
