"""What attackers tried who did not write the compiler: code, files, time, memory, lost text, foreign exceptions."""

from __future__ import annotations

import time

import pytest

from generated import qwen3
from runtime import Limits, ParseError

SECOND = 1.0  # of CPU time, which no worker may hang; what is measured takes a tenth


# -- time ----------------------------------------------------------------------------------------------------------


def test_a_small_limit_does_not_copy_a_long_text_piece_by_piece() -> None:
    text = "a" * 8_000_000
    began = time.process_time()
    assert qwen3.parse(text, prefix="", limits=Limits(region=100, regions=9), on_error="keep") == {"role": "assistant"}
    assert time.process_time() - began < SECOND


def test_errors_within_a_limit_do_not_copy_what_follows_again_and_again() -> None:
    count = 3_000
    parser = qwen3.Parser(prefix="", bad="raise", limits=Limits(region=150))
    pieces = ["<tool_call>!</tool_call>" * count + "a" * 4_000_000, *[""] * (count - 1), "b"]
    errors = []
    began = time.process_time()
    for piece in pieces:
        try:
            parser.feed(piece)
        except ParseError as error:
            errors.append(error)
    assert len(errors) == count
    assert time.process_time() - began < SECOND
    with pytest.raises(TypeError):
        parser.feed(None)  # which loses nothing
