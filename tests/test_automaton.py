"""The automaton decides as the twin does, in every chunking, and reads a text in time that grows with it."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import regex
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from compiler import pattern
from compiler.automaton import expression
from compiler.pattern import Look, Unsupported, parse, runs_along, walk
from compiler.twin import twin
from runtime import automaton as joints
from runtime import program as rt
from runtime import ways
from runtime.automaton import Automaton
from runtime.scan import Twin
from tests.random_patterns import ALPHABET, cut_texts, delimiters, followed, is_read, noisy, one_shot, outcomes

REAL = json.loads((Path(__file__).parent / "data" / "patterns.json").read_text(encoding="utf-8"))


def scanner(source: str) -> Automaton:
    return Automaton(eval(expression(parse(source)), {"rt": rt}), source)


def is_regular(source: str) -> bool:
    if not is_read(source):
        return False
    try:
        expression(parse(source))
    except Unsupported:
        return False
    return True


@settings(max_examples=400, deadline=None)
@given(delimiters, st.text(ALPHABET, max_size=6), st.integers(0, 2))
def test_what_it_says_holds_in_every_continuation(source: str, text: str, at: int) -> None:
    assume(is_regular(source) and at <= len(text))
    scan = scanner(source).scan().near(text, at, 0, False)
    all_of_them = outcomes(source, text, at)
    assert scan.start >= at
    if scan.end < 0:
        assert scan.start <= min(start for start, _, _ in all_of_them)
    else:
        assert all_of_them == {(scan.start, scan.end, tuple(sorted(scan.captures(text).items())))}


@settings(max_examples=300, deadline=None)
@given(delimiters, cut_texts(), st.sampled_from([1, 3, 8]), st.sampled_from([6, 30, 20_000]))
def test_cutting_skipping_and_forgetting_change_nothing(
    source: str, pieces: list[str], patience: int, kept: int
) -> None:
    assume(is_regular(source))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joints, "PATIENCE", patience)
        patch.setattr(joints, "KEPT", kept)
        patch.setattr(ways, "KEPT", kept)
        made = scanner(source)
        matches, holds = followed(made, pieces, pattern.behind(parse(source)))
        again, _ = followed(made, ["".join(pieces)], pattern.behind(parse(source)))
    assert matches == again == one_shot("".join(pieces), source)
    assert holds == sorted(holds)


@pytest.mark.parametrize(
    "source",
    [
        "a(?!)|b", "a(?=)b", "ab|abc", "a(?!b)|ab(?=c)", "a(?=b+c)", "(?<=a)b|(?<!a)c", "^a|b$", r"\Aa|b\Z",
        "(?m:^)a|b(?m:$)", r"a\b|b\B",
        "a*?b", "a{2,3}?b", "(?:ab){1,2}c", "a++b", "(?>a*)b", "(?i:AB)", "(?=ab)", "(?!a)b?", "a(?=b(?!c))",
        "(?<=ab*)c", "(?<!ab*)c", "(?<=a(?=b))b", "(?<!a(?=bc))b", r"(?<=\b)b", "(?<=^a|b$)\n?c?",
        "(?<=a(?:(?!bc).)*)(?P<n>b|c)",
    ],
)  # fmt: skip
def test_each_construct_is_decided_as_the_engine_decides(source: str) -> None:
    choose, made = random.Random(source), scanner(source)
    for _ in range(12):
        pieces = ["".join(choose.choices(ALPHABET, k=choose.randint(0, 5))) for _ in range(4)]
        matches, _ = followed(made, pieces, pattern.behind(parse(source)))
        assert matches == one_shot("".join(pieces), source)


@pytest.mark.parametrize("source", [source for source in REAL if is_regular(source)])
def test_real_delimiters_are_decided_as_by_their_twins(source: str) -> None:
    choose = random.Random(source)
    node = parse(source)
    made = scanner(source)
    if any(isinstance(part, Look) and not part.ahead and runs_along(part) for part in walk(node)):  # has no twin
        for _ in range(8):
            pieces = noisy(node, choose)
            assert followed(made, pieces, pattern.behind(node))[0] == one_shot("".join(pieces), source)
        return
    slow = Twin(source, twin(node))
    for _ in range(8):
        pieces = noisy(node, choose)
        assert followed(made, pieces, pattern.behind(node)) == followed(slow, pieces, pattern.behind(node))


def test_all_real_delimiters_run_on_an_automaton() -> None:
    assert all(map(is_regular, REAL))


FLOODS = [
    (r"<t>\s*<f=(?P<name>[^\n>]+)>", "<f="),
    (r"<t>\s*<f=(?P<name>[^\n>]+)>", "<t>"),
    (r"<t>\s*<f=(?P<name>[^\n>]+)>", "<t> <f="),
    (r"<t>\s*<f=(?P<name>[^\n>]+)>", "<t> <f=x>"),
    (r"</x>\s*", "</x>   \n"),
    (r"</x>\s*", " \n"),
    (r"\s*<x>", "\n"),
    (r"\s*<x>", "\n<"),
    (r"(?:[^\s<]+)\s*<x>", "a "),
    (r"a.*?b", "a"),
    (r"a.*?bc", "ab"),
    (r"(?:a|b)*c", "ab"),
    (r"(?:ab?)*c", "aab"),
    (r"<x\s*>|(?<=b)c", "<x bc"),
    (r"\}\s*(?=;\s*\{)|\}\s*\Z", "} ; "),
    (r"<t(?::[^>]*)?>\s*(?P<name>[^<\s]+)(?=\s*<)", "<t:<t>a "),
    (r"(?i)</THINK>\s*", "</thin"),
    (r"a(?:bc){0,5}d", "abcbc"),
    (r"(?<=<c>(?:(?!</c>).)*\)\n)(?P<name>\w+)\(", "f(x)\n"),
    (r"(?<=<c>(?:(?!</c>).)*\)\n)(?P<name>\w+)\(", "<c>f(x)\n"),
    (r"(?<!b+)c", "b"),
]


class Counted(str):
    """A text that counts how many of its characters are looked at one by one."""

    looked = 0

    def __getitem__(self, index: Any) -> str:
        Counted.looked += 1
        return super().__getitem__(index)


def looks(made: Automaton, source: str, text: str, size: int) -> int:
    """How many characters a scan of the text, fed in pieces of `size`, looks at."""
    Counted.looked = 0
    scan, behind = made.scan(), pattern.behind(parse(source))
    held, base, at = "", 0, 0
    for begin in range(0, len(text), size):
        held = Counted(held + text[begin : begin + size])
        while scan.near(held, at, base, False).end >= 0:
            at = max(scan.end, scan.start + 1)
        cut = max(0, scan.start - behind)
        held, base, at = str.__getitem__(held, slice(cut, None)), base + cut, scan.start - cut
    return Counted.looked


@pytest.mark.parametrize(("source", "flood"), FLOODS)
def test_floods_are_read_in_linear_time(source: str, flood: str) -> None:
    made = scanner(source)
    for size in (4, 4000):
        looked = [looks(made, source, flood * (length // len(flood)), size) for length in (1000, 4000)]
        assert looked[1] <= 2 * 4000 + 50
        assert looked[1] <= 4.4 * looked[0] + 50


def test_a_text_without_a_lead_is_skipped() -> None:
    made = scanner("</x>")
    looks(made, "</x>", "nothing " * 10, 80)
    assert looks(made, "</x>", "nothing " * 100, 800) == 0


def test_states_that_are_kept_stay_few() -> None:
    made = scanner("a.{12}b|a.{0,9}c(?=.{3}d)")
    choose = random.Random(1)
    text = "".join(choose.choices("abcd", k=6000))
    matches, _ = followed(made, [text], 0)
    assert matches == one_shot(text, "a.{12}b|a.{0,9}c(?=.{3}d)")
    threads = sum(len(state.threads) + len(state.moves) for state in made._states.values())
    assert threads <= ways.KEPT
    joined = sum(len(joint.states) + len(joint.moves) for joint in made.alone._joints.values())
    assert joined <= joints.KEPT


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("<a>", "'<a>'"),
        ("", "''"),
        ("<a>[^x]", "rt.seq('<a>', rt.one('[^x]'))"),
        (r"\s*<(?P<n>.+?)>", r"""rt.seq(rt.star(rt.one(r"\s")), '<', rt.plus(rt.dot(), lazy=True), '>')"""),
        ("ab|c{2,3}?", "rt.alt('ab', rt.rep('c', 2, 3, lazy=True))"),
        ("a?(?!b)", "rt.seq(rt.opt('a'), rt.look('b', negative=True))"),
        (r"^(?<=\})\b", r"""rt.seq(rt.behind('^'), rt.behind(r"(?<=\})"), rt.word_edge())"""),
        (
            r"(?m:^)(?m:$)\B\Z$",
            "rt.seq(rt.behind('(?m:^)'), rt.line_end(), rt.word_edge(inside=True), rt.end(), rt.last())",
        ),
        ("a++", "rt.seq(rt.plus('a'), rt.look('a', negative=True))"),
        ("(?>a*)", "rt.seq(rt.star('a'), rt.look('a', negative=True))"),
        ("a{2,}", "rt.rep('a', 2, None)"),
        ('[^"\u2581]', "rt.one('[^\"\\u2581]')"),
    ],
)
def test_expressions(source: str, expected: str) -> None:
    assert expression(parse(source)) == expected
    assert expected.isascii()


@pytest.mark.parametrize(
    ("source", "what", "position"),
    [
        ("a(?P<n>b)(?P=n)", "back-reference to `n`", 9),
        (r"a\X", r"`\X`", 1),
        ("a(?>bc)", "an atomic group", 1),
        ("(?:ab)*+", "a possessive part that is more than a run of one class", 6),
        ("a{2,3}+", "a possessive part that is more than a run of one class", 1),
        ("a{301}", "a count above 300", 1),
        ("(?:a?)*", "a loop over what can be empty", 6),
        ("a(?=(?P<n>b))", "a group captured by looking around", 1),
        ("(?<=a(?<!b)c)b", "a look-behind that looks on", 5),
        ("(?<=a++b)b", "a look-behind that backs off nowhere", 5),
        ("(?<=a(?=b+c))b", "a look-behind that looks ahead without a bound", 5),
        ("(?:(?:a{20}){20}){20}", "counts that make more than 4,000 steps", 0),
    ],
)
def test_what_has_no_automaton(source: str, what: str, position: int) -> None:
    with pytest.raises(Unsupported) as caught:
        expression(parse(source))
    assert (caught.value.what, caught.value.position) == (what, position)


@pytest.mark.parametrize(
    "source",
    [
        r"\s", r"[^\s<]", r"[\\s]", r"[^\\\s]", "[a-z]", r"\S", r"\w", r"[\w.]", "[a&&b]", r"(?P<n>[^\s>]+)\s*>",
        "[]a]",
        "(?:(?P<n>a)|b)+", "(?P<n>a)|(?P<n>b)", "(?<=a|bc)", r"a\Z", "a++", r"\.", "(?i:a)",
        "(?i:i)", "(?i:\u0131)", "(?i:[h-j])", "(?i:[^\u0131])", "(?i)<think>", "(?<=(?i:\u0131))", "(?m:^)a", "(?>a)b",
    ],
)  # fmt: skip
def test_patterns_mean_the_same_whatever_compiles_them(source: str) -> None:
    made, expected = rt.compiled(source), regex.compile(source, regex.DOTALL)
    texts = [chr(code) for code in range(0x3100)] + [
        "ab",
        "abb",
        "bca",
        "\\s",
        "x\x1c>",
        "x\u3000 >",
        "a>",
        "ba",
        "aab",
        "<th\u0131nk>",
        "<THINK>",
    ]
    for text in texts:
        mine, theirs = made.search(text), expected.search(text)
        assert (mine and (mine.span(), mine.groupdict())) == (theirs and (theirs.span(), theirs.groupdict()))


def test_modules_without_word_characters_do_without_regex() -> None:
    source = r"<t>\s*<f=(?P<name>[^\n>]+)>"
    code = (
        "import sys\nfrom runtime import program as rt\nfrom runtime.automaton import Automaton\n"
        f"scan = Automaton({expression(parse(source))}, {source!a}).scan()\n"
        "text = '<t>\\n<f=go>' * 20\nscan.near(text, 0, 0, False)\n"
        "print(scan.captures(text), 'regex' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parents[1])
    assert (done.stdout, done.stderr) == ("{'name': 'go'} False\n", "")


def test_two_searches_share_one_automaton() -> None:
    made = scanner(r"<(?P<n>[^>]+)>\s*")
    one, other = made.scan(), made.scan()
    assert one.near("x<a> ", 0, 0, False).end == -1
    assert other.near("<bb>c", 0, 0, False).end == 4
    assert one.near("x<a> .", 0, 0, False).end == 5
    assert (one.captures("x<a> ."), other.captures("<bb>c")) == ({"n": "a"}, {"n": "bb"})
