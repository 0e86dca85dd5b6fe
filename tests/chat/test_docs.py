"""What docs/chat-templates.md shows is what the commands print; `...` stands for lines that are left out."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from compiler.__main__ import main

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "chat-templates.md").read_text(encoding="utf-8")
SHOWN = re.findall(r"^```console\n\$ respc ([^\n]*)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


def test_every_command_is_shown() -> None:
    assert {words.split()[0] for words, _ in SHOWN} == {"roundtrip", "prefix", "draft", "lint", "migrate"}


@pytest.mark.parametrize(("words", "shown"), SHOWN, ids=[words for words, _ in SHOWN])
def test_output_is_real(
    words: str, shown: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(ROOT)
    main(shlex.split(words))
    out, err = capsys.readouterr()
    at, printed = 0, (out + err).splitlines()
    for stretch in re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE):
        lines = stretch.splitlines()
        at = next(start for start in range(at, len(printed) + 1) if printed[start : start + len(lines)] == lines)
        at += len(lines)
    assert at == len(printed) or shown.endswith("...\n")
