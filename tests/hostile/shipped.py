"""The same attacks on the modules that are shipped, made of their own delimiters: out come modules and what to build.

Invariant: the delimiters are those of the module's grammar; for a pattern stands a text that it matches.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

from compiler.analyse_delimiters import pattern_node
from compiler.load import load_grammar
from compiler.model import Delimiter, Field
from compiler.pattern import Alt, Cat, Char, Group, Node, Rep
from tests.hostile.outputs import Attack, filled

GRAMMARS = Path(__file__).resolve().parents[2] / "grammars"


def shipped_attacks() -> Iterator[tuple[str, ModuleType, str, Callable[[int], Attack]]]:
    """(model, module, attack, what builds it)"""
    for path in sorted(GRAMMARS.glob("*.grammar")):
        grammar = load_grammar(path)
        module = importlib.import_module(f"generated.{grammar.name}")
        for field in grammar.fields:
            for name, made in _made_of(field).items():

                def build(size: int, name: str = name, made: Callable[[int], str] = made) -> Attack:
                    return Attack(name, {}, lambda: iter([made(size)]))

                yield path.stem, module, f"{field.name}:{name}", build


def _made_of(field: Field) -> dict[str, Callable[[int], str]]:
    """What each delimiter of a field can be turned into. An implicit field has a closer only."""
    opener, closer = example(field.open), example(field.close)
    word = opener or closer
    return {
        "unclosed body": lambda n: opener + filled(n),
        "openers": lambda n: filled(n, word),
        "openers that break off": lambda n: filled(n, word[:-1] or word),
        "near misses": lambda n: opener + filled(n, (closer or word)[:-1] + "x"),
        "regions": lambda n: filled(n, f"{opener}{{}}{closer}"),
        "blanks before": lambda n: " " * n + word,
        "blanks behind": lambda n: opener + "{}" + closer + " " * n + "x",
        "blanks within": lambda n: opener + " " * n + closer,
        "blanks in a header": lambda n: word[: len(word) // 2] + " " * n + word[len(word) // 2 :],
        "nested": lambda n: filled(n, opener) + filled(n, closer),
        "unbalanced": lambda n: filled(n, closer + opener),
        "brackets": lambda n: opener + "[{" * (n // 2) + closer,
        "quotes": lambda n: opener + '{"a": "' + '\\"' * (n // 2) + closer,
        "closers in strings": lambda n: filled(n, f'{opener}{{"a": "{closer}'),
        "one string of closers": lambda n: opener + '{"a": "' + filled(n, closer),
        "a header that waits": lambda n: filled(n, word[: 2 * len(word) // 3]) + "a" * n,
    }


def example(delimiter: Delimiter | None) -> str:
    """A text that the delimiter matches, the shortest way through it; loops are taken once."""
    return "" if delimiter is None else _spelled(pattern_node(delimiter))


def _spelled(node: Node) -> str:
    if isinstance(node, Char):
        return node.literal if node.literal is not None else _member(node.source)
    if isinstance(node, Cat):
        return "".join(map(_spelled, node.items))
    if isinstance(node, Alt):
        return _spelled(node.items[0])
    if isinstance(node, Group):
        return _spelled(node.node)
    return _spelled(node.node) * max(node.low, 1) if isinstance(node, Rep) else ""


def _member(source: str) -> str:
    import regex

    return next(char for char in "a 0\n" + "".join(map(chr, range(128))) if regex.fullmatch(source, char))
