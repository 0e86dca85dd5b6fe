"""Which grammars a chat template writes for: in go a renderer and parser modules, out come those that read it back.

The probe is a thought, a text and two calls, or what of them the template prints. Invariant: only what is rendered and
what parsers make of it decides; the template's source is not searched.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import ModuleType

from .convention import Convention, probe
from .messages import CALLS, CONTENT, CONTEXTS, REASONING, Message
from .render import Renderer
from .roundtrip import GRAMMAR, Bench, Trial
from .switches import positions

PARTS = {"reasoning_content": "a thought", "content": "text", "tool_calls": "calls"}


@dataclass(frozen=True)
class Reading:
    """A module that lost nothing of the probe. parts: those of PARTS that it gave back. exact: how often."""

    name: str
    parts: frozenset[str]
    exact: int

    def __str__(self) -> str:
        said = [PARTS[part] for part in PARTS if part in self.parts]
        return " and ".join([", ".join(said[:-1]), said[-1]] if said[1:] else said)


def recognise(renderer: Renderer, modules: Mapping[str, ModuleType]) -> list[Reading]:
    """The modules that read the probe back, those that give back most, the most exact first.

    Raises TemplateFailed when not even plain text is rendered.
    """
    convention = probe(renderer)
    found = [_reading(name, list(_trials(renderer, module, convention))) for name, module in modules.items()]
    read = [reading for reading in found if reading is not None and reading.parts]
    most = max((len(reading.parts) for reading in read), default=0)
    return sorted((one for one in read if len(one.parts) == most), key=lambda one: (-one.exact, one.name))


def _trials(renderer: Renderer, module: ModuleType, convention: Convention) -> Iterator[Trial]:
    """The probe through one module, up to the first message that it loses."""
    bench = Bench(renderer, module, convention)
    for kind, message in _messages(convention).items():
        for thinking in positions(renderer):
            trial = bench.trial(kind, message, CONTEXTS[0], thinking, forced=True)
            yield trial
            if trial.verdict == GRAMMAR:
                return


def _messages(convention: Convention) -> dict[str, Message]:
    """The whole probe first, then what a template that drops text beside calls, or old thoughts, still prints."""
    kinds = ["content", "reasoning", "call", "two calls", "call with content", "reasoning, content, calls"]
    known = {**CONTENT, **REASONING, **CALLS}
    return {kind: known[kind] for kind in reversed(kinds) if _is_printed(known[kind], convention)}


def _is_printed(message: Message, convention: Convention) -> bool:
    thought = "reasoning_content" not in message or convention.reasoning
    return thought and len(message.get("tool_calls", [])) <= convention.calls


def _reading(name: str, trials: list[Trial]) -> Reading | None:
    if any(trial.verdict == GRAMMAR for trial in trials):
        return None
    equal = [trial for trial in trials if trial.equal]
    parts = frozenset(part for trial in equal for part in trial.message if part in PARTS)
    return Reading(name, parts, sum(trial.verdict == "exact" for trial in equal))
