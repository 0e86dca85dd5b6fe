"""A grammar as it was saved: in go a path and its cases, out comes what there is to say about it and its cases.

A case is `<cases>/<grammar>/<name>.json`, or one of the list in it: prefix, text, message, and perhaps tools and error,
the field and the body of the first region that is refused. Invariant: what is compared is the stream of events in
pieces, as it arrives, so a grammar that changes any of it, be it only when, is seen to.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from ..check import check
from ..diagnostics import CompileError
from ..load import find_module, generated_module, load_grammar

PIECE = 12  # characters

Case = dict[str, Any]


@dataclass
class Look:
    """At one grammar, again and again. name: the grammar's; events: of each case at the last look, at first of the
    committed module. is_wrong: what the last look found: a grammar, a case or a message that is not as it should be.
    files: the grammars that its fields stand in."""

    path: Path
    cases: Path
    events: dict[str, list[str]] = field(default_factory=dict)
    is_first: bool = True
    is_wrong: bool = False
    name: str = ""
    files: set[Path] = field(default_factory=set)

    def again(self) -> Iterator[str]:
        """Lines: errors or warnings, then by case what changed since the last look and what is wrong, then a sum."""
        self.is_wrong = True  # until all of it is seen to be right
        try:
            grammar = load_grammar(self.path)
            warnings = check(grammar)
            module = find_module(str(self.path))
            self.name = grammar.name
            self.files = {Path(one.span.source.name).absolute() for one in grammar.fields}
        except CompileError as error:
            yield str(error)
            return
        except OSError as error:
            yield f"{self.path}: {error.strerror}"
            return
        yield from map(str, warnings)
        cases, unread = _cases(self.cases / grammar.name)
        yield from unread
        if self.is_first:
            self.events, self.is_first = _committed(grammar.name, cases), False
        changed = wrong = 0
        events = {}
        for name, case in cases.items():
            events[name], message, refused = streamed(module, case)
            if name in self.events and self.events[name] != events[name]:
                changed += 1
                yield from _diff(self.events[name], events[name], f"{name} (before)", f"{name} (now)")
            faults = list(_faults(name, case, message, refused))
            wrong += bool(faults)
            yield from faults
        self.events, self.is_wrong = events, bool(wrong or unread)
        sum_ = f"{self.path}: {len(cases)} case{'s' * (len(cases) != 1)}, {wrong} wrong"
        sum_ += "" if cases else f"; they go into {(self.cases / grammar.name).as_posix()}/"
        yield f"{sum_}, {changed} with other events than before" if changed else sum_


def streamed(module: ModuleType, case: Case) -> tuple[list[str], Any, dict[str, str] | None]:
    """The events of a case as lines, in pieces; its message; field and body of the first region that is refused."""
    parser = module.Parser(prefix=case["prefix"], tools=case.get("tools"), on_error="keep")
    text = case["text"]
    lines = [f"prefix {_printed(case['prefix'])}", *map(_line, parser.initial_events)]
    for at in range(0, len(text), PIECE):
        lines.append(f"feed {_printed(text[at : at + PIECE])}")
        lines += map(_line, parser.feed(text[at : at + PIECE]))
    message, last = parser.finalize()
    lines += ["finalize", *map(_line, last), *(f"error {error}" for error in parser.errors)]
    first = parser.errors[0] if parser.errors else None
    return lines, message, first and {"field": first.field, "text": first.text}


def _line(event: dict[str, Any]) -> str:
    plain = {key: str(value) if key == "error" else value for key, value in event.items() if key != "type"}
    return f"    {event['type']} {_printed(plain)}"


def _printed(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _committed(name: str, cases: dict[str, Case]) -> dict[str, list[str]]:
    """The events that the generated module has for the cases; none without such a module."""
    module = generated_module(name)
    return {} if module is None else {key: streamed(module, case)[0] for key, case in cases.items()}


def _cases(folder: Path) -> tuple[dict[str, Case], list[str]]:
    """The cases of a folder by name, and what to say of those that are none."""
    found, unread = dict[str, Case](), list[str]()
    for path in sorted(folder.glob("*.json")):
        try:
            read = json.loads(path.read_bytes())
        except ValueError as error:
            unread.append(f"{path}: {error}")
            continue
        cases = {f"{path.stem}-{n}": one for n, one in enumerate(read)} if isinstance(read, list) else {path.stem: read}
        good = {name: case for name, case in cases.items() if _is_case(case)}
        found |= good
        if len(good) < len(cases):
            unread.append(f'{path}: a case is an object with "prefix", "text" and "message"')
    return found, unread


def _is_case(case: Any) -> bool:
    if not isinstance(case, dict) or "message" not in case:
        return False
    return all(isinstance(case.get(key), str) for key in ("prefix", "text"))


def _faults(name: str, case: Case, message: Any, error: dict[str, str] | None) -> Iterator[str]:
    """What is not as the case has it; the order of keys is no matter."""
    due, got = (
        json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True).split("\n")
        for value in (case["message"], message)
    )
    yield from _diff(due, got, f"{name}: message, as it should be", f"{name}: message, as it is")
    if error != case.get("error"):
        yield f"{name}: error should be {_printed(case.get('error'))}, is {_printed(error)}"


def _diff(before: list[str], after: list[str], old: str, new: str) -> Iterator[str]:
    return difflib.unified_diff(before, after, old, new, lineterm="")
