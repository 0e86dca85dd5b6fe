"""A random number generator goes in, a grammar with words that response templates lack comes out, and texts for it.

The grammar is one of random_templates.py with words put in at random. Invariant: what comes out passes check().
"""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

from compiler.check import check
from compiler.diagnostics import CompileError
from compiler.hf_json import from_template
from compiler.model import POLICIES, Delimiter, Field, Grammar, Literals, Pattern, Policies
from compiler.policies import fits
from tests.random_templates import LISTS, PAIRS, random_template
from tests.random_texts import random_text, sample

STOPS = [
    Literals(("<|im_end|>", "<|eot|>")),
    Literals(("<stop>",)),
    Literals(("</s>",)),
    Literals(("aba",)),
    Literals(("<end>",), blank_after=True),
    Pattern(r"<\|\w+\|>"),
    Pattern(r"<e.*?>|\n\n\n"),
]
STRAYS = [
    *(Literals((close,)) for _, close in PAIRS[:5]),
    Literals(tuple(LISTS["close"][0])),
    Literals(("</think>", "</call>"), blank_after=True),
    Literals(("ba",)),
    Pattern(r"</\w+>\s*"),
]
CHOSEN = [*(word for word in POLICIES if word != "coerce"), "bad", "cut"]


def random_grammar(rng: Random, kind: str) -> tuple[Grammar, dict[str, Any]]:
    """The grammar, and the template that it was made of."""
    while True:
        template = random_template(rng, kind)
        try:
            plain = from_template(template)
            check(plain)
            grammar = _with_words(rng, plain)
            check(grammar)
        except CompileError:
            continue
        return grammar, template


def random_words_text(rng: Random, grammar: Grammar, template: dict[str, Any]) -> str:
    """A text for the template, with stops, strays and cut openers put in."""
    text = random_text(rng, template)
    ends = [spelling(rng, d) for d in (grammar.stop, grammar.stray) if d]
    opens = [spelling(rng, field.open) for field in grammar.fields if field.open]
    for _ in range(rng.choice([0, 1, 1, 2, 3])):
        put = rng.choice([*ends, *opens, " ", "\n \n", "</call>", "{}", '{"function": {"name": "x", "arguments": {}}}'])
        at = rng.randrange(len(text) + 1)
        text = text[:at] + put + text[at:]
    return text if rng.random() < 0.7 else text[: rng.randrange(len(text) + 1)]


def spelling(rng: Random, delimiter: Delimiter) -> str:
    """A text that the delimiter matches, most of the time."""
    if isinstance(delimiter, Literals):
        return rng.choice(delimiter.words) + rng.choice(["", " \n"])
    return sample(rng, {"close_pattern": delimiter.text}, "close")


def random_options(rng: Random, grammar: Grammar) -> dict[str, str]:
    """Policies of a parse; `text` where it has a place to go to."""
    implicit = grammar.implicit
    takes = implicit is not None and implicit.joined is not None and not fits(implicit, "bad")
    words = [word for word in ("bad", "cut", "unknown") if rng.random() < 0.15]
    return {word: rng.choice([choice for choice in POLICIES[word] if choice != "text" or takes]) for word in words}


def _with_words(rng: Random, plain: Grammar) -> Grammar:
    fields = plain.fields
    if rng.random() < 0.7:  # a place for refused text
        fields = tuple(replace(f, repeats=True, joined=f.joined or "") if f.implicit else f for f in fields)
    openers = [field.name for field in fields if field.open]
    fields = tuple(_ended(rng, field, openers) for field in fields)
    fields = tuple(replace(f, policies=_policies(rng, f) if rng.random() < 0.3 else ()) for f in fields)
    delimiters = [d for field in fields for d in (field.open, field.close) if isinstance(d, Literals)]
    return replace(
        plain,
        fields=fields,
        stop=rng.choice([*STOPS, *delimiters]) if rng.random() < 0.5 else None,
        stray=rng.choice([*STRAYS, *delimiters]) if rng.random() < 0.4 else None,
        policies=_policies(rng, None) if rng.random() < 0.8 else (),
    )


def _ended(rng: Random, field: Field, openers: list[str]) -> Field:
    others = [name for name in openers if name != field.name]
    if field.implicit or not others or rng.random() < 0.5:
        return field
    ends = rng.sample(others, rng.randrange(1, len(others) + 1))
    late = field.close is not None and rng.random() < 0.5
    cut = rng.randrange(len(ends) + 1) if late else len(ends)
    return replace(field, ended_by=tuple(ends[:cut]), late_ends=tuple(ends[cut:]))


def _policies(rng: Random, field: Field | None) -> Policies:
    words = dict.fromkeys(rng.sample(CHOSEN, rng.randrange(1, 4)))
    said = [(word, rng.choice(POLICIES[word] or ("",))) for word in words if field is None or fits(field, word)]
    return tuple(("no", word) if field and rng.random() < 0.2 else (word, choice) for word, choice in said)
