"""The tests' own cases go in, conformance/*.jsonl comes out: what a parser of response templates does, in any language.

Invariant: every line is what transformers makes of the whole text, and ours of the pieces; a line holds strict JSON.
`python -m tests.conformance` writes the files.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from tests import law
from tests.examples import FORMATS, format_examples, model_examples, published, templated, version_1
from tests.random_templates import KINDS
from tests.random_texts import random_cuts
from tests.reference import Reading, difference, ours, theirs

FOLDER = Path(__file__).parent.parent / "conformance"
RANDOM = 120  # cases of each kind
Line = dict[str, Any]


def examples() -> Iterator[Line]:
    """What real models write, each example in its own pieces."""
    known = templated()
    cases = [(example, version_1(example.family)[0]) for example in model_examples() if example.family in known]
    families = [one["family"] for one in FORMATS]
    cases += [(example, published(example.family)[0]) for example in format_examples(families)]
    for number, (example, template) in enumerate(cases):
        case = law.Case(template, example.prefix, example.text, example.tools, number)
        yield line(f"{example}-{number}", case)


def random_cases() -> Iterator[Line]:
    """What no model writes: delimiters cut short, nested, empty, at the edge."""
    for kind in KINDS:
        for number in range(RANDOM):
            case = law.case(kind, number)
            try:
                law.compiled(case.template)
            except law.NamedRefusal:
                continue
            made = line(f"{kind}-{number}", case)
            if is_portable(made):
                yield made


FILES = {"examples.jsonl": examples, "random.jsonl": random_cases}


def line(name: str, case: law.Case) -> Line:
    """One line; message or error, as the whole text has it."""
    chunks = random_cuts(Random(case.seed), case.text)
    expected = theirs(case.template, case.text, prefix=case.prefix, tools=case.tools)
    found = ours(law.compiled(case.template), chunks, prefix=case.prefix, tools=case.tools)
    wrong = difference(expected, found)
    if wrong:
        raise AssertionError(f"{name}: {wrong}")
    return {
        "name": name,
        "template": case.template,
        "prefix": case.prefix,
        "tools": case.tools,
        "text": case.text,
        "chunks": chunks,
        **outcome(found),
    }


def outcome(reading: Reading) -> Line:
    """Events and message; or the events before the first error, and its family."""
    if not reading.errors:
        return {"events": reading.events, "message": reading.message}
    upto = next(number for number, event in enumerate(reading.events) if event["type"] == "error")
    family = "missing-key" if isinstance(reading.errors[0][0], KeyError) else "value"
    return {"events": reading.events[:upto], "error": family}


def is_portable(made: Line) -> bool:
    """Whether JSON of any language can hold it: no NaN, no infinity, no half of a surrogate pair."""
    try:
        json.dumps(made, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return False
    return True


def text_of(lines: Iterator[Line]) -> str:
    return "".join(json.dumps(one, allow_nan=False) + "\n" for one in lines)


def main() -> None:
    for name, lines in FILES.items():
        (FOLDER / name).write_text(text_of(lines()), encoding="utf-8")


if __name__ == "__main__":
    main()
