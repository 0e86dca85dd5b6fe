"""A batch: every row comes out, in order, whatever is in it; what is interrupted goes on; nothing is overwritten."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from compiler.load import WrongUse
from compiler.show import batch as batches
from compiler.show.batch import Batch, Counts
from compiler.write import WriteRefused

ROOT = Path(__file__).parents[2]
GRAMMAR = """
grammar tiny
anchor "A>"
field n: int { open "<n>" close "</n>" }
field calls[]: json { open "<c>" close "</c>" }
field content: text joined "" {}
"""
CALL = "<c>" + json.dumps({"type": "function", "function": {"name": "f", "arguments": {"x": "1"}}}) + "</c>"
TOOL = {"name": "f", "parameters": {"type": "object", "properties": {"x": {"type": "integer"}}}}


@pytest.fixture
def grammar(tmp_path: Path) -> str:
    path = tmp_path / "tiny.grammar"
    path.write_text(GRAMMAR)
    return str(path)


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps({"id": i, "text": f"a<n>{i}</n>"}) + "\n" for i in range(25)))
    return path


def read(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def run(source: Path, out: Path, grammar: str, workers: int = 1, **options: Any) -> Counts:
    return Batch(source, out, grammar, part=options.pop("part", 10), **options).run(workers, lambda rows: None)


def answers(tmp_path: Path, grammar: str, *lines: str, **options: Any) -> list[Any]:
    source, out = tmp_path / "rows.jsonl", tmp_path / "answers.jsonl"
    source.write_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))
    run(source, out, grammar, **options)
    return read(out)


@pytest.mark.parametrize("workers", [1, 2])
def test_every_row_comes_out_in_order(source, tmp_path, grammar, workers) -> None:
    out, told = tmp_path / "out.jsonl", []
    counts = Batch(source, out, grammar, part=10).run(workers, told.append)
    assert counts == Counts(25, 0)
    assert sorted(told) == [5, 10, 10]
    assert [row["message"] for row in read(out)] == [{"content": "a", "n": i} for i in range(25)]
    assert [(row["id"], row["error"]) for row in read(out)] == [(i, None) for i in range(25)]
    assert not (tmp_path / "out.jsonl.parts").exists()


def test_bad_rows_have_an_error_and_what_is_good(tmp_path, grammar) -> None:
    rows = answers(
        tmp_path,
        grammar,
        json.dumps({"text": "a<n>x</n>b<n>2</n><c>{</c>", "id": 7}),
        "no json \udcff",
        "[1]",
        json.dumps({"id": 1}),
        json.dumps({"text": "x", "message": "mine"}),
        json.dumps({"text": "x", "tools": 5}),
        json.dumps({"text": "x", "prefix": 5}),
        "",
        "[" * 100_000,
    )
    assert rows[0]["message"] == {"content": "ab", "n": 2}
    assert [line.split(":")[0] for line in rows[0]["error"].splitlines()] == ["n at 1", "calls at 18"]
    assert rows[1]["line"] == "no json \\xff"
    assert rows[2] == {"line": [1], "message": None, "error": "a row is an object"}
    assert rows[3] == {"id": 1, "message": None, "error": 'the row has no string "text"'}
    assert rows[4]["line"] == {"text": "x", "message": "mine"}
    assert rows[4]["error"] == "the row has a message already"
    assert all(row["message"] is None and row["error"] for row in rows[1:])
    assert len(rows) == 9


def test_prefix_and_tools_of_the_row_or_of_all(tmp_path, grammar) -> None:
    own = json.dumps({"text": CALL, "tools": [TOOL]})
    text = json.dumps({"text": CALL, "tools": json.dumps([TOOL])})
    rows = answers(tmp_path, grammar, own, text, json.dumps({"text": "2</n>", "prefix": "A><n>"}))
    arguments = [row["message"]["calls"][0]["function"]["arguments"] for row in rows[:2]]
    assert arguments == [{"x": 1}, {"x": 1}]
    assert rows[2]["message"] == {"n": 2}
    (tmp_path / "answers.jsonl").unlink()
    assert answers(tmp_path, grammar, json.dumps({"text": CALL}), tools=[TOOL])[0]["message"] == rows[0]["message"]


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interruption_is_handed_on(source, tmp_path, grammar, workers) -> None:
    with pytest.raises(KeyboardInterrupt):
        Batch(source, tmp_path / "out.jsonl", grammar, part=5).run(workers, interrupt)
    assert (tmp_path / "out.jsonl.parts" / "000000.jsonl").exists()
    assert run(source, tmp_path / "out.jsonl", grammar, workers, part=5) == Counts(25, 0)


def test_what_a_worker_does(tmp_path, grammar) -> None:
    batches._start_worker(grammar, None)
    assert batches._work([b'{"text": "a"}\n', b"{\n"], tmp_path / "part.jsonl") == Counts(2, 1)
    assert [row["message"] for row in read(tmp_path / "part.jsonl")] == [{"content": "a"}, None]


def test_nothing_in_nothing_out(tmp_path, grammar) -> None:
    assert answers(tmp_path, grammar) == []


def test_what_is_there_is_not_done_again(source, tmp_path, grammar, monkeypatch) -> None:
    out = tmp_path / "out.jsonl"
    done: list[int] = []

    def stop(rows: int) -> None:
        done.append(rows)
        if len(done) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Batch(source, out, grammar, part=5).run(1, stop)
    assert not out.exists()
    kept = tmp_path / "out.jsonl.parts"
    assert sorted(path.name for path in kept.iterdir()) == ["000000.jsonl", "000001.jsonl", "plan.json"]
    written: list[str] = []
    replace = batches.replace_file
    monkeypatch.setattr(batches, "replace_file", lambda path, data: (written.append(path.name), replace(path, data)))
    assert run(source, out, grammar, part=5) == Counts(25, 0)
    assert written == ["000002.jsonl", "000003.jsonl", "000004.jsonl"]
    assert [row["id"] for row in read(out)] == list(range(25))


def test_parts_of_another_run_are_not_gone_on_from(source, tmp_path, grammar) -> None:
    out = tmp_path / "out.jsonl"
    batch = Batch(source, out, grammar, part=10)
    batch._prepare()
    for other in ({"part": 5}, {"tools": [TOOL]}):
        with pytest.raises(WrongUse, match="another input, grammar or tools"):
            run(source, out, grammar, **other)
    Path(grammar).write_text(GRAMMAR.replace("</n>", "</m>"))
    with pytest.raises(WrongUse, match="another input, grammar or tools"):
        run(source, out, grammar)
    Path(grammar).write_text(GRAMMAR)
    assert run(source, out, grammar) == Counts(25, 0)


def test_what_is_in_the_way_is_left_alone(source, tmp_path, grammar) -> None:
    out = tmp_path / "out.jsonl"
    parts = tmp_path / "out.jsonl.parts"
    parts.mkdir()
    (parts / "mine").write_text("x")
    with pytest.raises(WriteRefused, match="in the way"):
        run(source, out, grammar)
    (parts / "mine").unlink()
    batch = Batch(source, out, grammar)
    out.write_text("mine")
    with pytest.raises(WriteRefused, match="exists; name a new file"):
        Batch(source, out, grammar)
    with pytest.raises(WriteRefused, match="has the parts"):
        batch.run(1, lambda rows: None)
    assert out.read_text() == "mine"


@pytest.mark.parametrize(("given", "out"), [("in.jsonl", "out.parquet"), ("in.csv", "out.csv"), ("in.jsonl", "out")])
def test_suffixes_have_to_fit(tmp_path, grammar, given, out) -> None:
    with pytest.raises(WrongUse, match=r"both have to be \.jsonl, or both \.parquet"):
        Batch(tmp_path / given, tmp_path / out, grammar)


@pytest.mark.parametrize("workers", [1, 2])
def test_parquet(tmp_path, grammar, workers) -> None:
    rows = [{"id": i, "text": f"<n>{i}</n>" if i % 7 else "<n>x</n>\ud800"[:8], "prefix": None} for i in range(25)]
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    schema = pa.schema([("id", pa.int32()), ("text", pa.string()), ("prefix", pa.string())], {"kept": "yes"})
    parquet.write_table(pa.Table.from_pylist(rows, schema=schema), source, row_group_size=4)
    assert run(source, out, grammar, workers) == Counts(25, 4)
    table = parquet.read_table(out)
    assert table.schema.names == ["id", "text", "prefix", "message", "error"]
    assert table.schema.metadata[b"kept"] == b"yes"
    assert table["id"].type == pa.int32() and table["id"].to_pylist() == list(range(25))
    assert json.loads(table["message"][8].as_py()) == {"n": 8}
    assert [error is not None for error in table["error"].to_pylist()] == [i % 7 == 0 for i in range(25)]


def test_parquet_goes_on_and_may_be_empty(tmp_path, grammar) -> None:
    source, out = tmp_path / "in.parquet", tmp_path / "out.parquet"
    parquet.write_table(pa.table({"text": [f"<n>{i}</n>" for i in range(9)] + [None]}), source)
    with pytest.raises(KeyboardInterrupt):
        Batch(source, out, grammar, part=4).run(1, interrupt)
    assert run(source, out, grammar, part=4) == Counts(10, 1)
    empty = tmp_path / "empty.parquet"
    parquet.write_table(pa.table({"text": pa.array([], pa.string())}), empty)
    assert run(empty, tmp_path / "none.parquet", grammar) == Counts(0, 0)
    assert parquet.read_table(tmp_path / "none.parquet").schema.names == ["text", "message", "error"]


def interrupt(rows: int) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize(("columns", "message"), [(["text", "error"], "column error already"), (["x"], "no column")])
def test_parquet_columns(tmp_path, grammar, columns, message) -> None:
    source = tmp_path / "in.parquet"
    parquet.write_table(pa.table({name: ["x"] for name in columns}), source)
    with pytest.raises(WrongUse, match=message):
        Batch(source, tmp_path / "out.parquet", grammar)


def test_parquet_needs_its_extra(tmp_path, grammar, monkeypatch) -> None:
    source = tmp_path / "in.parquet"
    source.write_bytes(b"")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(WrongUse, match=r"respc\[batch\]"):
        Batch(source, tmp_path / "out.parquet", grammar)


def test_ctrl_c_leaves_whole_parts_and_the_same_command_goes_on(tmp_path, grammar) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    text = "<n>1</n>" * 20
    source.write_text("".join(json.dumps({"id": i, "text": text}) + "\n" for i in range(12_000)))
    words = ["parse", "-g", grammar, "--batch", str(source), "-o", str(out), "--workers", "2"]
    command = [sys.executable, "-m", "compiler", *words]
    parts = tmp_path / "out.jsonl.parts"
    running = subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True)
    while not (parts / "000000.jsonl").exists() and running.poll() is None:
        time.sleep(0.002)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate()
    if running.returncode == 130:  # else it was faster than the signal
        assert said == f"respc: interrupted; {parts} has what is done, the same command goes on\n"
        kept = [path for path in parts.iterdir() if path.suffix == ".jsonl"]
        assert kept and all(len(read(path)) == 1000 for path in kept)
        assert not out.exists()
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, f"respc: 12000 rows in {out}, 0 with an error\n")
    assert [row["id"] for row in read(out)] == list(range(12_000))
