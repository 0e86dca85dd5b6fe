"""The switches that chat templates have for thinking: in goes a renderer, out come the positions worth rendering."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .render import Renderer, variables

SWITCHES = ("enable_thinking", "thinking")


@dataclass(frozen=True)
class Thinking:
    """One position of the switches. variables: what rendering is given."""

    name: str
    variables: Mapping[str, Any] = field(default_factory=dict)


def positions(renderer: Renderer) -> list[Thinking]:
    """The switch left alone, on and off; only the first for a template that reads none. Raises TemplateFailed."""
    read = variables(renderer.checkpoint.choose(tools=False))
    names = [name for name in SWITCHES if name in read]
    turned = [("on", True), ("off", False)] if names else []
    return [Thinking("default"), *(Thinking(name, dict.fromkeys(names, value)) for name, value in turned)]
