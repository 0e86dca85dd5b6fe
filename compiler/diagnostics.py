"""The one list of what can be said to an author: code, title, and the way out. In goes a place, out comes the message.

Invariant: every code is raised somewhere and has a file in tests/diagnostics.
"""

from __future__ import annotations

from dataclasses import dataclass

from .source import Span


class CompileError(ValueError):
    """A grammar or a template that cannot be compiled. `code` names the rule, `span` the place."""

    def __init__(self, code: str, what: str, span: Span, way_out: str = "") -> None:
        self.code, self.what, self.span, self.way_out = code, what, span, way_out
        lines = [f"{span.place}: error[{code}]: {what}", span.excerpt(), f"    help: {way_out}" if way_out else ""]
        super().__init__("\n".join(line for line in lines if line))


@dataclass(frozen=True)
class Warned:
    """Something that works and is seldom meant. `name` turns it off."""

    name: str
    what: str
    span: Span
    way_out: str

    def __str__(self) -> str:
        lines = [f"{self.span.place}: warning[{self.name}]: {self.what}", self.span.excerpt(), f"    help: {self.way_out}"]
        return "\n".join(line for line in lines if line)
