"""The one list of what can be said to an author: code, title, and the way out. In goes a place, out comes the message.

Invariant: every code is raised somewhere and has a file in tests/diagnostics.
"""

from __future__ import annotations

from dataclasses import dataclass

from .source import Span


@dataclass(frozen=True)
class Code:
    """What a code stands for. `stricter`: transformers loads such a template and fails, or goes wrong, later."""

    title: str
    way_out: str = ""
    stricter: bool = False
    warning: bool = False


class CompileError(ValueError):
    """A grammar or a template that cannot be compiled. `code` names the rule, `span` the place."""

    def __init__(self, code: str, what: str, span: Span, way_out: str = "") -> None:
        known = CODES.get(code)
        self.code, self.what, self.span = code, what, span
        self.way_out = way_out or (known.way_out if known else "")
        super().__init__(_message(f"error[{code}]", what, span, self.way_out))

    def __reduce__(self) -> tuple[type[CompileError], tuple[str, str, Span, str]]:
        return type(self), (self.code, self.what, self.span, self.way_out)


class NotCaptured(CompileError, KeyError):
    """A transform names what is never there: transformers has a KeyError for it, when the region closes."""

    __str__ = ValueError.__str__


@dataclass(frozen=True)
class Warned:
    """Something that works and is seldom meant. `name` turns it off."""

    name: str
    what: str
    span: Span
    way_out: str

    def __str__(self) -> str:
        return _message(f"warning[{self.name}]", self.what, self.span, self.way_out)


def _message(kind: str, what: str, span: Span, way_out: str) -> str:
    lines = [f"{span.place}: {kind}: {what}", span.excerpt(), f"    help: {way_out}" if way_out else ""]
    return "\n".join(line for line in lines if line)


CODES = {
    # -- grammar text
    "syntax": Code("something that cannot stand in this place"),
    "unknown-word": Code("a word the language does not have"),
    "left-out": Code("a word that the language does without", "say it in another way, or leave it out"),
    "unclosed": Code("a string, pattern or name that is not closed on its line", "close it with the same sign"),
    "bad-string": Code("a string that JSON does not read", 'escape as JSON does: \\n, \\t, \\", \\\\, \\u0041'),
    "repeated": Code("something that may be said once", "keep one of them"),
    "no-anchor": Code(
        "a grammar or template without an anchor", "say where the message starts, as the prompt spells it"
    ),
    "not-json": Code("a bare word where a JSON value is due", "put it in quotes"),
    "model-pattern": Code(
        "a pattern for models' names that is none", 'say who owns it and how it begins, as in "Qwen/Qwen3-*"'
    ),
    "template-digest": Code(
        "a digest that is none", "`respc which CHECKPOINT` prints it: 16 digits, of which some may be a to f"
    ),
    "no-base": Code(
        "a grammar to build on that is not there", "put its file beside this one, or give it among the `bases`"
    ),
    "base-cycle": Code("a grammar that builds on itself", "let the one that says more build on the other"),
    # -- what a reader is given
    "unknown-reader": Code("a content type that does not exist"),
    "unknown-argument": Code("an argument that the content type does not have"),
    "argument-type": Code("an argument of the wrong type", "write it so, or leave it out", stricter=True),
    "missing-argument": Code(
        "a content type without an argument that it needs", "add it: it has no default", stricter=True
    ),
    # -- templates
    "bad-json": Code("text that is no JSON", "look for a comma, quote or bracket before this place"),
    "shape": Code("a part of a template that has the wrong type", "write it so, or leave it out"),
    "version": Code("a version of response templates that does not exist", "leave `version` out, or write 1"),
    "unknown-key": Code("a key that response templates do not have"),
    "two-spellings": Code("a delimiter that is given both as literal and as pattern", "keep one of them"),
    "empty-list": Code("a list of literals without a literal", "list one, or leave the key out"),
    "join-alone": Code("`join` without `repeats`", 'add `"repeats": true`'),
    "mixed-placeholder": Code(
        "a placeholder amid other text", "give the placeholder a string of its own; strings are not put together"
    ),
    "foreign-type": Code(
        "a value that JSON does not have",
        "use strings, finite numbers, true, false, null, lists, objects",
        stricter=True,
    ),
    "too-deep": Code("something nested deeper than 32 levels", "make it flatter", stricter=True),
    "too-large": Code("more than 65,536 bytes of grammar or template", "make it shorter", stricter=True),
    "no-template": Code("something that response templates cannot say", "say it in another way, or keep the grammar"),
    # -- what the language forbids, in grammars and templates
    "grammar-name": Code(
        "a grammar's name that cannot name a module", "use small letters, digits and `_`, a letter first, at most 64"
    ),
    "no-fields": Code("a grammar without fields", "add one: what stands outside of all others is `content`"),
    "too-many-fields": Code("more than 64 fields", "leave out what is never written", stricter=True),
    "field-name": Code(
        "a field name that is empty or does not print on one line",
        "name the key of the message that it fills",
        stricter=True,
    ),
    "two-fields": Code(
        "two fields of one name", "list the other opener with `|`, or make blocks: `field a as x`, `field a as y`"
    ),
    "two-implicit": Code(
        "two fields without `open`", "give one of them an `open`: one field takes what stands outside of the others"
    ),
    "empty-literal": Code("a literal that is empty", "an empty string stands everywhere: leave it out"),
    "bad-pattern": Code("a pattern that `regex` does not read", "put `\\` before what stands for itself"),
    "beyond": Code(
        "a delimiter with a construct that cannot be followed", "say it with alternatives and repetition", stricter=True
    ),
    "endless": Code(
        "an opener and a closer that both match nothing at one place",
        "let one of them take a character",
        stricter=True,
    ),
    "not-linear": Code(
        "a delimiter whose scan may take longer than linear, where such are refused",
        "write it without that construct, or allow the field's pattern",
    ),
    "too-many-groups": Code("a pattern with more than 64 groups", "make them `(?:...)` groups", stricter=True),
    "unused-captures": Code(
        "groups with a name in a field without `emit`", "use them in `emit`, or make them `(?:...)` groups"
    ),
    "not-captured": Code("a value in `emit` that the field does not have", stricter=True),
    "always-there": Code(
        "a value that may not be missing beside `??` or `?:`", "take it away: only names can be missing"
    ),
    "each-alone": Code("`each` without `emit`", "say what an item becomes, or leave it out"),
    "tag-groups": Code("a tag pattern without the group `key`", "name the groups `key` and `value`", stricter=True),
    "empty-separator": Code(
        "a separator or string delimiter that is empty", "leave it out for the usual one", stricter=True
    ),
    "default-type": Code("a default that the field cannot add to", stricter=True),
    # -- beyond version 1
    "tolerate": Code("a repair that means nothing for its field", "leave it out"),
    "two-readers": Code("a value that two readers would read", "keep one of them"),
    "extend": Code("a field that cannot extend its list"),
    "empty-end": Code("a `stop` or `stray` that can match nothing", "let it take a character"),
    "misplaced-policy": Code("a policy on a field that it does not fit", "leave it out, or say it for the grammar"),
    "no-text-field": Code(
        "a refused region's text without a field to go to", 'join the implicit field: `field content: text joined ""`'
    ),
    "unlike-blocks": Code("blocks of one field that do not agree what it is", "say the same in each block"),
    "value-end": Code(
        "`close value-end` on what has no end of its own", "close at a delimiter: only `json` has an end of its own"
    ),
    "ended-by": Code("`ended by` what cannot end the region"),
    "place-after": Code("`when after` what no region closes", "name a field with an opener and a close"),
    # -- warnings
    "overwritten": Code(
        "an implicit field that later text overwrites",
        'join its pieces: `joined ""`, in a template `"repeats": true, "join": ""`',
        warning=True,
    ),
    "joined-value": Code("a joined field whose pieces are no strings", "use `[]` for a list of them", warning=True),
    "overlooked-argument": Code("an argument that no content type reads", "take it out", warning=True),
    "word-name": Code("a name that `\\w+` cuts", "allow `-` and `.`: `[\\w.-]+`", warning=True),
    "holding-opener": Code("an opener that looks ahead without end", "open at a delimiter of its own", warning=True),
    "idle-close": Code("an implicit close that can be empty", "close at a literal only", warning=True),
    "skipped-bytes": Code(
        "tag bodies in which what fits no pair is skipped",
        "look at the arguments before running the call",
        warning=True,
    ),
    "reasoning-name": Code(
        "a reasoning field that chat templates do not read", "name it `reasoning_content`", warning=True
    ),
    "blank-required": Code("a required field that blanks satisfy", "do not count on it being there", warning=True),
    "content-group": Code("a group named `content`", "give it another name", warning=True),
    "item-keys": Code("captures that an item's keys can replace", "give the group a name of its own", warning=True),
    "equal-openers": Code("two fields that open alike", "tell them apart by a longer opener", warning=True),
}
