"""A parser's state as data: what stands between two calls goes out as JSON-able data, comes back, or goes to a twin.

Invariant: the data holds what is open and held and the message so far, nothing else; what searches know is found again
from the text. Data that no parser can have given is refused, by kind: whether its text is true nobody can tell.
"""

from __future__ import annotations

from .emit import without_empty

TYPE_CHECKING = False  # typing is slow to import, and nothing here needs it to run
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from .events import Message
    from .stream import Stream

    Thing = TypeVar("Thing")

KINDS = {
    "state": str,
    "is_open": bool,
    "body": str,
    "behind": str,
    "held": str,
    "opener": str,
    "captures": dict,
    "message": dict,
    "offset": int,
    "opened_at": int,
    "prefix_end": int,
}


class SoFar:
    """A message as it was, put together when it is called: later regions only append to its lists."""

    __slots__ = ("_keys", "_parser", "_sizes", "_values")

    def __init__(self, parser: type[Stream], message: Message) -> None:
        self._parser, self._keys, self._values = parser, tuple(message), tuple(message.values())
        self._sizes = tuple([len(value) if isinstance(value, list) else -1 for value in self._values])

    def __call__(self) -> Message:
        parts = zip(self._keys, self._values, self._sizes, strict=True)
        message = {key: value if size < 0 else value[:size] for key, value, size in parts}
        self._parser._join(message)
        return without_empty(message, self._parser._defaults())

    def says_as(self, other: object) -> bool:
        """Whether the other is of the very same values."""
        if not isinstance(other, SoFar) or (self._keys, self._sizes) != (other._keys, other._sizes):
            return False
        return all(mine is yours for mine, yours in zip(self._values, other._values, strict=True))


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
    """Let a new parser stand where `state` was taken. Raises KeyError or TypeError for what is no state of it."""
    of_kind = all(type(state[key]) is kind for key, kind in KINDS.items())
    if not (of_kind and all(type(part) is str for pair in state["captures"].items() for part in pair)):
        raise TypeError("the parts of a state are of other kinds")
    parser._state = parser.STATES[state["state"]]
    region = parser.OUTSIDE if parser._state.is_behind else parser._state
    parser._chunk, parser._is_open = region.chunk, state["is_open"]
    if parser._is_open and region.close is None:
        raise TypeError("only a region is open")
    parser._renew_body(state["body"])
    parser._held, parser._at = state["behind"] + state["held"], len(state["behind"])
    parser._captures, parser._message = dict(state["captures"]), apart(state["message"])
    parser._join(apart(parser._message))  # TypeError where what is to be joined is no text
    parser._opener = state["opener"]
    parser._base, parser._opened_at = state["offset"] - parser._at, state["opened_at"]
    if state.get("beyond"):
        parser._lack(state["beyond"])
    parser._body_at, parser.prefix_end = state["offset"] - parser._body.tell(), state["prefix_end"]


def twin_of(parser: Stream) -> Stream:
    """A parser that goes on apart from this one."""
    twin = alike(parser)
    twin._renew_body(parser._body.getvalue())
    beyond = parser._body.tell() - twin._body.tell()
    if beyond:
        twin._lack(beyond)
    twin._captures, twin._events, twin._searches = parser._captures.copy(), [], {}
    twin._aware = None if parser._aware is None else parser._aware.twin()
    twin._message, twin.errors = apart(parser._message), parser.errors.copy()
    return twin


def alike(thing: Thing) -> Thing:
    """Another of the same kind, with the same in its slots."""
    twin: Thing = object.__new__(type(thing))
    for kind in type(thing).__mro__:
        for slot in vars(kind).get("__slots__", ()):
            setattr(twin, slot, getattr(thing, slot))
    return twin


def apart(message: Message) -> Message:
    """A copy that later regions do not change; joined fields are still lists."""
    return {key: value.copy() if isinstance(value, list) else value for key, value in message.items()}
