"""docs/: what its pages show is what happens; each is followed from top to bottom, as a reader would (pages.py).

docs/language.md has its own tests in test_language.py, of a grammar and what it reads.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import transformers
from typer.main import get_command

from compiler.__main__ import app
from compiler.show.watch import Look
from tests.pages import DOCS, ROOT, Reader, blocks, is_shown
from tests.tiny_tokenizer import tiny_tokenizer

PAGES = sorted(path.name for path in DOCS.glob("*.md"))
TEXTS = {name: (DOCS / name).read_text(encoding="utf-8") for name in PAGES}
SHOWN = {
    "chat-templates.md": {"roundtrip", "prefix", "draft", "lint", "migrate"},
    "new-family.md": {"check", "watch"},
    "serving.md": {"facts"},
    "tools.md": {"trace", "diagram", "parse", "check"},
    "writing.md": {"check", "parse", "trace", "watch", "generate", "explain"},
}
TEMPLATE = {
    "start_anchor": "<bot>",
    "fields": {"thinking": {"open": "<think>", "close": "</think>"}, "content": {}},
}


@pytest.fixture
def reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("COLUMNS", "110")
    yield Reader(tmp_path)
    for name in [name for name in sys.modules if name.split(".")[0] == "parsers"]:
        del sys.modules[name]


@pytest.mark.parametrize("name", sorted(set(PAGES) - {"threats.md", "transformers.md"}))
def test_a_page_shows_what_happens(name: str, reader: Reader) -> None:
    reader.follow(TEXTS[name])
    assert set(reader.ran) >= SHOWN.get(name, set())


def test_the_limits_that_are_shown_can_be_set(reader: Reader) -> None:
    from generated.smollm3 import Parser

    reader.names |= {"Parser": Parser, "prompt": ""}
    reader.follow(TEXTS["threats.md"])
    assert reader.names["parser"].finalize() == ({"role": "assistant"}, [])


def test_the_way_through_transformers(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    tokenizer = tiny_tokenizer(TEMPLATE)
    tokenizer.save_pretrained("path/to/checkpoint")
    prompt, answer = tokenizer.encode("<bot><think>"), tokenizer.encode("Hm.</think>Yes.")
    shown: list[dict[str, Any]] = []

    class Streamer(list[str]):
        """Pieces of the answer, as a thread that generates would put them."""

        def __init__(self, tokenizer: Any, **_: bool) -> None:
            super().__init__(["Hm.</th", "ink>Yes."])

    monkeypatch.setattr(transformers, "TextIteratorStreamer", Streamer)
    reader.names |= {"output_ids": answer, "input_ids": prompt, "show": shown.append}
    reader.names |= {"batch": [answer, answer], "prompts": [prompt, prompt]}
    page = TEXTS["transformers.md"]
    before, streamed = page.split("## While the model writes")
    reader.follow(before)
    assert reader.names["message"] == {"thinking": "Hm.", "content": "Yes."}
    reader.names["input_ids"] = [prompt]
    for language, block in blocks(streamed):
        if language == "python":
            reader.python(block)
    assert reader.names["message"] == {"thinking": "Hm.", "content": "Yes."}
    assert [event["type"] for event in shown if event["type"] != "region_chunk"][:2] == ["region_open", "region_close"]


def test_the_watch_says_what_is_shown(reader: Reader) -> None:
    reader.follow(TEXTS["tools.md"])
    text = Path("ask.grammar").read_text()
    grammar = Path("grammars/ask.grammar")
    grammar.parent.mkdir()
    grammar.write_text(text)
    look = Look(grammar, Path("tests/cases"))
    said = [*look.again(), "watching; Ctrl-C ends it"]
    grammar.write_text(text.replace("calls[]: json", "calls[]: text"))
    said += look.again()
    assert [block for language, block in blocks(TEXTS["tools.md"]) if language == "text"] == ["\n".join(said) + "\n"]


@pytest.mark.parametrize("name", [name for name in PAGES if "```sh\n" in TEXTS[name]])
def test_what_is_typed_into_a_shell_is_there(name: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    extras = re.findall(r"^(\w+) = \[", (ROOT / "pyproject.toml").read_text(encoding="utf-8"), re.MULTILINE)
    for line in "".join(block for language, block in blocks(TEXTS[name]) if language == "sh").splitlines():
        program, *words = shlex.split(line)
        if program == "make":
            assert all(re.search(rf"^{word}:.*## ", makefile, re.MULTILINE) for word in words if "=" not in word), line
        elif program == "respc":
            assert words[0] in get_command(app).commands, line
        elif program == "pip":
            assert set(re.findall(r"\[(\w+)\]", line)) <= set(extras), line
        elif program == "python":
            assert (ROOT / f"{words[words.index('-p') + 1].replace('.', '/')}.py").is_file(), line
        else:
            assert line == ". .venv/bin/activate"


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name: str) -> None:
    for target, anchor in re.findall(r"\]\((?!https?:)([\w./-]*)(?:#([\w-]+))?\)", TEXTS[name]):
        path = (DOCS / target).resolve() if target else DOCS / name
        if target in ("diagnostics.md", "families/index.md"):
            continue  # made by the build
        assert path.is_file(), target
        if anchor:
            heads = re.findall(r"^#+ (.*)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert anchor in [re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads], anchor


def test_lines_may_be_left_out_and_nothing_else() -> None:
    assert is_shown("a\nb\nc\n", "a\n...\nc\n")
    assert is_shown("a\nb\n", "a\n...\n")
    assert not is_shown("a\nb\n", "a\n")
    assert not is_shown("a\nb\n", "...\na\n")


def test_a_page_that_shows_something_else_is_found_out(reader: Reader) -> None:
    page = "```console\n$ cat a.grammar\ngrammar a\n$ respc check a.grammar\n```\n"
    with pytest.raises(AssertionError, match="no-anchor"):
        reader.follow(page)
    for wrong in ("```python\n>>> 1 + 1\n3\n```\n", "```fortran\nEND\n```\n"):
        (reader.folder / "examples").rename(reader.folder / f"examples{len(wrong)}")
        with pytest.raises(AssertionError):
            reader.follow(wrong)
