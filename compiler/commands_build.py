"""The commands from grammars to modules: in go paths, out come files, diffs and an exit code.

Invariant: one bad grammar does not hide what there is to say about the others, and nothing is written for it.
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path

from . import explain as explained
from . import generate as generated_text
from .check import check
from .diagnostics import CompileError
from .index import INDEX, entries, index_text
from .load import WrongUse, find_grammar, grammar_paths, load_grammar
from .model import Grammar
from .reduce import Only, reduce
from .reports import Format, Report, as_github, as_json
from .show.printable import visible
from .write import is_generated, module_path, orphans, replace_file, write_module


def generate(given: Sequence[Path], out: Path, *, dry: bool, diff: bool, only: Only | None = None) -> int:
    """Bring the modules of the given grammars (or of all) up to date; `dry` and `diff` only say what would change.

    So is the index of templates, where the folder has one. only: as for `reduce`; no template stands for such modules,
    and the folder is not looked through for modules that nothing makes.

    Returns 0, or 1 when a grammar was refused or, without writing, when a file would change.
    """
    paths = grammar_paths(given)
    wrong, stale, made = 0, 0, dict[str, Grammar]()
    for path in paths:
        try:
            grammar = load_grammar(path)
            _warn(grammar)
            grammar = reduce(grammar, only) if only else grammar
            text = generated_text(grammar, origin=_origin(path))
        except CompileError as error:
            _say(str(error))
            wrong += 1
            continue
        if grammar.name in made:
            raise WrongUse(f"{path}: another of these grammars is named {grammar.name}, too")
        made[grammar.name] = grammar
        target = module_path(out, grammar.name)
        if not (dry or diff):
            if write_module(out, grammar.name, text):
                _say(f"wrote {target}")
            continue
        before = target.read_text(encoding="utf-8") if target.exists() and is_generated(target) else ""
        stale += _would_write(target, before, text, diff)
    if not wrong and not only:
        stale += _index(out / INDEX, made.values(), keep=bool(given), dry=dry, diff=diff)
    left = [] if given or wrong or only else orphans(out, made)
    for path in left:
        _say(f"{path}: no grammar makes this module; remove it")
    return 1 if wrong or stale or (left and (dry or diff)) else 0


def check_all(given: Sequence[Path], off: Collection[str], form: Format = "text") -> int:
    """Say all that there is to say about the given grammars (or all), but for the warnings turned off by name.

    form: "text" for people, on standard error; "github" and "json" (reports.py) on standard output.
    """
    found: list[Report] = []
    for path in grammar_paths(given):
        try:
            grammar = load_grammar(path)
            warned = [warning for warning in check(grammar) if warning.name not in off]
            found += [Report.of(path, warning) for warning in warned]
            explained(grammar)
        except CompileError as error:
            found.append(Report.of(path, error))
    if form == "text":
        for report in found:
            _say(report.text)
    else:
        sys.stdout.write(as_github(found) if form == "github" else as_json(found))
    return 1 if any(report.severity == "error" for report in found) else 0


def explain(name: str, only: Only | None = None) -> int:
    """Print the machine of a grammar: its states, what leaves each, and the facts that its code leans on.

    Before it one that builds on another is printed whole.
    """
    grammar = find_grammar(name)
    check(grammar)
    if grammar.extends:
        print(visible(str(grammar)))
    print(visible(explained(reduce(grammar, only) if only else grammar)))
    return 0


def _index(path: Path, grammars: Iterable[Grammar], *, keep: bool, dry: bool, diff: bool) -> bool:
    """Bring an index up to date and say whether it is still stale. keep: entries of other modules stay."""
    there = entries(path)
    if there is None:
        return False
    before, text = path.read_text(encoding="utf-8"), index_text(grammars, there if keep else {})
    if dry or diff:
        return _would_write(path, before, text, diff)
    if before != text:
        replace_file(path, text.encode("ascii"))
        _say(f"wrote {path}")
    return False


def _would_write(path: Path, before: str, text: str, diff: bool) -> bool:
    if before == text:
        return False
    _say(f"would write {path}")
    if diff:
        sys.stdout.writelines(_diff(before, text, path))
    return True


def _warn(grammar: Grammar) -> None:
    for warned in check(grammar):
        _say(str(warned))


def _origin(path: Path) -> str:
    """How a module names its grammar: the same on every machine when the grammar lies below this folder."""
    try:
        return path.absolute().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.name


def _diff(before: str, after: str, path: Path) -> Iterator[str]:
    return difflib.unified_diff(
        before.splitlines(keepends=True),
        after.splitlines(keepends=True),
        f"{path} (there)",
        f"{path} (from its grammar)",
    )


def _say(message: str) -> None:
    print(visible(message), file=sys.stderr)
