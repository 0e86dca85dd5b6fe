"""Pairs of tags: a body goes in, a dict of what stands between the tags comes out.

Invariant: a value ends at the first closer behind which, blanks between, a next opener or the end of the body follows;
where there is none, at its first closer. Openers and closers are the leftmost matches over the body, so each is looked
for once: the work grows with the body.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import Any

from .read_text import BLANKS, past_blanks
from .read_xml import put

_ENTITY = re.compile(r"&(?:(lt|gt|amp|quot|apos)|#([0-9]{1,7})|#x([0-9a-fA-F]{1,6}));")
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}
DEPTH = 100  # of pairs in pairs
_CDATA, _CDATA_END = "<![CDATA[", "]]>"


def read_pairs(
    body: str,
    opener: Any,
    closer: Any,
    *,
    value: Callable[[str], Any] | None = None,
    by: str = "",
    readers: dict[str, Callable[[str], Any]] | None = None,
    items: str = "",
    entities: bool = False,
    merge_duplicates: bool = False,
    exact: bool = False,
    tolerate: tuple[str, ...] = (),
) -> dict[str, Any]:
    """One key for each pair; ValueError for a pair without key or closer, and when a value is refused.

    opener: has `finditer`, and the group `key`. closer: has `finditer`, or is what stands before and behind the key.
    value: reads a value; None leaves it as it stands. by: the group whose text chooses among `readers` instead.
    items: pairs can hold pairs, and are lists where all that they hold has this name, or none; "" for no such nesting.
    entities: what stands in CDATA sections is no tag, and keys are decoded. merge_duplicates: as in read_xml_inline.
    exact: ValueError for what belongs to no pair and is not blank; "trailing" tolerates it behind the last pair.
    """
    hidden = _Sections(body if entities else "")
    openers = [tag for tag in opener.finditer(body) if tag.start() not in hidden]
    closers = _Closers(body, closer, hidden, {tag.start() for tag in openers})
    reading = _Reading(body, value, by, readers, merge_duplicates, entities, exact, "trailing" in tolerate)
    return reading.nested(openers, closers, items) if items else reading.flat(openers, closers)


class _Reading:
    """One body, and how its values are read."""

    def __init__(
        self,
        body: str,
        value: Callable[[str], Any] | None,
        by: str,
        readers: dict[str, Callable[[str], Any]] | None,
        merges: bool,
        entities: bool,
        exact: bool,
        trailing: bool,
    ) -> None:
        self.body, self.value, self.by, self.readers = body, value, by, readers
        self.merges, self.entities, self.exact, self.trailing = merges, entities, exact, trailing

    def flat(self, openers: list[Any], closers: _Closers) -> dict[str, Any]:
        pairs: list[tuple[str, Any]] = []
        at = 0
        for tag in openers:
            if tag.start() < at:
                continue  # it stands in a value
            self.between(at, tag.start())
            groups = tag.groupdict(None)
            key = _key(groups)
            end, at = closers.behind(tag.end(), key)
            pairs.append((self.name(key), self.read(groups, tag.end(), end)))
        self.behind(at)
        return self.collected(pairs)

    def nested(self, openers: list[Any], closers: _Closers, items: str) -> dict[str, Any]:
        """A closer that is not the innermost pair's is text."""
        marks: list[tuple[int, int, Any]] = [(tag.start(), tag.end(), tag.groupdict(None)) for tag in openers]
        marks += closers.places()
        marks.sort(key=lambda mark: mark[:2])
        inside = [_Element("", {}, 0)]
        at = 0
        for start, end, what in marks:
            within = inside[-1]
            if start < at:
                continue
            if isinstance(what, dict):
                self.between(within.at, start)
                inside.append(_Element(items if what["key"] is None else what["key"], what, end))
                if len(inside) > DEPTH:
                    raise ValueError("nested too deeply")
            elif len(inside) > 1 and what in (within.key, None):
                inside.pop()
                inside[-1].add(self.name(within.key), self.element(within, start, items), end)
            else:
                continue
            at = end
        if len(inside) > 1:
            raise ValueError(f"the value of {inside[-1].key!r} is not closed")
        self.behind(inside[0].at)
        return self.collected(inside[0].children)

    def element(self, element: _Element, end: int, items: str) -> Any:
        if not element.children:
            return self.read(element.groups, element.at, end)
        self.between(element.at, end)
        if all(key == items for key, _ in element.children):
            return [value for _, value in element.children]
        return self.collected(element.children)

    def collected(self, children: list[tuple[str, Any]]) -> dict[str, Any]:
        pairs: dict[str, Any] = {}
        merged: set[str] | None = set() if self.merges else None
        for key, value in children:
            put(pairs, merged, key, value)
        return pairs

    def read(self, groups: dict[str, str | None], start: int, end: int) -> Any:
        read = self.value
        if self.readers is not None:
            chosen = groups[self.by]
            read = self.readers.get(chosen or "")
            if read is None:
                raise ValueError(f"no reader for a value with {self.by} {chosen!r}")
        raw = self.body[start:end]
        return raw if read is None else read(raw)

    def name(self, key: str) -> str:
        return without_entities(key) if self.entities else key

    def between(self, start: int, end: int) -> None:
        """What stands there belongs to no pair."""
        if self.exact and self.body[start:end].strip(BLANKS):
            raise ValueError("text that belongs to no pair")

    def behind(self, start: int) -> None:
        if not self.trailing:
            self.between(start, len(self.body))


class _Element:
    """A pair that is open: what it holds so far, and where the last of that ends."""

    def __init__(self, key: str, groups: dict[str, str | None], start: int) -> None:
        self.key, self.groups, self.at = key, groups, start
        self.children: list[tuple[str, Any]] = []

    def add(self, key: str, value: Any, end: int) -> None:
        self.children.append((key, value))
        self.at = end


def _key(groups: dict[str, str | None]) -> str:
    key = groups["key"]
    if key is None:
        raise ValueError("a pair without a key")
    return key


def without_entities(text: str) -> str:
    """The text with the five entities of XML and numbered characters decoded; CDATA sections are what they hold."""
    parts = []
    at = 0
    for start, end in _sections(text):
        parts += [_decoded(text[at:start]), text[start + len(_CDATA) : end - len(_CDATA_END)]]
        at = end
    return "".join([*parts, _decoded(text[at:])])


def _decoded(text: str) -> str:
    return _ENTITY.sub(_character, text) if "&" in text else text


def _character(found: re.Match[str]) -> str:
    if found[1]:
        return _NAMED[found[1]]
    number = int(found[2]) if found[2] else int(found[3], 16)
    return chr(number) if number < 0xD800 or 0xDFFF < number < 0x110000 else found[0]


def _sections(text: str) -> Iterator[tuple[int, int]]:
    """Where CDATA sections start and end; one that does not end is none."""
    at = 0
    while (start := text.find(_CDATA, at)) >= 0 and (end := text.find(_CDATA_END, start)) >= 0:
        at = end + len(_CDATA_END)
        yield start, at


class _Sections:
    """The places in CDATA sections."""

    def __init__(self, text: str) -> None:
        self._edges = [edge for section in _sections(text) for edge in section]

    def __contains__(self, at: int) -> bool:
        return bisect_left(self._edges, at + 1) % 2 == 1


class _Closers:
    """Where values can end: for each key, or for all alike, the closers in their order."""

    def __init__(self, body: str, closer: Any, hidden: _Sections, openers: set[int]) -> None:
        self._body, self._openers = body, openers
        self._is_keyed = isinstance(closer, tuple)
        self._known: dict[str, tuple[list[int], list[int], list[int]]] = {}
        found = (
            _keyed(body, *closer) if self._is_keyed else (("", tag.start(), tag.end()) for tag in closer.finditer(body))
        )
        places: dict[str, list[tuple[int, int]]] = {}
        for key, start, end in found:
            if start not in hidden:
                places.setdefault(key, []).append((start, end))
        for key, spans in places.items():
            self._known[key] = [start for start, _ in spans], [end for _, end in spans], self._last_ones(spans)

    def behind(self, start: int, key: str) -> tuple[int, int]:
        """The closer of a value that begins at `start`."""
        starts, ends, last_ones = self._known.get(key if self._is_keyed else "", ([], [], []))
        first = bisect_left(starts, start)
        if first == len(starts):
            raise ValueError(f"the value of {key!r} is not closed")
        chosen = last_ones[first] if last_ones[first] < len(starts) else first
        return starts[chosen], ends[chosen]

    def places(self) -> Iterator[tuple[int, int, str | None]]:
        """All closers, with their key where they have one."""
        for key, (starts, ends, _) in self._known.items():
            for start, end in zip(starts, ends, strict=True):
                yield start, end, key if self._is_keyed else None

    def _last_ones(self, spans: list[tuple[int, int]]) -> list[int]:
        """For each closer the first one, from it on, behind which the next pair or the end follows."""
        chosen = len(spans)
        last_ones = []
        for index in range(len(spans) - 1, -1, -1):
            behind = past_blanks(self._body, spans[index][1])
            if behind == len(self._body) or behind in self._openers:
                chosen = index
            last_ones.append(chosen)
        return last_ones[::-1]


def _keyed(body: str, before: str, behind: str) -> Iterator[tuple[str, int, int]]:
    """The closers that are spelt with a key: (key, start, end). No key holds what stands before or behind it."""
    end = -1
    start = body.find(before)
    while start >= 0:
        key = start + len(before)
        following = body.find(before, key)
        if end < key:
            end = body.find(behind, key)
            if end < 0:
                return
        if following < 0 or end <= following:
            yield body[key:end], start, end + len(behind)
        start = following
