"""Every template of tests/hostile/templates.jsonl does what stands beside it, in a process of its own."""

from __future__ import annotations

import functools
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from compiler import CompileError, compile_template
from compiler.hf_json import from_template, loads_strictly
from compiler.write import WriteRefused, is_module_name, orphans, write_module
from tests.hostile.trial import entries, generated, template_of

ENTRIES = {entry["id"]: entry for entry in entries()}
NAMES = [name for name, entry in ENTRIES.items() if entry["kind"] not in ("module-name", "file-system")]
SECONDS = 1.0  # of CPU time: ten times what the slowest takes
# Where the corpus leaves the choice, ours: an entry that is let through works as it says, the others have a code.
CHOICES = {
    "lit-surrogate": "accept",
    "shape-lax-sentinel": "accept",
    "pattern-verbose-comment": "beyond",
    "re-cond": "bad-pattern",
    "re-lookbehind-var": "accept",
    "re-v1-sets": "beyond",
    "value-int-subclass": "foreign-type",
    "value-tuple": "foreign-type",
    "name-str-subclass": "foreign-type",
    "json-bom": "bad-json",
    "size-transform-150": "too-deep",
    "shape-transform-unknown": "not-captured",
    "re-backref": "accept",
    "re-zero-width": "accept",
    "re-lone-surrogate": "accept",
}


@functools.cache
def tried() -> dict[str, dict[str, Any]]:
    trial = Path(__file__).with_name("hostile") / "trial.py"
    done = subprocess.run([sys.executable, "-I", str(trial)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return {found["id"]: found for found in map(json.loads, done.stdout.splitlines())}


@pytest.mark.parametrize("name", NAMES)
def test_a_template_is_refused_by_name_or_is_data_only(name: str) -> None:
    found = tried()[name]
    assert found["findings"] == []
    assert found["outcome"] in ("accept", "reject"), found["code"]
    if name in CHOICES:
        assert (found["code"] or "accept") == CHOICES[name]
    elif not ENTRIES[name]["expect"].startswith("either"):
        assert found["outcome"] == ENTRIES[name]["expect"].split()[0].strip(":")


def test_no_template_takes_long() -> None:
    assert [(name, found["seconds"]) for name, found in tried().items() if found["seconds"] > 10 * SECONDS] == []


def test_each_entry_was_tried() -> None:
    assert set(tried()) == set(ENTRIES)
    assert len(ENTRIES) == 234


@pytest.mark.parametrize("name", [n for n in NAMES if ENTRIES[n]["kind"] == "regex"])
def test_a_pattern_is_linear_or_refused_by_name(name: str) -> None:
    template = template_of(ENTRIES[name])
    try:
        source = generated(template)[0]
        compile_template(template, patterns="linear")
    except CompileError as error:
        assert error.code in ("bad-pattern", "beyond", "not-linear", "too-large", "too-many-groups", "unused-captures")
        assert len(str(error)) < 1000
    else:
        assert "rt.Twin(" not in source and "rt.Deaf(" not in source and "regex.compile(" not in source


@pytest.mark.parametrize("name", [n for n, entry in ENTRIES.items() if entry["kind"] == "module-name"])
def test_a_module_is_written_only_under_a_name_of_its_own(name: str, tmp_path: Path) -> None:
    entry = ENTRIES[name]
    folder = tmp_path / "generated"
    folder.mkdir()
    text, _ = generated(entry["template"])
    if entry["expect"].startswith("accept"):
        assert write_module(folder, entry["module"], text)
        assert [path.name for path in folder.iterdir()] == [f"{entry['module']}.py"]
        return
    assert not is_module_name(entry["module"])
    with pytest.raises(WriteRefused):
        write_module(folder, entry["module"], text)
    with pytest.raises(CompileError) as refused:
        compile_template(entry["template"], name=entry["module"])
    assert refused.value.code == "grammar-name"
    assert list(tmp_path.rglob("*.py")) == []


def test_a_file_that_is_not_ours_stays_as_it_is(tmp_path: Path) -> None:
    text, _ = generated(ENTRIES["fs-foreign-file"]["template"])
    hand_made = tmp_path / "x.py"
    hand_made.write_text("by hand = 1\n")
    with pytest.raises(WriteRefused):
        write_module(tmp_path, "x", text)
    assert hand_made.read_text() == "by hand = 1\n"


@pytest.mark.parametrize("entry", ["fs-symlink-out", "fs-symlink-dir"])
def test_nothing_is_written_through_a_link(entry: str, tmp_path: Path) -> None:
    text, _ = generated(ENTRIES[entry]["template"])
    inside, outside = tmp_path / "generated", tmp_path / "outside"
    outside.mkdir()
    if entry == "fs-symlink-dir":
        inside.symlink_to(outside)
    else:
        inside.mkdir()
        (inside / "x.py").symlink_to(outside / "x.py")
    with pytest.raises(WriteRefused):
        write_module(inside, "x", text)
    assert list(outside.iterdir()) == []


def test_a_header_inside_a_literal_is_no_header(tmp_path: Path) -> None:
    text, _ = generated(ENTRIES["fs-header-spoof"]["template"])
    spoof = tmp_path / "x.py"
    spoof.write_text(f"'''\n{text}'''\n")
    with pytest.raises(WriteRefused):
        write_module(tmp_path, "x", text)
    spoof.unlink()
    assert write_module(tmp_path, "x", text)


def test_a_module_without_a_grammar_is_reported(tmp_path: Path) -> None:
    text, _ = generated(ENTRIES["fs-stale-module"]["template"])
    assert write_module(tmp_path, "old", text)
    assert [path.name for path in orphans(tmp_path, ["new"])] == ["old.py"]


def test_a_text_is_refused_where_a_value_is() -> None:
    with pytest.raises(CompileError) as refused:
        from_template(loads_strictly('{"fields": {}, "fields": {}}'))
    assert refused.value.code == "repeated"
