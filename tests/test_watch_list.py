"""The first of several delimiters: the earliest, then the longest, then the one named first; or what to hold."""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from compiler import pattern
from compiler.automaton import expression
from compiler.pattern import Unsupported, parse
from runtime import Watch
from runtime import automaton as joints
from runtime import program as rt
from runtime.automaton import Automaton
from runtime.scan import Deaf, Delimiter, Scan, Search, Words
from runtime.watch import _EachSearch
from tests.random_patterns import cut_texts, delimiters, is_read

TEXT = "x" * 8


class Placed(Delimiter):
    """A delimiter that stands where it is told to; end: -1 while it is undecided."""

    def __init__(self, start: int, end: int) -> None:
        self.span = start, end

    def scan(self) -> Scan:
        return _PlacedScan(self.span)


class _PlacedScan(Scan):
    def __init__(self, span: tuple[int, int]) -> None:
        super().__init__()
        self._span = span

    def _search(self, text: str, start: int, base: int, ended: bool) -> None:
        self.start, self.end = self._span


def first_of(*placed: Placed) -> Search:
    return Watch(*placed).search().look(TEXT, 0, 0, False)


def test_nothing_begun() -> None:
    first = first_of(Placed(8, -1))
    assert (first.found, first.start) == (None, 8)


def test_the_earliest_wins() -> None:
    early, late = Placed(1, 2), Placed(2, 8)
    for order in permutations((early, late)):
        assert first_of(*order).found is early


def test_then_the_longest() -> None:
    short, long = Placed(1, 2), Placed(1, 3)
    for order in permutations((short, long)):
        assert first_of(*order).found is long


def test_then_the_one_named_first() -> None:
    one, other = Placed(1, 3), Placed(1, 3)
    assert first_of(one, other).found is one
    assert first_of(other, one).found is other


def test_what_is_undecided_blocks_from_where_it_begins() -> None:
    winner = Placed(3, 4)
    for begun, wins in ((2, False), (3, False), (4, True), (8, True)):
        for order in permutations((winner, Placed(begun, -1))):
            first = first_of(*order)
            assert (first.found, first.start) == ((winner, 3) if wins else (None, begun))


def test_an_empty_match_wins_too() -> None:
    empty = Placed(2, 2)
    assert first_of(empty, Placed(3, 5)).found is empty
    assert first_of(empty, Placed(2, 3)).found is not empty


@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(-1, 8)).filter(lambda s: s[1] < 0 or s[0] <= s[1]), min_size=1)
)
def test_the_winner_is_the_least(spans: list[tuple[int, int]]) -> None:
    placed = [Placed(*span) for span in spans]
    first = first_of(*placed)
    hold = min([start for start, end in spans if end < 0], default=8)
    rank = sorted((one.span[0], -one.span[1], index) for index, one in enumerate(placed) if one.span[1] >= 0)
    winner = placed[rank[0][2]] if rank and rank[0][0] < hold else None
    assert first.found is winner
    assert first.start == (hold if winner is None else winner.span[0])


# -- read side by side, or each by itself ------------------------------------------------------------------------------

Step = tuple[int, int, int]  # rank of what was found (-1: nothing), start (where it may begin), end


def steps(watched: tuple[Delimiter, ...], search: Search, pieces: list[str], behind: int) -> list[Step]:
    """All that comes first, one after the other, and what is undecided after each piece and at the end, by offset."""
    taken: list[Step] = []
    held, base, at = "", 0, 0
    for piece in [*pieces, None]:
        held += piece or ""
        while search.look(held, at, base, piece is None).found is not None:
            again = search.look(held, at, base, piece is None)
            taken.append((watched.index(again.found), base + again.start, base + again.end))  # type: ignore[arg-type]
            at = max(again.end, again.start + 1)
        taken.append((-1, base + search.start, -1))
        cut = max(0, search.start - min(behind, search.start))
        held, base, at = held[cut:], base + cut, search.start - cut
    return taken


def automaton(source: str) -> Automaton:
    return Automaton(eval(expression(parse(source)), {"rt": rt}), source)


def are_regular(sources: list[str]) -> bool:
    try:
        return all(is_read(source) and bool(expression(parse(source))) for source in sources)
    except Unsupported:
        return False


@settings(max_examples=200, deadline=None)
@given(st.lists(delimiters, min_size=1, max_size=3, unique=True), cut_texts(), st.sampled_from([1, 8]))
def test_side_by_side_they_are_what_each_is_by_itself(sources: list[str], pieces: list[str], patience: int) -> None:
    assume(are_regular(sources))
    behind = max(pattern.behind(parse(source)) for source in sources)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joints, "PATIENCE", patience)
        watch = Watch(*map(automaton, sources))
        together = steps(watch.delimiters, watch.search(), pieces, behind)
        again = steps(watch.delimiters, watch.search(), pieces, behind)
    each = steps(watch.delimiters, _EachSearch(watch.delimiters), pieces, behind)
    assert together == again == each


FLOODS = [
    (["a", "x[^!z]*z"], "xa", "!"),
    (["a", "x[^!z]*z", "xa*b"], "xa", "!"),
    (["a+", r"\s*b", r"\s*c"], " \n", "a"),
    (["a(?:b*c)?", "b"], "ab", ""),
    (["(?=[^!]*!)", "a"], "a", ""),
]


class Counted(str):
    """A text that counts how many of its characters are looked at one by one."""

    looked = 0

    def __getitem__(self, index: object) -> str:
        Counted.looked += 1
        return super().__getitem__(index)  # type: ignore[index]


@pytest.mark.parametrize("ended", [False, True])
@pytest.mark.parametrize(("sources", "flood", "last"), FLOODS)
def test_what_was_read_for_one_is_not_read_again_when_another_wins(
    sources: list[str], flood: str, last: str, ended: bool
) -> None:
    def looks(size: int) -> int:
        search, text, at = Watch(*map(automaton, sources)).search(), Counted(flood * size + last), 0
        Counted.looked = 0
        while at < len(text) and search.look(text, at, 0, ended).found is not None:
            at = max(search.end, search.start + 1)
        return Counted.looked

    assert looks(400) < 5 * looks(100) + 100


def test_words_are_read_with_patterns() -> None:
    words, tag = Words("<a>", "<b>"), automaton(r"<\w>\s*!")
    search = Watch(words, tag).search()
    assert search.look("x<a>", 0, 0, False).found is None
    assert (search.start, search.look("x<a> ", 0, 0, False).found) == (1, None)
    assert search.look("x<a> y", 0, 0, False).found is words
    assert (search.start, search.end, search.captures("x<a> y")) == (1, 4, {})


def test_what_no_automaton_finds_is_searched_for_by_itself() -> None:
    watch = Watch(Words("<a>"), Deaf("(.)\\1"))
    assert watch.together is None
    search = watch.search()
    assert search.look("x<a>", 0, 0, False).found is None
    assert search.look("x<a>", 0, 0, True).found is watch.delimiters[0]


def test_long_words_that_overlap_themselves_are_no_automata() -> None:
    word, text = "a" * 10_000 + "b", "a" * 30_000
    search = Watch(Words(word), automaton("z+q")).search()
    assert (search.look(text, 0, 0, False).found, search.start) == (None, 20_000)
    assert search.look(f"{text}b", 0, 0, False).found is not None


def test_what_may_change_nothing_is_told() -> None:
    search = Watch(automaton(r"\s*<a>"), Words("<b>")).search()
    text = ""
    for _ in range(20):
        text += "\n"
        assert search.look(text, 0, 0, False).start == 0
    assert search.doze is not None
    assert search.doze("\n \n") is None
    for waking in ("x", "\n<", "<"):
        assert search.doze(waking) is not None
    assert search.look(text + "x", 0, 0, False).start == 21
    assert search.doze is None


def test_random_texts_of_real_delimiters() -> None:
    sources = [r"<\|end\|>", r"\s*<think>", r"</think>\s*", r"(?:<\|c\|>)?\s*to=(?P<n>\w+)\s*<\|m\|>"]
    watch = Watch(*map(automaton, sources))
    choose = random.Random(3)
    parts = ["<|end|>", "<think>", "</think>", " ", "\n", "to=", "x", "<|c|>", "<|m|>", "<", "</", "think>"]
    for _ in range(150):
        text = "".join(choose.choices(parts, k=12))
        size = choose.choice([1, 3, 100])
        pieces = [text[at : at + size] for at in range(0, len(text), size)]
        together = steps(watch.delimiters, watch.search(), pieces, 0)
        assert together == steps(watch.delimiters, _EachSearch(watch.delimiters), pieces, 0)
