"""A parser's state as data: what stands between two calls goes out as JSON-able data, comes back, or goes to a twin.

Invariant: the data holds what is open and held and the message so far, nothing else; what searches know is found again
from the text.
"""

from __future__ import annotations

TYPE_CHECKING = False  # typing is slow to import, and nothing here needs it to run
if TYPE_CHECKING:
    from typing import Any

    from .events import Message
    from .stream import Stream


def taken(parser: Stream) -> dict[str, Any]:
    """The state of a parser."""
    body = parser._body.getvalue()
    behind = max(0, parser._at - parser.BEHIND)
    return {
        "state": parser._state.name,
        "is_open": parser._is_open,
        "body": body,
        "behind": parser._held[behind : parser._at],
        "held": parser._held[parser._at :],
        "opener": parser._opener,
        "captures": parser._captures.copy(),
        "message": apart(parser._message),
        "offset": parser._body_at + parser._body.tell() if parser._is_open else parser._base + parser._at,
        "opened_at": parser._opened_at,
        "prefix_end": parser.prefix_end,
    }


def put_back(parser: Stream, state: dict[str, Any]) -> None:
    """Let a new parser stand where `state` was taken."""
    parser._state = parser.STATES[state["state"]]
    parser._chunk, parser._is_open = parser._state.chunk, state["is_open"]
    parser._renew_body(state["body"])
    parser._held, parser._at = state["behind"] + state["held"], len(state["behind"])
    parser._captures, parser._message = dict(state["captures"]), apart(state["message"])
    parser._opener = state["opener"]
    parser._base, parser._opened_at = state["offset"] - parser._at, state["opened_at"]
    parser._body_at, parser.prefix_end = state["offset"] - len(state["body"]), state["prefix_end"]


def twin_of(parser: Stream) -> Stream:
    """A parser that goes on apart from this one."""
    twin: Stream = object.__new__(type(parser))
    for kind in type(parser).__mro__:
        for slot in vars(kind).get("__slots__", ()):
            setattr(twin, slot, getattr(parser, slot))
    twin._renew_body(parser._body.getvalue())
    twin._body_at += parser._body.tell() - twin._body.tell()  # of a region that is too long only its start is kept
    twin._captures, twin._events, twin._scans, twin._aware = parser._captures.copy(), [], {}, None
    twin._message, twin.errors = apart(parser._message), parser.errors.copy()
    return twin


def apart(message: Message) -> Message:
    """A copy that later regions do not change; joined fields are still lists."""
    return {key: value.copy() if isinstance(value, list) else value for key, value in message.items()}
