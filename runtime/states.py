"""Where a parser can stand: the record that each state of a generated parser is, and the states that all share.

Invariant: a state holds plain functions and data that never changes, so parsers and threads share it, and its name is
enough to find it again.
"""

from __future__ import annotations

from collections.abc import Callable

from .read_text import past_blanks

TYPE_CHECKING = False  # typing is slow to import, and nothing here needs it to run
if TYPE_CHECKING:
    from typing import Any

    from .events import RegionChunk
    from .stream import Stream


class State:
    """Where a parser can stand. With a `field` it is (or may become) an open region; other text belongs to no field.

    read(parser, text, at) -> where to read on; close(parser, body) -> value, stored in the message.
    label: tells the blocks of one field apart. lead: the one character that every delimiter which leaves the state
    starts with; "" when there is no such one.
    takes_text: an implicit field whose pieces are joined, so that the text of a refused region can go there.
    skips_blanks, bad, cut, unknown: the policies of the grammar, as the language names them.
    open_ended: no closer ends the region, so the end of the text does not cut it. is_behind: what stands behind a close
    is looked at, also when the region was refused and its text has gone to the implicit field, which is open then.
    streams: what runtime/adapters/ may send of the region before it closes, as compiler/analyse_streams.py has it.
    """

    __slots__ = (
        "bad",
        "chunk",
        "close",
        "cut",
        "is_behind",
        "lead",
        "name",
        "open_ended",
        "read",
        "skips_blanks",
        "streams",
        "takes_text",
        "unknown",
    )

    def __init__(
        self,
        name: str,
        read: Callable[[Any, str, int], int],
        close: Callable[[Any, str], Any] | None = None,
        *,
        label: str = "",
        lead: str = "",
        dirty: bool = False,
        takes_text: bool = False,
        skips_blanks: bool = False,
        bad: str = "raise",
        cut: str = "close",
        unknown: str = "keep",
        open_ended: bool = False,
        is_behind: bool = False,
        streams: tuple[str, ...] = (),
    ) -> None:
        self.streams = streams
        self.open_ended, self.is_behind = open_ended, is_behind
        self.takes_text, self.skips_blanks = takes_text, skips_blanks
        self.bad, self.cut, self.unknown = bad, cut, unknown
        self.name = name if close is None else f"in {name}{f' as {label}' if label else ''}"
        self.read, self.close, self.lead = read, close, lead
        self.chunk: RegionChunk = {"type": "region_chunk", "field": name, "text": "", "dirty": dirty}


def _read_blanks(parser: Stream, text: str, at: int) -> int:
    end = past_blanks(text, at)
    parser._drop(at, end, "blank")
    if end == len(text):
        return parser._wait(text, end, end)
    parser._state = parser.OUTSIDE
    return end


def _dropping(rule: str) -> Callable[[Stream, str, int], int]:
    def read(parser: Stream, text: str, at: int) -> int:
        parser._drop(at, len(text), rule)
        return parser._wait(text, len(text), len(text))

    return read


BLANKS = State("blanks", _read_blanks)  # behind a closer that takes the blanks which follow it
STOPPED = State("stopped", _dropping("stop"))  # behind a `stop`
DONE = State("done", _dropping("idle-close"))  # behind a close that can be empty and closed nothing
LIMITED = State("limited", _dropping("limit"))  # behind what a limit of the parse does not let pass
