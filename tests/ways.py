"""Every way of reading one response: a module and a text in, what is seen out, when all ways see the same.

Ways: whole, by characters, cut in two at each place, cut at random, by way of state() and resume(), of copies, with
spans, with errors kept, and `parse`. Invariant: `agree` raises AssertionError where two ways can be told apart, or
where spans do not tile the text.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from types import ModuleType
from typing import Any

from runtime import MissingField, ParseError
from tests.random_texts import random_cuts
from tests.reference import Event, Reading, ours, place, resumed, silent

CUTS = 40  # a longer text is cut in two at about as many places only
OF_SPANS = ("start", "end", "captures", "repaired")


def agree(module: ModuleType, text: str, **options: Any) -> Reading:
    """The reading of the whole. options: those of the parser."""
    whole = ours(module, [text], **options)
    expected = seen(whole)
    for chunks in ways_to_cut(text):
        assert seen(ours(module, chunks, **options)) == expected, chunks
    given = {key: value for key, value in options.items() if key != "prefix"}

    def elsewhere(parser: Any) -> Any:
        return resumed(parser, **copy.deepcopy(given))

    for size in (1, 3):
        chunks = [text[at : at + size] for at in range(0, len(text), size)]
        assert seen(ours(module, chunks, meddle=elsewhere, **options)) == expected, "resumed"
        assert seen(ours(module, chunks, meddle=_copied, **options)) == expected, "copied"
        spanned = ours(module, chunks, spans=True, **options)
        assert seen(spanned, plain=True) == expected, "with spans"
        assert tiles(spanned), spanned.events
        if size == 1:
            with_spans = seen(spanned)
    assert seen(spanned) == with_spans == seen(ours(module, [text], spans=True, **options)), "spans"
    if not whole.errors:
        assert _parsed(module, text, options) == (whole.message, []), "parse"
    settled = {**options, "cut": options.get("cut") or "close"}  # what on_error means for a cut, too
    refused, kept = ours(module, [text], **settled), ours(module, list(text), **{**settled, "on_error": "keep"})
    assert _without_refused(seen(kept)[0]) == _without_refused(seen(refused)[0]), "errors kept"
    assert refused.message is None or kept.message == refused.message, "errors kept"
    if "on_error" not in options:
        first = next((n for n, (error, _) in enumerate(kept.errors) if error.policy == "raise"), None)
        places = [shown for _, shown in kept.errors]
        errors = [] if first is None else [{**places.pop(first), "message": kept.message}, *places]
        assert _parsed(module, text, settled) == (kept.message, errors), "parse"
    return whole


def ways_to_cut(text: str) -> Iterator[list[str]]:
    yield list(text)
    for at in range(1, len(text), 1 + len(text) // CUTS):
        yield [text[:at], text[at:]]
    yield random_cuts(Random(text.encode("utf-8", "surrogatepass")), text)
    yield ["", *(piece for char in text for piece in (char, ""))]


def seen(reading: Reading, plain: bool = False) -> tuple[list[Event], Any]:
    """Events, each error as all that it carries, and the message. plain: without what spans add."""
    events: list[Event] = []
    for event in reading.events:
        shown = event.copy()
        if event["type"] == "region_malformed":
            shown["error"] = {**place(event["error"]), "policy": event["error"].policy}
        elif event["type"] == "error":
            shown["error"] = reading.errors[event["at"]][1]
        elif plain:
            shown = {key: value for key, value in event.items() if key not in OF_SPANS}
        if not (plain and event["type"] == "text_dropped"):
            events.append(shown)
    return _merged(events), reading.message


def tiles(spanned: Reading) -> bool:
    """Delimiters, chunks and what was dropped lie side by side; a refused region counts once, as a whole or as text."""
    stretches: list[tuple[int, int]] = []
    opened = 0  # the number of stretches before the open region
    for event in spanned.events:
        if event["type"] == "region_open":
            opened = len(stretches)
        if event["type"] in ("error", "region_malformed"):
            error = spanned.errors[event["at"]][0] if event["type"] == "error" else event["error"]
            if isinstance(error, MissingField):
                continue
            del stretches[opened:]
            if error.policy != "text":
                stretches.append((error.start, error.end))
        else:
            if event["type"] == "region_chunk":
                assert spanned.whole[event["start"] : event["end"]] == event["text"], event
            stretches.append((event["start"], event["end"]))
    ends = [0, *(end for _, end in stretches)]
    return [start for start, _ in stretches] == ends[:-1] and ends[-1] == len(spanned.whole)


def _merged(events: list[Event]) -> list[Event]:
    """Chunks that lie side by side once nothing dropped is between them."""
    out: list[Event] = []
    for event in events:
        if out and event["type"] == out[-1]["type"] == "region_chunk":
            end = {"end": event["end"]} if "end" in event else {}
            out[-1] = {**out[-1], "text": out[-1]["text"] + event["text"], **end}
        else:
            out.append(event)
    return out


def _without_refused(events: list[Event]) -> list[Event]:
    """Without what stands where a region is refused and its error not only noted."""
    return [
        event
        for event in events
        if event["type"] != "error"
        and not (event["type"] == "region_malformed" and event["error"]["policy"] == "raise")
    ]


def _copied(parser: Any) -> Any:
    """A copy; the parser it was made of goes another way."""
    twin = copy.copy(parser)
    with suppress(ParseError):
        parser.feed("never to be seen in the copy")
    return twin


def _parsed(module: ModuleType, text: str, options: dict[str, Any]) -> tuple[Any, list[Any]]:
    """The message of `parse`, and the errors that it raises, the first that is not only noted in front."""
    with silent():
        try:
            return module.parse(text, **{"prefix": "", **copy.deepcopy(options)}), []
        except ParseError as error:
            return error.message, [place(one) for one in error.errors]
