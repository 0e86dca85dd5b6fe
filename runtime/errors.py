"""What goes wrong while a response is read: in goes what the parser knew then, out comes one exception that carries it.

Invariant: every exception that a text can cause is a ParseError, and it holds the field, the place, the raw body, the
events before it and the message so far; nothing received is lost. What can be told from these is made when it is asked
for, so that one that is kept weighs little more than its body.
"""

from __future__ import annotations

from collections.abc import Callable

TYPE_CHECKING = False  # typing is slow to import, and nothing here needs it to run
if TYPE_CHECKING:
    from typing import Any

    from .events import Event, Message

EXCERPT = 200


class ParseError(ValueError):
    """A region whose body its field refuses. The parser stands behind that region: the next feed or finalize goes on.

    reason: why, in words. field: its name. text: the raw body. start, end: offsets of the region with its delimiters in
    the whole text (prefix behind its anchor + generation). events: what the failed call found before the region.
    policy: "raise", or "drop" and "text" where the grammar or the parse asked for it: such an error is only noted.
    message: the message so far; of the whole text when `parse` raised. errors: this one and, from `parse`, all later.
    """

    __slots__ = ("_events", "_later", "_message_so_far", "end", "field", "policy", "reason", "start", "text")

    def __init__(self, reason: str, *, field: str, text: str, start: int, end: int) -> None:
        super().__init__()
        self.reason, self.field, self.text, self.start, self.end = reason, field, text, start, end
        self.policy = "raise"
        self._events: list[Event] | None = None
        self._later: list[ParseError] | None = None
        self._message_so_far: Callable[[], Message] = dict

    def __str__(self) -> str:
        excerpt = self.text if len(self.text) <= EXCERPT else self.text[: EXCERPT - 3] + "..."
        return f"{self.field} at {self.start}: {self.reason}; the body is {excerpt!r}"

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    @property
    def events(self) -> list[Event]:
        """What the failed call found before the region."""
        if self._events is None:
            self._events = []
        return self._events

    @events.setter
    def events(self, found: list[Event]) -> None:
        self._events = found

    @property
    def later(self) -> list[ParseError]:
        """What else `parse` found."""
        if self._later is None:
            self._later = []
        return self._later

    @later.setter
    def later(self, found: list[ParseError]) -> None:
        self._later = found

    @property
    def errors(self) -> list[ParseError]:
        """This error and, when `parse` raised it, all that came after it."""
        return [self, *self.later]

    @property
    def message(self) -> Message:
        """The message so far, put together when it is asked for."""
        return self._message_so_far()

    def __reduce__(self) -> tuple[Any, ...]:
        place = {"field": self.field, "text": self.text, "start": self.start, "end": self.end}
        return _rebuild, (type(self), self.reason, place, self.policy, self.events, self.later, self.message)


class MissingKey(ParseError, KeyError):
    """A value that `emit` names is not there: a capture that took no part, or a key that an item lacks."""

    __slots__ = ()


class MissingField(ParseError):
    """A required field was never written."""

    __slots__ = ()


class UnknownTool(ValueError):
    """A call whose name is not among the request's tools, where the policy is not to keep it."""


class TooLong(ValueError):
    """A region that is longer than the parse lets pass."""


class LimitReached(ParseError):
    """More regions, or more undecided text, than the parse lets pass: nothing that follows is read."""

    __slots__ = ()


class AnchorNotFound(ValueError):
    """`strict_prefix=True`, and the prefix does not contain the anchor."""


class RuntimeMismatch(ImportError):
    """A generated module was made for another runtime: regenerate it."""


def refusal(cause: Exception, *, field: str, text: str, start: int, end: int) -> ParseError:
    """The ParseError that says why a body is refused, with what caused it."""
    reason = "nested too deeply" if isinstance(cause, RecursionError) else str(cause)
    kind = MissingKey if isinstance(cause, KeyError) else ParseError
    error = kind(reason, field=field, text=text, start=start, end=end)
    error.__cause__ = cause
    return error


def _rebuild(
    kind: type[ParseError],
    reason: str,
    place: dict[str, Any],
    policy: str,
    events: list[Event],
    later: list[ParseError],
    message: Message,
) -> ParseError:
    error = kind(reason, **place)
    error.policy, error.events, error.later, error._message_so_far = policy, events, later, lambda: message
    return error
