"""What the command line names: in goes a name or a path, out comes a grammar or a parser module.

A name is one of `grammars/` here, or of what respc ships, wherever it is run. Invariant: a name that stands for nothing
is a WrongUse that says what was looked for; a file that stands for something and is wrong is a CompileError.
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

from . import hf_json, module_of
from .checkpoint import Found, NoTemplate, find_template
from .extend import beside, read
from .model import Grammar
from .write import is_module_name

GRAMMARS = Path("grammars")
SUFFIX = ".grammar"
_SHIPPED = Path(generated.__path__[0]).parent / GRAMMARS
OTHERWISE = f"; the file of a grammar ends in {SUFFIX}"
DRAFT = "; for a chat template alone: respc draft {}"


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
    """The given grammars, by path or by name, or all of `grammars/` when none is given. WrongUse: there are none."""
    paths = [grammar_path(str(path)) or path for path in given] or sorted(GRAMMARS.glob(f"*{SUFFIX}"))
    if not paths:
        raise WrongUse(f"there is no {GRAMMARS}/*{SUFFIX} here; name the grammars")
    return paths


def grammar_path(name: str) -> Path | None:
    """The file of a name: the one of `grammars/` here, else the one that respc ships; None when `name` is a path."""
    if not _is_name(name):
        return None
    for folder in (GRAMMARS, _SHIPPED):
        if (path := folder / f"{name}{SUFFIX}").exists():
            return path
    known = _names()
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known) or 'none'}"
    raise WrongUse(f"no grammar is named {name}; {hint}")


def load_grammar(path: Path) -> Grammar:
    """The grammar of a grammar file, or of anything that holds a response template (checkpoint.py)."""
    if path.suffix == SUFFIX:
        return read(_text(path), path.as_posix(), beside(path.parent, SUFFIX))
    return load_template(path, None, OTHERWISE)


def load_template(path: Path, name: str | None, otherwise: str = "") -> Grammar:
    """The grammar that says what a template says, under a name of its own or the one of its file or folder.

    otherwise: said besides of a file that holds no template.
    """
    found = _template(path, otherwise)
    template = hf_json.loads_strictly(found.text, name=found.origin)
    return hf_json.from_template(template, name=name or found.name, origin=found.origin, strict=True)


def find_grammar(name: str) -> Grammar:
    """The grammar at a path, or the one that a name stands for."""
    return load_grammar(grammar_path(name) or Path(name))


def find_module(name: str) -> ModuleType:
    """The generated module of a name; what has none, and what a path holds, is compiled in memory."""
    module = generated_module(name)
    if module is not None:
        return module
    path = grammar_path(name) or Path(name)
    if path.suffix == SUFFIX:
        return module_of(load_grammar(path))
    found = _template(path, OTHERWISE)
    template = hf_json.loads_strictly(found.text, name=found.origin)
    return module_of(hf_json.from_template(template, name=found.name, origin=found.origin), patterns="linear")


def generated_module(name: str) -> ModuleType | None:
    """The module that respc ships under a name; None without one, or where `grammars/` here has another so named."""
    own, shipped = (folder / f"{name}{SUFFIX}" for folder in (GRAMMARS, _SHIPPED))
    if name not in _known() or (own.exists() and own.resolve() != shipped.resolve()):
        return None
    return importlib.import_module(f"generated.{name}")


def all_modules() -> dict[str, ModuleType]:
    """Every generated module, by name."""
    return {name: importlib.import_module(f"generated.{name}") for name in _known()}


def names_like(begin: str) -> list[str]:
    """The names and the paths of grammars that begin so: what a shell completes."""
    return sorted(name for name in [*_names(), *map(str, GRAMMARS.glob(f"*{SUFFIX}"))] if name.startswith(begin))


def _template(path: Path, otherwise: str) -> Found:
    with reading(path, DRAFT.format(path) if path.is_dir() else otherwise):
        return find_template(path)


def _text(path: Path) -> str:
    with reading(path):
        return path.read_text(encoding="utf-8")


def _is_name(name: str) -> bool:
    """Whether it stands for a grammar by its name: a file or folder that is called so is meant where no grammar is."""
    return is_module_name(name) and (name in _names() or not Path(name).exists())


def _names() -> list[str]:
    return sorted({*_known(), *(path.stem for path in GRAMMARS.glob(f"*{SUFFIX}"))})


def _known() -> list[str]:
    return sorted(module.name for module in pkgutil.iter_modules(generated.__path__))
