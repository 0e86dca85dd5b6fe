"""Generated text onto the disk: in go a folder, a module's name and its text, out comes one file, whole or not at all.

Invariant: nothing is written outside the folder, through a symlink, or over a file that does not carry the header of a
generated module; a reader at any moment sees the old file or the new one.
"""

from __future__ import annotations

import keyword
import os
import re
import tempfile
from collections.abc import Collection
from pathlib import Path

_NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")
_DEVICES = {"con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in range(10)}
_HEADER = re.compile(
    rb"# Code generated from [ -~]+ by `respc generate`; DO NOT EDIT\.\r?\n"
    rb"# grammar sha256:[0-9a-f]{16}, runtime ABI [0-9]+\r?\n"
)
_HEADER_ROOM = 4096


class WriteRefused(ValueError):
    """The file may not be written; the message says which and why. Nothing was touched."""


def is_module_name(name: str) -> bool:
    """True when every system can store it and Python import it: `[a-z][a-z0-9_]{0,63}`, no keyword, no device."""
    return _NAME.fullmatch(name) is not None and not keyword.iskeyword(name) and name not in _DEVICES


def write_module(folder: Path, name: str, text: str) -> bool:
    """Write `folder/name.py` and say whether the file changed; a file that already reads so is left alone.

    Raises WriteRefused for a name that is no module's, a folder or file that is a symlink, a neighbour whose name
    differs only by case, and a file that was not generated.
    """
    data = text.encode("ascii")
    if not _HEADER.match(data):
        raise WriteRefused(f"{name}: the text does not start with the header of a generated module")
    path = module_path(folder, name)
    if path.exists():
        if not is_generated(path):
            raise WriteRefused(f"{path}: exists and was not generated; move it away first")
        if path.read_bytes() == data:
            return False
    folder.mkdir(parents=True, exist_ok=True)
    replace_file(path, data)
    return True


def module_path(folder: Path, name: str) -> Path:
    """Where the module `name` lives in `folder`. Raises WriteRefused when that is no safe place."""
    if not is_module_name(name):
        raise WriteRefused(f"{name!r} cannot name a module: [a-z][a-z0-9_]{{0,63}}, no keyword, no device name")
    path = folder / f"{name}.py"
    if folder.is_symlink():
        raise WriteRefused(f"{folder}: is a symlink; name the folder itself")
    if folder.exists() and not folder.is_dir():
        raise WriteRefused(f"{folder}: is not a folder")
    for entry in folder.iterdir() if folder.exists() else ():
        if entry.name.casefold() in (name, path.name) and entry.name != path.name:
            raise WriteRefused(f"{path}: {entry.name} stands beside it and would be mistaken for it")
    if path.is_symlink():
        raise WriteRefused(f"{path}: is a symlink")
    if path.exists() and not path.is_file():
        raise WriteRefused(f"{path}: is not a file")
    return path


def is_generated(path: Path) -> bool:
    """True when the first two lines of the file are the header of a generated module, its digest included."""
    with path.open("rb") as file:
        return _HEADER.match(file.read(_HEADER_ROOM)) is not None


def orphans(folder: Path, names: Collection[str]) -> list[Path]:
    """Generated modules in `folder` that none of `names` accounts for, sorted."""
    return sorted(
        path for path in folder.glob("*.py") if path.stem not in names and path.is_file() and is_generated(path)
    )


def write_new(path: Path, text: str) -> None:
    """Write a file that does not exist yet. Raises WriteRefused when something stands there, a symlink included."""
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise WriteRefused(f"{path}: exists; name a new file") from None


def replace_file(path: Path, data: bytes) -> None:
    """Put data into a temporary file beside path, then let it take path's place in one step."""
    descriptor, temporary = tempfile.mkstemp(prefix=f".{path.stem}.", suffix=".tmp", dir=path.parent)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, path.stat().st_mode & 0o777 if path.exists() else 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
