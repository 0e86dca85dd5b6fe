"""What a folder says is what transformers loads from it: each statement of the documentation, against the loader."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tokenizers import Tokenizer, models
from transformers import PreTrainedTokenizerFast, ProcessorMixin

from compiler.chat.folder import BrokenFolder, Checkpoint, read
from compiler.chat.render import Renderer
from compiler.checkpoint import NoTemplate

from .templates import folder

CONFIG: dict[str, Any] = {"tokenizer_class": "PreTrainedTokenizerFast", "bos_token": "<s>", "eos_token": "</s>"}
NAMED = [{"name": "default", "template": "D"}, {"name": "tool_use", "template": "T{{ tools | length }}"}]


def loaded(path: Path) -> PreTrainedTokenizerFast:
    Tokenizer(models.WordLevel({"<s>": 0, "</s>": 1, "a": 2}, "a")).save(str(path / "tokenizer.json"))
    return PreTrainedTokenizerFast.from_pretrained(path)


def texts(checkpoint: Checkpoint) -> str | dict[str, str]:
    named = {name: template.text for name, template in checkpoint.templates.items()}
    return named["default"] if list(named) == ["default"] else named


@pytest.mark.parametrize(
    "files",
    [
        {"tokenizer_config__json": {**CONFIG, "chat_template": "in the configuration"}},
        {"tokenizer_config__json": {**CONFIG, "chat_template": NAMED}},
        {"tokenizer_config__json": {**CONFIG, "chat_template": {"default": "D", "rag": "R"}}},
        {"tokenizer_config__json": CONFIG, "chat_template__jinja": "in its own file\n"},
        {"tokenizer_config__json": {**CONFIG, "chat_template": "embedded"}, "chat_template__jinja": "its own"},
        {"tokenizer_config__json": {**CONFIG, "chat_template": NAMED}, "chat_template__jinja": "its own"},
        {
            "tokenizer_config__json": {**CONFIG, "chat_template": NAMED},
            "additional_chat_templates___rag__jinja": "R",
        },
        {
            "tokenizer_config__json": CONFIG,
            "chat_template__jinja": "D",
            "additional_chat_templates___tool_use__jinja": "T",
            "additional_chat_templates___rag__jinja": "R",
        },
    ],
    ids=["string", "named", "dict", "file", "file over string", "file over named", "more over named", "file and more"],
)
def test_a_tokenizer_loads_the_same(tmp_path: Path, files: dict[str, Any]) -> None:
    folder(tmp_path, **files)
    assert texts(read(tmp_path)) == loaded(tmp_path).chat_template


def test_what_is_discarded_is_said(tmp_path: Path) -> None:
    folder(tmp_path, tokenizer_config__json={"chat_template": NAMED}, chat_template__jinja="D")
    (note,) = read(tmp_path).notes
    assert "tokenizer_config.json: chat_template is not read" in note
    assert "default, tool_use" in note


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"chat_template__json": {"chat_template": "legacy"}}, "legacy"),
        ({"chat_template__json": {"chat_template": "legacy"}, "chat_template__jinja": "modern"}, "legacy"),
        ({"processor_config__json": {"chat_template": "own"}, "chat_template__jinja": "modern"}, "own"),
        ({"processor_config__json": {}, "chat_template__jinja": "modern"}, "modern"),
    ],
)
def test_a_processor_loads_the_same(tmp_path: Path, files: dict[str, Any], expected: str) -> None:
    folder(tmp_path, **files)
    assert ProcessorMixin.get_processor_dict(tmp_path)[0]["chat_template"] == expected
    assert texts(read(tmp_path)) == expected


def test_a_legacy_file_beside_more_templates_is_an_error(tmp_path: Path) -> None:
    more = {"additional_chat_templates___rag__jinja": "R"}
    folder(tmp_path, chat_template__json={"chat_template": "legacy"}, **more)
    with pytest.raises(ValueError, match="conflicting files"):
        ProcessorMixin.get_processor_dict(tmp_path)
    with pytest.raises(BrokenFolder, match=r"legacy file cannot stand beside additional_chat_templates"):
        read(tmp_path)


def test_a_legacy_file_beside_a_modern_one_is_noted(tmp_path: Path) -> None:
    folder(tmp_path, chat_template__json={"chat_template": "legacy"}, chat_template__jinja="modern")
    (note,) = read(tmp_path).notes
    assert "a processor does not read it" in note


def test_tool_use_is_chosen_with_tools(tmp_path: Path) -> None:
    folder(tmp_path, tokenizer_config__json={**CONFIG, "chat_template": NAMED})
    ours, theirs = Renderer(read(tmp_path)), loaded(tmp_path)
    messages = [{"role": "user", "content": "hi"}]
    tools = [{"type": "function", "function": {"name": "f", "description": "", "parameters": {}}}]
    for given in (None, tools, []):
        assert ours.render(messages, given) == theirs.apply_chat_template(messages, tools=given, tokenize=False)


def test_no_default(tmp_path: Path) -> None:
    folder(tmp_path, additional_chat_templates___rag__jinja="R", additional_chat_templates___b__jinja="B")
    with pytest.raises(NoTemplate, match="no chat template is the default; there are: b, rag"):
        read(tmp_path).choose(tools=False)


@pytest.mark.parametrize(
    "config",
    [
        {"bos_token": "<s>", "pad_token": None, "image_token": "<img>"},
        {"bos_token": {"content": "<s>", "__type": "AddedToken", "lstrip": False}, "add_bos_token": True},
        {"eos_token": "</s>", "extra_special_tokens": {"image_token": "<img>"}},
        {"eos_token": "</s>", "extra_special_tokens": ["<img>"]},
    ],
)
def test_special_tokens_are_variables(tmp_path: Path, config: dict[str, Any]) -> None:
    template = "{{ bos_token }}|{{ eos_token }}|{{ image_token }}|{{ pad_token }}"
    folder(tmp_path, tokenizer_config__json=config, chat_template__jinja=template)
    messages = [{"role": "user", "content": "hi"}]
    theirs = loaded(tmp_path).apply_chat_template(messages, tokenize=False)
    assert Renderer(read(tmp_path)).render(messages) == theirs


def test_the_old_map_of_tokens(tmp_path: Path) -> None:
    folder(
        tmp_path,
        tokenizer_config__json={},
        special_tokens_map__json={"bos_token": {"content": "<s>"}, "additional": ["x"]},
        chat_template__jinja="{{ bos_token }}",
    )
    assert read(tmp_path).tokens == {"bos_token": "<s>"}
    folder(tmp_path, tokenizer_config__json={"added_tokens_decoder": {}, "eos_token": "</s>"})
    assert read(tmp_path).tokens == {"eos_token": "</s>"}


def test_one_file_is_enough(tmp_path: Path) -> None:
    file = tmp_path / "any.jinja"
    file.write_text("hi")
    assert texts(read(file)) == "hi"
    assert read(file).templates["default"].at(3) == f"{file}:3"


def test_a_configuration_stands_for_its_folder(tmp_path: Path) -> None:
    folder(tmp_path, tokenizer_config__json={"chat_template": "hi"})
    checkpoint = read(tmp_path / "tokenizer_config.json")
    assert texts(checkpoint) == "hi"
    assert checkpoint.templates["default"].at(2) == f"{tmp_path / 'tokenizer_config.json'}: chat_template: line 2"


@pytest.mark.parametrize(
    ("files", "what"),
    [
        ({}, "there is no chat template: no chat_template.jinja, additional_chat_templates/"),
        ({"tokenizer_config__json": {"chat_template": None}}, "there is no chat template"),
        ({"tokenizer_config__json": {"chat_template": 3}}, "has to be a string, or a list"),
        ({"tokenizer_config__json": {"chat_template": [{"name": "a"}]}}, "has to be a string, or a list"),
        ({"tokenizer_config__json": {"chat_template": ["a"]}}, "has to be a string, or a list"),
        ({"tokenizer_config__json": "{"}, "is not JSON"),
        ({"tokenizer_config__json": "[]"}, "is not a JSON object"),
        ({"chat_template__json": {}}, "chat_template has to be a string"),
    ],
)
def test_broken_folders(tmp_path: Path, files: dict[str, Any], what: str) -> None:
    with pytest.raises(NoTemplate) as caught:
        read(folder(tmp_path, **files))
    assert what in str(caught.value)
    assert str(tmp_path) in str(caught.value)


def test_a_file_of_any_size_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("compiler.chat.folder.LARGEST", 4)
    with pytest.raises(NoTemplate, match="larger than"):
        read(folder(tmp_path, chat_template__jinja="12345"))


def test_saving_writes_what_is_loaded(tmp_path: Path) -> None:
    """What `save_pretrained` writes for named templates is read as it was."""
    folder(tmp_path / "a", tokenizer_config__json={**CONFIG, "chat_template": NAMED})
    tokenizer = loaded(tmp_path / "a")
    tokenizer.save_pretrained(tmp_path / "b")
    assert texts(read(tmp_path / "b")) == tokenizer.chat_template
    assert "chat_template" not in json.loads((tmp_path / "b" / "tokenizer_config.json").read_text())
