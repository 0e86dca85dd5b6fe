"""Chat templates onto the disk as transformers saves them: in go templates or a legacy folder, out come .jinja files.

Invariant: what is loaded after a migration is what was loaded before it; a legacy place is emptied only after every
modern file is written, and no file that holds something else is replaced.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from ..checkpoint import CONFIG
from ..write import WriteRefused, replace_file, write_new
from .folder import (
    DEFAULT,
    KEY,
    LEGACY,
    MORE,
    PROCESSOR,
    TEMPLATE,
    ChatTemplate,
    embedded,
    modern,
    read_object,
    text_of,
)


def place(folder: Path, name: str) -> Path:
    """The file that a template of this name is saved in. Raises WriteRefused for a name that leaves the folder."""
    if name == DEFAULT:
        return folder / TEMPLATE
    if not name or name in (".", "..") or any(sign in name for sign in "/\\\0:"):
        raise WriteRefused(f"{folder}: {name!r} cannot name a template's file")
    if (folder / MORE).is_symlink():
        raise WriteRefused(f"{folder / MORE}: is a symlink; name the folder itself")
    return folder / MORE / f"{name}.jinja"


def save(folder: Path, templates: Iterable[ChatTemplate]) -> list[Path]:
    """Write templates into files of their own; one that already reads so is left alone. Returns what was written."""
    wanted = {place(folder, template.name): template.text for template in templates}
    fresh = {file: text for file, text in wanted.items() if not file.is_file() or text_of(file) != text}
    for file in fresh:
        if file.exists() or file.is_symlink():
            raise WriteRefused(f"{file}: holds another template; move it away first")
    for file, text in fresh.items():
        file.parent.mkdir(parents=True, exist_ok=True)
        write_new(file, text)
    return list(fresh)


def migrate(folder: Path, *, dry: bool) -> list[str]:
    """Move what legacy places hold into modern files, and say what was done, a line a file. `dry`: only say it.

    What the `.jinja` files of a folder discard today is dropped. Raises WriteRefused when a modern file would have to
    be replaced, or when two legacy places hold different templates of one name.
    """
    inside = {file: read_object(file).get(KEY) for file in (folder / CONFIG, folder / PROCESSOR, folder / LEGACY)}
    legacy = {file: embedded(file, value) for file, value in inside.items() if value is not None}
    if modern(folder) and folder / CONFIG in legacy:
        legacy[folder / CONFIG] = {}
    moved: dict[str, ChatTemplate] = {}
    for template in (template for named in legacy.values() for template in named.values()):
        if moved.setdefault(template.name, template).text != template.text:
            raise WriteRefused(f"{template.file}: its template {template.name!r} is not that of the other legacy file")
    said = [f"write {file}" for file in (place(folder, name) for name in moved) if not file.exists()]
    if not dry:
        save(folder, moved.values())
    for file in legacy:
        said.append(f"delete {file}" if file.name == LEGACY else f"remove {KEY} from {file}")
        if not dry:
            _empty(file)
    return said


def _empty(file: Path) -> None:
    if file.name == LEGACY:
        file.unlink()
        return
    rest = {key: value for key, value in read_object(file).items() if key != KEY}
    replace_file(file, (json.dumps(rest, indent=2, ensure_ascii=False) + "\n").encode())
