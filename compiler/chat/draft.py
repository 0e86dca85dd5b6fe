"""A grammar out of a chat template alone: in goes a renderer, out come grammar text and what could not be found out.

The anatomy of the turns gives anchor, reasoning and content; each field that may read calls is tried on every kind of
call, and the first one that fails least is kept. Invariant: a draft compiles, and says of itself what it left open.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from runtime.errors import ParseError

from .. import compile_grammar
from ..checkpoint import name_for
from ..diagnostics import CompileError
from ..model import Delimiter, Field, Grammar, Literals
from .anatomy import Anatomy, Turns, examine
from .calls import Calls, Found
from .compare import grade, plain
from .convention import Convention, probe
from .messages import CALLS, MARKERS, TOOLS, Message, assistant
from .notation import faults
from .render import Renderer, TemplateFailed
from .roundtrip import markers_message
from .units import pieces


@dataclass(frozen=True)
class Draft:
    """A grammar to review, how the template wants messages, and what could not be found out."""

    grammar: Grammar
    convention: Convention
    notes: tuple[str, ...]

    def __str__(self) -> str:
        return str(self.grammar)


def draft(renderer: Renderer, name: str = "") -> Draft:
    """Propose a grammar. name: the grammar's; default: made of the checkpoint's. Raises TemplateFailed."""
    convention = probe(renderer)
    turns = Turns(renderer, convention)
    anatomy = examine(turns)
    notes = list(anatomy.notes)
    name = name or name_for(renderer.checkpoint.path.absolute().stem)
    found = _best(turns, anatomy, name, notes) if convention.calls else None
    if not convention.calls:
        notes.append("the chat template prints no calls: nothing is said about them")
    elif convention.calls == 1:
        notes.append("only one call a message is printed: what stands between two is not known")
    if not anatomy.reasoning_open:
        notes.append("no reasoning was found, neither printed nor in a prompt")
    grammar = _grammar(name, anatomy, found)
    comment = "\n".join(["A draft, made from the chat template alone: review it.", *(f"- {note}" for note in notes)])
    return Draft(replace(grammar, comment=comment), convention, tuple(notes))


def _best(turns: Turns, anatomy: Anatomy, name: str, notes: list[str]) -> Found | None:
    """The field that reads most kinds of calls; the first of equals."""
    messages = list(_printed(turns))
    best: tuple[int, Found] | None = None
    for found in _candidates(turns, anatomy):
        missed = _missed(_grammar(name, anatomy, found), turns, anatomy, messages)
        if missed < len(messages) and (best is None or missed < best[0]):
            best = missed, found
        if missed == 0:
            break
    if best is None:
        notes.append("how calls are written was not found: there is no field for them")
        return None
    return best[1]


def _candidates(turns: Turns, anatomy: Anatomy) -> Iterator[Found]:
    try:
        yield from Calls(turns, anatomy).fields()
    except (TemplateFailed, ValueError):
        return


def _printed(turns: Turns) -> Iterator[tuple[Message, str]]:
    """Each kind of call without reasoning, with the turn that prints it."""
    many = turns.convention.calls > 1
    kinds = {**CALLS, MARKERS: markers_message(turns.renderer, turns.convention)}
    for message in kinds.values():
        if "reasoning_content" in message or (len(message["tool_calls"]) > 1 and not many):
            continue
        try:
            turn = turns.turn(message)
        except TemplateFailed:
            continue
        if not faults([each["function"]["arguments"] for each in message["tool_calls"]], turn):
            yield message, turn


def _missed(grammar: Grammar, turns: Turns, anatomy: Anatomy, messages: list[tuple[Message, str]]) -> int:
    """How many of the messages a grammar does not read as they were sent; all of them when it does not compile."""
    try:
        module = compile_grammar(str(grammar), name=grammar.name)
    except CompileError:
        return len(messages)
    calls = Calls(turns, anatomy)
    missed = 0
    for message, turn in messages:
        try:
            parsed = module.parse(calls.behind_header(turn), prefix=anatomy.anchors[0], tools=TOOLS)
        except ParseError:
            missed += 1
            continue
        sent, read = (assistant("", "", *each.get("tool_calls", [])) for each in (message, plain(parsed)))
        missed += grade(sent, read) is None
    return missed


def _grammar(name: str, anatomy: Anatomy, found: Found | None) -> Grammar:
    fields = []
    implicit = not anatomy.content_open
    if anatomy.reasoning_open:
        closer = Literals((anatomy.reasoning_close,), blank_after=implicit)
        fields.append(Field("reasoning_content", Literals((anatomy.reasoning_open,)), closer))
    loose: list[str] = []
    if found is not None:
        fields.append(found.field)
        loose = [piece for text in found.loose for piece in pieces(text)]
    closes = _unique([*anatomy.ends, *(loose if implicit else [])])
    close: Delimiter | None = Literals(tuple(closes), blank_after=implicit) if closes else None
    if implicit:
        fields.append(Field("content", close=close, repeats=True, joined=""))
    else:
        fields.append(Field("content", Literals((anatomy.content_open,)), close))
    return Grammar(name, Literals(anatomy.anchors), tuple(fields), (("role", '"assistant"'),))


def _unique(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(text for text in texts if text))
