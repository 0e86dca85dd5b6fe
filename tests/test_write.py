"""Files are written whole, where they belong, and over nothing that somebody wrote by hand."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from compiler.write import WriteRefused, is_generated, is_module_name, module_path, orphans, write_module, write_new

HEADER = (
    "# Code generated from grammars/x.grammar by `respc generate`; DO NOT EDIT.\n"
    "# grammar sha256:0123456789abcdef, runtime ABI 1\n"
)
MODULE = HEADER + '"""A parser."""\n'


@pytest.mark.parametrize("name", ["x", "json", "os", "match", "gpt_oss", "qwen2_5", "a" * 64, "com", "type"])
def test_good_names(name: str) -> None:
    assert is_module_name(name)


@pytest.mark.parametrize(
    "name",
    [
        *[
            "",
            ".",
            "..",
            "../x",
            "..\\x",
            "/etc/cron.d/x",
            "C:x",
            "a.b",
            ".hidden",
            "a b",
            "a\nb",
            "a\n",
            "smol-lm",
            "3b",
        ],
        *["SmolLM3", "__init__", "__pycache__", "_x", "class", "import", "con", "nul", "aux", "com1", "lpt9", "a" * 65],
        *["\u00e9", "a\u0301", "\uff41", "\u0131", "a\x00"],
    ],
)
def test_names_that_are_no_modules(name: str, tmp_path: Path) -> None:
    assert not is_module_name(name)
    with pytest.raises(WriteRefused, match="cannot name a module"):
        write_module(tmp_path, name, MODULE)
    assert not list(tmp_path.iterdir())


def test_writes_once_and_then_leaves_alone(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "out"
    assert write_module(folder, "x", MODULE)
    path = folder / "x.py"
    assert path.read_bytes() == MODULE.encode()
    before = path.stat()
    assert not write_module(folder, "x", MODULE)
    assert path.stat().st_ino == before.st_ino
    assert [entry.name for entry in folder.iterdir()] == ["x.py"]


def test_replaces_a_generated_module_and_keeps_its_mode(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    write_module(tmp_path, "x", MODULE)
    assert path.stat().st_mode & 0o777 == 0o644
    path.chmod(0o664)
    assert write_module(tmp_path, "x", MODULE + "A = 1\n")
    assert path.read_text() == MODULE + "A = 1\n"
    assert path.stat().st_mode & 0o777 == 0o664


@pytest.mark.parametrize(
    "foreign",
    [
        "print('by hand')\n",
        "",
        HEADER.splitlines()[0] + "\n",
        "\n" + HEADER,
        "#!/usr/bin/env python\n" + HEADER,
        HEADER.replace("0123456789abcdef", "0123"),
        HEADER.replace("DO NOT EDIT.", "DO NOT EDIT. Or do."),
        "X = '''\n" + HEADER + "'''\n",
    ],
)
def test_a_file_of_somebody_else_stays(tmp_path: Path, foreign: str) -> None:
    path = tmp_path / "x.py"
    path.write_text(foreign)
    with pytest.raises(WriteRefused, match="was not generated"):
        write_module(tmp_path, "x", MODULE)
    assert path.read_text() == foreign


def test_a_text_without_the_header_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(WriteRefused, match="header"):
        write_module(tmp_path, "x", "import os\n")
    assert not list(tmp_path.iterdir())


def test_a_text_that_is_not_ascii_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(UnicodeEncodeError):
        write_module(tmp_path, "x", MODULE + "# \u2028\n")
    assert not list(tmp_path.iterdir())


def test_symlinks_are_not_followed(tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    out.mkdir()
    elsewhere.mkdir()
    target = elsewhere / "y.py"
    target.write_text(MODULE)
    (out / "x.py").symlink_to(target)
    (out / "dangling.py").symlink_to(elsewhere / "none.py")
    (tmp_path / "linked").symlink_to(elsewhere)
    for folder, name in ((out, "x"), (out, "dangling"), (tmp_path / "linked", "x")):
        with pytest.raises(WriteRefused, match="symlink"):
            write_module(folder, name, MODULE + "A = 1\n")
    assert target.read_text() == MODULE
    assert [entry.name for entry in elsewhere.iterdir()] == ["y.py"]


def test_a_neighbour_that_differs_by_case_only(tmp_path: Path) -> None:
    (tmp_path / "SmolLM3.py").write_text(MODULE)
    (tmp_path / "other.py").write_text(MODULE)
    with pytest.raises(WriteRefused, match=r"SmolLM3\.py stands beside it"):
        module_path(tmp_path, "smollm3")


def test_a_package_of_the_name_would_hide_the_module(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    with pytest.raises(WriteRefused, match="stands beside it"):
        module_path(tmp_path, "x")


def test_what_is_no_file_or_no_folder(tmp_path: Path) -> None:
    (tmp_path / "x.py").mkdir()
    with pytest.raises(WriteRefused, match="not a file"):
        module_path(tmp_path, "x")
    (tmp_path / "file").write_text("")
    with pytest.raises(WriteRefused, match="not a folder"):
        module_path(tmp_path / "file", "x")


def test_a_failed_replace_leaves_the_old_file_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_module(tmp_path, "x", MODULE)

    def refuse(*_: object) -> None:
        raise PermissionError("no")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(PermissionError):
        write_module(tmp_path, "x", MODULE + "A = 1\n")
    assert (tmp_path / "x.py").read_text() == MODULE
    assert [entry.name for entry in tmp_path.iterdir()] == ["x.py"]


def test_killed_between_write_and_replace(tmp_path: Path) -> None:
    write_module(tmp_path, "x", MODULE)
    program = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from compiler import write\n"
        "os.replace = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "write.write_module(Path(sys.argv[1]), 'x', Path(sys.argv[2]).read_text())\n"
    )
    new = tmp_path / "new.txt"
    new.write_text(MODULE + "A = 1\n")
    root = Path(__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", program, str(tmp_path), str(new)], cwd=root, check=False)
    assert done.returncode == -signal.SIGKILL
    assert (tmp_path / "x.py").read_text() == MODULE
    assert write_module(tmp_path, "x", new.read_text())
    assert (tmp_path / "x.py").read_text() == new.read_text()


def test_orphans_are_generated_modules_that_nobody_asked_for(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        write_module(tmp_path, name, MODULE)
    (tmp_path / "by_hand.py").write_text("")
    (tmp_path / "folder.py").mkdir()
    assert orphans(tmp_path, {"a", "c"}) == [tmp_path / "b.py"]
    assert not orphans(tmp_path / "nowhere", set())


def test_the_header_counts_only_at_the_top(tmp_path: Path) -> None:
    path = tmp_path / "x.py"
    path.write_text(MODULE)
    assert is_generated(path)
    path.write_text('"""' + HEADER + '"""')
    assert not is_generated(path)


def test_a_new_file_replaces_nothing(tmp_path: Path) -> None:
    path = tmp_path / "x.grammar"
    write_new(path, "grammar x\n\u00e9\n")
    assert path.read_bytes() == "grammar x\n\u00e9\n".encode()
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "none")
    for taken in (path, link):
        with pytest.raises(WriteRefused, match="exists"):
            write_new(taken, "other")
    assert path.read_text(encoding="utf-8") == "grammar x\n\u00e9\n"
    assert not (tmp_path / "none").exists()
