"""The IR: a grammar as states and exits, with all that was decided. lower.py makes it, render.py writes it down.

Invariant: nothing here is left to decide, and every string that will stand in code is already source text or passes
names.py on its way; str(machine) is what `respc explain` prints.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .analyse_delimiters import Does
from .model import Field, Grammar

Kind = Literal["rest", "find", "search", "scan", "late", "aware", "aware scan", "value", "behind"]

UNENDED = ", where it is none"  # said of what ends a body that does not become a value


@dataclass(frozen=True)
class Exit:
    """What leaves a state. shown: the delimiter for people; words: its fixed strings (kinds find and search).

    does: as in analyse_delimiters.Watched; `scanner` names the module constant of a delimiter that is scanned for.
    """

    shown: str
    does: Does
    to: str  # for people
    target: str = ""  # the state constant that an open enters, or a close when it is not the one outside of regions
    words: tuple[str, ...] = ()
    blanks: bool = False  # a close whose run of blanks is swallowed behind it
    ahead: bool = False  # a close that stands before the word
    scanner: str = ""
    captures: bool = False
    may_be_empty: bool = False


@dataclass(frozen=True)
class State:
    """kind: how its text is looked at. rest: nothing leaves it; find: one word; search: several words; scan: decided by
    scanners; late: the same, but the openers in `late` end the region when nothing else does. aware: words that count
    outside of strings only, told by the reader `watched_by`; aware scan: the same with scanners. value: where that says
    that a value ends. behind: a close has just been, and blanks at most: exits stand here or do not count.

    `lead` as in runtime/stream.py; policies: its arguments of rt.State beyond version 1, as source text.
    """

    name: str
    ident: str
    kind: Kind
    exits: tuple[Exit, ...]
    field: Field | None = None
    lead: str = ""
    dirty: bool = False
    is_outside: bool = False
    label: str = ""
    late: tuple[Exit, ...] = ()
    watched_by: str = ""  # source text
    openers: tuple[
        str, ...
    ] = ()  # of regions, how they begin or their scanners: none stands in a value of an aware one
    later: tuple[str, ...] = ()  # the scanners of those that count right behind its close, in an aware one
    policies: tuple[str, ...] = ()
    close: tuple[str, ...] = ()  # statements that make, store and return the value
    close_type: str = "object"

    @property
    def title(self) -> str:
        """Its name; of several openers of one field each has a state."""
        return f"{self.name} as {self.label}" if self.label else self.name

    @property
    def rows(self) -> list[tuple[str, str]]:
        """What leaves it and where to, for people."""
        late = [(exit.shown, f"{exit.to}, if the close never comes: all is held till then") for exit in self.late]
        rest = [("anything else", "as outside of regions")] if self.kind == "behind" else []
        return [(exit.shown, exit.to) for exit in self.exits] + late + rest


@dataclass(frozen=True)
class Scanner:
    """A module constant: a delimiter that is scanned for. `why` says when it may hold more than it must."""

    ident: str
    expression: str
    shown: str
    why: str = ""


@dataclass(frozen=True)
class Constant:
    """Another module constant: a compiled pattern, a reader of values, or what leaves a state."""

    ident: str
    expression: str


@dataclass(frozen=True)
class Fact:
    ident: str
    text: str


@dataclass(frozen=True)
class Machine:
    grammar: Grammar
    states: tuple[State, ...]
    anchor: str  # the body of _after_anchor
    defaults: str
    scanners: tuple[Scanner, ...] = ()
    constants: tuple[Constant, ...] = ()
    watches: tuple[Constant, ...] = ()
    facts: tuple[Fact, ...] = ()
    joins: tuple[tuple[str, str, bool, str], ...] = ()  # key, separator (source text), whether it has a default, trim
    required: tuple[str, ...] = ()  # source text
    coerce: str = ""  # how the grammar types the arguments of calls
    behind: int = 0
    imports: tuple[str, ...] = ()
    fact_of: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        lines = [f"grammar {self.grammar.name}", "", "states, and what leaves them:"]
        for state in self.states:
            how = {
                "rest": "takes all",
                "find": "finds a word",
                "search": "searches words",
                "scan": "scans",
                "late": "scans",
                "aware": "searches words outside of strings",
                "aware scan": "scans outside of strings",
                "value": "reads one value",
                "behind": "looks at what comes next",
            }[state.kind]
            lead = f", lead {state.lead!r}" if state.lead else ""
            lines.append(f"  {state.title}{' (start)' if state.is_outside else ''}: {how}{lead}")
            lines += [f"      {shown}  ->  {to}" for shown, to in state.rows]
        lines += ["", "facts that the code leans on:", *(f"  {fact.ident}  {fact.text}" for fact in self.facts)]
        if self.scanners:
            lines += ["", "scanned for:"]
            lines += [f"  {s.ident} = {s.shown}{f'  ({s.why})' if s.why else ''}" for s in self.scanners]
        return "\n".join(lines) + "\n"
