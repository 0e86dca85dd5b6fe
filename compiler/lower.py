"""Model + facts -> machine: in goes a checked grammar, out come its states, exits, constants and the facts leaned on.

Invariant: this is where every decision falls; the templates only lay out what stands in the machine.
"""

from __future__ import annotations

from itertools import chain, count

from . import pattern, scanners
from .analyse_delimiters import (
    Watched,
    Word,
    closed_by,
    escaped,
    fixed_ends,
    heads_of,
    is_no_json,
    lead_of,
    opened_by,
    pattern_node,
    pattern_text,
    plain_words,
    words_of,
)
from .analyse_readers import json_watcher
from .analyse_scans import Effort, linear
from .analyse_streams import streams
from .analyse_values import close_statements, is_structured, value_type
from .captures import tags
from .diagnostics import CompileError
from .machine import UNENDED, Constant, Exit, Fact, Kind, Machine, Scanner, State
from .model import CallList, Delimiter, Field, Grammar, JsonLines, Literals, Place, Python, Xml
from .names import identifiers, literal, raw_literal, value
from .policies import VERSION_1, choice, is_lexed, of_grammar, takes_text
from .source import Span

NOTHING = "\0"  # the lead of a state that nothing leaves: text with it is looked at in vain, nothing else is

FACTS = {
    "final": "No delimiter of a state begins with another one: a complete one is final the moment it is seen.",
    "lead": "Every delimiter of a state begins with the state's lead and has it nowhere else: text without it is "
    "plain, and a delimiter that has begun begins at the last one.",
    "blanks": "The blanks that end a closer may be none and capture nothing: the region closes before them, and the "
    "state that drops them keeps no text.",
    "scan": "Of delimiters that are scanned for, the one that starts first wins, then the longest, then an opener, "
    "then the field's name; one that is undecided blocks what does not start before it.",
    "anchor": "The anchor cannot overlap itself: the last place where it stands is its last match.",
    "aware": "Closers stand in strings too: from the first such one on the text is held until one counts, and where "
    "none does, it was the first.",
    "value": "Delimiters stand in a value's strings, too: from the first one on the text is held until the value ends, "
    "and where it turns out to be none, it ends before that one.",
    "empty": "A closer that can be empty, where nothing is open and nothing stands before it, ends the reading.",
}


def lower(grammar: Grammar, *, linear: bool = False) -> Machine:
    """The machine of a grammar that check accepts. linear: refuse what may take longer than linear (not-linear)."""
    return _Lowering(grammar, linear).machine()


class _Lowering:
    def __init__(self, grammar: Grammar, linear: bool) -> None:
        self.grammar, self.linear = grammar, linear
        self.effort = Effort()
        self.idents = _idents(grammar)
        self.scanners: dict[Delimiter, Scanner] = {}
        self.constants: list[Constant] = []
        self.watches: list[Constant] = []
        self.used: list[str] = []
        self.imports: set[str] = set()
        by_name = sorted(grammar.fields, key=lambda field: field.name)
        openings = [(field, opening) for field in by_name for opening in field.openings]
        self.openers = [opened_by(field, opening) for field, opening in openings if not opening.place.after]
        self.later: dict[str, list[Watched]] = {}  # those that count only behind a close of the field
        for field, opening in openings:
            if opening.place.after:
                self.later.setdefault(opening.place.after, []).append(opened_by(field, opening))
        closers = [closed_by(field) for field in grammar.fields]
        self.stop = [Watched(None, "stop", grammar.stop)] if grammar.stop else []
        self.stray = [Watched(None, "stray", grammar.stray)] if grammar.stray else []
        later = [opener for openers in self.later.values() for opener in openers]
        everything = [*self.openers, *later, *filter(None, closers), *self.stop, *self.stray]
        scanned = [d for d in everything if d.words is None]
        self.behind = max((pattern.behind(d.node) for d in scanned), default=0)
        self.looks_back = any(pattern.behind(d.node) and not pattern.only_start(d.node) for d in scanned)

    def machine(self) -> Machine:
        grammar, implicit = self.grammar, self.grammar.implicit
        states = [self.region(field) for field in grammar.fields if field is not implicit]
        states += [self.behind_close(name, openers) for name, openers in self.later.items()]
        states.append(self.outside(implicit))
        anchor = self.anchor()
        keys = list({field.name: field for field in grammar.fields}.values())
        numbers = {name: f"P{number}" for number, name in enumerate((n for n in FACTS if n in self.used), 1)}
        return Machine(
            grammar=grammar,
            states=tuple(states),
            anchor=anchor,
            defaults=value(grammar.default_values),
            scanners=tuple(self.scanners.values()),
            constants=tuple(self.constants),
            watches=tuple(self.watches),
            facts=tuple(Fact(number, FACTS[name]) for name, number in numbers.items()),
            joins=tuple(
                (literal(field.name), literal(field.joined), field.name in grammar.default_values, self.trim(field))
                for field in keys
                if field.joined is not None
            ),
            required=tuple(literal(field.name) for field in keys if field.required),
            behind=self.behind,
            coerce=of_grammar(grammar, "coerce"),
            imports=tuple(sorted(self.imports)),
            fact_of=numbers,
        )

    # -- states -----------------------------------------------------------------------------------------------------

    def region(self, field: Field) -> State:
        closer = closed_by(field)
        ends = [Watched(field, "end", o.delimiter) for o in self.openers if o.field and o.field.name in field.ended_by]
        late = [o for o in self.openers if o.field and o.field.name in field.late_ends]
        return self.state(field, [*self.stop, *([closer] if closer else []), *ends], late=late)

    def behind_close(self, name: str, openers: list[Watched]) -> State:
        """Right behind a region of the field, blanks between, more can open than elsewhere."""
        exits = [self.scanned_exit(opener, False) for opener in openers]
        title = f"behind {name}"
        self.watch(f"_LEAVES_{self.idents[title].upper()}", [exit.scanner for exit in exits])
        return State(
            name=title, ident=self.idents[title], kind="behind", exits=tuple(exits), policies=("is_behind=True",)
        )

    def outside(self, implicit: Field | None) -> State:
        closer = closed_by(implicit) if implicit else None
        watch = [*self.stop, *self.openers, *([closer] if closer else []), *self.stray]
        return self.state(implicit, watch, is_outside=True)

    def state(
        self, field: Field | None, watch: list[Watched], *, is_outside: bool = False, late: list[Watched] | None = None
    ) -> State:
        ident = self.idents[field.title] if field else "outside"
        watch = _without_equals(watch)
        plain = plain_words(watch)
        is_aware = field is not None and choice(self.grammar, field, "aware") == "yes"
        openers: tuple[str, ...] = ()
        later: tuple[str, ...] = ()
        kind: Kind
        if field is not None and field.value_end:
            kind, lead = "value", ""
            end = Watched(field, "close", self.grammar.anchor)
            exits = [Exit("the end of its value", "close", self.goes_to(end), self.target(end))]
            is_dialect = json_watcher(field.reader) != "rt.JsonBody"  # a delimiter can look like its keys and quotes
            inside = [] if is_dialect else [d for d in (*self.stop, *self.openers) if is_no_json(d.node)]
            exits += [self.unended_exit(delimiter) for delimiter in _without_equals(inside)]
            if inside:
                self.watch(f"_INSIDE_{ident.upper()}", [exit.scanner for exit in exits[1:]])
                self.lean("value")
        elif not watch:
            kind, lead, exits = "rest", NOTHING, []
        elif is_aware and plain is not None:
            kind, lead = "aware", plain[0][1].text[0]
            exits = [self.plain_exit(delimiter, words) for delimiter, words in _grouped(plain)]
            if field and isinstance(field.reader, Xml):
                openers = self.opener_heads(lead)
            self.lean("final", "lead", "aware")
        elif is_aware:
            opening = [o for o in self.openers if o.field and o.place != Place("start")]
            others = opening if field and isinstance(field.reader, Xml) else []
            kind, lead = "aware scan", lead_of([*watch, *others])
            exits = [self.scanned_exit(delimiter, is_outside) for delimiter in watch]
            self.watch(f"_LEAVES_{ident.upper()}", [exit.scanner for exit in exits])
            openers = tuple(self.scanner(opener).ident for opener in others)
            if openers:
                self.watch(f"_OPENS_BEHIND_{ident.upper()}", list(openers))
            later = tuple(self.scanner(one).ident for one in self.later.get(field.name if field and others else "", ()))
            if later:
                self.watch(f"_LATER_{ident.upper()}", list(later))
            self.lean("scan", "aware")
        elif plain is not None and not late:
            kind, lead = "find" if len(plain) == 1 else "search", plain[0][1].text[0]
            exits = [self.plain_exit(delimiter, words) for delimiter, words in _grouped(plain)]
            if kind == "search":
                words = [word for exit in exits for word in exit.words]
                self.watches.append(Constant(f"_LEAVES_{ident.upper()}", f"rt.AnyOf({', '.join(map(literal, words))})"))
            self.lean(*(["final"] if kind == "search" else []), "lead")
        else:
            kind, lead = "late" if late else "scan", lead_of([*watch, *(late or [])])
            exits = [self.scanned_exit(delimiter, is_outside) for delimiter in watch]
            self.watch(f"_LEAVES_{ident.upper()}", [exit.scanner for exit in exits])
            if late:
                self.watch(f"_LATE_{ident.upper()}", [self.scanner(opener).ident for opener in late])
            self.lean(*(["scan"] if len(watch) > 1 else []))
        return State(
            name=field.name if field else "outside",
            label=field.label if field else "",
            ident=ident,
            kind=kind,
            exits=tuple(exits),
            field=field,
            lead="" if self.looks_back else lead,
            dirty=field is not None and is_structured(field.reader),
            is_outside=is_outside,
            watched_by=self.watcher(field) if field and (is_aware or field.value_end) else "",
            openers=openers,
            later=later,
            late=tuple(self.scanned_exit(opener, is_outside) for opener in late or []),
            policies=tuple(self.policies(field)) if field else (),
            close=tuple(self.close(field)) if field else (),
            close_type=value_type(field) if field else "",
        )

    def policies(self, field: Field) -> list[str]:
        """The arguments of rt.State beyond version 1."""
        said = {word: choice(self.grammar, field, word) for word in ("bad", "cut", "unknown")}
        out = [f"{word}={literal(what)}" for word, what in said.items() if what != VERSION_1[word]]
        if takes_text(field):
            out.append("takes_text=True")
        if field.open and not field.close and is_structured(field.reader):
            out.append("open_ended=True")
        if choice(self.grammar, field, "blank") == "skip":
            out.append("skips_blanks=True")
        shown = streams(self.grammar, field)
        if shown:
            out.append(f"streams=({', '.join(map(literal, shown))})")
        return out

    def trim(self, field: Field) -> str:
        """What is trimmed from the joined whole; "" where each piece is stripped by itself, as version 1 does."""
        return choice(self.grammar, field, "trim")

    def plain_exit(self, delimiter: Watched, words: list[Word]) -> Exit:
        texts = tuple(word.text for word in words)
        if words[0].blanks:
            self.lean("blanks")
        may_be_empty = delimiter.does == "close" and words[0].ahead and delimiter.field is self.grammar.implicit
        self.lean(*(["empty"] if may_be_empty else []))
        shown = " | ".join(map(literal, texts))
        return Exit(
            shown=f"before {shown}" if words[0].ahead else shown,
            does=delimiter.does,
            to=self.goes_to(delimiter) + (", past the blanks" if words[0].blanks else ""),
            target=self.target(delimiter),
            words=texts,
            blanks=words[0].blanks,
            ahead=words[0].ahead,
            may_be_empty=may_be_empty,
        )

    def scanned_exit(self, delimiter: Watched, is_outside: bool) -> Exit:
        may_be_empty = delimiter.does == "close" and is_outside and pattern.nullable(delimiter.node)
        self.lean(*(["empty"] if may_be_empty else []))
        return Exit(
            shown=f"before {delimiter.shown}" if delimiter.does == "end" else delimiter.shown,
            does=delimiter.does,
            to=self.goes_to(delimiter),
            target=self.target(delimiter),
            scanner=self.scanner(delimiter).ident,
            captures=delimiter.does in ("open", "close") and bool(pattern.captures(delimiter.node)),
            may_be_empty=may_be_empty,
        )

    def unended_exit(self, delimiter: Watched) -> Exit:
        """What ends a body that does not become a value."""
        to = self.grammar.implicit.name if self.grammar.implicit else "outside"
        shown = f"before {delimiter.shown}{UNENDED}"
        return Exit(shown, "end", to, scanner=self.scanner(delimiter).ident)

    def goes_to(self, delimiter: Watched) -> str:
        if delimiter.does == "open" and delimiter.field:
            return delimiter.field.title
        if delimiter.does == "stop":
            return "the end of the message"
        if delimiter.does == "close" and delimiter.field and delimiter.field.name in self.later:
            return f"behind {delimiter.field.name}"
        return self.grammar.implicit.name if self.grammar.implicit else "outside"

    def target(self, delimiter: Watched) -> str:
        """The constant of the state that it leads to; "" for what stands outside of all regions."""
        if delimiter.field is None or delimiter.does not in ("open", "close"):
            return ""
        opens, name = delimiter.does == "open", delimiter.field.name
        if not opens and name not in self.later:
            return ""
        return self.idents[delimiter.field.title if opens else f"behind {name}"].upper()

    # -- constants ----------------------------------------------------------------------------------------------------

    def scanner(self, delimiter: Watched) -> Scanner:
        """The constant that scans for a delimiter: words, an automaton, its twin, or (deaf) the end of the text."""
        known = self.scanners.get(delimiter.delimiter)
        if known is not None:
            return known
        opener = next((o for o in self.openers if o.delimiter == delimiter.delimiter), delimiter)
        owner, does = opener.field, opener.does
        ident = f"_{does.upper()}S{f'_{self.idents[owner.title].upper()}' if owner else ''}"
        known_as = {scanner.ident for scanner in self.scanners.values()}
        numbered = chain([ident], (f"{ident}_{number}" for number in count(2)))
        ident = next(name for name in numbered if name not in known_as)
        text = delimiter.text
        choices = words_of(delimiter.node)
        if choices is not None and not any(word.blanks or word.ahead for word in choices):
            words = sorted((word.text for word in choices), key=len, reverse=True)
            if _longest_is_first(choices):
                made = Scanner(ident, f"rt.Words({', '.join(map(literal, words))})", delimiter.shown)
                self.scanners[delimiter.delimiter] = made
                return made
        called = f"{owner.name}'s {does}" if owner else f"`{does}`"
        self.demand_linear(delimiter.node, called, delimiter.delimiter.span)
        expression, why = scanners.for_streams(delimiter.node, text)
        made = self.scanners[delimiter.delimiter] = Scanner(ident, expression, delimiter.shown, why)
        return made

    def watch(self, ident: str, scanners: list[str]) -> None:
        """A constant that looks for the first of some scanned delimiters."""
        self.watches.append(Constant(ident, f"rt.Watch({', '.join(scanners)})"))

    def whole(self, text: str, called: str, span: Span) -> str:
        """What finds all matches of a pattern in a complete text."""
        try:
            node = pattern.parse(text)
            expression = scanners.for_whole_texts(node, text)
        except pattern.Unsupported as outside:
            if self.linear:
                raise not_linear(called, outside, span) from None
            return self.compiled("regex", text)
        self.demand_linear(node, called, span)
        return expression

    def demand_linear(self, node: pattern.Node, called: str, span: Span) -> None:
        outside = linear(node, self.effort) if self.linear else None
        if outside is not None:
            raise not_linear(called, outside, span)

    def compiled(self, engine: str, text: str) -> str:
        self.imports.add(engine)
        flags = ", regex.DOTALL" if engine == "regex" else ""
        return f"{engine}.compile({raw_literal(text)}{flags})"

    def watcher(self, field: Field) -> str:
        """What makes the reader that follows a body."""
        if isinstance(field.reader, CallList | Python | JsonLines):
            return "lambda: rt.QuotedBody(newlines=True)" if "newlines" in field.tolerate else "rt.QuotedBody"
        if not isinstance(field.reader, Xml):
            return json_watcher(field.reader)
        closers = ", ".join(map(literal, fixed_ends(field.reader.close)))
        return f"lambda: rt.TagBody(_TAG_{self.idents[field.title].upper()}, ({closers},))"

    def opener_heads(self, lead: str) -> tuple[str, ...]:
        """How the openers begin that have the lead: their fixed strings, or the fixed beginning of a pattern."""
        heads = [head for opener in self.openers for head in heads_of(opener)]
        return tuple(head for head in dict.fromkeys(heads) if head.startswith(lead) and len(head) > 1)

    def close(self, field: Field) -> list[str]:
        known: dict[str, str] = {}
        for tag in tags(field.reader):
            text = pattern_text(tag)
            if text not in known:
                known[text] = f"_TAG{len(known) + 1 if known else ''}_{self.idents[field.title].upper()}"
                is_plain = isinstance(tag, Literals) and not (tag.blank_before or tag.blank_after)
                called = f"the tag pattern of {field.name}"
                made = self.compiled("re", text) if is_plain else self.whole(text, called, tag.span)
                self.constants.append(Constant(known[text], made))
        has_default = field.name in self.grammar.default_values
        is_exact = choice(self.grammar, field, "exact") == "yes"
        trim, lexed = self.trim(field), is_lexed(self.grammar, field)
        return close_statements(field, known, has_default=has_default, trim=trim, exact=is_exact, lexed=lexed)

    def anchor(self) -> str:
        """The expression that `_after_anchor` returns."""
        anchor = self.grammar.anchor
        words = words_of(pattern_node(anchor))
        if words is not None and not any(word.blanks or word.ahead for word in words):
            texts = [word.text for word in words]
            if len(texts) == 1 and not _overlaps_itself(texts[0]):
                self.lean("anchor")
                return f"rt.behind_last_word(prefix, {literal(texts[0])})"
            self.constants.append(Constant("_ANCHOR", self.compiled("re", "|".join(map(escaped, texts)))))
        else:
            self.constants.append(Constant("_ANCHOR", self.whole(pattern_text(anchor), "the anchor", anchor.span)))
        return "rt.behind_last_match(prefix, _ANCHOR)"

    def lean(self, *facts: str) -> None:
        self.used += facts


def _idents(grammar: Grammar) -> dict[str, str]:
    """An identifier for each state with a name, by its title: a block's is made of its name and its label."""
    afters = (opening.place.after for field in grammar.fields for opening in field.openings)
    behind = list(dict.fromkeys(filter(None, afters)))
    titles = [field.title for field in grammar.fields] + [f"behind {name}" for name in behind]
    names = [f"{field.name}_{field.label}" if field.label else field.name for field in grammar.fields]
    names += [f"behind_{name}" for name in behind]
    made = identifiers(names if len(set(names)) == len(names) else titles)
    return dict(zip(titles, made.values(), strict=True))


def not_linear(called: str, outside: pattern.Unsupported, span: Span) -> CompileError:
    return CompileError("not-linear", f"{called} cannot be scanned for in linear time: {outside.what}", span)


def _without_equals(watch: list[Watched]) -> list[Watched]:
    """Of equal delimiters the first always wins: the others never leave the state."""
    kept: dict[Delimiter, Watched] = {}
    for delimiter in watch:
        kept.setdefault(delimiter.delimiter, delimiter)
    return list(kept.values())


def _grouped(plain: list[tuple[Watched, Word]]) -> list[tuple[Watched, list[Word]]]:
    """The words of each delimiter that do the same, in the order of the watch list."""
    groups: dict[tuple[int, bool, bool], tuple[Watched, list[Word]]] = {}
    for delimiter, word in plain:
        groups.setdefault((id(delimiter), word.blanks, word.ahead), (delimiter, []))[1].append(word)
    return list(groups.values())


def _longest_is_first(words: tuple[Word, ...]) -> bool:
    """No word is the beginning of a later one of the pattern: the engine's first choice is the longest."""
    texts = [word.text for word in words]
    return not any(b.startswith(a) and a != b for i, a in enumerate(texts) for b in texts[i + 1 :])


def _overlaps_itself(word: str) -> bool:
    return any(word.startswith(word[k:]) for k in range(1, len(word)))
