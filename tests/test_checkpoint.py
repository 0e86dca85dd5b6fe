"""A template is found where checkpoints keep it, and its text is handed on as it stands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler import checkpoint
from compiler.checkpoint import NoTemplate, find_template, name_for
from compiler.write import is_module_name

TEMPLATE = '{"start_anchor" : "<A>",\n "fields": {"content": {}}}'
CONFIG = '{\n  "a": [1, {"response_template": 2}],\n  "response_template": %s\t,\n  "b": "}"\n}\n'


def test_a_template_file(tmp_path: Path) -> None:
    path = tmp_path / "My-Model.v2.json"
    path.write_text(TEMPLATE)
    found = find_template(path)
    assert (found.text, found.name, found.origin) == (TEMPLATE, "my_model_v2", str(path))


def test_a_checkpoint_folder_and_its_config(tmp_path: Path) -> None:
    folder = tmp_path / "SmolLM3-3B"
    folder.mkdir()
    config = folder / "tokenizer_config.json"
    config.write_text(CONFIG % TEMPLATE)
    assert find_template(folder) == find_template(config)
    assert find_template(folder).text == TEMPLATE
    assert find_template(folder).name == "smollm3_3b"
    assert find_template(folder).origin == str(config)


def test_the_folder_one_stands_in_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "tokenizer_config.json").write_text(CONFIG % TEMPLATE)
    monkeypatch.chdir(tmp_path)
    assert find_template(Path(".")).name == name_for(tmp_path.name)


def test_a_config_under_another_name(tmp_path: Path) -> None:
    path = tmp_path / "copy.json"
    path.write_text(CONFIG % TEMPLATE)
    assert find_template(path).text == TEMPLATE
    assert find_template(path).name == "copy"


def test_repeated_keys_inside_the_template_reach_the_loader(tmp_path: Path) -> None:
    twice = '{"fields": {}, "fields": {}}'
    path = tmp_path / "tokenizer_config.json"
    path.write_text(CONFIG % twice)
    assert find_template(path).text == twice


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "is not a JSON object: it does not begin with {"),
        ("[1]", "is not a JSON object: it does not begin with {"),
        (',"a": 1}', "is not a JSON object: it does not begin with {"),
        ("{", "is not a JSON object: Expecting value"),
        ('{"a" 1}', "is not a JSON object: a key and a colon are expected at character 1"),
        ("{1: 1}", "is not a JSON object: a key and a colon are expected at character 1"),
        ('{"a": 1,}', "is not a JSON object: Expecting value"),
        ('{"a": 1} x', "is not a JSON object: a comma or the end is expected at character 9"),
        ('{"a": 1 "b": 2}', "is not a JSON object: a comma or the end is expected at character 7"),
        ('{"a": ' + "[" * 100_000, "is not a JSON object: maximum recursion depth"),
        ('{"response_template": 1, "response_template": 2}', "response_template is there 2 times"),
        ("{}", "has no response_template"),
        ('{"a": {"response_template": {}}}', "has no response_template"),
    ],
)
def test_what_holds_no_template(tmp_path: Path, text: str, what: str) -> None:
    path = tmp_path / "tokenizer_config.json"
    path.write_text(text)
    with pytest.raises(NoTemplate, match="^" + re.escape(f"{path}: {what}")):
        find_template(path)


def test_a_folder_without_a_config(tmp_path: Path) -> None:
    with pytest.raises(NoTemplate, match="the folder has no tokenizer_config"):
        find_template(tmp_path)


def test_a_missing_file_and_one_that_is_no_text(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        find_template(tmp_path / "none.json")
    (tmp_path / "x.json").write_bytes(b"\xff{}")
    with pytest.raises(UnicodeDecodeError):
        find_template(tmp_path / "x.json")


def test_a_file_that_is_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "LARGEST", len(TEMPLATE))
    path = tmp_path / "x.json"
    path.write_text(TEMPLATE)
    assert find_template(path).text == TEMPLATE
    path.write_text(TEMPLATE + " ")
    with pytest.raises(NoTemplate, match="larger than"):
        find_template(path)


@given(st.dictionaries(st.text(), st.recursive(st.none() | st.floats(allow_nan=False) | st.text(), st.lists)))
def test_any_object_is_taken_apart_into_its_members(members: dict[str, object]) -> None:
    for text in (json.dumps(members), json.dumps(members, indent=1, ensure_ascii=False)):
        found = checkpoint._members(text, Path("x"))
        assert {key: json.loads(value) for key, value in found} == members
        assert all(value == value.strip() and value in text for _, value in found)


@pytest.mark.parametrize(
    ("origin", "name"),
    [
        ("SmolLM3-3B", "smollm3_3b"),
        ("Qwen2.5", "qwen2_5"),
        ("3b", "template_3b"),
        ("3" * 70, "template_" + "3" * 55),
        ("--", "template"),
        ("class", "template_class"),
        ("NUL", "template_nul"),
        ("\u00e9l\u00e9", "l"),
        ("a" * 70, "a" * 64),
    ],
)
def test_names(origin: str, name: str) -> None:
    assert name_for(origin) == name


@given(st.text())
def test_any_name_names_a_module(origin: str) -> None:
    assert is_module_name(name_for(origin))
