"""Templates leave legacy places as `save_pretrained` would write them, and nothing else is lost."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compiler.chat.folder import ChatTemplate, read
from compiler.chat.save import migrate, place, save
from compiler.write import WriteRefused

from .templates import folder
from .test_folder import CONFIG, NAMED, loaded, texts


def test_a_migrated_folder_is_what_save_pretrained_writes(tmp_path: Path) -> None:
    ours = folder(tmp_path / "ours", tokenizer_config__json={**CONFIG, "chat_template": NAMED, "other": ["kept", 1]})
    before = texts(read(ours))
    loaded(ours).save_pretrained(tmp_path / "theirs")
    said = migrate(ours, dry=False)
    assert [line.split()[0] for line in said] == ["write", "write", "remove"]
    assert texts(read(ours)) == before == texts(read(tmp_path / "theirs"))
    for file in ("chat_template.jinja", "additional_chat_templates/tool_use.jinja"):
        assert (ours / file).read_text() == (tmp_path / "theirs" / file).read_text()
    assert json.loads((ours / "tokenizer_config.json").read_text()) == {**CONFIG, "other": ["kept", 1]}
    assert migrate(ours, dry=False) == []


def test_a_legacy_processor_file(tmp_path: Path) -> None:
    folder(tmp_path, chat_template__json={"chat_template": "legacy"}, additional_chat_templates___rag__jinja="R")
    assert migrate(tmp_path, dry=True) == [
        f"write {tmp_path / 'chat_template.jinja'}",
        f"delete {tmp_path / 'chat_template.json'}",
    ]
    assert (tmp_path / "chat_template.json").exists()
    migrate(tmp_path, dry=False)
    assert not (tmp_path / "chat_template.json").exists()
    assert texts(read(tmp_path)) == {"default": "legacy", "rag": "R"}


def test_what_is_discarded_today_is_dropped(tmp_path: Path) -> None:
    folder(tmp_path, tokenizer_config__json={"chat_template": NAMED, "x": 1}, chat_template__jinja="modern")
    migrate(tmp_path, dry=False)
    assert texts(read(tmp_path)) == "modern"
    assert json.loads((tmp_path / "tokenizer_config.json").read_text()) == {"x": 1}


def test_no_template_is_replaced(tmp_path: Path) -> None:
    folder(tmp_path, chat_template__json={"chat_template": "legacy"}, chat_template__jinja="modern")
    with pytest.raises(WriteRefused, match="holds another template"):
        migrate(tmp_path, dry=False)
    assert (tmp_path / "chat_template.jinja").read_text() == "modern"
    assert (tmp_path / "chat_template.json").exists()


def test_two_legacy_places_that_differ(tmp_path: Path) -> None:
    folder(tmp_path, chat_template__json={"chat_template": "one"}, processor_config__json={"chat_template": "two"})
    with pytest.raises(WriteRefused, match="'default' is not that of the other legacy file"):
        migrate(tmp_path, dry=False)


def test_nothing_to_do(tmp_path: Path) -> None:
    assert migrate(folder(tmp_path, tokenizer_config__json={}, chat_template__jinja="a"), dry=True) == []


def test_saving_again_writes_nothing(tmp_path: Path) -> None:
    template = ChatTemplate("rag", "R", tmp_path)
    assert save(tmp_path, [template]) == [tmp_path / "additional_chat_templates" / "rag.jinja"]
    assert save(tmp_path, [template]) == []


@pytest.mark.parametrize("name", ["", ".", "..", "../up", "a/b", "a\\b", "c:d", "nul\0"])
def test_a_name_stays_in_its_folder(tmp_path: Path, name: str) -> None:
    with pytest.raises(WriteRefused, match="cannot name a template"):
        place(tmp_path, name)
