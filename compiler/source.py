"""Where something stands: in goes a text with a name, out come lines, columns and excerpts with a caret.

Invariant: every node of a model keeps the Span it was read from; a Span never outlives its Source.
"""

from __future__ import annotations

from dataclasses import dataclass, field

WIDEST = 160  # characters of a line that an excerpt shows


@dataclass(frozen=True)
class Source:
    """A grammar's text, or a response template that is known by its paths only (`text` is then empty)."""

    name: str
    text: str = field(default="", repr=False)

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Both from 1, columns in characters."""
        before = self.text[:offset]
        return before.count("\n") + 1, offset - (before.rfind("\n") + 1) + 1

    def line_at(self, offset: int) -> str:
        """The whole line around an offset, without its end."""
        start = self.text.rfind("\n", 0, offset) + 1
        end = self.text.find("\n", offset)
        return self.text[start : len(self.text) if end < 0 else end]


@dataclass(frozen=True)
class Span:
    """A stretch of a source (`start`, `end`: offsets in characters), or a path into a template: `fields.a.open`."""

    source: Source
    start: int = 0
    end: int = 0
    path: str = ""

    @property
    def line(self) -> int:
        return self.source.line_and_column(self.start)[0]

    @property
    def place(self) -> str:
        """`grammars/x.grammar:14:11`, or `template: fields.a.open`."""
        if self.path or not self.source.text:
            return f"{self.source.name}: {self.path}" if self.path else self.source.name
        line, column = self.source.line_and_column(self.start)
        return f"{self.source.name}:{line}:{column}"

    def excerpt(self) -> str:
        """The line, or of a long one what is near, and carets under the stretch; empty for a template."""
        if self.path or not self.source.text:
            return ""
        line = self.source.line_at(self.start)
        before = self.source.line_and_column(self.start)[1] - 1
        cut = max(0, before - WIDEST // 2)
        line, before = line[cut : cut + WIDEST], before - cut
        width = max(1, min(self.end - self.start, len(line) - before))
        lead = "".join("\t" if char == "\t" else " " for char in line[:before])
        return f"    {line}\n    {lead}{'^' * width}"
