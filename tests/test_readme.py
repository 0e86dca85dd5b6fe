"""What the README shows is what there is: the grammar, the piece of its module, the calls, the commands; and
ARCHITECTURE.md has a place for every file.
"""

from __future__ import annotations

import doctest
import fnmatch
import re
import textwrap
from pathlib import Path

import pytest
from typer.main import get_command

from compiler.__main__ import app

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
SHELL = "".join(block for language, block in BLOCKS if language == "sh")


def test_the_grammar_is_the_one_of_the_repository() -> None:
    grammar = (ROOT / "grammars" / "smollm3.grammar").read_text(encoding="utf-8")
    assert [block for language, block in BLOCKS if language == ""] == [grammar]


def test_the_piece_of_a_module_stands_in_it() -> None:
    module = (ROOT / "generated" / "smollm3.py").read_text(encoding="utf-8")
    pieces = [block for language, block in BLOCKS if language == "python" and not block.startswith(">>>")]
    assert len(pieces) == 1
    assert textwrap.indent(pieces[0], "    ") in module


def test_the_calls_give_what_is_shown() -> None:
    calls = "".join(block for language, block in BLOCKS if language == "python" and block.startswith(">>>"))
    examples = doctest.DocTestParser().get_doctest(calls, {}, "README.md", "README.md", 0)
    assert len(examples.examples) > 5
    assert doctest.DocTestRunner(verbose=False).run(examples).failed == 0


def test_the_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    shown = set(re.findall(r"^make (\w+)", SHELL, re.MULTILINE))
    assert shown == {"demo", "test"}
    for target in shown | set(re.findall(r"`make (\w+)", README)):
        assert re.search(rf"^{target}:.*## ", makefile, re.MULTILINE)


def test_the_commands_and_their_options_exist() -> None:
    commands = get_command(app).commands
    lines = re.findall(r"^respc (\w+)(.*)$", SHELL, re.MULTILINE)
    assert {name for name, _ in lines} == set(commands)
    for name, rest in lines:
        known = {option for parameter in commands[name].params for option in parameter.opts}
        assert set(re.findall(r"(?<=\s)--?[a-z]+", rest)) <= known


@pytest.mark.parametrize("name", re.findall(r"\]\((\w[\w./]*)\)", README))
def test_links_lead_somewhere(name: str) -> None:
    assert (ROOT / name).is_file()


@pytest.mark.parametrize("folder", ["compiler", "runtime"])
def test_every_file_has_its_place_in_the_architecture(folder: str) -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    named = [name.removeprefix(f"{folder}/") for name in re.findall(r"`([\w/*]+\.(?:py|lark))`", text)]
    files = [path.name for path in (ROOT / folder).iterdir() if path.suffix in (".py", ".lark")]
    assert not [
        file for file in files if file != "__init__.py" and not any(fnmatch.fnmatch(file, name) for name in named)
    ]


def test_every_file_of_the_architecture_exists() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for name in re.findall(r"`([\w/]+\.(?:py|lark))`", text):
        assert any((ROOT / folder / name).is_file() for folder in (".", "compiler", "runtime")), name
