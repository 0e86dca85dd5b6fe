"""What a prompt leaves open where generation begins: in go a bench and its grammar, out comes a report a context.

Invariant: what is said to be open is what a parser of the grammar holds open behind that prompt.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from runtime.errors import AnchorNotFound, ParseError
from runtime.program import compiled

from ..model import Delimiter, Grammar, Literals
from .compare import grade, plain
from .messages import TOOLS, Context, assistant
from .render import TemplateFailed
from .roundtrip import Bench
from .switches import Thinking, positions

BEGUN, REST = "It is 12 degrees", " and it rains."


@dataclass(frozen=True)
class Point:
    """One generation point. behind: the prompt's text behind the anchor, None without an anchor. region: the open one.

    continues: whether a message that was begun goes on with `continue_final_message`; "" when it does, else why not.
    warnings: what is wrong with the grammar's anchor here.
    """

    context: str
    thinking: str
    behind: str | None
    region: str
    continues: str
    warnings: tuple[str, ...] = ()


def report(bench: Bench, grammar: Grammar) -> Iterator[Point]:
    """A point for each context and position of the switch; contexts that the template refuses are left out."""
    for context, thinking in product(bench.contexts(), positions(bench.renderer)):
        shaped, tools = bench.convention.shape(context.messages), TOOLS if context.tools else None
        try:
            prompt = bench.renderer.prompt(shaped, tools, **thinking.variables)
        except TemplateFailed:
            continue
        yield _point(bench, grammar, context, thinking, prompt)


def _point(bench: Bench, grammar: Grammar, context: Context, thinking: Thinking, prompt: str) -> Point:
    goes_on = _continues(bench, context, thinking)
    try:
        parser = bench.module.Parser(prefix=prompt, strict_prefix=True)
    except AnchorNotFound:
        missing = "the prompt does not contain the anchor: all of it will be parsed"
        return Point(context.name, thinking.name, None, "", goes_on, (missing,))
    behind = prompt[len(prompt) - parser.prefix_end :]
    region = ""
    for event in parser.initial_events:
        region = {"region_open": event.get("field", ""), "region_close": ""}.get(event["type"], region)
    eaten = _eaten(grammar, prompt[: len(prompt) - parser.prefix_end])
    warnings = [f"the anchor eats {text!r}, which should open {name}" for name, text in eaten]
    return Point(context.name, thinking.name, behind, region, goes_on, tuple(warnings))


def _eaten(grammar: Grammar, before: str) -> list[tuple[str, str]]:
    """The fields whose opener, and not their close behind it, stands in the anchor that ends the text."""
    anchor = _last(grammar.anchor, before)
    found = []
    for field in grammar.fields:
        opened = _last(field.open, anchor) if field.open is not None else ""
        if opened and not (field.close and _last(field.close, anchor.rpartition(opened)[2])):
            found.append((field.name, opened))
    return found


def _last(delimiter: Delimiter, text: str) -> str:
    """The last match of a delimiter in a text, "" when there is none."""
    if isinstance(delimiter, Literals):
        places = [(text.rfind(word) + len(word), word) for word in delimiter.words if word in text]
        return max(places, key=lambda place: (place[0], len(place[1])), default=(0, ""))[1]
    return next((match[0] for match in reversed(list(compiled(delimiter.text).finditer(text)))), "")


def _continues(bench: Bench, context: Context, thinking: Thinking) -> str:
    """ "" when a message that the prompt begins is parsed whole, else why not."""
    shape, tools = bench.convention.shape, TOOLS if context.tools else None
    whole = assistant(BEGUN + REST)
    try:
        begun = bench.renderer.render(
            shape([*context.messages, assistant(BEGUN)]), tools, continue_final_message=True, **thinking.variables
        )
        text = bench.renderer.render(shape([*context.messages, whole]), tools, **thinking.variables)
    except TemplateFailed as error:
        return error.what.splitlines()[0]
    if not text.startswith(begun):
        return "the whole message does not extend it"
    try:
        parsed = plain(bench.module.parse(text[len(begun) :], prefix=begun, strict_prefix=True))
    except (AnchorNotFound, ParseError) as error:
        return str(error)
    return "" if grade(whole, parsed) else f"it is read as {parsed.get('content', '')!r}"
