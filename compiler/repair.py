"""What version 1 could not say: a response template's grammar in, out comes one that keeps text and bears bad bodies.

Invariant: each mend is tried by itself and kept only where the grammar still compiles, so what comes out passes check;
a response that the template read right still is, the white space around texts and between their pieces aside.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from .analyse_delimiters import pattern_node, words_of
from .analyse_values import may_be_call
from .captures import captured, readers
from .check import check
from .diagnostics import CompileError
from .lower import lower
from .model import Emit, Field, Grammar, Items, JsonValue, Literals, Members, Pattern, Ref, Text, Xml, XmlInline, quoted
from .pattern import nullable
from .policies import fits, takes_text
from .repair_tags import bare, paired
from .warn import REASONING

# What names a part of a message in a marker. A closer of the implicit field that names none ends the message.
_PART = re.compile(r"tool|call|func|think|thought|reason|resp|answer|action|invoke|content|text\b|section", re.I)


@dataclass(frozen=True)
class Change:
    """What was changed, and why. field: its title, "" for the head."""

    field: str
    what: str
    why: str

    def __str__(self) -> str:
        return f"{f'{self.field}: ' if self.field else ''}{self.what}: {self.why}"


FieldRule = Callable[[Grammar, Field], Iterator[tuple[Field, str, str]]]
HeadRule = Callable[[Grammar], Iterator[tuple[Grammar, str, str]]]


def repair(grammar: Grammar, bears: Callable[[Grammar], bool] | None = None) -> tuple[Grammar, list[Change]]:
    """The repaired grammar, and what was changed, in order. CompileError: check refuses the grammar as it is.

    bears: what more is asked of a grammar that compiles, for a change to be kept.
    """
    check(grammar)
    repairing = _Repairing(grammar, bears)
    repairing.head(_overlooked)
    for rule in (_joined, _named, _extended, _wider_names, _unread_groups, _as_pairs):
        repairing.fields(rule)
    for head in (_text_outside, _ends):
        repairing.head(head)
    for rule in (_ended_by, _blanks_kept):
        repairing.fields(rule)
    while repairing.head(_policies):
        continue
    for rule in (_untrimmed, _exact, _aware):
        repairing.fields(rule)
    return repairing.grammar, repairing.changes


class _Repairing:
    def __init__(self, grammar: Grammar, bears: Callable[[Grammar], bool] | None) -> None:
        self.grammar = grammar
        self.bears = bears
        self.changes: list[Change] = []
        self.linear = _compiles(grammar, linear=True)

    def head(self, rule: HeadRule) -> bool:
        """Take the first of the rule's ways that compiles, and say whether one does."""
        return any(self.take(candidate, Change("", what, why)) for candidate, what, why in rule(self.grammar))

    def fields(self, rule: FieldRule) -> None:
        for at, field in enumerate(self.grammar.fields):
            for mended, what, why in rule(self.grammar, field):
                fields = (*self.grammar.fields[:at], mended, *self.grammar.fields[at + 1 :])
                if self.take(replace(self.grammar, fields=fields), Change(field.title, what, why)):
                    break

    def take(self, candidate: Grammar, change: Change) -> bool:
        fine = _compiles(candidate, linear=self.linear) and (self.bears is None or self.bears(candidate))
        if fine:
            self.grammar = candidate
            self.changes.append(change)
        return fine


def _compiles(grammar: Grammar, *, linear: bool) -> bool:
    try:
        check(grammar)
        lower(grammar, linear=linear)
    except CompileError:
        return False
    return True


# -- what a message keeps ---------------------------------------------------------------------------------------------


def _overlooked(grammar: Grammar) -> Iterator[tuple[Grammar, str, str]]:
    if grammar.overlooked:
        paths = ", ".join(span.path for span in grammar.overlooked)
        yield replace(grammar, overlooked=()), f"without {paths}", "no content type reads it"


def _joined(grammar: Grammar, field: Field) -> Iterator[tuple[Field, str, str]]:
    """Of several regions of text none is lost, and nothing stands between pieces of the text outside of the others."""
    if isinstance(field.reader, Text) and field.emit is None:
        between = "" if field.implicit else "\n"
        if not field.repeats:
            mended = replace(field, repeats=True, joined=between)
            yield mended, f"joined {quoted(between)}", "a later region replaced what an earlier one said"
        elif field.implicit and field.joined:
            yield replace(field, joined=""), 'joined ""', "nothing that the model did not write stands between pieces"


def _named(grammar: Grammar, field: Field) -> Iterator[tuple[Field, str, str]]:
    if field.name in REASONING and all(other.name != "reasoning_content" for other in grammar.fields):
        mended = replace(field, name="reasoning_content")
        yield mended, "field reasoning_content", "the name that chat templates read"


def _extended(grammar: Grammar, field: Field) -> Iterator[tuple[Field, str, str]]:
    """A list of values in one region: several regions add up, and a lone object is a list of one."""
    if field.emit is not None and field.each and not field.repeats:
        emit = _below_content(field.emit, captured(field))
        mended = replace(field, repeats=True, each=False, extend=True, emit=emit)
        yield mended, "extend", "a second region replaced the first, and a lone object was refused"


def _below_content(emit: Emit, captures: tuple[str, ...]) -> Emit:
    """What names an item's key under `each`, as `extend` names it."""
    match emit:
        case Ref(path=path) if path[0] not in captures:
            return Ref(("content", *path))
        case Items(items=items):
            return Items(tuple(_below_content(item, captures) for item in items))
        case Members(members=members):
            return Members(tuple((key, _below_content(value, captures)) for key, value in members))
        case _:
            return emit


def _text_outside(grammar: Grammar) -> Iterator[tuple[Grammar, str, str]]:
    if grammar.implicit is None and all(field.name != "content" for field in grammar.fields):
        content = Field("content", repeats=True, joined="")
        candidate = replace(grammar, fields=(*grammar.fields, content))
        yield candidate, 'field content: text joined ""', "text outside of the fields was dropped"


# -- delimiters -------------------------------------------------------------------------------------------------------


def _wider_names(grammar: Grammar, field: Field) -> Iterator[tuple[Field, str, str]]:
    r"""`\w+` for a name that is emitted as `name`."""
    mended = field
    for name in dict.fromkeys(ref.path[0] for ref in _names(field.emit)):
        mended = _patterns_changed(mended, rf"(\(\?P<{name}>)\\w([+*])", r"\1[\\w.-]\2")
    if mended != field:
        yield mended, r"names of [\w.-]", "tools are called `get-weather` and `web.search`, too"


def _names(emit: Emit | None) -> Iterator[Ref]:
    match emit:
        case Items(items=items):
            for item in items:
                yield from _names(item)
        case Members(members=members):
            for key, value in members:
                if key == "name" and isinstance(value, Ref):
                    yield value
                yield from _names(value)


def _unread_groups(grammar: Grammar, field: Field) -> Iterator[tuple[Field, str, str]]:
    if field.emit is not None and not field.each and "content" in captured(field):
        mended = _patterns_changed(field, r"(\(\?P[<=])content([>)])", r"\1unread\2")
        yield mended, "the group `content` is `unread`", "`content` is the body; what the group captures was lost"


def _patterns_changed(field: Field, sought: str, by: str) -> Field:
    """The field with `sought` replaced in the patterns of both delimiters."""
    opened, closed = field.open, field.close
    if isinstance(opened, Pattern):
        opened = Pattern(re.sub(sought, by, opened.text), opened.span)
    if isinstance(closed, Pattern):
        closed = Pattern(re.sub(sought, by, closed.text), closed.span)
    return replace(field, open=opened, close=closed)


def _ends(grammar: Grammar) -> Iterator[tuple[Grammar, str, str]]:
    """The implicit field's closers: the ends of the message, and markers that only had to be swallowed."""
    implicit = grammar.implicit
    if implicit is None or implicit.close is None or not takes_text(implicit):
        return
    fields = tuple(replace(field, close=None) if field is implicit else field for field in grammar.fields)
    open_ended = replace(grammar, fields=fields)
    words = words_of(pattern_node(implicit.close))
    if words is None and not nullable(pattern_node(implicit.close)):
        yield replace(open_ended, stray=implicit.close), f"stray {implicit.close}", "it swallows, and ends nothing"
    if words is None:
        return
    stops = tuple(word.text for word in words if not word.ahead and not _PART.search(word.text))
    strays = tuple(word.text for word in words if not word.ahead and _PART.search(word.text))
    stop, stray = Literals(stops) if stops else None, Literals(strays) if strays else None
    shown = [f"stop {stop}"] * bool(stops) + [f"stray {stray}"] * bool(strays)
    why = "what follows the end is no text" if stops else "a marker that says nothing of its own"
    yield replace(open_ended, stop=stop, stray=stray), ", ".join(shown) or "no close", why


def _ended_by(grammar: Grammar, field: Field) -> Iterator[tuple[Field, str, str]]:
    """A closer that looks ahead to just what opens another field, or to a stop, which closes by itself."""
    words = words_of(pattern_node(field.close)) if field.close is not None and not field.implicit else None
    ahead = {word.text for word in words or () if word.ahead}
    own = tuple(word for word in words or () if not word.ahead)
    if not ahead or not own:
        return
    stops = set(grammar.stop.words) if isinstance(grammar.stop, Literals) else set()
    opened = {
        other.name: set(other.open.words)
        for other in grammar.fields
        if isinstance(other.open, Literals) and other.name != field.name
    }
    named = tuple(name for name, words_of_it in opened.items() if words_of_it <= ahead)
    if ahead == stops & ahead | {word for name in named for word in opened[name]}:
        close = Literals(tuple(word.text for word in own), blank_after=any(word.blanks for word in own))
        what = ", ".join([f"close {close}", *(f"ended by {name}" for name in named)])
        yield replace(field, close=close, ended_by=named), what, "the same, and the text streams up to it"


def _blanks_kept(grammar: Grammar, field: Field) -> Iterator[tuple[Field, str, str]]:
    """Closers that swallow blanks, where those are text between others."""
    words = words_of(pattern_node(field.close)) if field.close is not None and not field.implicit else None
    swallows = words and any(word.blanks for word in words) and not any(word.ahead for word in words)
    if words and swallows and any(map(takes_text, grammar.fields)):
        close = Literals(tuple(word.text for word in words))
        yield replace(field, close=close), f"close {close}", "blanks behind it may be part of the text"


# -- bodies -----------------------------------------------------------------------------------------------------------


def _as_pairs(grammar: Grammar, field: Field) -> Iterator[tuple[Field, str, str]]:
    pair = paired(field.reader) if isinstance(field.reader, XmlInline) else None
    if pair is not None:
        yield replace(field, reader=pair), f"{pair}", "pairs can be exact, and bear closers in their values"


WORDS = (
    ("blank", "skip", "blanks between delimiters are no text"),
    ("trim", "both", "pieces keep their white space, the whole is stripped"),
    ("bad", "text", "a body that does not parse is kept as text, and costs no other"),
    ("bad", "drop", "a body that does not parse costs no other; no field takes it as text"),
    ("cut", "complete", "a call that the end of the text cut off never looks complete"),
    ("coerce", "exact", "arguments have the types of the tools' schemas"),
)


def _policies(grammar: Grammar) -> Iterator[tuple[Grammar, str, str]]:
    """All words that fit, one a way: `repair` asks again until none is new."""
    for word, choice, why in WORDS:
        if word in dict(grammar.policies) or not _means_something(grammar, word):
            continue
        yield replace(grammar, policies=(*grammar.policies, (word, choice))), f"policy {word} {choice}", why


def _means_something(grammar: Grammar, word: str) -> bool:
    if word == "coerce":  # which reads quotes as quotes; a template may have used them to cut values
        return any(map(may_be_call, grammar.fields)) and not any(map(_has_odd_quotes, grammar.fields))
    return any(fits(field, word) for field in grammar.fields)


def _has_odd_quotes(field: Field) -> bool:
    """Whether values are read with quotes whose sides differ."""
    dialects = [one.string_delims for one in readers(field.reader) if isinstance(one, JsonValue)]
    return any(left != right for pairs in dialects for left, right in pairs)


def _untrimmed(grammar: Grammar, field: Field) -> Iterator[tuple[Field, str, str]]:
    if isinstance(field.reader, Text) and not field.reader.strip and fits(field, "trim"):
        yield replace(field, policies=(*field.policies, ("trim", "none"))), "policy trim none", "it was not stripped"


def _exact(grammar: Grammar, field: Field) -> Iterator[tuple[Field, str, str]]:
    close = bare(field) if isinstance(field.reader, Xml) else None
    if close is not None:
        mended = replace(field, close=close, policies=(*field.policies, ("exact", "")))
        what = "policy exact" if close == field.close else f"policy exact, close {close}"
        yield mended, what, "what fits no pair was skipped without an error"


def _aware(grammar: Grammar, field: Field) -> Iterator[tuple[Field, str, str]]:
    """Where the word means something: a close or stop that could stand inside of a string or a value."""
    if fits(field, "aware") and not _has_odd_quotes(field):
        mended = replace(field, policies=(*field.policies, ("aware", "")))
        fields = tuple(mended if other is field else other for other in grammar.fields)
        try:
            states = lower(replace(grammar, fields=fields)).states
        except CompileError:
            return
        if any(state.field == mended and state.kind.startswith("aware") for state in states):
            yield mended, "policy aware", "a closer inside of a string or a value is text"
