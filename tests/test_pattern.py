"""A pattern's tree means what the engine means by its text; its facts hold for what the engine matches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import regex
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from compiler import pattern
from compiler.pattern import (
    ANY,
    UNBOUNDED,
    Alt,
    Atomic,
    Cat,
    Char,
    Cluster,
    Edge,
    Group,
    Look,
    Malformed,
    Node,
    Ref,
    Rep,
    Unsupported,
    parse,
)
from tests.random_patterns import ALPHABET, delimiters, is_read

REAL = json.loads((Path(__file__).parent / "data" / "patterns.json").read_text(encoding="utf-8"))

A, B = Char("a", "a"), Char("b", "b")


def written_back(node: Node) -> str:
    """A pattern's text made from its tree."""
    if isinstance(node, (Char, Edge)):
        return node.source
    if isinstance(node, Look):
        return node.source
    if isinstance(node, Cat):
        return "".join(map(written_back, node.items))
    if isinstance(node, Alt):
        return f"(?:{'|'.join(map(written_back, node.items))})"
    if isinstance(node, Rep):
        return f"(?:{written_back(node.node)}){{{node.low},{'' if node.high is None else node.high}}}{node.mode}"
    if isinstance(node, Group):
        return f"(?P<{node.name}>{written_back(node.node)})" if node.name else f"({written_back(node.node)})"
    if isinstance(node, Atomic):
        return f"(?>{written_back(node.node)})"
    return f"(?P={node.name})" if isinstance(node, Ref) else r"\X"


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("a", A),
        ("", Cat(())),
        ("ab|", Alt((Cat((A, B)), Cat(())))),
        (".", ANY),
        ("(?:a(?:b))a", Cat((A, B, A))),
        ("[<]", Char("<", "<")),
        ("[^a]", Char("[^a]")),
        ("[]a]", Char("[]a]")),
        ("[[:alpha:]]", Char("[[:alpha:]]")),
        (r"[\]]\]", Cat((Char(r"[\]]"), Char(r"\]", "]")))),
        (r"\x41\u0041\101\N{LATIN CAPITAL LETTER A}", Cat((Char("A", "A"),) * 4)),
        (r"\n\t\0\|", Cat((Char("\n", "\n"), Char("\t", "\t"), Char("\0", "\0"), Char(r"\|", "|")))),
        (r"\s\W\p{L}", Cat((Char(r"\s"), Char(r"\W"), Char(r"\p{L}")))),
        ("a*b+?", Cat((Rep(A, 0, None), Rep(B, 1, None, "?")))),
        ("a?+b{2}", Cat((Rep(A, 0, 1, "+"), Rep(B, 2, 2)))),
        ("a{2,}b{,3}", Cat((Rep(A, 2, None), Rep(B, 0, 3)))),
        ("a{x}", Cat((A, Char(r"\{", "{"), Char("x", "x"), Char(r"\}", "}")))),
        ("(a)(?P<n>b)(?<m>a)", Cat((Group(A, None), Group(B, "n"), Group(A, "m")))),
        ("(?>a)", Atomic(A)),
        ("(?=a)(?!b)", Cat((Look(A, True, False, "(?=a)"), Look(B, True, True, "(?!b)")))),
        ("(?<=a)(?<!b)", Cat((Look(A, False, False, "(?<=a)"), Look(B, False, True, "(?<!b)")))),
        (r"^\A$\Z\z", Cat((*[Edge("^", "^")] * 2, Edge("$", "$"), *[Edge("Z", r"\Z")] * 2))),
        (r"\b\B", Cat((Edge("b", r"\b"), Edge("B", r"\B")))),
        ("(?m:^$)", Cat((Edge("m^", "(?m:^)"), Edge("m$", "(?m:$)")))),
        ("(?i)a1", Cat((Char("(?i:a)"), Char("1", "1")))),
        ("(?s)(?i:[a])(?i:(?=b))", Cat((Char("(?i:a)"), Look(Char("(?i:b)"), True, False, "(?i:(?=b))")))),
        (r"(?P<n>a)(?P=n)\X", Cat((Group(A, "n"), Ref("n"), Cluster()))),
        (r"(?u)(?P<n>a)\1\g<n>", Cat((Group(A, "n"), Ref("1"), Ref("n")))),
    ],
)
def test_trees(text: str, node: Node) -> None:
    assert parse(text) == node


@pytest.mark.parametrize(
    ("text", "what", "position"),
    [
        (r"a\Kb", r"`\K`", 1),
        (r"a\Gb", r"`\G`", 1),
        ("a(?i)b", "flags `(?i)` that do not stand at the start", 1),
        ("(?m)a(?i)b", "flags `(?i)` that do not stand at the start", 5),
        ("(?w:a)", "flags `w`", 0),
        ("(?V1)a", "flags `(?V1)`", 0),
        ("(?R)?a", "syntax `(?R)`", 0),
        ("(a(?1)?)", "syntax `(?1)`", 2),
        ("a(?-i:b)", "syntax `(?-i:b)`", 1),
        ("(?P<v>a(?&v)?)", "syntax `(?&v)`", 7),
        (r"\p{$}", r"`\p`", 0),
        ("a{e<=1}", "syntax `{e<=1}`", 1),
        ("(?|a|b)", "syntax `(?|a|b)`", 0),
        ("a(*FAIL)", "syntax `(*FAIL)`", 1),
        ("(?#c)a", "syntax `(?#c)`", 0),
        ("(" * 70 + ")" * 70, "groups nested deeper than 60", 61),
    ],
)
def test_what_cannot_be_followed_is_named_with_its_place(text: str, what: str, position: int) -> None:
    with pytest.raises(Unsupported) as caught:
        parse(text)
    assert (caught.value.what, caught.value.position) == (what, position)
    assert str(caught.value) == f"{what} at {position}"


def test_what_only_the_engine_could_read_is_named_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pattern, "_accepted", lambda text: None)
    with pytest.raises(Unsupported) as caught:
        parse("(?i)a)b")
    assert (caught.value.what, caught.value.position) == ("syntax `)b`", 5)


@pytest.mark.parametrize(
    "text", ["(", "a**", "[b-a]", r"\8", "a{2,1}", "(?P<n>a", "(?<=a*)(", r"\L<x>", "(" * 5000 + ")" * 5000]
)
def test_what_the_engine_refuses_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        parse(text)


@pytest.mark.parametrize("text", ["(?:(?:a{1000}){1000}){1000}", "(?:(?:[(]{999}|b){999}){999}", r"(?:\({400}b){400}"])
def test_counts_that_the_engine_would_write_out_are_stopped_before_it_does(text: str) -> None:
    with pytest.raises(Malformed, match="counts that multiply"):
        parse(text)


@pytest.mark.parametrize("text", ["a{90000}", "(?:a{100}){100}", r"\{9999999999\}", "[{]{300}", "a)b", "x{2}" * 50])
def test_counts_that_stay_small_are_left_to_the_engine(text: str) -> None:
    try:
        parse(text)
    except Malformed as refused:
        assert "counts" not in refused.what


@settings(max_examples=300, deadline=None)
@given(delimiters, st.text(ALPHABET, max_size=8))
def test_the_tree_means_what_the_text_means(source: str, text: str) -> None:
    assume(is_read(source))
    again = written_back(parse(source))
    for match, other in zip(
        regex.finditer(source, text, regex.DOTALL), regex.finditer(again, text, regex.DOTALL), strict=True
    ):
        assert (match.span(), match.groupdict()) == (other.span(), other.groupdict())


@settings(max_examples=300, deadline=None)
@given(delimiters, st.text(ALPHABET, max_size=8))
def test_facts_hold_for_every_match(source: str, text: str) -> None:
    assume(is_read(source))
    node = parse(source)
    low, high = pattern.width(node)
    leads = pattern.leads(node)
    assert pattern.nullable(node) == (low == 0)
    for match in regex.finditer(source, text, regex.DOTALL):
        size = match.end() - match.start()
        assert low <= size <= high
        assert leads is None or match[0][0] in leads
        assert set(match.groupdict()) == set(pattern.captures(node))


@settings(max_examples=300, deadline=None)
@given(delimiters, st.text(ALPHABET, max_size=6), st.text(ALPHABET, max_size=6))
def test_no_more_of_the_left_is_seen_than_said(source: str, left: str, text: str) -> None:
    assume(is_read(source))
    behind = pattern.behind(parse(source))
    assume(behind < len(left))
    kept = left[len(left) - behind :]
    whole = regex.compile(source, regex.DOTALL).search(left + text, len(left))
    short = regex.compile(source, regex.DOTALL).search(kept + text, len(kept))
    assert (whole and (whole.start() - len(left), whole[0])) == (short and (short.start() - len(kept), short[0]))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ab", 0),
        ("^a", 1),
        (r"a\b", 1),
        ("(?m:^)a", 1),
        ("(?<=abc)", 3),
        ("(?<=^abc)", 4),
        ("(?<=(?<=ab)c)d", 3),
        ("(?=(?<!ab))", 2),
        ("(?<=a*)", UNBOUNDED),
        ("a(?<=b|cd)|(?<!a)", 2),
    ],
)
def test_behind(text: str, expected: int) -> None:
    assert pattern.behind(parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a", False),
        ("^a", True),
        (r"(?:\Aa|b)", True),
        ("(?=^a)", True),
        ("^(?<=a)", False),
        (r"^a\b", False),
        ("(?m:^)", False),
    ],
)
def test_only_start(text: str, expected: bool) -> None:
    assert pattern.only_start(parse(text)) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<a>|</b>", "<"),
        ("[<x]y|z", "<xz"),
        ("(?i:k)", "kK\u212a"),
        ("a?b", "ab"),
        ("(?:a*|^)(?P<n>b)", "ab"),
        ("(?!<)x", "x"),
        (r"(?<=y)x", "x"),
        (r"\d", None),
        (r"[^a]", None),
        (r"\s*a", None),
        (r"[a-h]|[i-p]", "abcdefghijklmnop"),
        (r"[a-h]|[i-q]", None),
        ("a*", None),
        ("(?=a)", None),
        (r"\Xa", None),
        ("(?P<n>a?)(?P=n)b", "ab"),
        ("(?P<n>a?b?)c", "abc"),
    ],
)
def test_leads(text: str, expected: str | None) -> None:
    assert pattern.leads(parse(text)) == (None if expected is None else frozenset(expected))


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a{2,3}b?", (2, 4)), ("a*", (0, float("inf"))), ("(?:)*", (0, 0)), (r"\X", (1, float("inf")))],
)
def test_width(text: str, expected: tuple[int, float]) -> None:
    assert pattern.width(parse(text)) == expected


def test_captures_are_named_once_in_the_order_of_the_text() -> None:
    assert pattern.captures(parse("(?P<b>x)(?:(?P<a>y)|(?P<b>z))(w)")) == ("b", "a")


def test_literals_stand_the_longest_first_and_once() -> None:
    assert pattern.of_literals(["a", "ab", "a"]) == Alt((Cat((A, B)), A))
    assert pattern.of_literals(["a"]) == A
    assert pattern.of_literals(["a|"]) == Cat((A, Char(r"\|", "|")))


@pytest.mark.parametrize("text", REAL)
def test_all_real_delimiters_are_read(text: str) -> None:
    node = parse(text)
    assert set(pattern.captures(node)) == set(regex.compile(text).groupindex)
    assert next(pattern.walk(node)) is node
