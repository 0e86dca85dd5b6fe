"""docs/tools.md: every command on it is run, in order, and says what stands there."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from compiler.__main__ import main
from compiler.show.watch import Look

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tools.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def commands() -> list[tuple[list[str], str]]:
    """The words of each command, and what stands below it."""
    found = []
    for language, block in BLOCKS:
        for entry in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:] if language == "console" else ():
            line, _, below = entry.partition("\n")
            found.append((shlex.split(line), below))
    return found


def test_the_commands_say_what_stands_below_them(tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "110")
    ran = set()
    for (program, *words), below in commands():
        if program == "cat":
            path = Path(words[0])
            if path.exists():
                assert path.read_text() == below
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(below)
            continue
        assert program == "respc"
        main(words)
        out, err = capsys.readouterr()
        assert [line.rstrip() for line in (out + err).splitlines()] == below.splitlines(), words
        ran.add(words[0])
    assert ran == {"trace", "diagram", "parse", "check"}
    watch(tmp_path)


def watch(project: Path) -> None:
    text = (project / "ask.grammar").read_text()
    (project / "grammars").mkdir()
    (project / "grammars" / "ask.grammar").write_text(text)
    look = Look(Path("grammars/ask.grammar"), Path("tests/cases"))
    said = [*look.again(), "watching; Ctrl-C ends it"]
    (project / "grammars" / "ask.grammar").write_text(text.replace("calls[]: json", "calls[]: text"))
    said += look.again()
    assert [block for language, block in BLOCKS if language == "text"] == ["\n".join(said) + "\n"]


@pytest.mark.parametrize("name", re.findall(r"\]\((?!http)([\w./]*)\)", PAGE))
def test_links_lead_somewhere(name: str) -> None:
    assert (ROOT / "docs" / name).is_file()
