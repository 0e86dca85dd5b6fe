"""A recording on a terminal: in goes a Recording, out comes the text coloured by region, the message beside it.

Invariant: what the model wrote reaches the terminal as printable characters only, and nothing is told by colour alone.
"""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from runtime.errors import ParseError

from .printable import printed, quoted, visible
from .recording import Hold, Recording, Stretch

COLOURS = ("cyan", "magenta", "green", "blue", "bright_yellow", "bright_red", "bright_cyan", "bright_magenta")
HOW = {"text": "", "open": "bold underline", "close": "bold underline", "dropped": "dim strike", "malformed": "red"}
VERB = {"text": "text", "open": "opens", "close": "closes", "dropped": "dropped", "malformed": "malformed"}
BESIDE = 100  # columns from which on the message stands beside the text
AROUND = 60  # characters that an error shows on either side


def show(console: Console, recording: Recording) -> None:
    """Print the text beside its message, every stretch with what is known of it, the errors."""
    stretches = recording.stretches()
    if recording.generation.title:
        console.print(Rule(Text(visible(recording.generation.title)), characters="-"))
    if not recording.has_anchor:
        console.print("warning: the prefix does not contain the anchor: all of it is parsed", soft_wrap=True)
    if recording.prefix_end:
        console.print(f"the prompt gives the first {recording.prefix_end} characters", soft_wrap=True)
    left = Group(Text("response", "bold"), coloured(recording, stretches))
    right = Group(Text("message", "bold"), Text(printed(recording.message), overflow="fold"))
    console.print(_beside(left, right) if console.width >= BESIDE else Group(left, Text(), right))
    console.print()
    console.print(listed(recording, stretches))
    for error in recording.errors:
        console.print()
        console.print(refused(recording, error), soft_wrap=True)


def coloured(recording: Recording, stretches: list[Stretch]) -> Text:
    """The whole text, each stretch in its region's colour."""
    text = Text(overflow="fold")
    for stretch in stretches:
        text.append(visible(recording.text[stretch.start : stretch.end]), style(recording, stretch))
    return text


def listed(recording: Recording, stretches: list[Stretch]) -> Table:
    """A row a stretch: where it begins, what it is, of which field, its text, what else is known of it."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("at", justify="right")
    table.add_column("what")
    table.add_column("field")
    table.add_column("text", overflow="fold", ratio=1)
    table.add_column("more", overflow="fold")
    holds = iter(recording.holds())
    hold = next(holds, None)
    for stretch in stretches:
        held = []
        while hold is not None and hold.start < stretch.end:
            held.append(hold)
            hold = next(holds, None)
        row = style(recording, stretch)
        table.add_row(
            str(stretch.start),
            Text(VERB[stretch.kind]),
            Text(visible(stretch.field), row.split()[-1]),
            Text(quoted(recording.text[stretch.start : stretch.end]), row),
            Text("; ".join(visible(note) for note in (stretch.note, waited(held)) if note)),
        )
    return table


def waited(holds: list[Hold]) -> str:
    """What was held in a stretch, and how long."""
    if not holds:
        return ""
    longest = max(hold.waited for hold in holds)
    often = f"{len(holds)} times, " if len(holds) > 1 else ""
    return f"held {often}{'at most ' if often else ''}for {longest} character{'s' * (longest != 1)}"


def refused(recording: Recording, error: ParseError) -> Text:
    """The error, the line, carets under what it is about."""
    start, end = recording.place_of(error)
    text = recording.text
    begin = max(text.rfind("\n", 0, start) + 1, start - AROUND)
    line_end = text.find("\n", start)
    before = visible(text[begin:start])
    after = text[start : min(len(text) if line_end < 0 else line_end, start + AROUND)]
    width = max(1, cell_len(visible(after[: end - start])))
    place = f"{visible(error.field)} at {error.start}"
    return Text.assemble(
        ("error: ", "bold red"),
        f"{place}: {visible(error.reason)}\n    {before}{visible(after)}\n    {' ' * cell_len(before)}",
        ("^" * width, "bold red"),
    )


def style(recording: Recording, stretch: Stretch) -> str:
    """How rich writes a stretch; its colour comes last."""
    colour = "default" if not stretch.field else COLOURS[recording.fields.index(stretch.field) % len(COLOURS)]
    return f"{HOW[stretch.kind]} {'red' if stretch.kind == 'malformed' else colour}".strip()


def _beside(left: RenderableType, right: RenderableType) -> Table:
    grid = Table.grid(expand=True)
    grid.add_column(ratio=3)
    grid.add_column(ratio=2)
    grid.add_row(left, Padding(right, (0, 0, 0, 4)))
    return grid
