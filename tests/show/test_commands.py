"""The commands as a user has them: examples in help, right use for wrong use, colours, pipes, Ctrl-C, completion."""

from __future__ import annotations

import contextlib
import io
import json
import os
import pty
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer.main import get_command

from compiler.__main__ import app, main
from compiler.load import names_like

ROOT = Path(__file__).parents[2]
RESPC = [sys.executable, str(ROOT / "respc.py")]
COMMANDS = sorted(get_command(app).commands)
GRAMMAR = """
grammar tiny
default role = "assistant"
anchor "A>"
field think: text { open "<think>" close "</think>" }
field calls[]: json { open "<call>" close "</call>" }
field content: text joined "" { close "<end>" }
"""
TEXT = '<think>x</think>\x1b[31m<call>{"type": "function", "function": {"name": "f", "arguments": {"n": "1"}}}</call>'
BAD = "<call>{oops</call>"
TOOL = {"name": "f", "parameters": {"properties": {"n": {"type": "integer"}}}}


@pytest.fixture(autouse=True)
def response(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("tiny.grammar").write_text(GRAMMAR)
    path = tmp_path / "response.txt"
    path.write_text(TEXT)
    return path


def trace(*words: str) -> int:
    return main(["trace", "-g", "tiny.grammar", *words])


# -- trace and diagram ------------------------------------------------------------------------------------------------


def test_trace_a_file(capsys) -> None:
    assert trace("response.txt") == 0
    said = capsys.readouterr().out
    assert '"name": "f"' in said and "held for 6 characters" in said
    assert "\x1b" not in said and "\\u001b[31m" in said


def test_trace_says_what_is_wrong(response, capsys) -> None:
    response.write_text(BAD)
    assert trace("response.txt") == 1
    assert "error: calls at 0: Expecting property name" in capsys.readouterr().out


def test_trace_generations(capsys) -> None:
    rows = [{"text": "one"}, {"text": "two</think>", "prefix": "A><think>"}]
    Path("rows.jsonl").write_text("\n\n".join(map(json.dumps, rows)) + "\n")
    assert trace("rows.jsonl") == 0
    said = capsys.readouterr().out
    assert re.findall(r"^-+ (\S+) -+$", said, re.MULTILINE) == ["rows.jsonl:1", "rows.jsonl:3"]
    assert '"think": "two"' in said


def test_trace_standard_input() -> None:
    command = [*RESPC, "trace", "-g", "tiny.grammar", "--jsonl", "--piece", "2"]
    done = subprocess.run(command, input=b'{"text": "\\u597d<"}', capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert "standard input:1" in done.stdout.decode()
    narrow = {**os.environ, "PYTHONIOENCODING": "ascii"}
    done = subprocess.run(command, input=b'{"text": "\\u597d"}', capture_output=True, check=False, env=narrow)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"\\u597d" in done.stdout


def test_trace_into_a_string() -> None:
    with contextlib.redirect_stdout(io.StringIO()) as said:
        assert trace("response.txt") == 0
    assert "<think>" in said.getvalue()


def test_trace_as_a_page(capsys) -> None:
    assert trace("response.txt", "--html", "page.html") == 0
    made = Path("page.html").read_text(encoding="utf-8")
    assert made.startswith("<!doctype html>") and "tiny.grammar: response.txt" in made
    assert trace("response.txt", "--html", "page.html") == 2
    assert capsys.readouterr() == ("", "respc: page.html: exists; name a new file\n")


def test_trace_with_tools(capsys) -> None:
    Path("tools.json").write_text(json.dumps([TOOL]))
    assert trace("response.txt", "--tools", "tools.json") == 0
    assert '"n": 1' in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "tools", "said"),
    [
        ("{", "[]", "rows.jsonl:1: Expecting"),
        ("[]", "[]", 'rows.jsonl:1: a generation is an object with a string "text"'),
        ('{"text": 1}', "[]", "rows.jsonl:1: a generation is"),
        ('{"text": "", "prefix": 1}', "[]", "rows.jsonl:1: prefix is a str"),
        ('{"text": ""}', "{", "tools.json: Expecting"),
        ('{"text": ""}', "5", "rows.jsonl:1: "),
    ],
)
def test_trace_of_what_is_none(capsys, text, tools, said) -> None:
    Path("rows.jsonl").write_text(text)
    Path("tools.json").write_text(tools)
    assert trace("rows.jsonl", "--tools", "tools.json") == 2
    assert capsys.readouterr().err.startswith(f"respc: {said}")


def test_trace_of_a_text_with_tools_that_are_none(capsys) -> None:
    Path("tools.json").write_text("5")
    assert trace("response.txt", "--tools", "tools.json") == 2
    assert capsys.readouterr().err.startswith("respc: tools: ")


def test_diagrams(tmp_path, capsys) -> None:
    assert main(["diagram", "tiny.grammar"]) == 0
    assert capsys.readouterr().out.startswith("flowchart LR\n")
    assert main(["diagram", "tiny.grammar", "--format", "svg", "-o", "tiny.svg"]) == 0
    assert ElementTree.parse("tiny.svg").getroot().tag == "{http://www.w3.org/2000/svg}svg"
    assert main(["diagram", "tiny.grammar", "--format", "png"]) == 2
    assert "'mermaid', 'svg'" in capsys.readouterr().err


# -- batches ----------------------------------------------------------------------------------------------------------


def test_parse_a_batch(capsys) -> None:
    Path("in.jsonl").write_text(json.dumps({"text": TEXT}) + "\n" + json.dumps({"text": BAD}) + "\n")
    words = ["parse", "-g", "tiny.grammar", "--workers", "1", "--batch", "in.jsonl", "-o"]
    assert main([*words, "out.jsonl"]) == 1
    assert capsys.readouterr() == ("", "respc: 2 rows in out.jsonl, 1 with an error\n")
    rows = [json.loads(line) for line in Path("out.jsonl").read_text().splitlines()]
    assert rows[0]["error"] is None and rows[0]["message"]["calls"]
    assert rows[1]["error"].startswith("calls at 0: ") and rows[1]["message"] == {"role": "assistant"}
    assert main([*words, "out.jsonl"]) == 2
    Path("tools.json").write_text("{")
    assert main([*words, "other.jsonl", "--tools", "tools.json"]) == 2
    assert "tools.json: Expecting" in capsys.readouterr().err


@pytest.mark.parametrize("more", [["--batch", "in"], ["-o", "out"], ["--batch", "in", "-o", "out", "--stream"]])
def test_half_a_batch_is_answered_with_a_whole_one(more, capsys) -> None:
    assert main(["parse", "-g", "tiny.grammar", *more]) == 2
    assert capsys.readouterr().err.startswith("respc: a batch is: respc parse -g NAME --batch ROWS.jsonl -o OUT.jsonl")


def test_a_batch_that_is_interrupted_says_how_to_go_on(capsys, monkeypatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    Path("in.jsonl").write_text(json.dumps({"text": TEXT}) + "\n")
    monkeypatch.setattr("compiler.show.batch.Batch.run", interrupted)
    assert main(["parse", "-g", "tiny.grammar", "--batch", "in.jsonl", "-o", "out.jsonl"]) == 130
    said = "respc: interrupted; out.jsonl.parts has what is done, the same command goes on\n"
    assert capsys.readouterr() == ("", said)


# -- help and wrong use -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example_that_can_be_typed(command, capsys) -> None:
    assert main([command, "--help"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    program, name, *words = shlex.split(said[said.index("Example: ") + len("Example: ") :])
    assert (program, name) == ("respc", command)
    assert get_command(app).commands[name].make_context(name, words).params


@pytest.mark.parametrize("command", COMMANDS)
def test_wrong_use_is_answered_with_the_right_one(command, capsys) -> None:
    assert main([command, "--no-such-option"]) == 2
    said = capsys.readouterr().err
    assert f"\nExample: respc {command}" in said
    assert "No such option: --no-such-option" in said


def test_a_command_that_is_misspelt(capsys) -> None:
    assert main(["trase"]) == 2
    assert "Did you mean 'trace'" in capsys.readouterr().err


# -- terminals, pipes, signals, shells --------------------------------------------------------------------------------


def at_a_terminal(*words: str, **environment: str) -> str:
    """What a command writes to a terminal of 120 columns."""
    leader, follower = pty.openpty()
    plain = {key: value for key, value in os.environ.items() if key not in ("NO_COLOR", "FORCE_COLOR", "CI")}
    given = {**plain, "TERM": "xterm-256color", "COLUMNS": "120", **environment}
    running = subprocess.Popen([*RESPC, *words], stdout=follower, stdin=subprocess.DEVNULL, env=given)
    os.close(follower)
    data = b""
    try:
        while piece := os.read(leader, 1 << 16):
            data += piece
    except OSError:  # how Linux says that nobody is at the other end any more
        pass
    os.close(leader)
    assert running.wait() == 0
    return data.decode()


def test_colours_at_a_terminal_unless_they_are_unwanted() -> None:
    words = ("trace", "-g", "tiny.grammar", "response.txt")
    assert re.search(r"\x1b\[[\d;]*3[1-6]m", at_a_terminal(*words))
    plain = at_a_terminal(*words, NO_COLOR="1")
    assert not re.search(r"\x1b\[[\d;]*3[1-7]m", plain)
    assert "<think>" in plain


@pytest.mark.parametrize("words", [("explain",), ("trace", "response.txt", "-g"), ("diagram",)])
def test_a_reader_that_goes_away_is_no_error(response, words) -> None:
    response.write_text("<think>x</think>" * 500)
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([*RESPC, *words, "tiny.grammar"], stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


def test_a_reader_that_has_gone_when_all_is_said(capfd, monkeypatch) -> None:
    class Gone:
        encoding = "utf-8"

        def __getattr__(self, name: str) -> object:
            return getattr(sys.__stdout__, name)

        def fileno(self) -> int:
            return os.dup(1)

        def flush(self) -> None:
            raise BrokenPipeError

    monkeypatch.setattr(sys, "stdout", Gone())
    assert main(["check", "tiny.grammar"]) == 1


def test_ctrl_c_while_it_waits_for_a_response() -> None:
    command = [*RESPC, "parse", "-g", "tiny.grammar", "--stream", "--events"]
    heard = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}  # jobs in the background ignore it
    running = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **heard)
    assert running.stdin and running.stdout
    running.stdin.write(b"Hi")
    running.stdin.flush()
    assert b"region_open" in running.stdout.readline()
    running.send_signal(signal.SIGINT)
    _, said = running.communicate()
    assert (running.returncode, said) == (130, b"")


def completed(line: str) -> list[str]:
    words = line.split(" ")
    asked = {"_RESPC_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1)}
    done = subprocess.run(RESPC, capture_output=True, text=True, env={**os.environ, **asked}, cwd=ROOT, check=False)
    return done.stdout.split()


def test_shells_complete_commands_options_and_grammars() -> None:
    assert completed("respc tra") == ["trace"]
    assert completed("respc trace --ht") == ["--html"]
    assert completed("respc trace -g smol") == ["smollm3"]
    assert completed("respc diagram grammars/smol") == ["grammars/smollm3.grammar"]


def test_names_to_complete(monkeypatch) -> None:
    Path("grammars").mkdir()
    Path("grammars", "mine.grammar").write_text(GRAMMAR)
    assert names_like("grammars/") == ["grammars/mine.grammar"]
    assert {"smollm3", "grammars/mine.grammar"} <= set(names_like(""))
    assert names_like("no such") == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_completion_can_be_had(shell) -> None:
    asked = {**os.environ, "_RESPC_COMPLETE": f"source_{shell}"}
    done = subprocess.run(RESPC, capture_output=True, text=True, check=False, env=asked)
    assert done.returncode == 0
    assert f"_RESPC_COMPLETE=complete_{shell}" in done.stdout
