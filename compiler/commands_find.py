"""The commands that say which grammar is for what, and what is in it: in go names and paths, out come names and JSON.

Invariant: what is found is on standard output, the name of the grammar first; exit code 1 means that there is none.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer

from .chat import folder
from .chat.folder import BrokenFolder, Checkpoint
from .chat.recognise import recognise
from .chat.render import Renderer
from .check import check
from .checkpoint import CONFIG, NoTemplate, find_template
from .example import example
from .facts import facts as all_facts
from .families import digest_of, of_model, of_template
from .load import WrongUse, all_modules, find_grammar, names_like, reading
from .show.printable import printed, visible
from .strict_json import loads_strictly

app = typer.Typer()


@app.command(**example("respc which path/to/checkpoint"))
def which(
    checkpoint: Annotated[
        Path | None, typer.Argument(help="A checkpoint folder, one .jinja file, or a response template.")
    ] = None,
    model: Annotated[str | None, typer.Option(metavar="ID", help="A model's name on the hub.")] = None,
) -> None:
    """Name the grammars for a checkpoint or a model. By response template, else by what the chat template prints."""
    if (checkpoint is None) == (model is None):
        raise WrongUse("one of the two: respc which path/to/checkpoint, or respc which --model Qwen/Qwen3-8B")
    modules = all_modules()
    if model is not None:
        rows = [
            (match.name, match.pattern + ("" if match.is_owned else ", by the name alone"))
            for match in of_model(model, modules)
        ]
        missing = f"no grammar is for {model}"
    elif checkpoint is not None:
        rows, missing = _of_checkpoint(checkpoint, modules)
    for name, why in rows:
        print(visible(f"{name}  {why}"))
    if not rows:
        print(visible(f"respc: {missing}"), file=sys.stderr)
    raise typer.Exit(0 if rows else 1)


@app.command(**example("respc facts smollm3"))
def facts(
    grammar: Annotated[
        str,
        typer.Argument(metavar="NAME|PATH", help="A grammar's name, or its file.", autocompletion=names_like),
    ],
) -> None:
    """Print what servers need to know of a format, as JSON. What opens and ends regions, where a call's name stands."""
    found = find_grammar(grammar)
    check(found)
    print(printed(all_facts(found)))


def _of_checkpoint(path: Path, modules: Mapping[str, ModuleType]) -> tuple[list[tuple[str, str]], str]:
    """A row a grammar, and what to say when there is none."""
    if not path.exists():
        raise WrongUse(f"{path}: No such file or directory")
    template = _response_template(path)
    rows, missing = [], ""
    if template is not None:
        digest = digest_of(template)
        rows = [(name, f"its response template, {digest}") for name in of_template(template, modules)]
        missing = f"no grammar is for the response template {digest}"
    read = None if rows else _chat_templates(path, needed=template is None)
    if read is None:
        return rows, missing
    named = {match.name: match.pattern for match in of_model(str(path.absolute()), modules)}
    found = sorted(recognise(Renderer(read), modules), key=lambda one: one.name not in named)
    whose = {name: f"; {pattern}, by the folder's name" for name, pattern in named.items()}
    rows = [(one.name, f"reads back {one}{whose.get(one.name, '')}") for one in found]
    return rows, "no grammar reads back what the chat template prints; `respc draft` proposes one"


def _response_template(path: Path) -> dict[str, Any] | None:
    if path.suffix == ".jinja":
        return None
    with reading(path):
        try:
            found = find_template(path)
        except NoTemplate:
            if _is_alone(path):
                raise
            return None
    return loads_strictly(found.text, name=found.origin)


def _chat_templates(path: Path, *, needed: bool) -> Checkpoint | None:
    """needed: raises NoTemplate when there are none."""
    if _is_alone(path):
        return None
    with reading(path):
        try:
            read = folder.read(path)
        except NoTemplate as error:
            if needed or isinstance(error, BrokenFolder):
                raise
            return None
    for note in read.notes:
        print(visible(f"note: {note}"), file=sys.stderr)
    return read


def _is_alone(path: Path) -> bool:
    """Whether the path is a response template's own file."""
    return path.is_file() and path.suffix != ".jinja" and path.name != CONFIG
