"""A checkpoint folder as it lies on disk goes in, out come its chat templates and special tokens.

Invariant: what is chosen here is what transformers 5.24 chooses. Two of its rules differ from its documentation: any
`.jinja` file discards the whole `chat_template` of `tokenizer_config.json`, named entries included; and beside a
legacy `chat_template.json` a `chat_template.jinja` is not read. `notes` says so where it happens.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..checkpoint import CONFIG, LARGEST, NoTemplate

TEMPLATE = "chat_template.jinja"
MORE = "additional_chat_templates"
LEGACY = "chat_template.json"
PROCESSOR = "processor_config.json"
TOKENS = "special_tokens_map.json"
KEY = "chat_template"
DEFAULT, TOOL_USE = "default", "tool_use"


class BrokenFolder(NoTemplate):
    """A checkpoint folder has chat templates, but not as any loader takes them."""


@dataclass(frozen=True)
class ChatTemplate:
    """One chat template. `key`: where in a JSON file it stands; "" when the file is the template."""

    name: str
    text: str
    file: Path
    key: str = ""

    def at(self, line: int) -> str:
        """A place for messages: lines are those of the template, also where it is a string of a JSON file."""
        return f"{self.file}: {self.key}: line {line}" if self.key else f"{self.file}:{line}"


@dataclass(frozen=True)
class Checkpoint:
    """The chat templates of a checkpoint by name, its special tokens by the names they have in templates."""

    path: Path
    templates: dict[str, ChatTemplate]
    tokens: dict[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def choose(self, *, tools: bool) -> ChatTemplate:
        """The template that renders: `tool_use` when tools are given and it is there, else `default`."""
        if tools and TOOL_USE in self.templates:
            return self.templates[TOOL_USE]
        if DEFAULT in self.templates:
            return self.templates[DEFAULT]
        raise NoTemplate(
            f"{self.path}: no chat template is the default; there are: {', '.join(sorted(self.templates))}"
        )


def read(path: Path) -> Checkpoint:
    """The chat templates of a checkpoint folder, of its `tokenizer_config.json`, or of one `.jinja` file.

    Raises NoTemplate when there is none, BrokenFolder when no loader takes it, OSError, UnicodeDecodeError.
    """
    if path.suffix == ".jinja":
        return Checkpoint(path, {DEFAULT: ChatTemplate(DEFAULT, text_of(path), path)})
    folder = path if path.is_dir() else path.parent
    config = read_object(folder / CONFIG)
    notes: list[str] = []
    templates = _of_processor(folder, notes) or _of_tokenizer(folder, config, notes)
    if not templates:
        looked = f"{TEMPLATE}, {MORE}/*.jinja, {LEGACY}, or {KEY} in {CONFIG}"
        raise NoTemplate(f"{path}: there is no chat template: no {looked}")
    return Checkpoint(path, templates, _tokens(folder, config), tuple(notes))


def text_of(file: Path) -> str:
    """A file's text, of a size that a template or configuration may have."""
    if not file.is_file():
        raise NoTemplate(f"{file}: is no file")
    if file.stat().st_size > LARGEST:
        raise NoTemplate(f"{file}: larger than {LARGEST >> 20} MiB")
    return file.read_text(encoding="utf-8")


def modern(folder: Path) -> dict[str, ChatTemplate]:
    """The templates that stand in files of their own."""
    named = {file.name.removesuffix(".jinja"): file for file in sorted((folder / MORE).glob("*.jinja"))}
    if (folder / TEMPLATE).is_file():
        named = {DEFAULT: folder / TEMPLATE, **{name: file for name, file in named.items() if name != DEFAULT}}
    return {name: ChatTemplate(name, text_of(file), file) for name, file in named.items()}


def embedded(file: Path, value: Any) -> dict[str, ChatTemplate]:
    """The templates that `chat_template` of a JSON file holds: a string, or a list of {name, template}."""
    if value is None:
        return {}
    if isinstance(value, str):
        return {DEFAULT: ChatTemplate(DEFAULT, value, file, KEY)}
    entries = list(value.items()) if isinstance(value, dict) else None
    if isinstance(value, list) and all(isinstance(entry, dict) for entry in value):
        entries = [(entry.get("name"), entry.get("template")) for entry in value]
    if entries is None or not all(isinstance(part, str) for entry in entries for part in entry):
        raise BrokenFolder(f"{file}: {KEY} has to be a string, or a list of {{name, template}}")
    return {name: ChatTemplate(name, text, file, f"{KEY}[{name}]") for name, text in entries}


def _of_tokenizer(folder: Path, config: dict[str, Any], notes: list[str]) -> dict[str, ChatTemplate]:
    files, inside = modern(folder), embedded(folder / CONFIG, config.get(KEY))
    if files and inside:
        notes.append(
            f"{folder / CONFIG}: {KEY} is not read, because there are .jinja files: {', '.join(sorted(inside))}"
        )
    return files or inside


def _of_processor(folder: Path, notes: list[str]) -> dict[str, ChatTemplate]:
    """What a processor reads besides: the key in its own configuration, and the legacy file."""
    inside = embedded(folder / PROCESSOR, read_object(folder / PROCESSOR).get(KEY))
    if (folder / LEGACY).is_file():
        if any((folder / MORE).glob("*.jinja")):
            raise BrokenFolder(f"{folder / LEGACY}: a legacy file cannot stand beside {MORE}/; run `respc migrate`")
        if (folder / TEMPLATE).is_file():
            notes.append(f"{folder / TEMPLATE}: a processor does not read it beside {LEGACY}; run `respc migrate`")
        legacy = read_object(folder / LEGACY).get(KEY)
        if not isinstance(legacy, str):
            raise BrokenFolder(f"{folder / LEGACY}: {KEY} has to be a string")
        return inside or embedded(folder / LEGACY, legacy)
    return inside


def _tokens(folder: Path, config: dict[str, Any]) -> dict[str, str]:
    """Every `..._token` by name, as text; the old map file counts only where no tokens are listed with their ids."""
    named: dict[str, Any] = dict(config)
    if isinstance(config.get("extra_special_tokens"), dict):
        named.update(config["extra_special_tokens"])
    if "added_tokens_decoder" not in config:
        named.update(read_object(folder / TOKENS))
    texts = {name: _token_text(value) for name, value in named.items() if name.endswith("_token")}
    return {name: text for name, text in texts.items() if text is not None}


def _token_text(value: Any) -> str | None:
    text = value.get("content") if isinstance(value, dict) else value
    return text if isinstance(text, str) else None


def read_object(file: Path) -> dict[str, Any]:
    """A JSON file's object; empty when there is no file."""
    if not file.is_file():
        return {}
    try:
        value = json.loads(text_of(file))
    except (json.JSONDecodeError, RecursionError) as error:
        raise BrokenFolder(f"{file}: is not JSON: {error}") from None
    if not isinstance(value, dict):
        raise BrokenFolder(f"{file}: is not a JSON object")
    return value
