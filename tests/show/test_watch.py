"""The watch: at each look a grammar's errors and warnings, its cases, and how their events changed."""

from __future__ import annotations

import json
import re
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from compiler import compile_grammar
from compiler.__main__ import main
from compiler.show import watch
from compiler.show.watch import Look
from tests.examples import MODELS

ROOT = Path(__file__).parents[2]
GRAMMAR = 'grammar tiny\nanchor "A>"\nfield n: int { open "<n>" close "</n>" }\nfield content: text joined "" {}\n'
MADE = compile_grammar(GRAMMAR)
CASE = {"prefix": "A>", "text": "a<n>1</n>b", "message": {"content": "ab", "n": 1}}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grammars").mkdir()
    (tmp_path / "grammars" / "tiny.grammar").write_text(GRAMMAR)
    put(tmp_path, "one", CASE)
    return tmp_path


def put(project: Path, name: str, case: Any) -> None:
    folder = project / "tests" / "cases" / "tiny"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.json").write_text(case if isinstance(case, str) else json.dumps(case))


def look() -> Look:
    return Look(Path("grammars/tiny.grammar"), Path("tests/cases"))


def test_all_is_well(project: Path) -> None:
    watched = look()
    assert list(watched.again()) == ["grammars/tiny.grammar: 1 case, 0 wrong"]
    assert list(watched.again()) == ["grammars/tiny.grammar: 1 case, 0 wrong"]
    assert watched.name == "tiny"


def test_a_change_shows_as_a_diff_of_events_once(project: Path) -> None:
    watched = look()
    list(watched.again())
    (project / "grammars" / "tiny.grammar").write_text(GRAMMAR.replace("n: int", "n: text"))
    first, second = list(watched.again()), list(watched.again())
    assert first[:2] == ["--- one (before)", "+++ one (now)"]
    assert '-    region_close {"field": "n", "value": 1}' in first
    assert '+    region_close {"field": "n", "value": "1"}' in first
    assert first[-1] == "grammars/tiny.grammar: 1 case, 1 wrong, 1 with other events than before"
    assert second[0] == "--- one: message, as it should be"
    assert '+  "n": "1"' in second
    assert second[-1] == "grammars/tiny.grammar: 1 case, 1 wrong"


def test_what_is_wrong_with_a_grammar(project: Path) -> None:
    watched, path = look(), project / "grammars" / "tiny.grammar"
    path.write_text(GRAMMAR.replace("field n", "feild n"))
    (said,) = watched.again()
    assert said.startswith("grammars/tiny.grammar:3:1: error[")
    path.write_text(GRAMMAR.replace(' joined ""', ""))
    assert next(watched.again()).startswith("grammars/tiny.grammar:4:1: warning[overwritten]")
    path.unlink()
    assert list(watched.again()) == ["grammars/tiny.grammar: No such file or directory"]
    path.write_text(GRAMMAR)
    assert list(watched.again())[-1].startswith("grammars/tiny.grammar: 1 case, 0 wrong")


@pytest.mark.parametrize("case", ["{", "[1]", '{"prefix": "", "text": 1, "message": {}}', '{"prefix": "", "text": ""}'])
def test_cases_that_are_none(project: Path, case: str) -> None:
    put(project, "two", case)
    said = list(look().again())
    assert said[0].startswith("tests/cases/tiny/two.json: ")
    assert said[-1] == "grammars/tiny.grammar: 1 case, 0 wrong"


def test_a_file_may_hold_a_list_of_cases(project: Path) -> None:
    put(project, "two", [CASE, {**CASE, "message": {}}])
    said = list(look().again())
    assert said[0] == "--- two-1: message, as it should be"
    assert said[-1] == "grammars/tiny.grammar: 3 cases, 1 wrong"


def test_errors_are_part_of_a_case(project: Path) -> None:
    bad = {"prefix": "", "text": "<n>x</n>", "message": {}}
    put(project, "bad", bad)
    assert 'bad: error should be null, is {"field": "n", "text": "x"}' in list(look().again())
    put(project, "bad", {**bad, "error": {"field": "n", "text": "x"}})
    assert list(look().again())[-1] == "grammars/tiny.grammar: 2 cases, 0 wrong"


def test_at_first_the_committed_module_is_what_was_before(project: Path, monkeypatch) -> None:
    committed = compile_grammar(GRAMMAR.replace("n: int", "n: text"))
    monkeypatch.setattr(watch, "generated_module", {"tiny": committed}.get)
    said = list(look().again())
    assert said[:2] == ["--- one (before)", "+++ one (now)"]
    assert '-    region_close {"field": "n", "value": "1"}' in said
    assert said[-1] == "grammars/tiny.grammar: 1 case, 0 wrong, 1 with other events than before"


@pytest.mark.parametrize("model", MODELS)
def test_the_cases_that_are_shipped_are_read(model: str) -> None:
    cases = ROOT / "tests" / "cases"
    *_, last = Look(ROOT / "grammars" / f"{model}.grammar", cases).again()
    read = [json.loads(path.read_bytes()) for path in (cases / model).glob("*.json")]
    found = sum(len(one) if isinstance(one, list) else 1 for one in read)
    assert re.search(rf": {found} cases?, \d+ wrong", last)


def test_the_command_looks_again_at_what_is_saved(project, monkeypatch, capsys) -> None:
    watchfiles = pytest.importorskip("watchfiles")
    grammars, cases = project / "grammars", project / "tests" / "cases"
    folders: list[tuple[Path, ...]] = []

    def fake(*paths: Path) -> Any:
        folders.append(paths)
        capsys.readouterr()
        yield {(2, str(grammars / "other.txt"))}
        said.append(capsys.readouterr().out)
        yield {(2, str(grammars / "tiny.grammar"))}
        said.append(capsys.readouterr().out)
        put(project, "two", CASE)
        yield {(1, str(cases / "tiny" / "two.json"))}
        said.append(capsys.readouterr().out)
        (grammars / "more.grammar").write_text(GRAMMAR.replace("tiny", "more\x1b").replace("\x1b", ""))
        yield {(1, str(grammars / "more.grammar"))}
        said.append(capsys.readouterr().out)
        raise KeyboardInterrupt

    said: list[str] = []
    monkeypatch.setattr(watchfiles, "watch", fake)
    assert main(["watch"]) == 0
    assert folders == [(grammars, cases)]
    assert said == [
        "",
        "grammars/tiny.grammar: 1 case, 0 wrong\n",
        "grammars/tiny.grammar: 2 cases, 0 wrong\n",
        "grammars/more.grammar: 0 cases, 0 wrong; they go into tests/cases/more/\n",
    ]


def test_a_grammar_is_looked_at_again_when_its_base_is_saved(project, monkeypatch, capsys) -> None:
    watchfiles = pytest.importorskip("watchfiles")
    own, base = project / "grammars" / "own.grammar", project / "grammars" / "tiny.grammar"
    own.write_text("grammar own\nextends tiny\n")
    said: list[str] = []

    def fake(*paths: Path) -> Any:
        for text in (GRAMMAR, "grammar tiny", GRAMMAR):
            capsys.readouterr()
            base.write_text(text)
            yield {(2, str(base))}
            said.append(capsys.readouterr().out)

    monkeypatch.setattr(watchfiles, "watch", fake)
    assert main(["watch", "grammars/own.grammar"]) == 0
    good = "grammars/own.grammar: 0 cases, 0 wrong; they go into tests/cases/own/\n"
    assert said[::2] == [good, good]
    assert said[1].startswith("grammars/tiny.grammar:1:9: error[no-anchor]")


def test_only_what_is_named_is_watched(project, monkeypatch, capsys) -> None:
    watchfiles = pytest.importorskip("watchfiles")

    def fake(*paths: Path) -> Any:
        assert paths == (project / "grammars",)
        capsys.readouterr()
        (project / "grammars" / "more.grammar").write_text(GRAMMAR.replace("tiny", "more"))
        yield {(1, str(project / "grammars" / "more.grammar"))}

    monkeypatch.setattr(watchfiles, "watch", fake)
    assert main(["watch", "grammars/tiny.grammar", "--cases", "none"]) == 0
    assert capsys.readouterr().out == ""


def test_one_look_says_by_its_exit_code_what_it_found(project, monkeypatch, capsys) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)  # it needs no watch
    assert main(["watch", "--once"]) == 0
    assert capsys.readouterr().out == "grammars/tiny.grammar: 1 case, 0 wrong\n"
    put(project, "two", CASE | {"message": {}})
    assert main(["watch", "--once"]) == 1
    assert capsys.readouterr().out.endswith("grammars/tiny.grammar: 2 cases, 1 wrong\n")
    put(project, "two", "none")
    assert main(["watch", "--once"]) == 1
    (project / "tests" / "cases" / "tiny" / "two.json").unlink()
    (project / "grammars" / "tiny.grammar").write_text("grammar tiny")
    assert main(["watch", "--once"]) == 1


def test_watching_needs_its_extra(project, monkeypatch, capsys) -> None:
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    assert main(["watch"]) == 2
    assert capsys.readouterr().err == "respc: watching needs watchfiles: pip install 'respc[watch]'\n"


def test_a_file_that_is_saved_is_noticed_and_ctrl_c_is_the_end(project: Path) -> None:
    command = [sys.executable, str(ROOT / "respc.py"), "watch", "grammars/tiny.grammar"]
    heard = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}  # jobs in the background ignore it
    running = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=project, bufsize=0, **heard)
    assert running.stdout
    assert running.stdout.readline() == b"grammars/tiny.grammar: 1 case, 0 wrong\n"
    assert running.stdout.readline() == b"watching; Ctrl-C ends it\n"
    for number in range(100):  # the first save may come before the watch has begun
        (project / "grammars" / "tiny.grammar").write_text(GRAMMAR.replace("<n>", "<m>" if number % 2 == 0 else "<n>"))
        if select.select([running.stdout], [], [], 1)[0]:
            break
    said = [running.stdout.readline()]
    while said[-1] and not said[-1].startswith(b"grammars/tiny.grammar: 1 case, "):
        said.append(running.stdout.readline())
    running.send_signal(signal.SIGINT)
    _, err = running.communicate()
    assert said[0] in (b"--- one (before)\n", b"grammars/tiny.grammar: 1 case, 0 wrong\n") and said[-1]
    assert (running.returncode, err) == (0, b"")
