"""The mutation check of committed modules: names of modules go in, out come the mutants that nobody can tell from them.

Invariant: what is compared is all that a caller sees, of the model's own examples and of texts made of the delimiters
of its grammar, whole and in pieces, and what a module says of itself. A mutant that survives is equivalent, for one of
the reasons in EQUIVALENT, or is a hole in the cases.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import islice, product
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import runtime
from compiler.load import load_grammar
from compiler.model import Grammar, Literals
from runtime import ParseError, RuntimeMismatch
from tests import reference
from tests.examples import model_examples
from tests.hostile.shipped import GRAMMARS, example
from tests.mutants import mutants
from tests.reference import Hang, limited, place, silent

BODIES = ("1", "{", '{"a": 1}', '[{"name": "f"}]')

Reading = tuple[list[str], dict[str, Any]]
"""Chunks, and the rest of a parser's arguments."""

# Mutants that no caller can tell from the module, by the reason.
EQUIVALENT = {
    "room for attributes that nobody sets": r"Parser: __slots__ = \(\) -> nothing",
    "the lead spares a look at text that does not have it, nothing else": r"Parser: (.*)lead='(.)'(.*) -> \1lead=''\3",
    "before `at` stands an opener, with which no closer begins": r"\w+: (.*)\('(.)', at\) -> \1\('\2'\)",
    "any number below 0 says that nothing has begun; so does 0, as text without a lead is no beginning": (
        r"\w+: begun, start = \(-1, (.*) -> begun, start = \(-[02], \1"
    ),
    "the search may begin at any character: from the next one on it looks for leads": (
        r".*\(-1, text\.find\('.', (.*)\)\) -> .*\(-1, text\.find\('', \1\)\)"
    ),
    "a whole delimiter has been found before: what is left is shorter": (
        r"\w+: (if .*)'([^']*)'(\.startswith\(t.*) -> \1'\2x?'\3|\w+: (if .*)'([^']*).'(\.startswith\(t.*) -> \4'\5'\6"
    ),
    "a first size of what is kept, which is made larger where that is needed": r"Parser: BEHIND = \d+ -> BEHIND = \d+",
}


def words_of(grammar: Grammar) -> list[str]:
    """A text for each delimiter."""
    words = [example(delimiter) for field in grammar.fields for delimiter in (field.open, field.close)]
    for delimiter in (grammar.stop, grammar.stray):
        words += delimiter.words if isinstance(delimiter, Literals) else [example(delimiter)]
    return [word for word in dict.fromkeys(words) if word]


def battery(family: str, words: list[str]) -> Iterator[Reading]:
    """What tells most of all first."""
    for number, one in enumerate(case for case in model_examples() if case.family == family):
        given = {"prefix": one.prefix, "tools": one.tools}
        yield list(one.text), given
        yield [one.text], given
        if number < 12:
            yield [one.text[at : at + 3] for at in range(0, len(one.text), 3)], {**given, "spans": True}
    for begin, body in product(("", *words), BODIES):
        for word in words:
            yield [f"{begin}{body}{word}2{begin}{body}{word}\n3"], {"spans": True}
    for begin in ("", *words):
        for word in words:
            for size in sorted({1, 2, len(word) // 2, len(word) - 1, len(word)}):
                yield [f"{begin}1{word[:size]}"], {}
            yield [f"{begin}1{word[:2]}", "", word, "2"], {"spans": True}
            yield [begin[:1], f"{begin[1:]}1", word[0], word, "", f"a{word[0]}b", " "], {"spans": True}


def behaviour(module: ModuleType, readings: Iterable[Reading]) -> Iterator[str]:
    """All that a caller sees, call by call; then of `parse`; then what the module says of itself."""
    for chunks, given in readings:
        with silent(), limited():
            seen = repr(list(calls(module, chunks, **given)))
        yield seen
    for options in ({"on_error": "keep"}, {"bad": "drop", "cut": "bad"}):
        with silent(), limited():
            seen = repr([module.parse(text, prefix="hi", **options) for text in ("a", "<", "a {")])
        yield seen
    for state in module.Parser.STATES.values():
        yield repr([getattr(state, name) for name in state.__slots__ if name not in ("read", "close")])
    yield repr([getattr(module, name, None) for name in ("MODELS", "TEMPLATES")] + [module.Parser.COERCE])


def calls(module: ModuleType, chunks: list[str], prefix: str = "", **given: Any) -> Iterator[Any]:
    parser = module.Parser(prefix=prefix, **given)
    yield parser.initial_events
    for chunk in chunks:
        try:
            yield parser.feed(chunk)
        except ParseError as error:
            yield error.events, place(error)
        yield parser.state()
    while True:
        try:
            yield parser.finalize()
        except ParseError as error:
            yield error.events, place(error)
        else:
            return


def module_from(code: CodeType) -> ModuleType:
    module = ModuleType("mutant")
    exec(code, vars(module))
    return module


def survives(code: CodeType, expected: list[str], readings: list[Reading]) -> bool:
    """Whether nobody can tell the code from the module that behaves as expected."""
    try:
        module = module_from(code)
        if any(one != other for one, other in zip(expected, behaviour(module, readings), strict=True)):
            return False
    except (Exception, Hang):
        return False
    runtime.stream.ABI += 1
    try:
        module_from(code)
    except RuntimeMismatch:
        return True
    finally:
        runtime.stream.ABI -= 1
    return False


def survivors(name: str, most: int | None = None) -> tuple[int, list[str]]:
    """How many mutants of a module were tried, and the names of those that survive for no known reason."""
    readings = list(battery(name, words_of(load_grammar(GRAMMARS / f"{name}.grammar"))))
    made = importlib.import_module(f"generated.{name}")
    source = Path(str(made.__file__)).read_text(encoding="ascii")
    expected = list(behaviour(module_from(compile(source, "<the module itself>", "exec")), readings))
    assert survives(compile(source, "<the module itself>", "exec"), expected, readings)
    tried, found = 0, []
    for mutant, code in islice(mutants(source), most):
        tried += 1
        if survives(code, expected, readings):
            found.append(mutant)
    known = [re.compile(names) for names in EQUIVALENT.values()]
    return tried, [mutant for mutant in found if not any(one.fullmatch(mutant) for one in known)]


def main() -> int:
    asked = argparse.ArgumentParser(description="the mutants of committed modules that no case tells from them")
    asked.add_argument("names", nargs="*")
    names = asked.parse_args().names or sorted(path.stem for path in GRAMMARS.glob("*.grammar"))
    reference.SECONDS = 0.2
    left = 0
    for name in names:
        tried, found = survivors(name)
        left += len(found)
        print(f"{name}: {tried} mutants, {len(found)} not told apart", *found, sep="\n    ", flush=True)
    return min(left, 1)


if __name__ == "__main__":
    sys.exit(main())
