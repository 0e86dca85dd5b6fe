"""Many responses in a file: in go rows with a text each, out comes a file with the same rows, message and error added.

Rows are JSONL or Parquet; the text stands in the column "text", the prompt in "prefix", tools in "tools", where there
are such. Invariant: every row that goes in comes out, in order; the work is done in parts, each written whole beside
the output, so that what an interruption leaves is whole parts, and the same command goes on from them.
"""

from __future__ import annotations

import hashlib
import json
import linecache
import os
import shutil
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any

from runtime.adapters.rows import ERROR, MESSAGE, parsed

from ..load import WrongUse, find_module
from ..write import WriteRefused, replace_file

ROWS = 1000  # rows of a part
SUFFIXES = (".jsonl", ".parquet")
PLAN = "plan.json"

Row = dict[str, Any]


@dataclass(frozen=True)
class Plan:
    """What makes parts fit each other: parts of another plan are never gone on from."""

    source: str
    digest: str
    grammar: str
    tools: str
    rows: int
    part: int


@dataclass(frozen=True)
class Counts:
    """Rows that came out, and those among them with an error."""

    rows: int = 0
    wrong: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.rows + other.rows, self.wrong + other.wrong)


class Batch:
    """One run: `source` to `out`, both JSONL or both Parquet, by the grammar `name`.

    Raises WrongUse for suffixes that do not fit and for parts of another run, WriteRefused when `out` exists.
    """

    def __init__(self, source: Path, out: Path, name: str, tools: Any = None, *, part: int = ROWS) -> None:
        if source.suffix != out.suffix or source.suffix not in SUFFIXES:
            raise WrongUse(f"{source} and {out}: both have to be {', or both '.join(SUFFIXES)}")
        if out.exists() or out.is_symlink():
            raise WriteRefused(f"{out}: exists; name a new file")
        module = find_module(name)
        self.source, self.out, self.name, self.tools = source, out, name, tools
        self.folder = out.with_name(f"{out.name}.parts")
        self._is_parquet = source.suffix == ".parquet"
        digest, rows = _digest(source)
        if self._is_parquet:
            _with_columns(_parquet().read_schema(source))
            rows = _parquet().ParquetFile(source).metadata.num_rows
        self.plan = Plan(str(source.absolute()), digest, _identity(module), json.dumps(tools), rows, part)

    def run(self, workers: int, done: Callable[[int], None]) -> Counts:
        """Read what no part has yet, then put the parts together. done: told of rows as they are finished.

        On KeyboardInterrupt the parts under way are finished first, and it is raised again.
        """
        self._prepare()
        counts = Counts()
        for number in range(self._parts()):
            if self._path(number).exists():
                counts += (kept := self._counted(number))
                done(kept.rows)
        todo = (piece for piece in enumerate(self._pieces()) if not self._path(piece[0]).exists())
        for made in self._in_line(todo) if workers == 1 else self._side_by_side(todo, workers):
            counts += made
            done(made.rows)
        self._together()
        return counts

    def _prepare(self) -> None:
        plan = json.dumps(asdict(self.plan), indent=2).encode()
        path = self.folder / PLAN
        if path.exists() and not self.folder.is_symlink():
            if path.read_bytes() != plan:
                raise WrongUse(f"{self.folder}: has parts of another input, grammar or tools; remove it")
        elif self.folder.is_symlink() or (self.folder.exists() and any(self.folder.iterdir())):
            raise WriteRefused(f"{self.folder}: is in the way; remove it")
        else:
            self.folder.mkdir(exist_ok=True)
            replace_file(path, plan)

    def _parts(self) -> int:
        return -(-self.plan.rows // self.plan.part)

    def _path(self, number: int) -> Path:
        return self.folder / f"{number:06}{self.source.suffix}"

    def _pieces(self) -> Iterator[Any]:
        """What a worker gets: lines, or an Arrow table."""
        if self._is_parquet:
            yield from _tables(_parquet().ParquetFile(self.source), self.plan.part)
            return
        with self.source.open("rb") as file:
            while lines := list(islice(file, self.plan.part)):
                yield lines

    def _in_line(self, todo: Iterator[tuple[int, Any]]) -> Iterator[Counts]:
        reader = Reader(find_module(self.name), self.tools)
        for number, piece in todo:
            yield reader.write(piece, self._path(number))

    def _side_by_side(self, todo: Iterator[tuple[int, Any]], workers: int) -> Iterator[Counts]:
        start = (self.name, self.tools)
        with ProcessPoolExecutor(workers, get_context("spawn"), _start_worker, start) as pool:
            running: set[Future[Counts]] = set()
            try:
                while True:
                    for number, piece in islice(todo, 2 * workers - len(running)):
                        with _undisturbed():
                            running.add(pool.submit(_work, piece, self._path(number)))
                    if not running:
                        return
                    finished, running = wait(running, return_when=FIRST_COMPLETED)
                    yield from (future.result() for future in finished)
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise

    def _counted(self, number: int) -> Counts:
        """Of a part that is there."""
        if self._is_parquet:
            column = _parquet().read_table(self._path(number), columns=[ERROR])[ERROR]
            return Counts(len(column), len(column) - column.null_count)
        with self._path(number).open("rb") as file:
            errors = [json.loads(line)[ERROR] is not None for line in file]
        return Counts(len(errors), sum(errors))

    def _together(self) -> None:
        """The parts become the output, in one step; then they are gone."""
        temporary = self.folder / "whole"
        temporary.unlink(missing_ok=True)  # of an interruption, or a symlink to elsewhere
        paths = [self._path(number) for number in range(self._parts())]
        if self._is_parquet:
            parquet = _parquet()
            schema = _with_columns(parquet.read_schema(self.source))
            with parquet.ParquetWriter(temporary, schema) as writer:
                for path in paths:
                    writer.write_table(parquet.read_table(path).cast(schema))
        else:
            with temporary.open("wb") as file:
                for path in paths:
                    with path.open("rb") as part:
                        shutil.copyfileobj(part, file)
        with temporary.open("rb") as file:
            os.fsync(file.fileno())
        try:
            os.link(temporary, self.out)  # as os.rename, but for replacing what came there in the meantime
        except FileExistsError:
            raise WriteRefused(f"{self.out}: exists; name a new file, {self.folder} has the parts") from None
        shutil.rmtree(self.folder)


class Reader:
    """Parts, read by one module."""

    def __init__(self, module: ModuleType, tools: Any) -> None:
        self.module, self.tools = module, tools

    def write(self, piece: Any, path: Path) -> Counts:
        """Read a piece and write the part, whole or not at all."""
        if isinstance(piece, list):
            rows = [self.line(line) for line in piece]
            data = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
            replace_file(path, data)
        else:
            given = piece.select([name for name in ("text", "prefix", "tools") if name in piece.column_names])
            rows = [self.row(row) for row in given.to_pylist()]
            replace_file(path, _parquet_bytes(piece, rows))
        return Counts(len(rows), sum(row[ERROR] is not None for row in rows))

    def line(self, line: bytes) -> Row:
        """A line of JSONL, with message and error; one that is no row comes back as text beside the error."""
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            return {"line": line.decode("utf-8", "backslashreplace").rstrip("\n"), MESSAGE: None, ERROR: f"{error}"}
        if not isinstance(row, dict):
            return {"line": row, MESSAGE: None, ERROR: "a row is an object"}
        taken = [key for key in (MESSAGE, ERROR) if key in row]
        if taken:
            return {"line": row, MESSAGE: None, ERROR: f"the row has a {taken[0]} already"}
        return {**row, **self.row(row)}

    def row(self, row: Row) -> Row:
        """Message and error of a row."""
        message, error = parsed(self.module, row, self.tools)
        return {MESSAGE: message, ERROR: error}


_readers: list[Reader] = []  # of a worker: the one that it was started with


@contextmanager
def _undisturbed() -> Iterator[None]:
    """No Ctrl-C meanwhile; a process that starts meanwhile never minds one, and finishes the part under way."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _start_worker(name: str, tools: Any) -> None:
    _readers[:] = [Reader(find_module(name), tools)]


def _work(piece: Any, path: Path) -> Counts:
    return _readers[0].write(piece, path)


def _digest(path: Path) -> tuple[str, int]:
    """A file's SHA-256, and how many lines it has."""
    digest, lines, last = hashlib.sha256(), 0, b"\n"
    with path.open("rb") as file:
        while data := file.read(1 << 20):
            digest.update(data)
            lines, last = lines + data.count(b"\n"), data[-1:]
    return digest.hexdigest(), lines + (last != b"\n")


def _identity(module: ModuleType) -> str:
    """What tells a module from another: its text."""
    return hashlib.sha256("".join(linecache.getlines(str(module.__file__))).encode()).hexdigest()


# -- Parquet: messages are JSON text, a column has one type -----------------------------------------------------------


def _parquet() -> ModuleType:
    try:
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise WrongUse("Parquet needs pyarrow: pip install 'respc[batch]'") from None
    parquet: ModuleType = pyarrow.parquet
    return parquet


def _tables(file: Any, rows: int) -> Iterator[Any]:
    """Tables of so many rows each, but for the last."""
    import pyarrow as pa

    left = file.schema_arrow.empty_table()
    for batch in file.iter_batches(batch_size=rows):
        left = pa.concat_tables([left, pa.Table.from_batches([batch])])
        while len(left) >= rows:
            yield left.slice(0, rows)
            left = left.slice(rows)
    if len(left):
        yield left


def _with_columns(schema: Any) -> Any:
    """The schema with ours at its end. Raises WrongUse when it has such columns, or no text."""
    import pyarrow as pa

    for name in (MESSAGE, ERROR):
        if name in schema.names:
            raise WrongUse(f"the file has a column {name} already")
    if "text" not in schema.names:
        raise WrongUse('the file has no column "text"')
    return schema.append(pa.field(MESSAGE, pa.string())).append(pa.field(ERROR, pa.string()))


def _parquet_bytes(table: Any, rows: list[Row]) -> bytes:
    import pyarrow as pa

    schema = _with_columns(table.schema)
    messages = [None if row[MESSAGE] is None else json.dumps(row[MESSAGE]) for row in rows]
    errors = [row[ERROR] and row[ERROR].encode("utf-8", "backslashreplace").decode() for row in rows]
    columns = [*table.columns, pa.array(messages, pa.string()), pa.array(errors, pa.string())]
    sink = pa.BufferOutputStream()
    _parquet().write_table(pa.Table.from_arrays(columns, schema=schema), sink)
    data: bytes = sink.getvalue().to_pybytes()
    return data
