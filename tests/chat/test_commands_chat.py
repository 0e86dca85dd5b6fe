"""The commands about chat templates: what they print, and their exit codes."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from compiler import commands_chat
from compiler.__main__ import main
from compiler.model import Grammar
from compiler.parse import parse

from .templates import GRAMMAR, JSON, PLAIN, folder


@pytest.fixture
def model(tmp_path: Path) -> Path:
    return folder(tmp_path / "model", tokenizer_config__json={"bos_token": "<s>"}, chat_template__jinja=JSON)


@pytest.fixture
def grammar(tmp_path: Path) -> Path:
    path = tmp_path / "json_calls.grammar"
    path.write_text(GRAMMAR)
    return path


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    return code, out, err


def test_roundtrip(capsys: pytest.CaptureFixture[str], model: Path, grammar: Path) -> None:
    code, out, _ = run(capsys, "roundtrip", grammar, model, "--deep", "5")
    lines = out.splitlines()
    assert code == 0
    assert lines[0].startswith("the chat template prints content as a string, reasoning, calls")
    assert lines[2].split()[:4] == ["sent", "refused", "reachable", "compared"]
    assert lines[-3].startswith("all ")
    assert lines[-2].startswith("text law: ")
    assert lines[-1] == "deep: none of 5 generated messages is the grammar's fault"


def test_roundtrip_fails(capsys: pytest.CaptureFixture[str], model: Path, grammar: Path) -> None:
    grammar.write_text(GRAMMAR.replace("tool_calls[]: json", "tool_calls[]: text"))
    code, out, _ = run(capsys, "roundtrip", grammar, model, "--deep", "30")
    assert code == 1
    assert "grammar: call, single turn, thinking off: the message differs" in out
    assert "grammar: deep, single turn" in out


def test_prefix(capsys: pytest.CaptureFixture[str], model: Path, grammar: Path) -> None:
    code, out, _ = run(capsys, "prefix", grammar, model)
    assert code == 0
    assert 'tool result  default   "<think>\\n"                reasoning_content  yes' in out
    grammar.write_text(GRAMMAR.replace("im_start", "turn"))
    code, out, _ = run(capsys, "prefix", grammar, model)
    assert code == 1
    assert "warning: the prompt does not contain the anchor" in out


def test_draft(capsys: pytest.CaptureFixture[str], tmp_path: Path, model: Path) -> None:
    code, out, _ = run(capsys, "draft", model)
    assert code == 0
    assert parse(out, "draft").name == "model"
    assert "\n# the chat template prints" in out
    assert "\n# text law: " in out
    file = tmp_path / "new.grammar"
    code, out, err = run(capsys, "draft", model, "-o", file, "--name", "mine")
    assert (code, out) == (0, "")
    assert re.fullmatch(rf"wrote {re.escape(str(file))}: (\d+) of \1 messages come back; review it\n", err)
    assert parse(file.read_text(), "draft").name == "mine"
    assert run(capsys, "draft", model, "-o", file)[0] == 2


def test_a_repaired_draft(capsys: pytest.CaptureFixture[str], model: Path) -> None:
    code, out, err = run(capsys, "draft", model, "--repair")
    assert code == 0
    assert "policy  blank skip, trim both, bad text, cut complete, coerce exact" in out
    assert "repaired: policy bad text: a body that does not parse is kept as text" in err


def test_a_repair_that_would_lose_messages_is_left_out(
    capsys: pytest.CaptureFixture[str], model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def losing(grammar: Grammar, bears: Callable[[Grammar], bool] = lambda _: True) -> tuple[Grammar, list[str]]:
        shorter = replace(grammar, fields=grammar.fields[-1:])
        return (shorter, ["calls are lost"]) if bears(shorter) else (grammar, ["none"] * bears(grammar))

    monkeypatch.setattr(commands_chat, "repaired", losing)
    code, out, err = run(capsys, "draft", model, "--repair")
    assert (code, err) == (0, "repaired: none\n")
    assert "field tool_calls[]" in out


def test_without_transformers_the_extra_is_named(
    capsys: pytest.CaptureFixture[str], model: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "transformers.utils", None)
    for command in ("lint", "draft"):
        code, _, err = run(capsys, command, model)
        assert (code, err) == (
            2,
            "respc: transformers renders chat templates; it is missing: pip install 'respc[hf]'\n",
        )


def test_a_draft_that_cannot_be_compared(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = PLAIN.replace("{{- '<|assistant|>' }}", "{{- '<|assistant|><think>' }}").replace(
        "m.content", "m.content.split('</think>')[-1]"
    )
    assert run(capsys, "draft", folder(tmp_path, chat_template__jinja=text))[0] == 1


def test_lint(capsys: pytest.CaptureFixture[str], model: Path) -> None:
    code, out, _ = run(capsys, "lint", model)
    assert (code, out.count("\n"), out.count(": note[")) == (0, 1, 1)
    folder(model, tokenizer_config__json={"chat_template": "old"}, chat_template__jinja="{% set a = None %}" + JSON)
    code, out, err = run(capsys, "lint", model)
    assert code == 1
    place = f"{model}/chat_template.jinja:1"
    assert out.startswith(f"{place}: warning[python-constant]: None is Python's; other renderers know none\n")
    assert err.startswith(f"note: {model}/tokenizer_config.json: chat_template is not read")


def test_migrate(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    folder(tmp_path, tokenizer_config__json={"chat_template": "old"})
    said = f"write {tmp_path}/chat_template.jinja\nremove chat_template from {tmp_path}/tokenizer_config.json\n"
    assert run(capsys, "migrate", tmp_path, "--check") == (1, said, "")
    assert run(capsys, "migrate", tmp_path) == (0, said, "")
    assert run(capsys, "migrate", tmp_path, "--check") == (0, "", "")
    code, _, err = run(capsys, "migrate", tmp_path / "chat_template.jinja")
    assert (code, err) == (2, f"respc: {tmp_path}/chat_template.jinja: is not a folder\n")


def test_a_checkpoint_that_is_not_there_or_no_text(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    none = tmp_path / "none"
    assert run(capsys, "draft", none) == (2, "", f"respc: {none}: No such file or directory\n")
    latin = tmp_path / "latin.jinja"
    latin.write_bytes(b"\xe9")
    assert run(capsys, "lint", latin) == (2, "", f"respc: {latin}: is not UTF-8: unexpected end of data at byte 0\n")


@pytest.mark.parametrize(
    ("text", "code", "what"),
    [
        (None, 2, "there is no chat template"),
        ("a\n{% if %}", 1, "chat_template.jinja:2: TemplateSyntaxError"),
        ("a\n{{ raise_exception('never') }}", 1, "chat_template.jinja:2: never"),
        ("a\n{{ 'a' + missing }}", 1, "chat_template.jinja:2: UndefinedError: 'missing' is undefined"),
    ],
)
def test_errors_name_file_and_line(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, grammar: Path, text: str | None, code: int, what: str
) -> None:
    model = folder(tmp_path / "model", **({"chat_template__jinja": text} if text else {"config__json": {}}))
    for words in (("roundtrip", grammar, model), ("prefix", grammar, model), ("draft", model)):
        got, out, err = run(capsys, *words)
        assert (got, out) == (code, "")
        assert what in err
        assert str(model) in err
