"""The first of several delimiters: the earliest, then the longest, then the one weighed first; or what to hold."""

from __future__ import annotations

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from runtime import First
from runtime.scan import Scan, Words

TEXT = "x" * 8


def found(start: int, end: int) -> Scan:
    """A search that stands where it is told to; end: -1 while it is undecided."""
    scan = Words("x").scan()
    scan.start, scan.end = start, end
    return scan


def weighed(*scans: Scan) -> First:
    first = First(TEXT)
    for scan in scans:
        assert first.weigh(scan) is scan
    return first


def test_nothing_to_weigh() -> None:
    first = weighed(found(8, -1))
    assert (first.decided(), first.hold) == (None, 8)


def test_the_earliest_wins() -> None:
    early, late = found(1, 2), found(2, 8)
    for order in permutations((early, late)):
        assert weighed(*order).decided() is early


def test_then_the_longest() -> None:
    short, long = found(1, 2), found(1, 3)
    for order in permutations((short, long)):
        assert weighed(*order).decided() is long


def test_then_the_one_weighed_first() -> None:
    one, other = found(1, 3), found(1, 3)
    assert weighed(one, other).decided() is one
    assert weighed(other, one).decided() is other


def test_what_is_undecided_blocks_from_where_it_begins() -> None:
    winner = found(3, 4)
    for begun, wins in ((2, False), (3, False), (4, True), (8, True)):
        for order in permutations((winner, found(begun, -1))):
            first = weighed(*order)
            assert first.decided() is (winner if wins else None)
            assert first.hold == begun


def test_an_empty_match_wins_too() -> None:
    empty = found(2, 2)
    assert weighed(empty, found(3, 5)).decided() is empty
    assert weighed(empty, found(2, 3)).decided() is not empty


@given(
    st.lists(st.tuples(st.integers(0, 8), st.integers(-1, 8)).filter(lambda s: s[1] < 0 or s[0] <= s[1]), min_size=1)
)
def test_the_winner_is_the_least(spans: list[tuple[int, int]]) -> None:
    scans = [found(*span) for span in spans]
    first = weighed(*scans)
    hold = min([start for start, end in spans if end < 0], default=8)
    assert first.hold == hold
    rank = sorted((scan.start, -scan.end, index) for index, scan in enumerate(scans) if scan.end >= 0)
    winner = scans[rank[0][2]] if rank and rank[0][0] < hold else None
    assert first.decided() is winner
