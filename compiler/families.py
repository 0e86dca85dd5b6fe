"""Whose a grammar is: in goes a model's name or a response template, out come the modules that say they are for it.

A module says so by MODELS, patterns in which `*` stands for any characters, and TEMPLATES, how digests begin.
Invariant: of patterns that match, those with the most characters besides `*` count, and the owner where it can.
"""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from types import ModuleType
from typing import Any, NamedTuple

from runtime.hf_modules import template_digest

DIGITS = 16  # of a digest, in TEMPLATES


class Match(NamedTuple):
    """A module's name, the pattern of its that matches, whether the owner does, too."""

    name: str
    pattern: str
    is_owned: bool


def of_model(model: str, modules: Mapping[str, ModuleType]) -> list[Match]:
    """The modules for a model, by its name on the hub or the path of its folder; letters' case is no matter.

    A copy under another owner, or without one, is known by its name alone: only where no pattern has the owner as well.
    """
    owner, name = [*([""] * 2), *model.lower().rstrip("/").split("/")][-2:]
    found = []
    for module_name, module in modules.items():
        for pattern in getattr(module, "MODELS", ()):
            its_owner, its_name = pattern.lower().split("/")
            if fnmatchcase(name, its_name):
                found.append(Match(module_name, pattern, bool(owner) and fnmatchcase(owner, its_owner)))
    best = max((_rank(match) for match in found), default=None)
    equal = {match.name: match for match in found if _rank(match) == best}
    return [equal[module_name] for module_name in sorted(equal)]


def of_template(template: dict[str, Any], modules: Mapping[str, ModuleType]) -> list[str]:
    """The modules for the models that come with a response template."""
    digest = digest_of(template)
    return sorted(name for name, module in modules.items() if digest in getattr(module, "TEMPLATES", ()))


def digest_of(template: dict[str, Any]) -> str:
    """How the digest of a template begins, as grammars write it."""
    return template_digest(template)[:DIGITS]


def _rank(match: Match) -> tuple[bool, int]:
    return match.is_owned, len(match.pattern.partition("/")[2].replace("*", ""))
