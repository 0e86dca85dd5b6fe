"""What `check` found, for machines: in go errors and warnings, out come GitHub annotations or JSON.

Invariant: a report has a file as the command line names it; lines and columns count from 1, and are there only where
the file is grammar text, for templates are known by their paths.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from .diagnostics import CompileError, Warned

Format = Literal["text", "github", "json"]


@dataclass(frozen=True)
class Report:
    """severity: "error" or "warning"; code: its name; where: the path in a template; text: all of it for people."""

    file: str
    line: int | None
    column: int | None
    end_line: int | None
    end_column: int | None
    where: str
    severity: Literal["error", "warning"]
    code: str
    message: str
    help: str
    text: str

    @classmethod
    def of(cls, path: Path, said: CompileError | Warned) -> Report:
        span, is_text = said.span, bool(said.span.source.text and not said.span.path)
        line, column = span.source.line_and_column(span.start) if is_text else (None, None)
        end_line, end_column = span.source.line_and_column(span.end) if is_text else (None, None)
        severity: Literal["error", "warning"] = "error" if isinstance(said, CompileError) else "warning"
        code = said.code if isinstance(said, CompileError) else said.name
        return cls(
            path.as_posix(),
            line,
            column,
            end_line,
            end_column,
            span.path,
            severity,
            code,
            said.what,
            said.way_out,
            str(said),
        )


def as_json(reports: Iterable[Report]) -> str:
    """One JSON list."""
    return json.dumps([asdict(report) for report in reports], indent=2) + "\n"


def as_github(reports: Iterable[Report]) -> str:
    """A workflow command a report: GitHub shows it at its line."""
    return "".join(_command(report) for report in reports)


def _command(report: Report) -> str:
    properties: dict[str, object] = {"file": report.file, "title": f"respc {report.code}"}
    if report.line is not None:
        properties |= {"line": report.line, "col": report.column, "endLine": report.end_line}
        if report.end_line == report.line:
            properties["endColumn"] = report.end_column
    said = ",".join(f"{key}={_escaped(str(value), ':,')}" for key, value in properties.items())
    where = f"{report.where}: " if report.where else ""
    help_ = f"\nhelp: {report.help}" if report.help else ""
    return f"::{report.severity} {said}::{_escaped(f'{where}{report.message}{help_}')}\n"


def _escaped(text: str, more: str = "") -> str:
    return "".join(f"%{ord(c):02X}" if c in "%\r\n" + more else c for c in text)
