"""What the command line names: in goes a path or a generated module's name, out comes a grammar or a parser module.

Invariant: a name that stands for nothing is a WrongUse that says what was looked for; a file that stands for something
and is wrong is a CompileError.
"""

from __future__ import annotations

import contextlib
import difflib
import importlib
import pkgutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType

import generated

from . import compile_template, hf_json, module_of
from .checkpoint import NoTemplate, find_template
from .extend import beside, read
from .model import Grammar
from .write import is_module_name

GRAMMARS = Path("grammars")
SUFFIX = ".grammar"
OTHERWISE = f"; the file of a grammar ends in {SUFFIX}"


class WrongUse(ValueError):
    """The command line asks for something that is not there."""


@contextlib.contextmanager
def reading(origin: object, otherwise: str = "") -> Iterator[None]:
    """Raises WrongUse when what is read from `origin` is no text; `otherwise` is said, too, where it is no template."""
    try:
        yield
    except NoTemplate as error:
        raise NoTemplate(f"{error}{otherwise}") from None
    except UnicodeDecodeError as error:
        raise WrongUse(f"{origin}: is not UTF-8: {error.reason} at byte {error.start}") from None


def grammar_paths(given: Sequence[Path]) -> list[Path]:
    """The given grammars, or all of `grammars/` when none is given. Raises WrongUse when there are none."""
    paths = list(given) or sorted(GRAMMARS.glob(f"*{SUFFIX}"))
    if not paths:
        raise WrongUse(f"there is no {GRAMMARS}/*{SUFFIX} here; name the grammars")
    return paths


def load_grammar(path: Path) -> Grammar:
    """The grammar of a grammar file, or of anything that holds a response template (checkpoint.py)."""
    if path.suffix == SUFFIX:
        return read(_text(path), path.as_posix(), beside(path.parent, SUFFIX))
    with reading(path, OTHERWISE):
        return load_template(path, None)


def load_template(path: Path, name: str | None) -> Grammar:
    """The grammar that says what a template says, under a name of its own or the one of its file or folder."""
    with reading(path):
        found = find_template(path)
    return hf_json.from_template(hf_json.loads_strictly(found.text), name=name or found.name, strict=True)


def find_grammar(name: str) -> Grammar:
    """The grammar at a path, or the one in `grammars/` that a generated module's name stands for."""
    if not is_module_name(name):
        return load_grammar(Path(name))
    path = GRAMMARS / f"{name}{SUFFIX}"
    if not path.exists():
        raise WrongUse(f"there is no {path} here; name a grammar's file")
    return load_grammar(path)


def find_module(name: str) -> ModuleType:
    """The generated module of a name, or what a path holds, compiled in memory."""
    if is_module_name(name):
        return _generated(name)
    path = Path(name)
    if path.suffix == SUFFIX:
        return module_of(load_grammar(path))
    with reading(path, OTHERWISE):
        found = find_template(path)
    return compile_template(hf_json.loads_strictly(found.text), name=found.name, patterns="linear")


def all_modules() -> dict[str, ModuleType]:
    """Every generated module, by name."""
    return {name: _generated(name) for name in _known()}


def names_like(begin: str) -> list[str]:
    """The names of generated modules and the paths of grammars that begin so: what a shell completes."""
    return sorted(name for name in [*_known(), *map(str, GRAMMARS.glob(f"*{SUFFIX}"))] if name.startswith(begin))


def _text(path: Path) -> str:
    with reading(path):
        return path.read_text(encoding="utf-8")


def _known() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(generated.__path__))


def _generated(name: str) -> ModuleType:
    known = _known()
    if name not in known:
        near = difflib.get_close_matches(name, known, n=1)
        hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known) or 'none'}"
        raise WrongUse(f"no generated module is named {name}; {hint}")
    return importlib.import_module(f"generated.{name}")
