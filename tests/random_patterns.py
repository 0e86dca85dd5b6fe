"""Delimiter patterns and texts made up at random, and what a stream makes of them.

Invariant: what one_shot and outcomes say comes from the engine alone.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

import regex
from hypothesis import strategies as st

from compiler import pattern
from runtime.scan import Delimiter

ALPHABET = "abc\n"
FOLLOWING = ["".join(chars) for size in range(4) for chars in product(ALPHABET, repeat=size)] + [
    "a" * 7,
    "b" * 7,
    "c" * 7,
]
"""Continuations of a text: all short ones, and runs."""
Match = tuple[int, int, tuple[tuple[str, str], ...]]
"""Start, end, captures in the order of their names."""

_REPEATS = ["*", "+", "?", "{2}", "{1,2}", "{0,2}", "{1,}", "*?", "+?", "??", "{1,2}?", "*+", "++"]
_EDGES = ["$", "^", r"\b", r"\B", r"\Z", r"\A", "(?m:^)", "(?m:$)"]
_CHARS = ["a", "b", "c", "[ab]", "[^a]", ".", r"\s", r"\w", "(?i:B)", r"\X"]
_LOOKS = ["(?=", "(?!", "(?<=", "(?<!"]


def _wrapped(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from(_REPEATS)).map(lambda pair: f"(?:{pair[0]}){pair[1]}"),
        st.tuples(st.sampled_from(_LOOKS), inner).map(lambda pair: f"{pair[0]}{pair[1]})"),
        inner.map(lambda text: f"(?P<n>{text})"),
        inner.map(lambda text: f"(?>{text})"),
    )


def is_read(text: str) -> bool:
    """Whether the engine compiles the pattern and compiler.pattern reads it."""
    try:
        pattern.parse(text)
    except pattern.Refused:
        return False
    return True


delimiters = st.recursive(
    st.one_of(st.sampled_from(_CHARS), st.sampled_from(_CHARS), st.sampled_from(_EDGES)), _wrapped, max_leaves=8
)


@st.composite
def cut_texts(draw: st.DrawFn, longest: int = 16) -> list[str]:
    """A text in pieces, some of them empty."""
    return draw(st.lists(st.text(ALPHABET, max_size=4), min_size=1, max_size=longest // 2))


def followed(delimiter: Delimiter, pieces: Sequence[str], behind: int) -> tuple[list[Match], list[int]]:
    """All matches in a text that arrives in pieces, by offset in it, and what was free after each piece and at the end.

    The front is cut off after each piece, but for what look-behind may see.
    """
    scan, matches, holds = delimiter.scan(), list[Match](), list[int]()
    held, base, at = "", 0, 0
    for piece in [*pieces, None]:
        held += piece or ""
        scan.near(held, at, base, piece is None)
        while scan.end >= 0:
            captured = tuple(sorted(scan.captures(held).items()))
            matches.append((base + scan.start, base + scan.end, captured))
            at = max(scan.end, scan.start + 1)
            scan.near(held, at, base, piece is None)
        holds.append(base + scan.start)
        cut = max(0, scan.start - min(behind, scan.start))
        held, base, at = held[cut:], base + cut, scan.start - cut
    return matches, holds


def one_shot(text: str, source: str) -> list[Match]:
    """The same by the engine alone, on the whole text."""
    compiled, at, found = regex.compile(source, regex.DOTALL), 0, list[Match]()
    while (match := compiled.search(text, at)) and match.start() < len(text):
        captured = {name: value for name, value in match.groupdict().items() if value is not None}
        found.append((*match.span(), tuple(sorted(captured.items()))))
        at = max(match.end(), match.start() + 1)
    return found


def outcomes(source: str, text: str, at: int) -> set[Match]:
    """The nearest match from `at` in every continuation of the text; (length, -1, ()) where none begins in it."""
    compiled, found = regex.compile(source, regex.DOTALL), set[Match]()
    for more in FOLLOWING:
        match = compiled.search(text + more, at)
        if match is None or match.start() >= len(text):
            found.add((len(text), -1, ()))
        else:
            captured = {name: value for name, value in match.groupdict().items() if value is not None}
            found.add((*match.span(), tuple(sorted(captured.items()))))
    return found


def written(node: pattern.Node, choose: random.Random) -> str:
    """A text that the pattern is likely to match."""
    if isinstance(node, pattern.Char):
        if node.literal is not None:
            return node.literal
        fitting = [char for char in 'ab1 \n<"x.{[]}z' if regex.fullmatch(node.source, char, regex.DOTALL)]
        return choose.choice(fitting or ["z"])
    if isinstance(node, pattern.Alt):
        return written(choose.choice(node.items), choose)
    if isinstance(node, pattern.Rep):
        most = node.low + 3 if node.high is None else node.high
        return "".join(written(node.node, choose) for _ in range(choose.randint(node.low, most)))
    return "".join(written(child, choose) for child in pattern.children(node))


def noisy(node: pattern.Node, choose: random.Random) -> list[str]:
    """Texts of the pattern, whole, broken and spoilt, one after the other, in pieces of any size."""
    text = ""
    for _ in range(choose.randint(1, 6)):
        part = written(node, choose)
        edge = choose.randint(0, len(part))
        part = choose.choice(
            [part, part, part[:edge], part[edge:], part[:edge] + choose.choice(" <x") + part[edge + 1 :]]
        )
        text += part + choose.choice(["", "", " ", "\n", "text", "<"])
    cuts = sorted(choose.sample(range(len(text) + 1), choose.randint(0, len(text) // 2)))
    return [text[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True)]
