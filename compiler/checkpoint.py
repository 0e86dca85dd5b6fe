"""A response template out of what holds one: in goes a path, out come the template's JSON text and a name for it.

A template stands alone in a JSON file, or under the key `response_template` of a `tokenizer_config.json`, which in turn
stands in a checkpoint folder. Invariant: what is handed on is the template's own stretch of the file, character by
character, so that the strict loader sees everything that was written there.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from .write import is_module_name

CONFIG = "tokenizer_config.json"
KEY = "response_template"
LARGEST = 64 * 2**20  # bytes of a tokenizer_config.json: some list every added token

_SIGN = re.compile(r"[ \t\n\r]*([{}:,])[ \t\n\r]*")


class NoTemplate(ValueError):
    """No response template can be found at a path; the message says where it was looked for."""


@dataclass(frozen=True)
class Found:
    """A template as it was found. `name` fits a grammar, `origin` is the file that holds the text."""

    text: str
    name: str
    origin: str


def find_template(path: Path) -> Found:
    """The response template of a JSON template file, a `tokenizer_config.json` or a checkpoint folder.

    Raises NoTemplate when there is none, OSError when the file cannot be read, UnicodeDecodeError when it is no UTF-8.
    """
    file = path / CONFIG if path.is_dir() else path
    if path.is_dir() and not file.is_file():
        raise NoTemplate(f"{path}: the folder has no {CONFIG}")
    with file.open("rb") as source:
        data = source.read(LARGEST + 1)  # what is no regular file may not end, whatever its size says
    if len(data) > LARGEST:
        raise NoTemplate(f"{file}: larger than {LARGEST >> 20} MiB")
    text = data.decode("utf-8")
    config = file.name == CONFIG
    values = [value for key, value in _members(text, file) if key == KEY]
    if len(values) > 1:
        raise NoTemplate(f"{file}: {KEY} is there {len(values)} times")
    if not values and config:
        raise NoTemplate(f"{file}: has no {KEY}")
    origin = file.absolute().parent.name if config else file.stem
    return Found(values[0] if values else text, name_for(origin), str(file))


def name_for(origin: str) -> str:
    """A grammar's name made of a file's or model's: lower case, `_` for the rest; a prefix where that is no name."""
    name = re.sub(r"[^a-z0-9]+", "_", origin.lower()).strip("_")[:64]
    return name if is_module_name(name) else f"template_{name}".rstrip("_")[:64]


def _members(text: str, file: Path) -> list[tuple[str, str]]:
    """The members of a JSON object: each key with the text of its value, repeated keys included."""
    decode = json.JSONDecoder().raw_decode
    members = []
    try:
        sign, at = _sign(text, 0)
        if sign != "{":
            raise ValueError("it does not begin with {")
        if text.startswith("}", at):
            sign, at = _sign(text, at)
        while sign in ("{", ","):
            key, end = decode(text, at)
            colon, start = _sign(text, end)
            if type(key) is not str or colon != ":":
                raise ValueError(f"a key and a colon are expected at character {at}")
            _, end = decode(text, start)
            members.append((key, text[start:end]))
            sign, at = _sign(text, end)
        if sign != "}" or at != len(text):
            raise ValueError(f"a comma or the end is expected at character {at}")
    except (ValueError, RecursionError) as error:
        raise NoTemplate(f"{file}: is not a JSON object: {error}") from None
    return members


def _sign(text: str, at: int) -> tuple[str, int]:
    """The sign of punctuation at a place, blanks around it skipped, and where the text goes on; "" for none."""
    found = _SIGN.match(text, at)
    return (found[1], found.end()) if found else ("", at)
