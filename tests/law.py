"""The law, one case a number: whatever a text is cut into, ours is what transformers makes of the whole.

In goes a kind of template and a number, out comes "" or what is wrong, in words. Invariant: a case is a function of the
two. `python -m tests.law NUMBER [--from FIRST]` checks more of them, and shows the least case that shows a fault.
"""

from __future__ import annotations

import argparse
import copy
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random
from types import ModuleType
from typing import Any

from compiler import CompileError, compile_template
from compiler.diagnostics import CODES
from runtime import ParseError
from tests.random_templates import KINDS, random_template
from tests.random_texts import random_cuts, random_prefix, random_text, random_tools
from tests.reference import Reading, difference, merged, ours, resumed, same, silent, theirs, unequal

TEXTS = 4  # of one template


@dataclass(frozen=True)
class Case:
    template: dict[str, Any]
    prefix: str
    text: str
    tools: Any
    seed: int


class NamedRefusal(Exception):
    """A template that is refused by a code that says so in the list."""


def case(kind: str, number: int) -> Case:
    template = random_template(Random(f"{kind} {number // TEXTS}"), kind)
    rng = Random(f"{kind} text {number}")
    return Case(template, random_prefix(rng, template), random_text(rng, template), random_tools(rng, kind), number)


_COMPILED: dict[str, ModuleType] = {}


def compiled(template: dict[str, Any]) -> ModuleType:
    """The template's module; of the last one only, cases of a template come one after the other."""
    key = repr(template)
    if key not in _COMPILED:
        _COMPILED.clear()
        try:
            _COMPILED[key] = compile_template(copy.deepcopy(template))
        except CompileError as error:
            if CODES[error.code].stricter:
                raise NamedRefusal(error.code) from None
            raise
    return _COMPILED[key]


def wrong(case: Case) -> str:
    """What is wrong with ours. Raises NamedRefusal."""
    module = compiled(case.template)
    expected = theirs(case.template, case.text, prefix=case.prefix, tools=case.tools)
    whole = ours(module, [case.text], prefix=case.prefix, tools=case.tools)
    found = difference(expected, whole)
    if found:
        return f"whole, {found}"
    return unlike(module, case, whole)


def unlike(module: ModuleType, case: Case, whole: Reading) -> str:
    """Where a reading in pieces, or by way of a copy, with spans or with errors kept, is not like that of the whole."""
    rng = Random(case.seed)
    given: dict[str, Any] = {"prefix": case.prefix, "tools": case.tools}
    cut = rng.randrange(len(case.text) + 1)
    for chunks in (list(case.text), [case.text[:cut], case.text[cut:]], random_cuts(rng, case.text)):
        found = same(whole, ours(module, chunks, **given))
        if found:
            return f"in pieces {chunks!r}, {found}"

    def meddled(parser: Any, **options: Any) -> Any:
        way = rng.randrange(4)
        if way == 0:
            left, parser = parser, copy.copy(parser)
            with suppress(ParseError):
                left.feed("never to be seen in the copy")
        elif way == 1:
            parser = resumed(parser, tools=copy.deepcopy(case.tools), **options)
        elif way == 2:
            parser.partial()
        return parser

    chunks = random_cuts(rng, case.text)
    found = same(whole, ours(module, chunks, meddle=meddled, **given))
    if found:
        return f"copied and resumed in {chunks!r}, {found}"
    spanned = ours(module, chunks, spans=True, **given)
    found = same(whole, plain(spanned)) or untiled(spanned)
    if found:
        return f"with spans in {chunks!r}, {found}"
    return unkept(whole, ours(module, chunks, on_error="keep", cut="close", **given)) or unparsed(module, case, whole)


def plain(spanned: Reading) -> Reading:
    """A reading with spans as it is without."""
    events = [
        {key: value for key, value in event.items() if key not in ("start", "end", "captures")}
        for event in spanned.events
        if event["type"] != "text_dropped"
    ]
    return replace(spanned, events=merged(events))


def untiled(spanned: Reading) -> str:
    """Delimiters, chunks and what was dropped lie side by side from the first character to the last."""
    begun = at = 0
    for event in spanned.events:
        start, end = (event["start"], event["end"]) if "start" in event else (at, at)
        if event["type"] == "region_open":
            begun = start
        if event["type"] == "error":
            place = spanned.errors[event["at"]][1]
            if (place["start"], place["text"]) != (begun, place["text"]) and place["text"]:
                return f"spans: {place!r} does not begin at {begun}"
            start, end = at, place["end"]
        if start != at:
            return f"spans: {event!r} does not begin at {at}"
        if event["type"] == "region_chunk" and spanned.whole[start:end] != event["text"]:
            return f"spans: {event!r} is not where it says"
        at = end
    return "" if at == len(spanned.whole) else f"spans: nothing covers {spanned.whole[at:]!r}"


def unkept(whole: Reading, kept: Reading) -> str:
    """Errors that are kept are those that are raised, and all else stays as it is."""
    events = [event for event in whole.events if event["type"] != "error"]
    found = unequal("events kept", events, [event for event in kept.events if event["type"] != "region_malformed"])
    raised = [place for _, place in whole.errors]
    return (
        found
        or unequal("errors kept", raised, [place for _, place in kept.errors])
        or ("" if kept.message is not None else "errors kept: no message")
        or (unequal("message kept", whole.message, kept.message) if whole.message is not None else "")
    )


def unparsed(module: ModuleType, case: Case, whole: Reading) -> str:
    """`parse` is the same at one blow."""
    try:
        with silent():
            message = module.parse(case.text, prefix=case.prefix, tools=copy.deepcopy(case.tools))
    except ParseError as error:
        return unequal("parse", [str(error) for error, _ in whole.errors], [str(one) for one in error.errors])
    return "parse: no error" if whole.errors else unequal("parse", whole.message, message)


# -- more of them -----------------------------------------------------------------------------------------------------


def least(case: Case) -> Case:
    """A smaller case that is wrong, too: without fields, keys, tools, pieces of text."""

    def smaller(case: Case) -> Any:
        fields = case.template["fields"]
        for name in fields:
            if len(fields) > 1:
                yield replace(
                    case, template={**case.template, "fields": {k: v for k, v in fields.items() if k != name}}
                )
            for key in fields[name]:
                field = {k: v for k, v in fields[name].items() if k != key}
                yield replace(case, template={**case.template, "fields": {**fields, name: field}})
        if case.tools:
            yield replace(case, tools=None)
        for key in ("prefix", "text"):
            value = getattr(case, key)
            for size in (len(value), 8, 4, 2, 1):
                for at in range(0, len(value), size or 1):
                    yield replace(case, **{key: value[:at] + value[at + size :]})

    while True:
        for candidate in smaller(case):
            try:
                if wrong(candidate):
                    case = candidate
                    break
            except Exception:  # a template that is none any more
                continue
        else:
            return case


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("number", type=int)
    arguments.add_argument("--from", type=int, default=0, dest="first")
    arguments.add_argument("--kind", choices=KINDS)
    asked = arguments.parse_args()
    faults = 0
    for kind in [asked.kind] if asked.kind else KINDS:
        refused: Counter[str] = Counter()
        for number in range(asked.first, asked.first + asked.number):
            try:
                found = wrong(case(kind, number))
            except NamedRefusal as refusal:
                refused[str(refusal)] += 1
                continue
            except Exception as error:
                found = f"raised {error!r}"
            if found:
                faults += 1
                shown = least(case(kind, number)) if not found.startswith("raised") else case(kind, number)
                print(f"{kind} {number}: {found}\n    least: {shown!r}\n    {wrong(shown) if shown else ''}"[:3000])
        print(f"{kind}: {asked.number} cases, refused by name: {dict(refused)}")
    print(f"faults: {faults}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
