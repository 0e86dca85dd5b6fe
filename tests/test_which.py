"""respc which: by a model's name, by a response template, by a chat template; what is said when there is nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compiler import commands_find
from compiler.__main__ import main
from compiler.families import digest_of
from compiler.load import load_grammar
from tests.chat.templates import JSON, PLAIN, folder

ROOT = Path(__file__).parents[1]
TEMPLATE = {"start_anchor": "<bot>", "fields": {"content": {"close": "<end>"}}}


def run(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, list[str], str]:
    code = main(["which", *map(str, words)])
    out, err = capsys.readouterr()
    return code, out.splitlines(), err


def test_a_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(capsys, "--model", "Qwen/Qwen3-8B") == (0, ["qwen3  Qwen/Qwen3-*"], "")
    assert run(capsys, "--model", "Qwen3-8B")[1] == ["qwen3  Qwen/Qwen3-*, by the name alone"]
    assert run(capsys, "--model", "nobody/nothing") == (1, [], "respc: no grammar is for nobody/nothing\n")


def test_one_question_at_a_time(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for words in ([], [tmp_path, "--model", "a/b"]):
        code, out, err = run(capsys, *words)
        assert (code, out) == (2, [])
        assert "respc which --model Qwen/Qwen3-8B" in err


def test_a_response_template_that_is_published(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import generated.smollm3 as module

    digest = digest_of(TEMPLATE)
    monkeypatch.setattr(module, "TEMPLATES", (digest,), raising=False)
    said = [f"smollm3  its response template, {digest}"]
    model = folder(
        tmp_path / "model", tokenizer_config__json={"response_template": TEMPLATE}, chat_template__jinja=PLAIN
    )
    alone = folder(tmp_path, other__json=TEMPLATE) / "other.json"
    for path in (model, model / "tokenizer_config.json", alone):
        assert run(capsys, path) == (0, said, "")


def test_a_response_template_that_is_not(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    config = {"response_template": TEMPLATE}
    missing = f"respc: no grammar is for the response template {digest_of(TEMPLATE)}\n"
    assert run(capsys, folder(tmp_path / "a", tokenizer_config__json=config)) == (1, [], missing)
    assert run(capsys, folder(tmp_path / "a", other__json=TEMPLATE) / "other.json") == (1, [], missing)
    code, out, err = run(capsys, folder(tmp_path / "b", tokenizer_config__json=config, chat_template__jinja=JSON))
    assert (code, err) == (0, "")
    assert "smollm3  reads back a thought, text and calls" in out


def test_a_chat_template(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    named = folder(tmp_path / "SmolLM3-3B", chat_template__jinja=JSON)
    code, out, err = run(capsys, named)
    assert (code, err) == (0, "")
    assert out[0] == "smollm3  reads back a thought, text and calls; HuggingFaceTB/SmolLM3-*, by the folder's name"
    assert "qwen3  reads back a thought, text and calls" in out
    assert not [line for line in out if line.startswith(("gpt_oss", "glm4", "kimi"))]
    code, alone, _ = run(capsys, named / "chat_template.jinja")
    assert (code, sorted(line.split()[0] for line in alone)) == (0, sorted(line.split()[0] for line in out))


def test_a_chat_template_that_none_reads_back(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, err = run(capsys, folder(tmp_path, chat_template__jinja=JSON.replace("im_start", "turn")))
    assert (code, out) == (1, [])
    assert "no grammar reads back what the chat template prints; `respc draft` proposes one" in err


def test_a_folder_with_two_places_for_its_template(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    both = folder(tmp_path, chat_template__jinja=JSON, tokenizer_config__json={"chat_template": PLAIN})
    code, out, err = run(capsys, both)
    assert (code, err.startswith("note: ")) == (0, True) and out


@pytest.mark.parametrize(
    ("files", "said"),
    [
        ({}, "there is no chat template"),
        ({"tokenizer_config__json": "["}, "is not JSON"),
        ({"tokenizer_config__json": {"response_template": TEMPLATE, "chat_template": 5}}, "has to be a string"),
    ],
)
def test_a_folder_without_an_answer(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, files: dict[str, object], said: str
) -> None:
    code, out, err = run(capsys, folder(tmp_path, **files))
    assert (code, out) == (2, [])
    assert said in err


def test_what_is_not_there_or_no_template(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(capsys, tmp_path / "nothing")[::2] == (2, f"respc: {tmp_path / 'nothing'}: No such file or directory\n")
    assert run(capsys, folder(tmp_path, other__json="[]") / "other.json")[0] == 2
    assert run(capsys, folder(tmp_path, other__json='{"a": 1, "a": 2}') / "other.json")[0] == 1
    code, _, err = run(capsys, folder(tmp_path, tokenizer_config__json={"response_template": []}))
    assert code == 1 and "a template is an object, not" in err


def test_made_modules_say_what_their_grammars_say() -> None:
    for name, module in commands_find.all_modules().items():
        grammar = load_grammar(ROOT / "grammars" / f"{name}.grammar")
        assert getattr(module, "MODELS", ()) == grammar.models
        assert getattr(module, "TEMPLATES", ()) == grammar.templates


def test_json_is_what_a_template_is_kept_in(tmp_path: Path) -> None:
    assert digest_of(json.loads(json.dumps(TEMPLATE))) == digest_of(dict(reversed(TEMPLATE.items())))
