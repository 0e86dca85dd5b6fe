"""tests/fuzz: what a fuzzer has found stays mended, and its targets take what the fuzzer starts with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.__main__ import FINDS, seeds
from tests.fuzz.__main__ import TARGETS as NAMES
from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize(
    "path", sorted(path for path in FINDS.rglob("*") if path.is_file()), ids=lambda path: path.name
)
def test_what_was_found_is_mended(path: Path) -> None:
    TARGETS[path.parent.name](path.read_bytes())


@pytest.mark.parametrize("name", NAMES)
def test_a_target_takes_its_seeds(name: str) -> None:
    assert list(TARGETS) == list(NAMES)
    taken = 0
    for seed in seeds(name):
        TARGETS[name](seed)
        taken += 1
    assert taken > 5
