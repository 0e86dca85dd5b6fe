"""A stream that does not end: what a parser holds is what its message holds, and parsers do not meet. See soak.py."""

from __future__ import annotations

import tracemalloc

import pytest

from generated import gpt_oss, qwen3, smollm3
from runtime.options import Limits
from tests.soak import alone, in_turns, interleaved, soak, tokens

PIECES = 6_000


@pytest.mark.parametrize("options", [{}, {"spans": True}, {"limits": Limits()}], ids=["plain", "spans", "limits"])
def test_memory_is_a_constant_and_twice_the_text_kept(options: dict[str, object]) -> None:
    soak(qwen3, 3_000)
    short, long = soak(qwen3, PIECES, **options), soak(qwen3, 4 * PIECES, **options)
    assert long.regions > 4 * short.regions - 5 > 100
    # A call is kept as dicts, which weigh more than its text: what counts is that nothing else grows.
    assert long.grown < 4.4 * short.grown + 50_000


def test_text_that_no_field_takes_is_not_kept() -> None:
    kept = soak(gpt_oss, 2 * PIECES)
    assert kept.text < 100
    assert kept.grown < 100_000


def test_an_open_region_holds_at_most_twice_its_text() -> None:
    parser = qwen3.Parser(prefix="")
    parser.feed("<think>")
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    for _ in range(PIECES):
        parser.feed("abcdefghij")
    most = tracemalloc.get_traced_memory()[1] - before
    tracemalloc.stop()
    assert most < 2 * 10 * PIECES + 10_000


def test_parsers_side_by_side_do_not_meet() -> None:
    modules = [qwen3, smollm3, qwen3, smollm3]
    expected = [alone(module, PIECES // 6) for module in modules]
    assert interleaved(modules, PIECES // 6) == expected
    assert in_turns(modules, PIECES // 6) == expected


def test_the_stream_has_the_pieces_that_were_asked_for() -> None:
    assert sum(1 for _ in tokens(1234)) == 1234
