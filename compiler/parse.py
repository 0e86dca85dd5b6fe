"""Grammar text in, the model out: lark reads by grammar.lark, and what it read becomes model.Grammar.

Invariant: parse(str(grammar)) == grammar, and every node's Span is where it stands in the text. Rules that templates
share are check.py's.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import dropwhile, takewhile
from pathlib import Path
from typing import Any, TypeAlias

from lark import Lark, Token, Tree, UnexpectedCharacters, UnexpectedToken

from .arguments import Argument, make, nearest
from .diagnostics import CompileError
from .model import (
    ANYWHERE,
    POLICIES,
    REPAIRS,
    WHEN,
    Constant,
    Delimiter,
    Either,
    Emit,
    Field,
    Grammar,
    Items,
    Json,
    Literals,
    Members,
    Opening,
    Pattern,
    Place,
    Policies,
    Reader,
    Ref,
    json_printed,
)
from .source import Source, Span
from .strict_json import BYTES, LEVELS, excerpt, refuse_foreign, whole_number
from .write import is_module_name

Node: TypeAlias = "Tree[Token]"
Bases = Callable[[str, Span], Grammar]

LARK = Lark(
    Path(__file__).with_name("grammar.lark").read_text("utf-8"),
    parser="lalr",
    regex=True,
    propagate_positions=True,
    maybe_placeholders=False,
)

# What may stand behind `models` and `templates`.
MODEL = re.compile(r"[\w.*-]+/(?=[*]*\w)[\w.*-]+", re.ASCII)
DIGEST = re.compile(r"[0-9a-f]{16}")

# Words that one may look for, and what says it instead: docs/language.md, "What the language does without".
LEFT_OUT = {
    "clean": "leave it out: what is shown while it arrives is trimmed by who shows it, as the deltas do",
    "section": "let the opener of the first region begin with the wrapper's, and others count `when after` it",
    "line-end": "close at a pattern, as /\\n/: the end of the text closes, too",
    "limit": "leave it out: how long a region may be is said with the parse, `limits=Limits(region=...)`",
    "hold": "leave it out: how much may be held is said with the parse, `limits=Limits(region=...)`, too",
    "first": "let it count `when start`, or give the field an end by `stop` or `ended by`",
    "token": "write its text: a parser is given text only",
    "mark": "keep it as text, and take the marks out of the value",
}
OPENING, CLOSING = ("LBRACE", "LSQB", "LPAR"), ("RBRACE", "RSQB", "RPAR")
SAID = {
    "WORD": "a name",
    "STRING": "a string",
    "PATTERN": "a pattern between slashes",
    "TICKED": "a name between backquotes",
    "SOLE": "`@key` or `@value`",
    "NUMBER": "a number",
    "$END": "the end",
}
KEYWORDS = {terminal.name: terminal.pattern.value for terminal in LARK.terminals if terminal.pattern.type == "str"}


def parse(text: str, name: str = "<grammar>", bases: Bases | None = None) -> Grammar:
    """Read a grammar. `name` is what messages call the text. CompileError: the first thing that cannot be read.

    bases: gives the grammar that `extends` names, or raises CompileError at the place where it is named.
    """
    if not isinstance(text, str):
        raise TypeError(f"a grammar is a str, not {type(text).__name__}")
    source = Source(name, text)
    if len(text.encode("utf-8", "surrogatepass")) > BYTES:
        raise CompileError("too-large", f"this grammar is longer than {BYTES:,} bytes", Span(source))
    return _Reading(source, bases).grammar(_tree(source))


def _tree(source: Source) -> Node:
    """What lark reads, nested no deeper than LEVELS."""
    reading: Any = LARK.parse_interactive(source.text)
    depth = 0
    try:
        for token in reading.iter_parse():
            depth += (token.type in OPENING) - (token.type in CLOSING)
            if depth > LEVELS:
                span = Span(source, token.start_pos, token.end_pos)
                raise CompileError("too-deep", f"this is nested deeper than {LEVELS} levels", span)
        tree: Node = reading.feed_eof()
    except UnexpectedToken as error:
        raise _unexpected(source, error.token, reading.accepts()) from None
    except UnexpectedCharacters as error:
        at = error.pos_in_stream or 0
        sign = Token("", "??" if source.text.startswith("??", at) else source.text[at], at)
        raise _unexpected(source, sign, reading.accepts()) from None
    return tree


def _unexpected(source: Source, found: Token, accepted: set[str]) -> CompileError:
    """What lark could not read, said in the language's words. A sign that begins no token has no type."""
    word = str(found)
    at = (found.start_pos or 0) if word else len(source.text.rstrip())
    span = Span(source, at, at + len(word))
    keywords = [KEYWORDS[name] for name in sorted(accepted) if name in KEYWORDS]
    due = [f"`{word}`" for word in keywords] + [SAID[name] for name in sorted(accepted) if name in SAID]
    can = " or ".join([", ".join(due[:-1]), due[-1]] if due[1:] else due)
    if word in LEFT_OUT:
        return left_out(word, span)
    if not found.type and word in ('"', "/", "`"):
        return CompileError("unclosed", f"what opens here with `{word}` is not closed on this line", span)
    words = [word for word in keywords if word.isalpha()]
    if word.isidentifier() and words and word not in KEYWORDS.values():
        return CompileError(
            "unknown-word", f"`{word}` is no word of the language", span, nearest(word, words, f"here can stand {can}")
        )
    shown = f"`{word}`" if word.isprintable() and len(word) <= 60 else excerpt(word)
    what = f"{shown} cannot stand here" if word else "the text ends too soon"
    return CompileError("syntax", what, span, f"here can stand {can}")


class _Reading:
    """From lark's trees to the model, one method a rule."""

    def __init__(self, source: Source, bases: Bases | None) -> None:
        self.source, self.bases = source, bases

    def span(self, node: Node | Token) -> Span:
        if isinstance(node, Token):
            return Span(self.source, node.start_pos or 0, node.end_pos or 0)
        return Span(self.source, node.meta.start_pos, node.meta.end_pos)

    # -- the whole

    def grammar(self, tree: Node) -> Grammar:
        name, *rest = _trees(tree)
        defaults: dict[str, str] = {}
        for node in rest:
            if node.data == "default":
                key_node, value = _trees(node)
                key = self.name(key_node)
                self.once(key in defaults, f"the default of `{key}`", node)
                defaults[key] = json_printed(self.plain(self.emit(value)))
        head = self.by_kind([node for node in rest if node.data not in ("default", "field")])
        if "anchor" not in head and "extends" not in head:
            raise CompileError("no-anchor", "this grammar has no anchor", self.span(name))
        said: dict[str, Any] = {
            word: self.delimiter(head[word]) for word in ("anchor", "stop", "stray") if word in head
        }
        if "policy" in head:
            said["policies"] = self.policies(head["policy"])
        said |= {
            "name": self.name(name),
            "models": self.listed(head.get("models"), MODEL, "model-pattern", "names no model"),
            "templates": self.listed(head.get("templates"), DIGEST, "template-digest", "is no digest of a template"),
            "comment": _first_comment(self.source.text),
            "span": self.span(name),
        }
        fields = tuple(self.field(node) for node in rest if node.data == "field")
        if "extends" not in head:
            return Grammar(fields=fields, defaults=tuple(defaults.items()), **said)
        base = self.base(head["extends"])
        all_defaults = {**dict(base.defaults), **defaults}
        said["extends"] = self.name(_trees(head["extends"])[0])
        return replace(base, fields=_over(base.fields, fields), defaults=tuple(all_defaults.items()), **said)

    def base(self, tree: Node) -> Grammar:
        """The grammar that this one builds on."""
        (node,) = _trees(tree)
        name = self.name(node)
        if not is_module_name(name):
            raise CompileError("grammar-name", f"{excerpt(name)} cannot name a grammar", self.span(node))
        if self.bases is None:
            raise CompileError("no-base", f"there is no grammar `{name}` to build on", self.span(node))
        return self.bases(name, self.span(node))

    def field(self, tree: Node) -> Field:
        head, *lines = _trees(tree)
        name, *rest = _trees(head)
        said = self.by_kind(rest)
        parts = self.by_kind([line for line in lines if line.data not in ("ended", "open")])
        openings = tuple(self.opening(line) for line in lines if line.data == "open")
        ends = [(self.name(_trees(line)[0]), bool(_tokens(line))) for line in lines if line.data == "ended"]
        joined = self.string(_tokens(said["joined"])[0]) if "joined" in said else None
        emit = parts.get("emit")
        close = _trees(parts["close"])[0] if "close" in parts else None
        return Field(
            self.name(name),
            open=openings[0].delimiter if openings else None,
            close=self.delimiter(parts["close"]) if close and close.data != "value_end" else None,
            reader=self.reader(said["reader"]),
            repeats="list" in said or joined is not None,
            joined=joined,
            required="required" in said,
            emit=self.emit(_trees(emit)[0]) if emit else None,
            each=bool(emit and _tokens(emit)),
            extend="extend" in parts,
            tolerate=self.repairs(parts["tolerate"]) if "tolerate" in parts else (),
            policies=self.policies(parts["policy"]) if "policy" in parts else (),
            ended_by=tuple(name for name, late in ends if not late),
            late_ends=tuple(name for name, late in ends if late),
            label=str(_tokens(said["label"])[0]) if "label" in said else "",
            place=openings[0].place if openings else ANYWHERE,
            further=openings[1:],
            value_end=bool(close and close.data == "value_end"),
            span=self.span(head),
        )

    def listed(self, tree: Node | None, form: re.Pattern[str], code: str, wrong: str) -> tuple[str, ...]:
        """Strings of one form, each once."""
        found: list[str] = []
        for token in _tokens(tree) if tree else ():
            text = self.string(token)
            if not form.fullmatch(text):
                raise CompileError(code, f"{excerpt(text)} {wrong}", self.span(token))
            self.once(text in found, f"`{text}`", token)
            found.append(text)
        return tuple(found)

    def policies(self, tree: Node) -> Policies:
        found: dict[str, tuple[str, str]] = {}
        for node in _trees(tree):
            word, choice = [*map(str, _tokens(node)), ""][:2]
            about = choice if word == "no" else word
            if word in LEFT_OUT:
                raise left_out(word, self.span(node))
            if about not in POLICIES:
                what = f"`{about}` is no policy"
                raise CompileError("unknown-word", what, self.span(node), nearest(about, POLICIES))
            if word != "no" and choice not in (POLICIES[word] or ("",)):
                what = f"`{word}` has no choice `{choice}`"
                raise CompileError("unknown-word", what, self.span(node), nearest(choice, POLICIES[word]))
            self.once(about in found, f"`{about}`", node)
            found[about] = (word, choice)
        return tuple(found.values())

    def opening(self, tree: Node) -> Opening:
        places = [self.place(node) for node in _trees(tree) if node.data == "when"]
        return Opening(self.delimiter(tree), *places)

    def place(self, tree: Node) -> Place:
        if _trees(tree):
            return Place(after=self.name(_trees(tree)[0]))
        (word,) = map(str, _tokens(tree))
        if word in LEFT_OUT:
            raise left_out(word, self.span(tree))
        if word not in WHEN:
            raise CompileError("unknown-word", f"`when {word}` is no place", self.span(tree), nearest(word, WHEN))
        return Place(word)

    def repairs(self, tree: Node) -> tuple[str, ...]:
        found = []
        for token in _tokens(tree):
            if token not in REPAIRS:
                what = f"`{token}` is no repair"
                raise CompileError("unknown-word", what, self.span(token), nearest(str(token), REPAIRS))
            self.once(str(token) in found, f"`{token}`", token)
            found.append(str(token))
        return tuple(repair for repair in REPAIRS if repair in found)

    def by_kind(self, nodes: list[Node]) -> dict[str, Node]:
        found: dict[str, Node] = {}
        for node in nodes:
            self.once(node.data in found, f"`{node.data}`", node)
            found[node.data] = node
        return found

    def once(self, again: bool, what: str, node: Node | Token) -> None:
        if again:
            raise CompileError("repeated", f"{what} is given twice", self.span(node))

    def name(self, tree: Node) -> str:
        (token,) = _tokens(tree)
        return self.string(token) if token.type == "STRING" else str(token)

    # -- delimiters

    def delimiter(self, tree: Node) -> Delimiter:
        node = _trees(tree)[0]
        if node.data != "literals":
            return self.pattern(node)
        words = tuple(dict.fromkeys(map(self.string, _tokens(node))))
        blanks = self.by_kind(_trees(node))
        return Literals(words, "before" in blanks, "after" in blanks, self.span(node))

    def pattern(self, tree: Node) -> Pattern:
        (token,) = _tokens(tree)
        if tree.data == "quoted_pattern":
            return Pattern(self.string(token), self.span(tree))
        unescaped = re.sub(r"\\(.)", lambda pair: "/" if pair[1] == "/" else pair[0], token[1:-1])
        return Pattern(unescaped, self.span(tree))

    # -- readers

    def reader(self, tree: Node) -> Reader:
        (name,) = _tokens(tree)
        if name in LEFT_OUT:
            raise left_out(str(name), self.span(name))
        arguments: dict[str, Argument] = {}
        for node in _trees(tree):
            key = str(node.data if node.data in ("pair", "by") else _tokens(node)[0])
            self.once(key in arguments, f"`{key}`", node)
            arguments[key] = self.argument(node)
        return make(str(name), arguments, self.span(name))

    def argument(self, tree: Node) -> Argument:
        """What stands behind `=`; a bare argument is true."""
        if tree.data == "pair":
            opening, closing = _trees(tree)
            return Argument((self.pattern(opening), self.delimiter(closing)), self.span(tree))
        if tree.data == "by":
            return Argument((str(_tokens(tree)[1]), self.one_of(_trees(tree))), self.span(tree))
        for node in _trees(tree):
            span = self.span(node)
            if node.data in ("raw_pattern", "quoted_pattern"):
                return Argument(self.pattern(node), span)
            if node.data == "call":
                return Argument(self.reader(node), span)
            if node.data == "ref":
                return Argument(Ref(tuple(map(str, _tokens(node)))), span)
            return Argument(self.plain(self.emit(node)), span)
        return Argument(True, self.span(tree))

    def one_of(self, trees: list[Node]) -> tuple[tuple[str, Reader], ...]:
        found: dict[str, Reader] = {}
        for node in trees:
            text = self.string(_tokens(node)[0])
            self.once(text in found, f"`{text}`", node)
            found[text] = self.reader(_trees(node)[0])
        return tuple(found.items())

    # -- values

    def emit(self, tree: Node) -> Emit:
        span = self.span(tree)
        match tree.data:
            case "string":
                return Constant(self.string(_tokens(tree)[0]), span)
            case "number":
                return Constant(self.number(_tokens(tree)[0]), span)
            case "true" | "false" | "null":
                return Constant({"true": True, "false": False, "null": None}[tree.data], span)
            case "items":
                return Items(tuple(self.emit(node) for node in _trees(tree)), span)
            case "members":
                members: dict[str, Emit] = {}
                optional = []
                for node in _trees(tree):
                    quoted, *may_lack = _tokens(node)
                    key = self.string(quoted)
                    self.once(key in members, f"the key `{key}`", node)
                    members[key] = self.emit(_trees(node)[0])
                    optional += [key] if may_lack else []
                return Members(tuple(members.items()), tuple(optional), span)
            case "either":
                return Either(tuple(self.emit(node) for node in _trees(tree)), span)
            case _:
                return Ref(tuple(self.key(token) for token in _tokens(tree)), span)

    def key(self, token: Token) -> str:
        if "-" in token:
            what = f"`{token}` cannot be a value: a name has no `-` here"
            raise CompileError("syntax", what, self.span(token), "put it in quotes if it is a string")
        return token.strip("`")

    def plain(self, emit: Emit) -> Json:
        """A value that may hold no names."""
        if isinstance(emit, Constant):
            return emit.value
        if isinstance(emit, Items):
            return [self.plain(item) for item in emit.items]
        if isinstance(emit, Members) and not emit.optional:
            return {key: self.plain(value) for key, value in emit.members}
        raise CompileError("not-json", f"`{emit}` stands for a value, and only `emit` has such", emit.span)

    def string(self, token: Token) -> str:
        try:
            text: str = json.loads(token)
        except json.JSONDecodeError as error:
            at = (token.start_pos or 0) + error.pos
            raise CompileError("bad-string", f"no JSON string: {error.msg}", Span(self.source, at, at + 1)) from None
        return text

    def number(self, token: Token) -> int | float:
        value: int | float = float(token) if set(token) & set(".eE") else whole_number(token)
        refuse_foreign(value, self.span(token))
        return value


def _over(fields: tuple[Field, ...], own: tuple[Field, ...]) -> tuple[Field, ...]:
    """Fields of a base, with its own in the place of all that have their names; new ones stand behind."""
    named: dict[str, list[Field]] = {field.name: [] for field in (*fields, *own)}
    replaced = {field.name for field in own}
    for field in (*(field for field in fields if field.name not in replaced), *own):
        named[field.name].append(field)
    return tuple(field for blocks in named.values() for field in blocks)


def left_out(word: str, span: Span) -> CompileError:
    return CompileError("left-out", f"the language does without `{word}`", span, LEFT_OUT[word])


def _first_comment(text: str) -> str:
    """The comment lines that the text begins with."""
    filled = dropwhile(lambda line: not line, map(str.strip, text.split("\n")))
    comments = takewhile(lambda line: line.startswith("#"), filled)
    return "\n".join(line[1:].removeprefix(" ") for line in comments).rstrip()


def _trees(tree: Node) -> list[Node]:
    return [child for child in tree.children if isinstance(child, Tree)]


def _tokens(tree: Node) -> list[Token]:
    return [child for child in tree.children if isinstance(child, Token)]
