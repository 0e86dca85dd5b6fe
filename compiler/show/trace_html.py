"""Recordings as one self-contained page: in go Recordings, out comes HTML that needs no network.

Invariant: what a model wrote stands in the page as JSON only, its `<`, `>` and `&` escaped, and the page's script
writes it as text nodes; the policy in its head runs no other script or style, so no text can become markup or code.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.resources import files
from itertools import accumulate
from typing import Any

import jinja2
from markupsafe import Markup

from .printable import printed, quoted, visible
from .recording import Change, Hold, Recording, Stretch
from .trace import COLOURS, VERB, refused, waited


def page(recordings: list[Recording], *, title: str) -> str:
    """The page of one or more recordings, to be stored as UTF-8. title: its heading."""
    script, styles = _asset("trace.js"), _asset("trace.css")
    return _ENVIRONMENT.get_template("trace.html.j2").render(
        title=visible(title),
        data=[_data(recording) for recording in recordings],
        script=Markup(script),
        styles=Markup(styles),
        script_digest=_digest(script),
        styles_digest=_digest(styles),
    )


def _data(recording: Recording) -> dict[str, Any]:
    """What the script reads. Offsets in `text` count UTF-16 units, as JavaScript does; those in words characters."""
    units = [0, *accumulate(1 + (char > "\uffff") for char in recording.text)]
    holds = recording.holds()
    return {
        "title": visible(recording.generation.title),
        "text": recording.text,
        "prefixEnd": units[recording.prefix_end],
        "hasAnchor": recording.has_anchor,
        "fields": list(recording.fields),
        "stretches": [
            {
                "start": units[stretch.start],
                "end": units[stretch.end],
                "kind": stretch.kind,
                "hue": _hue(recording, stretch.field),
                "label": _label(stretch, [h for h in holds if stretch.start <= h.start < stretch.end]),
            }
            for stretch in recording.stretches()
        ],
        "steps": [
            {
                "fed": units[step.fed],
                "read": units[step.read],
                "change": step.change and _change(step.change),
            }
            for step in recording.steps
        ],
        "events": _events(recording),
        "errors": [refused(recording, error).plain for error in recording.errors],
    }


def _change(change: Change) -> dict[str, Any]:
    """New values and what comes behind those there, as JSON text: JavaScript's numbers and keys are not Python's."""
    return {
        "keys": change.keys,
        "new": {key: {"shape": _shape(value), "text": _printed(value)} for key, value in change.new.items()},
        "more": {key: _printed(value) for key, value in change.more.items()},
    }


def _shape(value: object) -> str:
    return "list" if isinstance(value, list) else "string" if isinstance(value, str) else "other"


def _printed(value: object) -> list[str]:
    """A list's items, or the value: as they stand in the printed message, without a string's quotes."""
    if isinstance(value, list):
        return [printed(item).replace("\n", "\n    ") for item in value]
    return [printed(value)[1:-1] if isinstance(value, str) else printed(value).replace("\n", "\n  ")]


def _events(recording: Recording) -> list[dict[str, Any]]:
    """The events, adjacent chunks merged: in words, with the first and the last step that they came in."""
    merged: list[tuple[dict[str, Any], int, int]] = []
    for number, step in enumerate(recording.steps):
        for event in step.events:
            kind = event["type"]
            if merged and kind == merged[-1][0]["type"] and kind in ("region_chunk", "text_dropped"):
                last, first, _ = merged[-1]
                if (last.get("field"), last.get("rule")) == (event.get("field"), event.get("rule")):
                    merged[-1] = ({**last, "end": event["end"]}, first, number)
                    continue
            merged.append((event, number, number))
    return [
        {
            "type": event["type"],
            "hue": _hue(recording, event.get("field", "")),
            "words": _words(recording, event),
            "first": first,
            "last": last,
        }
        for event, first, last in merged
    ]


def _words(recording: Recording, event: dict[str, Any]) -> str:
    stretch = recording.text[event["start"] : event["end"]]
    if event["type"] == "region_close":
        what = printed(event["value"], indent=None)
    elif event["type"] == "region_malformed":
        what = visible(str(event["error"].reason))
    elif event["type"] == "text_dropped":
        what = f"{event['rule']} {quoted(stretch)}"
    else:
        what = quoted(stretch) if stretch else ""
        what += "".join(f" {name}={taken!r}" for name, taken in (event.get("captures") or {}).items())
    return f"{event['start']}-{event['end']} {visible(event.get('field', ''))} {what}"


def _label(stretch: Stretch, holds: list[Hold]) -> str:
    name = f" {visible(stretch.field)}" if stretch.field else ""
    notes = [note for note in (visible(stretch.note), waited(holds)) if note]
    return "; ".join([f"{VERB[stretch.kind]}{name}, {stretch.start} to {stretch.end}", *notes])


def _hue(recording: Recording, field: str) -> int:
    """The number of a field's colour, -1 for none."""
    return recording.fields.index(field) % len(COLOURS) if field else -1


def _asset(name: str) -> str:
    return (files(__package__) / "templates" / name).read_text(encoding="ascii")


def _digest(text: str) -> str:
    """How a Content-Security-Policy names a script or style."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode("ascii")).digest()).decode("ascii")


_ENVIRONMENT = jinja2.Environment(
    loader=jinja2.PackageLoader("compiler.show"), undefined=jinja2.StrictUndefined, autoescape=True, trim_blocks=True
)
