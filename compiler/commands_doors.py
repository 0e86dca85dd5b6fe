"""The commands that take parsers elsewhere: in go grammars, out come files that others use.

Invariant: nothing is written over a file that the command did not write, and nothing at all when one is refused.
"""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Annotated

import typer

from . import generate
from .example import example
from .load import WrongUse, generated_module, grammar_path, load_grammar, names_like
from .vendor import HEADER, RUNTIME, license_text, package
from .write import WriteRefused, is_module_name, replace_file

app = typer.Typer()


@app.command(**example("respc vendor smollm3 qwen3 --into app/parsers"))
def vendor(
    grammars: Annotated[
        list[str],
        typer.Argument(metavar="NAME|PATH...", help="Grammars' names, or their files.", autocompletion=names_like),
    ],
    into: Annotated[Path, typer.Option("--into", metavar="DIR", help="The package's folder, under any name.")],
    check: Annotated[bool, typer.Option("--check", help="Write nothing; exit 1 when a file would change.")] = False,
) -> None:
    """Write parsers and the part of the runtime that they need as one package, which needs no respc."""
    made: dict[str, str] = {}
    for name in grammars:
        module, source = _generated(name)
        if module in made:
            raise WrongUse(f"{name}: another of these grammars is named {module}, too")
        made[module] = source
    files = {path: text.encode() for path, text in package(list(made.items()), license_text()).items()}
    stale = [path for path, data in files.items() if _read(into / path) != data]
    left = list(_left(into, files))
    for path in left:
        print(f"{into / path}: nothing here needs this file; remove it", file=sys.stderr)
    if not check:
        _write(into, files, stale)
    for path in stale:
        print(f"{'would write' if check else 'wrote'} {into / path}", file=sys.stderr)
    raise typer.Exit(1 if check and (stale or left) else 0)


def _generated(name: str) -> tuple[str, str]:
    """A module's name and source: the committed one of a name, or what a grammar's file becomes."""
    module = generated_module(name)
    if module is not None:
        return name, Path(str(module.__file__)).read_text(encoding="ascii")
    path = grammar_path(name) or Path(name)
    grammar = load_grammar(path)
    if not is_module_name(grammar.name):
        raise WriteRefused(f"{grammar.name!r} cannot name a module")
    return grammar.name, generate(grammar, origin=path.name)


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() and not path.is_symlink() else None


def _left(folder: Path, files: Collection[str]) -> Iterator[str]:
    """Files of an earlier package that this one does not have."""
    for path in sorted([*folder.glob("*.py"), *folder.glob(f"{RUNTIME}/*.py")]):
        name = path.relative_to(folder).as_posix()
        if name not in files and (_read(path) or b"").startswith(HEADER.encode()):
            yield name


def _write(folder: Path, files: dict[str, bytes], stale: list[str]) -> None:
    """Write the stale files, when all may be written."""
    for place in (folder, folder / RUNTIME):
        if place.is_symlink() or (place.exists() and not place.is_dir()):
            raise WriteRefused(f"{place}: is no folder of its own")
    for name in stale:
        path = folder / name
        if path.is_symlink() or (path.exists() and not (_read(path) or b"").startswith(HEADER.encode())):
            raise WriteRefused(f"{path}: is in the way, and was not written by `respc vendor`; name another folder")
    (folder / RUNTIME).mkdir(parents=True, exist_ok=True)
    for name in stale:
        replace_file(folder / name, files[name])
