"""Pieces of text in, events out: the machine that every generated parser is driven by.

A generated class gives each state one method, `read(text, at) -> int`: it looks in `text` from `at` for what leaves
the state, and either steps over it and returns where the next state reads on, or waits for more text. Invariant:
between two calls all there is to know stands in the slots below, as data; what may still become a delimiter is held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from io import StringIO

from . import snapshot
from .aware import Aware
from .emit import without_empty
from .errors import AnchorNotFound, MissingField, ParseError, RuntimeMismatch, TooLong, UnknownTool, refusal
from .states import BLANKS, DONE, LIMITED, STOPPED, State

TYPE_CHECKING = False  # typing is slow to import, and nothing here needs it to run
if TYPE_CHECKING:
    from typing import Any, ClassVar, NoReturn

    from .aware import Body
    from .events import Event, Message, Partial
    from .json_body import JsonBody
    from .options import Limits
    from .scan import Delimiter, Search
    from .tools import Tools
    from .watch import Watch

ABI = 2
WITH_CAUSE = 100  # errors that are kept with the exception that was their cause
NOTHING_ASKED = {
    "bad": "",
    "cut": "",
    "unknown": "",
    "unsaid": "close",
}  # unsaid: of a cut that the grammar leaves open
POLICIES = {"bad": ("raise", "drop", "text"), "cut": ("close", "bad", "complete"), "unknown": ("keep", "drop", "text")}


def require_abi(abi: int, module: str) -> None:
    """Refuse to run a module that was generated for another runtime."""
    if abi != ABI:
        raise RuntimeMismatch(f"{module} was generated for runtime ABI {abi}, this is {ABI}: run `respc generate`")


class Stream:
    """Parse one response piece by piece: feed() -> events, finalize() -> the message and the last events.

    prefix: the prompt that the response continues. tools: JSON schemas or (with `respc[hf]`) Python functions.
    spans: events carry offsets. on_error: "raise", or "keep" to go on behind a bad region and collect `errors`.
    coerce: "exact" types arguments by the tools' schemas as written, "elements" those that are elements of tags, "v1"
        as version 1 does, "" as the grammar says.
    strict_prefix: an absent anchor raises.
    bad, cut, unknown: policies that go before those of the grammar, for every field. limits: how much is kept at most.
    strict_json: values that no JSON text can say are refused, too.
    """

    __slots__ = (
        "_asked",  # the policies that this parse asks for, by word
        "_at",  # where in _held reading goes on: behind context that look-behind needs, or behind a refused region
        "_aware",  # what is known of the strings of the open region, where its closers may stand in such
        "_base",  # offset of _held[0] in the whole text; lags while a region with a lead is open, exact at its close
        "_body",  # the text of the open region
        "_body_at",  # its offset
        "_captures",  # named groups of the open region's delimiters
        "_chunk",  # the event that a piece of the open region is a copy of
        "_doze",  # finds in text what may change more than that more is held; None when that is not known
        "_ended",  # no more text will come
        "_events",  # of the call that runs
        "_has_missed",  # the lack of a required field has been told
        "_held",  # text that may still become a delimiter, or that a refused region left unread
        "_is_open",  # the state is an open region
        "_keep",  # _body.write
        "_keeps_errors",
        "_message",
        "_opened_at",  # offset of the open region's opener
        "_opener",  # its text
        "_owed",  # what the next call raises: a refused region of the prefix, or that there is no next call
        "_repaired",  # the region that closes was refused, and repaired
        "_searches",  # those under way, by what they look for
        "_state",
        "_tools",
        "_unknown",  # the policy on calls of tools that the request does not have, of the region that closes
        "_wake",  # text without it is plain text of the open region; "" stands in every text
        "errors",
        "initial_events",
        "prefix_end",
    )

    OUTSIDE: ClassVar[State]  # the state between regions: the implicit field's, or one of no field
    STATES: ClassVar[dict[str, State]]
    COERCE: ClassVar[str] = ""  # how the grammar types the arguments of calls
    BEHIND: ClassVar[int] = 0  # how many consumed characters stay in front of _held: runtime/looking_back.py

    def __init_subclass__(cls) -> None:
        states = [value for value in vars(cls).values() if isinstance(value, State)]
        if states:
            cls.STATES = {state.name: state for state in [*states, BLANKS, DONE, STOPPED, LIMITED]}

    def __new__(
        cls, *, spans: bool = False, limits: Limits | None = None, strict_json: bool = False, **_: Any
    ) -> Stream:
        if spans:
            from .spans import spanned

            cls = spanned(cls)
        if limits is not None and not hasattr(limits, "regions"):
            raise TypeError(f"limits is a Limits, not {type(limits).__name__}")
        if limits is not None or strict_json:
            from .limits import guarded

            cls = guarded(cls)
        return object.__new__(cls)

    def __init__(
        self,
        *,
        prefix: str,
        tools: Iterable[Any] | None = None,
        spans: bool = False,
        on_error: str = "raise",
        coerce: str = "",
        strict_prefix: bool = False,
        bad: str = "",
        cut: str = "",
        unknown: str = "",
        limits: Limits | None = None,
        strict_json: bool = False,
    ) -> None:
        if prefix is None:
            raise ValueError('prefix is needed: the prompt that the response continues ("" for none)')
        if not isinstance(prefix, str):
            raise TypeError(f"prefix is a str, not {type(prefix).__name__}")
        if on_error not in ("raise", "keep"):
            raise ValueError(f'on_error is "raise" or "keep", not {on_error!r}')
        self._asked = NOTHING_ASKED
        if bad or cut or unknown or on_error == "keep":
            unsaid = "bad" if on_error == "keep" else "close"
            self._asked = {"bad": bad, "cut": cut, "unknown": unknown, "unsaid": unsaid}
            self._refuse_wrong_policies()
        self._tools = tools_of(tools, coerce or (self.COERCE if tools else ""))
        self._keeps_errors = on_error == "keep"
        self.errors: list[ParseError] = []
        self._message: Message = self._defaults()
        self._state, self._is_open, self._chunk = self.OUTSIDE, False, self.OUTSIDE.chunk
        self._renew_body("")
        self._captures: dict[str, str] = {}
        self._aware: Aware | None = None
        self._searches: dict[Watch, Search] = {}
        self._doze: Callable[[str], object] | None = None
        self._held = self._wake = self._opener = ""
        self._unknown = "keep"
        self._repaired = False
        self._at = self._base = self._body_at = self._opened_at = self.prefix_end = 0
        self._ended = self._has_missed = False
        self._owed: ParseError | RuntimeError | None = None
        self._events: list[Event] = []
        self.initial_events: list[Event] = []
        if prefix:
            self._read_prefix(prefix, strict_prefix)

    def feed(self, text: str) -> list[Event]:
        """The events that this piece of the response decides."""
        if text and self._wake not in text:
            self._keep(text)
            event = self._chunk.copy()
            event["text"] = text
            return [event]
        if self._owed is not None:
            self._raise_owed(self._owed, text)
        dozes = self._doze is not None and text and self._doze(text) is None
        held, self._held = self._held, ""  # nothing else refers to it, so it grows without a copy
        try:
            held += text
        except TypeError:
            self._held = held
            raise
        if dozes:
            self._held = held
            return []
        self._doze = None
        events: list[Event] = []
        self._events = events
        at = self._at
        try:
            while at >= 0:
                at = self._state.read(self, held, at)
        except ParseError as error:  # _close has set _at behind the refused region: the next call goes on there
            self._held, self._wake = held, ""
            error.events, error._message_so_far = events, self._message_later()
            raise
        return events

    def finalize(self) -> tuple[Message, list[Event]]:
        """The message, and the events that only the end of the response decides."""
        self._ended = True
        try:
            events = self.feed("")
        finally:
            self._ended = False
        message = self._message_now()
        lacking = None if self._has_missed else self._lacking(message)
        if lacking is not None:
            self._has_missed = True
            end = self._base + len(self._held)
            missing = MissingField("required, and never written", field=lacking, text="", start=end, end=end)
            missing.events, missing._message_so_far = events, lambda: without_empty(message, self._defaults())
            if not self._keeps_errors:
                raise missing
            self.errors.append(missing)
        self._owed, self._wake = RuntimeError("the response is finalized"), ""
        return without_empty(message, self._defaults()), events

    def partial(self) -> Partial:
        """What is certain so far; the parser goes on as if it had not been asked."""
        message = without_empty(self._message_now(), self._defaults())
        return {"message": message, "open": {self._chunk["field"]: self._body.getvalue()} if self._is_open else {}}

    # -- what a generated class says of itself ------------------------------------

    @staticmethod
    def _defaults() -> Message:
        """What the message starts with."""
        return {}

    @staticmethod
    def _after_anchor(prefix: str) -> str | None:
        """What of the prefix belongs to this message; None when the anchor is not there."""
        raise NotImplementedError

    @staticmethod
    def _join(message: Message) -> None:
        """Put the pieces of each joined field together."""

    @staticmethod
    def _lacking(message: Message) -> str | None:
        """A required field that was never written."""
        return None

    # -- what a generated class calls ----------------------------------------------

    def _take(self, text: str, start: int, end: int) -> None:
        """text[start:end] is the state's: a chunk of its region (an implicit one opens with it), or nothing's."""
        if start == end:
            return
        piece = text[start:end]
        if not self._is_open:
            if self._state.close is None:
                return self._drop(start, end, "no-field")
            if self._state.skips_blanks:
                if piece.isspace():  # it opens nothing: _body keeps it until there is more
                    self._keep(piece)
                    return
                skipped = self._body.getvalue()
                self._renew_body("")
                start, piece = start - len(skipped), skipped + piece
            self._enter(self._state, start, start)
        self._keep(piece)
        event = self._chunk.copy()
        event["text"] = piece
        self._events.append(event)

    def _drop(self, start: int, end: int, rule: str) -> None:
        """text[start:end] is in no delimiter and in no chunk."""

    def _wait(self, text: str, at: int, hold: int) -> int:
        """Nothing leaves the state yet: what stands before `hold` is the state's, the rest may become a delimiter."""
        if self._ended:
            return self._end(text, at, hold)
        self._at = 0
        self._held = held = text[hold:]
        if not self._is_open:
            self._take(text, at, hold)
            self._base += hold
        elif at < hold:  # as _take does, in line: much of the text comes along here
            piece = text[at:hold]
            self._keep(piece)
            event = self._chunk.copy()
            event["text"] = piece
            self._events.append(event)
        self._wake = self._state.lead if not held and self._is_open else ""
        return -1

    def _pass(self, text: str, at: int) -> int:
        """The same where nothing is held: as _wait(text, at, len(text)), in fewer steps for what comes most often."""
        piece = text[at:]
        if not piece or self._ended or not self._is_open:
            return self._wait(text, at, len(text))
        self._keep(piece)
        event = self._chunk.copy()
        event["text"] = piece
        self._events.append(event)
        self._at = 0
        self._wake = self._state.lead
        return -1

    def _wait_on(self, search: Search, text: str, at: int) -> int:
        """The same where a search says what is held."""
        self._doze = search.doze
        return self._wait(text, at, search.start)

    def _wait_or_cut(self, text: str, at: int, hold: int, *ends: Delimiter) -> int:
        """The same where delimiters are scanned for. ends: those that end the region, of which one may have begun."""
        if self._ended and self._cut() == "complete":
            for delimiter in ends:
                begun = delimiter.scan().near(text, at, 0, False)
                if begun.start < len(text):
                    return self._end(text, at, begun.start)
        return self._wait(text, at, hold)

    def _end(self, text: str, at: int, hold: int) -> int:
        end = len(text)
        cut = self._cut()
        closed = hold if cut == "complete" else end  # what has begun of the closer then counts as the closer
        self._take(text, at, closed)
        self._held, self._at, self._wake = text, end, ""
        if self._is_open:
            self._close(text, closed, closed, end, cut=cut)
        else:
            self._skip(end)
        self._close_given(text, end)
        return -1

    def _cut(self) -> str:
        """What the end of the text does to the open region: a policy is for those that are parsed, up to a closer."""
        state = self._state
        can_be_cut = self._is_open and state.chunk["dirty"] and not state.open_ended and state is not self.OUTSIDE
        if not can_be_cut:
            return "close"
        return self._asked["cut"] or (state.cut if state.cut != "close" else self._asked["unsaid"])

    def _first(self, watch: Watch, text: str, at: int, begin: int = 0) -> Search:
        """Which of the delimiters stands next, or where one may come to stand, from `begin` on; text[at] is not taken
        yet."""
        search = self._searches.get(watch)
        if search is None:
            search = self._searches[watch] = watch.search()
        base = self._body_at + self._body.tell() - at if self._is_open else self._base
        return search.look(text, max(at, begin), base, self._ended)

    def _watched(self, body: Callable[[], Body]) -> Aware:
        """What is known of the open region's strings; made at the first look, from its text."""
        if self._aware is None:
            self._aware = Aware(body())
        return self._aware

    def _read_value(
        self, body: Callable[[], JsonBody], text: str, at: int, watch: Watch | None = None, then: State | None = None
    ) -> int:
        """The open region ends where its value does, and `then` comes. One that does not become a value ends before the
        first of the watched delimiters that has come along, in a string then, and else where it cannot go on."""
        aware = self._watched(body)
        end = aware.value_end(self, text, at)
        if end >= 0 and aware.is_value:
            return self._close(text, at, end, end, then)
        first = None if watch is None else self._first(watch, text, at)
        begun = len(text) if first is None else first.start
        if end < 0 and not self._ended:
            return self._wait(text, at, begun)
        limit = end if end >= 0 else len(text)
        if first is not None and begun < limit:
            if first.found is None:
                return self._wait(text, at, begun)
            limit = begun
        elif end < 0:
            return self._pass(text, at)
        return self._close(text, at, limit, limit)

    def _offset_in_body(self, at: int) -> int:
        """Where text[0] would stand in the open region's body, counted from its start; text[at] is not taken yet."""
        return self._body.tell() - at

    def _taken(self) -> str:
        """What the open region has taken of its body."""
        return self._body.getvalue()

    def _open(
        self, region: State, text: str, at: int, start: int, end: int, captures: dict[str, str] | None = None
    ) -> int:
        """The opener text[start:end], behind text from `at`: closes the implicit region, opens this one."""
        if at < start:
            self._take(text, at, start)
        if self._is_open:
            self._close(text, start, start, start)
        else:
            self._skip(start)
        if captures is not None:
            self._captures = captures
        self._opener = text[start:end]
        self._enter(region, start, end)
        return end

    def _goes_on(self, first: Search, text: str, at: int) -> bool:
        """Whether none of what counts only behind a close stands at text[at]: the text goes on as outside of regions.

        Once that is decided the state is the one outside: a refused region may have left the implicit field open.
        """
        if first.start == at and first.found is None and not self._ended:
            return False
        self._state = self.OUTSIDE
        return first.found is None or first.start > at

    def _enter(self, region: State, start: int, end: int) -> None:
        self._state, self._is_open, self._chunk = region, True, region.chunk
        self._opened_at, self._body_at = self._base + start, self._base + end
        self._aware = None
        self._events.append({"type": "region_open", "field": region.chunk["field"]})

    def _close(self, text: str, at: int, start: int, end: int, then: State | None = None, *, cut: str = "close") -> int:
        """The closer text[start:end], behind text from `at`: the open region's value goes to the message; an idle field
        swallows it.

        cut: the policy on regions that the end of the text cuts off, where it does.
        """
        if at < start:
            self._take(text, at, start)
        region, was_open = self._state, self._is_open
        if not was_open:
            self._skip(start)
        self._state, self._is_open = then or self.OUTSIDE, False
        if was_open and region.close is not None:
            body = self._body.getvalue()
            self._base = self._body_at + self._body.tell() - start
            self._renew_body("")
            self._unknown = self._asked["unknown"] or region.unknown
            self._repaired = False
            try:
                if cut == "bad":
                    raise ValueError("the text ends before the region does")
                value = region.close(self, body)
            except (ValueError, KeyError, RecursionError) as error:
                self._refuse(region, body, text[start:end], end, error, cut != "close")
                if then is not None and then.is_behind:
                    self._state = then
            else:
                self._events.append({"type": "region_close", "field": region.chunk["field"], "value": value})
        if self._captures:
            self._captures = {}
        return end

    def _stop(self, text: str, at: int, start: int, end: int) -> int:
        """The message ends at text[start:end]: what is open closes, nothing that follows is read."""
        self._take(text, at, start)
        if self._is_open:
            self._close(text, start, start, start, STOPPED)
            self._close_given(text, start)
        else:
            self._skip(start)
        self._drop(start, end, "stop")
        self._state = STOPPED
        return end

    def _stray(self, text: str, at: int, start: int, end: int, then: State | None = None) -> int:
        """A closer outside of its region is swallowed; the implicit region ends there."""
        self._take(text, at, start)
        if self._is_open:
            return self._close(text, start, start, end, then)
        self._skip(start)
        self._drop(start, end, "stray")
        self._state = then or self.OUTSIDE
        return end

    def _skip(self, end: int) -> None:
        """The blanks that stand before a delimiter or the end, and that opened nothing, are nothing's."""
        if self._state.skips_blanks and (blanks := self._body.tell()):
            self._renew_body("")
            self._drop(end - blanks, end, "blank")

    def _close_or_finish(self, text: str, at: int, start: int, end: int) -> int:
        """A closer that can be empty: where it stands empty and nothing is open, the reading is over."""
        self._take(text, at, start)
        if start == end and not self._is_open:
            self._skip(start)
            self._state = DONE
            return end
        return self._close(text, start, start, end)

    def _join_on(self, key: str, piece: str) -> None:
        """One more piece of a joined field that has a default."""
        before = self._message[key]
        if isinstance(before, list):
            before.append(piece)
        else:
            self._message[key] = [piece] if before is None else [before, piece]

    def _tolerate(
        self, read: Callable[..., Any], repairs: tuple[str, ...], body: str, *args: Any, **kwargs: Any
    ) -> Any:
        """What `read` gives; a body that it refuses is repaired once, and refused as before when that does not help."""
        try:
            return read(body, *args, **kwargs)
        except (ValueError, RecursionError) as strict:
            try:
                value = read(body, *args, **kwargs, tolerate=repairs)
            except (ValueError, RecursionError):
                raise strict from None
        self._repaired = True
        return value

    def _if_closed(self, *repairs: str) -> tuple[str, ...]:
        """The repairs of a body of pairs. Where a `stop` has ended it, there are none: what stands behind its last pair
        may have been about to become one."""
        return () if self._state is STOPPED else repairs

    def _decode_arguments(self, value: Any) -> Any:
        """The value, the arguments of its calls decoded where they are the JSON text of an object."""
        if _decoder()(value):
            self._repaired = True
        return value

    def _type_arguments(self, value: Any) -> Any:
        """The value, the arguments of its calls typed by the request's tools."""
        if self._tools is None:
            return value
        if self._unknown != "keep":
            self._tools.demand(value)
        return self._tools.type_arguments(value)

    # -- the rest ---------------------------------------------------------------------

    def _read_prefix(self, prefix: str, strict: bool) -> None:
        rest = self._after_anchor(prefix)
        if rest is None:
            if strict:
                raise AnchorNotFound("the prefix does not contain the anchor")
            import warnings

            warnings.warn("the prefix does not contain the anchor: all of it is parsed", stacklevel=4)
            rest = prefix
        self.prefix_end = len(rest)
        try:
            self.initial_events = self.feed(rest)
        except ParseError as error:
            self.initial_events, error.events, self._owed = error.events, [], error

    def _renew_body(self, text: str) -> None:
        self._body = StringIO()
        self._keep = self._body.write
        if text:
            self._keep(text)

    def _refuse(self, region: State, body: str, closer: str, end: int, cause: Exception, is_cut: bool) -> None:
        """The body is none of its field: raise, or note it and go on, its text the implicit field's or nothing's."""
        self._captures = {}
        field, start, stop = region.chunk["field"], self._opened_at, self._base + end
        error = refusal(cause, field=field, text=body, start=start, end=stop)
        is_unknown = isinstance(cause, UnknownTool)
        policy = self._unknown if is_unknown else self._asked["bad"] or region.bad
        if policy == "text" and (region.takes_text or isinstance(cause, TooLong)):
            policy = "drop"  # it would be given to the field that has refused it, or is not all there
        self._at, error.policy = end, policy
        if policy == "raise" and not self._keeps_errors:
            raise error
        if len(self.errors) >= WITH_CAUSE:
            error.__cause__ = None
        elif self.errors:  # only the first one says where it was found: frames keep the pieces of text that they read
            cause.__traceback__ = cause.__context__ = None
        error._message_so_far = self._message_later()
        self.errors.append(error)
        self._events.append(
            {
                "type": "region_malformed",
                "field": field,
                "start": start,
                "end": stop,
                "error": error,
                "text": body,
                "reason": (
                    "unknown-tool"
                    if is_unknown
                    else "too-long" if isinstance(cause, TooLong) else "incomplete" if is_cut else "unreadable"
                ),
            }
        )
        if policy == "text":
            self._give(self._opener + body + closer, start - self._base)

    def _give(self, raw: str, start: int) -> None:
        """The text of a refused region, delimiters included, is a piece of the implicit field."""
        self._enter(self.OUTSIDE, start, start)
        self._keep(raw)
        event = self._chunk.copy()
        event["text"] = raw
        self._events.append(event)

    def _close_given(self, text: str, end: int) -> None:
        """At the end, the text of a refused region is a piece of its own."""
        if self._is_open:
            self._close(text, end, end, end)

    def _refuse_wrong_policies(self) -> None:
        for word, choices in POLICIES.items():
            if self._asked[word] not in ("", *choices):
                raise ValueError(f"{word} is one of {', '.join(choices)}, not {self._asked[word]!r}")
            if self._asked[word] == "text" and not self.OUTSIDE.takes_text:
                raise ValueError(f'{word}="text" needs a joined implicit field, which this grammar does not have')

    def _raise_owed(self, error: ParseError | RuntimeError, text: str) -> NoReturn:
        if isinstance(error, ParseError):
            self._held += text
            self._owed = None
        raise error.with_traceback(None)

    def _message_now(self) -> Message:
        message = snapshot.apart(self._message)
        self._join(message)
        return message

    def _message_later(self) -> Callable[[], Message]:
        """The message so far, put together when it is asked for: later regions only append to its lists."""
        so_far = snapshot.SoFar(type(self), self._message)
        known = self.errors[-1]._message_so_far if self.errors else None
        return known if known is not None and so_far.says_as(known) else so_far

    # -- its state is data --------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """All there is to know, JSON-able; `resume` goes on from it."""
        if self._owed is not None:
            raise self._owed
        return snapshot.taken(self)

    @classmethod
    def resume(cls, state: dict[str, Any], **options: Any) -> Stream:
        """A parser that stands where `state` was taken. options: those of the constructor, but for the prefix."""
        parser = cls(prefix="", **options)
        try:
            parser._restore(state)
        except (KeyError, TypeError) as wrong:
            raise ValueError("this is no state that a parser of this grammar gave") from wrong
        return parser

    def _restore(self, state: dict[str, Any]) -> None:
        snapshot.put_back(self, state)

    def _lack(self, beyond: int) -> None:
        """The open region has so many characters more, which are not kept."""
        raise ValueError("the open region of this state is longer than its limit: resume with limits that it exceeds")

    def __copy__(self) -> Stream:
        return snapshot.twin_of(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> Stream:
        from copy import deepcopy

        twin = self.__copy__()
        twin._message = deepcopy(twin._message, memo)
        return twin

    def __reduce__(self) -> NoReturn:
        raise TypeError("a parser is not pickled: pickle its state(), and let resume() go on from that")


def variant(parser: type[Stream], base: type[Stream]) -> type[Stream]:
    """The parser behind `base`, which does some of its work in another way; made once, and kept by the parser."""
    if issubclass(parser, base):
        return parser
    name = f"_as_{base.__name__}"
    made: type[Stream] | None = vars(parser).get(name)
    if made is None:
        made = type(parser.__name__, (base, parser), {"__slots__": ()})
        setattr(parser, name, made)
    return made


def piece(value: Any) -> str:
    """The value, which a joined field wants to be a string."""
    if not isinstance(value, str):
        raise ValueError(f"each match of a joined field has to parse to a string, this is {type(value).__name__}")
    return value


@cache
def _decoder() -> Callable[[Any], bool]:
    """What is loaded when a call is decoded first: an import statement that finds it loaded takes a microsecond."""
    from .tools import decode_arguments

    return decode_arguments


def tools_of(tools: Iterable[Any] | None, coerce: str = "") -> Tools | None:
    """The tools of a request, ready to type arguments by; None when there is nothing to type by."""
    if not tools and not coerce:
        return None
    from .tools import Tools

    return Tools(tools, coerce)
