"""What is committed, to be read in review: each module, and the events of each example as they arrive.

`make snapshots` is the only way to write them.
"""

from __future__ import annotations

import json

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from runtime import ParseError
from tests.examples import MODELS, Example, model_examples, module_of

PIECE = 12  # characters


class Python(SingleFileSnapshotExtension):
    file_extension = "py"
    _write_mode = WriteMode.TEXT


class Stream(SingleFileSnapshotExtension):
    file_extension = "txt"
    _write_mode = WriteMode.TEXT


@pytest.mark.parametrize("model", MODELS)
def test_module(model: str, snapshot: SnapshotAssertion) -> None:
    with open(str(module_of(model).__file__), encoding="utf-8") as file:
        assert file.read() == snapshot(extension_class=Python)


@pytest.mark.parametrize("example", model_examples(), ids=str)
def test_events(example: Example, snapshot: SnapshotAssertion) -> None:
    assert streamed(example) == snapshot(extension_class=Stream)


def streamed(example: Example) -> str:
    """A line a call, below it a line an event; errors stand where they are raised, with all that they carry."""
    lines = [f"prefix {quoted(example.prefix)}"]
    parser = module_of(example.family).Parser(prefix=example.prefix, tools=example.tools)
    lines += map(shown, parser.initial_events)
    for at in range(0, len(example.text), PIECE):
        piece = example.text[at : at + PIECE]
        lines.append(f"feed {quoted(piece)}")
        try:
            lines += map(shown, parser.feed(piece))
        except ParseError as error:
            lines += refused(error)
    message = None
    while message is None:
        lines.append("finalize")
        try:
            message, events = parser.finalize()
        except ParseError as error:
            lines += refused(error)
        else:
            lines += map(shown, events)
    return "\n".join([*lines, f"message {json.dumps(message, ensure_ascii=False, indent=2)}"]) + "\n"


def shown(event: dict[str, object]) -> str:
    plain = {key: value for key, value in event.items() if key not in ("type", "field", "dirty")}
    kind = str(event["type"]).removeprefix("region_") + " dirty" * (event.get("dirty") is True)
    return f"    {kind} {event['field']} {quoted(plain) if plain else ''}".rstrip()


def refused(error: ParseError) -> list[str]:
    what = f"{error.field} at {error.start}:{error.end}, {quoted(error.text)}"
    return [
        *map(shown, error.events),
        f"    {type(error).__name__} {what}",
        f"        because {error.reason}",
        f"        message so far {quoted(error.message)}",
    ]


def quoted(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)
