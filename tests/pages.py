"""A page of docs/ as a reader follows it: in goes a page, out comes a folder in which all of it was done, in order.

A block of ```console is run command by command: `$ cat FILE` is the reader's own file, written, and written anew where
the page shows it changed; a file that a command made is compared instead. `$ respc ...` and `$ python examples/...` are
run in this process, and what they print is compared; `...` alone on a line stands for lines that are left out. A block
of ```python is a session when it begins with >>>, else a script; all of a page share their names. Invariant: a
block that nothing runs or checks is refused, so a page cannot show what nobody tried.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import re
import runpy
import shlex
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from compiler.__main__ import main

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
HANDLED_ELSEWHERE = {"{toctree}", "grammar", "reads", "sh", "text", "yaml"}


def blocks(text: str) -> list[tuple[str, str]]:
    """The fenced blocks of a page: language and text."""
    return re.findall(r"^```([^\n`]*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


@dataclass
class Reader:
    """Follows a page in a folder of its own, which is the current one and on Python's path. ran: commands, by name."""

    folder: Path
    names: dict[str, Any] = field(default_factory=dict)
    own: set[Path] = field(default_factory=set)
    ran: list[str] = field(default_factory=list)

    def follow(self, page: str) -> None:
        shutil.copytree(ROOT / "examples", self.folder / "examples")
        for language, block in blocks(page):
            if language == "console":
                self.console(block)
            elif language == "python":
                self.python(block)
            else:
                assert language in HANDLED_ELSEWHERE, language

    def console(self, block: str) -> None:
        assert block.startswith("$ "), block
        for entry in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            line, _, below = entry.partition("\n")
            program, *words = shlex.split(line)
            if program == "cat":
                self.cat(Path(words[0]), below)
                continue
            if program == "python":
                assert words[0].startswith("examples/"), line
                printed = self.printed(words, run_example)
            else:
                assert program == "respc", line
                self.ran.append(words[0])
                printed = self.printed(words)
            assert is_shown(printed, below), f"{line}\n{printed}"

    def printed(self, words: list[str], run: Callable[[list[str]], object] = main) -> str:
        """What a command prints, in the order in which it does."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            run(words)
        return "".join(f"{line.rstrip()}\n" for line in out.getvalue().splitlines())

    def cat(self, path: Path, below: str) -> None:
        if path.exists() and path not in self.own:
            assert is_shown(path.read_text(encoding="utf-8"), below), f"{path}\n{path.read_text(encoding='utf-8')}"
            return
        self.own.add(path)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(below, encoding="utf-8")

    def python(self, block: str) -> None:
        if not block.startswith(">>>"):
            exec(compile(block, "<page>", "exec"), self.names)
            return
        session = doctest.DocTestParser().get_doctest(block, {}, "page", None, 0)
        session.globs = self.names
        said = io.StringIO()
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
        runner.run(session, out=said.write, clear_globs=False)
        assert not said.getvalue(), said.getvalue()


def run_example(words: list[str]) -> None:
    """Run a file as Python does, with the words behind it."""
    with patch.object(sys, "argv", words):
        runpy.run_path(words[0], run_name="__main__")


def is_shown(printed: str, shown: str) -> bool:
    """Whether `shown` is `printed`, with `...` for some of its lines."""
    parts = [re.escape(part) for part in re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)]
    return re.fullmatch("(?:.*\n)*".join(parts), printed) is not None
