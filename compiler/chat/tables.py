"""Trials and prefix points for people: in go results, out come lines of text.

Invariant: columns are as wide as what stands in them; no line depends on where the files lie.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from .compare import GRADES
from .convention import Convention
from .prefix import Point
from .roundtrip import GRAMMAR, REFUSED, TEMPLATE, Trial

_HEAD = ("", "sent", "refused", "reachable", "compared", "equal", *GRADES[1:], TEMPLATE, GRAMMAR)


def roundtrip_table(trials: Sequence[Trial]) -> Iterator[str]:
    """A line a kind: how many messages were sent, refused, reachable, compared, equal, and whose fault the rest is.

    compared: what was reachable and is not lost by the chat template. equal: at any grade; of these, the two looser
    grades have columns of their own.
    """
    kinds = dict.fromkeys(trial.kind for trial in trials)
    rows = [(kind, [trial for trial in trials if trial.kind == kind]) for kind in kinds]
    yield from columns([_HEAD, *(_row(kind, each) for kind, each in rows), _row("all", trials)])
    reachable = [trial for trial in trials if trial.reachable]
    yield f"text law: {sum(trial.text_law for trial in reachable)} of {len(reachable)}"


def failures(trials: Iterable[Trial]) -> Iterator[str]:
    """The smallest failing message of each kind and side, and what contexts are refused."""
    refused: dict[str, str] = {}
    failing: dict[tuple[str, str], Trial] = {}
    for trial in trials:
        if trial.verdict == REFUSED:
            refused.setdefault(trial.why, f"{trial.context}: {trial.why.splitlines()[0]}")
        elif trial.verdict in (TEMPLATE, GRAMMAR):
            key = trial.verdict, trial.kind
            if key not in failing or len(trial.raw) < len(failing[key].raw):
                failing[key] = trial
    for text in refused.values():
        yield f"refused in {text}"
    for (side, kind), trial in sorted(failing.items(), key=lambda item: item[0][0]):
        yield f"{side}: {kind}, {trial.context}, thinking {trial.thinking}: {trial.why.splitlines()[0]}"
        yield f"    message  {json.dumps(trial.message, ensure_ascii=False)}"
        yield f"    text     {json.dumps(trial.raw, ensure_ascii=False)}"
        if trial.parsed is not None:
            yield f"    parsed   {json.dumps(trial.parsed, ensure_ascii=False)}"


def convention_line(convention: Convention) -> str:
    """How the template wants messages, in words."""
    calls = ("no calls", "one call a message", "calls")[convention.calls]
    parts = [
        f"content as {'a list of items' if convention.items else 'a string'}",
        "reasoning" if convention.reasoning else "no reasoning",
        calls,
    ]
    if convention.calls:
        parts.append(f"arguments as {'a JSON string' if convention.encoded else 'an object'}")
        parts.append("ids" if convention.ids else "no ids")
    return "the chat template prints " + ", ".join(parts)


def prefix_table(points: Sequence[Point]) -> Iterator[str]:
    """A line a generation point, and under them the warnings, each once."""
    rows: list[Sequence[str]] = [("context", "thinking", "behind the anchor", "leaves open", "continues")]
    for point in points:
        behind = "no anchor" if point.behind is None else json.dumps(point.behind, ensure_ascii=False)
        rows.append((point.context, point.thinking, behind, point.region or "-", point.continues or "yes"))
    yield from columns(rows)
    for warning in dict.fromkeys(warning for point in points for warning in point.warnings):
        where = [f"{point.context} ({point.thinking})" for point in points if warning in point.warnings]
        yield f"warning: {warning}: {', '.join(where)}"


def columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Rows with the first column to the left; others too, but numbers to the right."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    numeric = [all(row[at].isdigit() for row in rows[1:]) for at in range(len(widths))]
    for row in rows:
        cells = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ]
        yield "  ".join(cells).rstrip()


def _row(kind: str, trials: Sequence[Trial]) -> list[str]:
    verdicts = [trial.verdict for trial in trials]
    reachable, compared = sum(trial.reachable for trial in trials), sum(trial.compared for trial in trials)
    equal = sum(trial.equal for trial in trials)
    numbers = [len(trials), verdicts.count(REFUSED), reachable, compared, equal]
    numbers += [verdicts.count(grade) for grade in (*GRADES[1:], TEMPLATE, GRAMMAR)]
    return [kind, *map(str, numbers)]
