"""A response template goes in, the module that parses what it describes comes out: a committed one, else one made here.

Invariant: equal templates get one module, however many threads ask; at most KEPT modules are kept. `templates.json`
beside the committed modules maps the digest of each template that a grammar exports to the module's name.
"""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache, lru_cache
from importlib import import_module
from importlib.resources import files
from threading import RLock
from types import ModuleType
from typing import Any

COMMITTED = "generated"
_NAMED = re.compile(r"<respc:([a-z][a-z0-9_]*)>")
INDEX = "templates.json"
KEPT = 64
_LOCK = RLock()


def module_for(template: Any) -> ModuleType:
    """The module with `parse` and `Parser` for a template.

    Raises the compiler's CompileError (a ValueError) for what is no template, and ImportError for one that no committed
    module is made from when the compiler is not installed.
    """
    try:
        text = json.dumps(template, allow_nan=False)
    except (TypeError, ValueError, RecursionError):  # no JSON, so no template: the compiler says why
        return _compiled(template)
    with _LOCK:
        return _module(text)


def template_for(name: str) -> dict[str, Any]:
    """A response template that stands for the committed module of that name, whatever templates can say.

    To those who do not know respc it says that all is content. ValueError when there is no such module.
    """
    template = {"start_anchor": f"<respc:{name}>", "fields": {"content": {"content": "text"}}}
    if _named(template) is None:
        raise ValueError(f"no committed module is named {name!r}")
    return {"defaults": {"role": "assistant"}, **template}


def _named(template: Any) -> str | None:
    """The committed module that a template names."""
    anchor = template.get("start_anchor") if isinstance(template, dict) else None
    found = _NAMED.fullmatch(anchor) if isinstance(anchor, str) else None
    return found[1] if found and files(COMMITTED).joinpath(f"{found[1]}.py").is_file() else None


def template_digest(template: dict[str, Any]) -> str:
    """What tells one template from another: 64 hex digits. Neither the order of keys nor `"version": 1` counts."""
    text = json.dumps({"version": 1, **template}, sort_keys=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


@lru_cache(KEPT)
def _module(text: str) -> ModuleType:
    template = json.loads(text)
    name = _named(template)
    if name is None and isinstance(template, dict):
        name = _index().get(template_digest(template))
    return import_module(f"{COMMITTED}.{name}") if name else _compiled(template)


@cache
def _index() -> dict[str, str]:
    index: dict[str, str] = json.loads(files(COMMITTED).joinpath(INDEX).read_text(encoding="ascii"))
    return index


def _compiled(template: Any) -> ModuleType:
    try:
        from compiler import compile_template
    except ImportError as error:
        raise ImportError(
            "no committed module is made from this response template, and the compiler is not installed: "
            "pip install 'respc[compile]'"
        ) from error
    return compile_template(template)
