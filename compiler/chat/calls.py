"""How calls are written: in go renderings of one and two calls, out come fields that may read them, likeliest first.

A call is taken apart around sentinels; its body is tried with the real readers, in the order call list, JSON that
holds the name, JSON arguments, JSON with loose quotes, tags. Invariant: every field that is yielded read the probe;
whether it reads all else is for the caller to try.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from runtime.read_calls import read_call_list
from runtime.read_json import read_json

from ..model import (
    CallList,
    Constant,
    Delimiter,
    Emit,
    Field,
    JsonValue,
    Literals,
    Members,
    Pattern,
    Reader,
    Ref,
    XmlInline,
)
from .anatomy import Anatomy, Turns, behind_anchor, without_empty_block
from .messages import assistant, call
from .notation import around
from .render import TemplateFailed
from .units import MARKER, common_end, common_start, first_marker

NAMES = ("zqnamea", "zqnameb")
KEYS = ("zqkeya", "zqkeyb")
VALUES = ("zqvaluea", "zqvalueb")
ID, _ANY_ID = "zqid", re.compile(r"call0\d{4}")  # the identities of convention.py
ANY = "\0"  # in a text: what depends on something else
NAME, ARGUMENTS, IDENTITY = "name", "arguments", "id"
Path = tuple[str, ...]
OUTSIDE: Mapping[str, Path] = {NAME: ("name",), ARGUMENTS: ("content",)}
_PLACES = re.compile(f"({ID}|{NAMES[0]})")
_SPLIT = re.compile(r"(\s+)")


@dataclass(frozen=True)
class Found:
    """A field for calls, and the texts around them that belong to nothing."""

    field: Field
    loose: tuple[str, ...]


@dataclass(frozen=True)
class Shown:
    """One call as it is printed: what stands before its body, the body, what stands behind it; `between` two bodies.

    between: "" when two calls are never printed.
    """

    before: str
    body: str
    behind: str
    between: str


class Calls:
    """The renderings of calls that the fields are made of."""

    def __init__(self, turns: Turns, anatomy: Anatomy) -> None:
        self.turns, self.anatomy = turns, anatomy

    def fields(self) -> Iterator[Found]:
        """Fields that read one call, and two where two are printed. Raises TemplateFailed when none is rendered."""
        one, two = self.body(0), self.two()
        yield from self.lists(one, two)
        for encoding in (self.named_json, self.json_arguments, self.loose_json):
            yield from encoding(one, two)
        yield from self.tags()

    def body(self, *which: int, arguments: dict[str, Any] | None = None) -> str:
        """What a message with these calls adds behind its header and an empty block for reasoning."""
        each = [call(NAMES[n], arguments if arguments is not None else {KEYS[n]: VALUES[n]}) for n in which]
        return _ANY_ID.sub(ID, self.behind_header(self.turns.turn(assistant("", "", *each))))

    def two(self, arguments: dict[str, Any] | None = None) -> str:
        """The same of two calls, "" where a message never has two."""
        return self.body(0, 1, arguments=arguments) if self.turns.convention.calls > 1 else ""

    def behind_header(self, turn: str) -> str:
        rest = behind_anchor(turn, self.anatomy.anchors)
        return without_empty_block(rest, self.anatomy.reasoning_open, self.anatomy.reasoning_close)

    # -- the encodings ------------------------------------------------------------------------------------------------

    def lists(self, one: str, two: str) -> Iterator[Found]:
        """All calls in one list: of Python calls, or of JSON objects."""
        for text in filter(None, (two, one)):
            wanted = [{"name": NAMES[n], "arguments": {KEYS[n]: VALUES[n]}} for n in range(2 if text is two else 1)]
            for start, end in _stretches(text, "[", "]", text.index(NAMES[0]), text.rindex(VALUES[len(wanted) - 1])):
                shown = Shown(text[:start], text[start:end], text[end:], "")
                if _read(read_call_list, shown.body) == wanted:
                    paths = {NAME: ("name",), ARGUMENTS: ("arguments",)}
                    yield from self._listed(shown, CallList(), _function(paths))
                items = _read(json.loads, shown.body)
                if isinstance(items, list) and len(items) == len(wanted):
                    each = [_paths(item, NAMES[n], {KEYS[n]: VALUES[n]}) for n, item in enumerate(items)]
                    if each[0] and each.count(each[0]) == len(each):
                        yield from self._listed(shown, JsonValue(), _function(each[0]))

    def _listed(self, shown: Shown, reader: CallList | JsonValue, emit: Emit) -> Iterator[Found]:
        before, behind = shown.before.strip(), self._until_end(shown.behind)
        if before and behind:
            for closer in _closers(behind, shown.body[-1]):
                yield Found(Field("tool_calls", _opener(before, ""), closer, reader, emit=emit, each=True), ())

    def named_json(self, one: str, two: str) -> Iterator[Found]:
        """A JSON object a call that holds the name and the arguments."""
        for shown in self._shown(one, two, NAMES):
            paths = _paths(_read(json.loads, shown.body), NAMES[0], {KEYS[0]: VALUES[0]})
            for opener, closer, loose in self._cut(shown) if paths else ():
                places = {what: ("content", *path) for what, path in paths.items()}
                for close in _closers(closer, "}") if opener else ():
                    yield _found(opener, shown.body, close, JsonValue(), places, loose)

    def json_arguments(self, one: str, two: str) -> Iterator[Found]:
        """The name in the opener, then the arguments as a JSON object."""
        for shown in self._shown(one, two, KEYS):
            if _read(json.loads, shown.body) == {KEYS[0]: VALUES[0]}:
                yield from self._name_outside(shown, JsonValue(), "}")

    def loose_json(self, one: str, two: str) -> Iterator[Found]:
        """The same with keys or strings that JSON would not take."""
        at = one.index(VALUES[0])
        sign = around(one, at, at + len(VALUES[0])) or '"'
        reader = JsonValue(unquoted_keys=True, string_delims=() if sign == '"' else ((sign, sign),))
        for shown in self._shown(one, two, KEYS):
            if _read(_loosely(reader), shown.body) == {KEYS[0]: VALUES[0]}:
                yield from self._name_outside(shown, reader, "}")

    def tags(self) -> Iterator[Found]:
        """The name in the opener, then each argument between tags of its own."""
        both = dict(zip(KEYS, VALUES, strict=True))
        one = self.body(0, arguments=both)
        parts = re.split("|".join([*KEYS, *VALUES]), one)
        if len(parts) != 5:
            return
        before, mid, between, mid_again, behind = parts
        after = common_start(between, behind)
        lead = common_end(before, between[len(after) :])
        if mid != mid_again or not (lead.strip() and mid.strip() and after.strip()):
            return
        mid = self._mid_of_other_types(lead, mid)
        start, end = len(before) - len(lead), len(one) - len(behind) + len(after)
        shown = Shown(one[:start], one[start:end], one[end:], self._between(one, self.two(both), start, end))
        key = rf"(?P<key>[^{re.escape(_first_sign(mid))}\s]+)"
        tight = after.rstrip()
        tag = f"{_loose(lead.lstrip())}{key}{_exact(mid)}(?P<value>.*?){_exact(tight)}"
        for opener, closer, loose in self._cut(shown):
            ends = "|".join(_loose(text) for text in (lead.strip(), closer) if text)
            sure = rf"{tag}(?=\s*(?:{ends}|\Z))"
            next_things = dict.fromkeys(filter(None, (opener.split(NAMES[0])[0], *loose, *self.anatomy.ends)))
            following = "|".join([*map(_loose, next_things), r"\Z"])
            closers: list[Delimiter] = [Literals((closer,), blank_after=True)]
            if " " in closer or "\n" in closer:
                closers = [Pattern(_loose(closer) + r"\s*")]
            closers.append(Pattern(rf"{_loose(closer)}(?=\s*(?:{following}))"))
            for pattern, close in product((tag, sure), closers):
                yield _found(opener, "", close, XmlInline(Pattern(pattern)), OUTSIDE, loose)

    # -- their parts --------------------------------------------------------------------------------------------------

    def _mid_of_other_types(self, lead: str, mid: str) -> str:
        """What stands between key and value, `.*` where it depends on the value's type."""
        shapes = {mid}
        for value in (5, True, ["zqitem"]):
            try:
                text = self.body(0, arguments={KEYS[0]: value})
            except TemplateFailed:
                continue
            rest = text.partition(KEYS[0])[2]
            shape = next(
                (rest[:at] for at in (rest.find(form) for form in (json.dumps(value), str(value))) if at >= 0), mid
            )
            shapes.add(shape)
        if len(shapes) == 1:
            return mid
        start, *others = sorted(shapes)
        end = start
        for shape in others:
            start, end = common_start(start, shape), common_end(end, shape)
        return f"{start}{ANY}{end}"

    def _name_outside(self, shown: Shown, reader: JsonValue, last: str) -> Iterator[Found]:
        for opener, closer, loose in self._cut(shown):
            for close in _closers(closer, last) if NAMES[0] in opener else ():
                yield _found(opener, shown.body, close, reader, OUTSIDE, loose)

    def _shown(self, one: str, two: str, first: tuple[str, str]) -> Iterator[Shown]:
        """Every way to see an object as the body: from a brace before a sentinel to one behind the value."""
        for start, end in _stretches(one, "{", "}", one.index(first[0]), one.rindex(VALUES[0])):
            yield Shown(one[:start], one[start:end], one[end:], self._between(one, two, start, end))

    def _between(self, one: str, two: str, start: int, end: int) -> str:
        """What stands between the bodies of two calls, when the second is written as the first."""
        if not two:
            return ""
        body = one[start:end]
        for a, b in zip((*NAMES, *KEYS, *VALUES)[::2], (*NAMES, *KEYS, *VALUES)[1::2], strict=True):
            body = body if KEYS[1] in one else body.replace(a, b)
        at = two.rfind(body)
        return two[end:at].replace(NAMES[1], NAMES[0]) if two.startswith(one[:end]) and at > 0 else ""

    def _cut(self, shown: Shown) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Opener and closer of a call, and what stands around all calls or between them; without outer blanks."""
        if shown.between:
            closer = common_start(shown.behind, shown.between)
            opener = common_end(shown.before, shown.between[len(closer) :])
            separator = shown.between[len(closer) : len(shown.between) - len(opener)]
            wrapper = shown.before[: len(shown.before) - len(opener)], shown.behind[len(closer) :]
            loose = tuple(
                text.strip() for text in (wrapper[0], separator, wrapper[1]) if text.strip() and ID not in text
            )
            if closer.strip():
                yield opener.strip(), closer.strip(), loose
                return
        closer = self._until_end(shown.behind)
        if closer:
            yield shown.before.strip(), closer, ()

    def _until_end(self, behind: str) -> str:
        """What closes the last call: all before the end of the turn, and that too where nothing else has a marker."""
        for end in self.anatomy.ends:
            before, found, _ = behind.partition(end)
            if found and MARKER.search(before):
                return before.strip()
            if found:
                return (before + found).strip()
        marker = first_marker(behind)
        return (behind.partition(marker)[0] + marker).strip() if marker else behind.strip()


def _closers(text: str, last: str) -> Iterator[Delimiter]:
    """A closer as it stands, and one that counts only behind what a body ends with: inside strings it is text then."""
    if ID not in text:
        yield Literals((text,), blank_after=True)
    yield Pattern(rf"(?<={re.escape(last)}\s?){_loose(text)}\s*")


def _opener(text: str, then: str) -> Delimiter:
    """What a call begins with; name and id are captured at their last places. `then` is what follows the text."""
    parts = _PLACES.split(text)
    if len(parts) == 1:
        return Literals((text,))
    pattern = _loose(parts[0])
    for at in range(1, len(parts), 2):
        stop = "".join(dict.fromkeys((_first_sign(parts[at + 1]) or then[:1]) + "<"))
        group = f"?P<{'id' if parts[at] == ID else 'name'}>" if parts[at] not in parts[at + 1 :] else "?:"
        pattern += rf"({group}[^{re.escape(stop)}\s]+){_loose(parts[at + 1])}"
    return Pattern(pattern)


def _found(
    opener: str, body: str, close: Delimiter, reader: Reader, paths: Mapping[str, Path], loose: tuple[str, ...]
) -> Found:
    """A field that is opened anew for each call."""
    places = {**paths, **({IDENTITY: ("id",)} if ID in opener else {})}
    field = Field("tool_calls", _opener(opener, body), close, reader, repeats=True, emit=_function(places))
    return Found(field, loose)


def _stretches(text: str, opening: str, closing: str, before: int, behind: int) -> Iterator[tuple[int, int]]:
    """Stretches from an opening sign before a place to a closing sign behind another; the widest opening first."""
    starts = [at for at in range(before + 1) if text.startswith(opening, at)]
    ends = [at + 1 for at in range(behind, len(text)) if text.startswith(closing, at)]
    yield from product(starts, ends)


def _read(reader: Callable[[str], Any], body: str) -> Any:
    try:
        return reader(body)
    except ValueError:
        return None


def _loosely(reader: JsonValue) -> Callable[[str], Any]:
    return lambda body: read_json(body, unquoted_keys=reader.unquoted_keys, string_delims=reader.string_delims)


def _paths(value: Any, name: str, arguments: Any) -> dict[str, Path]:
    """The keys that lead to the name, to the arguments, which may be a JSON string, and to the id, if there is one.

    Empty when the first two are not both there.
    """
    places: dict[str, Path] = {}

    def walk(value: Any, path: Path) -> None:
        if value == name:
            places.setdefault(NAME, path)
        elif value == ID:
            places.setdefault(IDENTITY, path)
        elif value == arguments or (isinstance(value, str) and _read(json.loads, value) == arguments):
            places.setdefault(ARGUMENTS, path)
        elif isinstance(value, dict):
            for key, member in value.items():
                walk(member, (*path, key))

    walk(value, ())
    return places if places.get(NAME) and places.get(ARGUMENTS) else {}


def _function(paths: Mapping[str, Path]) -> Emit:
    """What every call becomes; an object that has the keys `name` and `arguments` is taken as it is."""
    name, arguments = paths[NAME], paths[ARGUMENTS]
    whole = name[:-1]
    function: Emit = Members((("name", Ref(name)), ("arguments", Ref(arguments))))
    if whole and name == (*whole, "name") and arguments == (*whole, "arguments") and IDENTITY not in paths:
        function = Ref(whole)
    identity = (("id", Ref(paths[IDENTITY])),) if IDENTITY in paths else ()
    return Members((("type", Constant("function")), *identity, ("function", function)))


def _first_sign(text: str) -> str:
    return next((char for char in text if not char.isspace() and char != ANY), "")


def _loose(text: str) -> str:
    """A text as a pattern in which any blanks do where blanks are, and any id where one is."""
    pattern = "".join(r"\s*" if part.isspace() else re.escape(part) for part in _SPLIT.split(text) if part)
    return pattern.replace(ID, r"[^<>\s]+")


def _exact(text: str) -> str:
    """A text as a pattern, blanks as they are; ANY for what stands before the next `>`."""
    return "".join(
        "[^<>]*" if part == ANY else re.escape(part).replace("\\\n", r"\n") for part in re.split(f"({ANY})", text)
    )
