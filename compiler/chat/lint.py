"""What is wrong or odd in a chat template: in goes a checkpoint, out come findings with lines of the template's file.

Invariant: only what the documentation of chat templates warns of and what renders wrongly is a warning; a habit that
works in transformers and not elsewhere is information, one line a habit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from jinja2 import nodes

from .convention import Convention, probe
from .folder import ChatTemplate, Checkpoint
from .messages import Message, assistant, call
from .notation import leaks
from .render import Renderer, TemplateFailed, environment, variables

CONSTANTS = {"True": "true", "False": "false", "None": "none"}
FILTERS = {
    "capitalize": "capitalize",
    "items": "items",
    "join": "join",
    "lower": "lower",
    "replace": "replace",
    "strip": "trim",
    "title": "title",
    "upper": "upper",
}
GIVEN = {"messages", "tools", "documents", "add_generation_prompt"}
ASKING = {"defined", "undefined", "none", "default", "d"}
_CONTROL = re.compile(r"\{[%{#]-|-[%}#]\}")
_MARK = re.compile("\ue000(\\d+)\ue001")
_INDENT = re.compile(r"(?:\A|\n)[ \t]+\Z")


@dataclass(frozen=True)
class Finding:
    """What was found in a template. lines: where, in the template's file; none for what stands nowhere."""

    name: str
    what: str
    template: ChatTemplate
    lines: tuple[int, ...] = ()
    warning: bool = True

    def __str__(self) -> str:
        place = self.template.at(self.lines[0]) if self.lines else str(self.template.file)
        more = f" (and {', '.join(map(str, self.lines[1:]))})" if self.lines[1:] else ""
        return f"{place}: {'warning' if self.warning else 'note'}[{self.name}]: {self.what}{more}"


def lint(checkpoint: Checkpoint) -> Iterator[Finding]:
    """The findings about every template of a checkpoint. Raises TemplateFailed for one that does not compile."""
    for template in checkpoint.templates.values():
        free = variables(template)
        tree = environment(template).parse(template.text)
        yield from _constants(template)
        yield from _untested(template, tree, free, checkpoint)
        if "add_generation_prompt" not in free:
            yield Finding(
                "no-generation-prompt", "add_generation_prompt is not read: no prompt asks for a message", template
            )
        yield from _no_control(template, tree)
        yield from _methods(template, tree)
        yield from _leaking(replace(checkpoint, templates={"default": template}), template)


def _constants(template: ChatTemplate) -> Iterator[Finding]:
    """True, False and None, which only Python knows."""
    lines: dict[str, list[int]] = {}
    for line, kind, text in environment(template).lex(template.text):
        if kind == "name" and text in CONSTANTS:
            lines.setdefault(text, []).append(line)
    for text, places in lines.items():
        what = f"{text} is Python's; other renderers know {CONSTANTS[text]}"
        yield Finding("python-constant", what, template, tuple(sorted(set(places))))


def _untested(
    template: ChatTemplate, tree: nodes.Template, free: frozenset[str], checkpoint: Checkpoint
) -> Iterator[Finding]:
    """Variables that are used without a test whether they are there."""
    tested = {name for node in tree.find_all((nodes.Test, nodes.Filter)) for name in _asked(node)}
    tested |= {name for branch in tree.find_all(nodes.If) for name in _bare(branch.test)}
    tested |= {name for choice in tree.find_all(nodes.CondExpr) for name in _bare(choice.test)}
    tested |= {node.name for node in tree.find_all(nodes.Name) if node.ctx != "load"}
    special = {
        name for name in free if name.endswith("_token") and (name in checkpoint.tokens or not checkpoint.tokens)
    }
    for name in sorted(free - tested - special - GIVEN - set(environment(template).globals)):
        lines = [node.lineno for node in tree.find_all(nodes.Name) if node.name == name and node.ctx == "load"]
        yield Finding(
            "untested-variable", f"{name} is used, and never tested for being there", template, tuple(lines[:1])
        )


def _asked(node: nodes.Node) -> Iterator[str]:
    """The name that `is defined`, `is none` or `|default` is about."""
    if isinstance(node, (nodes.Test, nodes.Filter)) and node.name in ASKING and isinstance(node.node, nodes.Name):
        yield node.node.name


def _bare(node: nodes.Node) -> Iterator[str]:
    """The names that a condition asks for by themselves."""
    if isinstance(node, nodes.Name):
        yield node.name
    elif isinstance(node, nodes.Not):
        yield from _bare(node.node)
    elif isinstance(node, (nodes.And, nodes.Or)):
        yield from _bare(node.left)
        yield from _bare(node.right)


def _no_control(template: ChatTemplate, tree: nodes.Template) -> Iterator[Finding]:
    """Indentation that is printed, in a template that nowhere says `-`."""
    if _CONTROL.search(template.text):
        return
    lines = [data.lineno for data in tree.find_all(nodes.TemplateData) if _INDENT.search(data.data)]
    if lines:
        what = "indentation is printed; there is no white-space control, as in {{- ... }}"
        yield Finding("no-white-space-control", what, template, tuple(sorted(set(lines))))


def _methods(template: ChatTemplate, tree: nodes.Template) -> Iterator[Finding]:
    """Python methods that a filter could stand for."""
    lines: dict[str, list[int]] = {}
    for node in tree.find_all(nodes.Call):
        if isinstance(node.node, nodes.Getattr) and node.node.attr in FILTERS:
            lines.setdefault(node.node.attr, []).append(node.lineno)
    for name, places in sorted(lines.items()):
        what = f".{name}() is Python's; everywhere there is |{FILTERS[name]}"
        yield Finding("python-method", what, template, tuple(sorted(set(places))), warning=False)


# -- what only a rendering shows --------------------------------------------------------------------------------------

_PLAIN: dict[str, Any] = {"type": "string", "description": "zq"}
_TOOL_VALUES: dict[str, dict[str, Any]] = {
    "a tool's default": {**_PLAIN, "default": None},
    "a tool's enum": {**_PLAIN, "enum": ["zqOne", "zqTwo"]},
    "a tool's types": {**_PLAIN, "type": ["string", "null"]},
    "a tool's flag": {**_PLAIN, "nullable": True},
}
_ITEMS = [{"type": "text", "text": "zqText"}]
_ARGUMENTS: dict[str, Any] = {
    "an argument null": None,
    "an argument true": True,
    "a list as argument": ["zqOne", None],
    "an object as argument": {"zqOne": False},
}


def _leaking(checkpoint: Checkpoint, template: ChatTemplate) -> Iterator[Finding]:
    """Values that come out in Python's notation, against a rendering without them."""
    renderer = Renderer(checkpoint)
    try:
        convention = probe(renderer)
    except TemplateFailed as error:
        yield Finding("does-not-render", error.what, template, (error.line,))
        return
    marked = Renderer(replace(checkpoint, templates={"default": _marked(template)}))
    plain = _rendered(renderer, convention, _PLAIN, "zqText")
    tried = [(what, schema, schema, "zqText") for what, schema in _TOOL_VALUES.items()]
    # Where strings stand in Python's quotes, calls are written in Python on purpose.
    if convention.calls and "'zqText'" not in plain:
        tried += [(what, value, _PLAIN, value) for what, value in _ARGUMENTS.items()]
    printed: dict[tuple[str, tuple[int, ...]], list[str]] = {}
    for what, value, schema, argument in tried:
        for form in _outermost(leaks(value, _rendered(renderer, convention, schema, argument))):
            if form not in plain:
                lines = _lines(form, _rendered(marked, convention, schema, argument))
                printed.setdefault((form, lines), []).append(what)
    for (form, lines), origins in printed.items():
        what = f"{' and '.join(origins)} is printed as {form}, which is Python's notation"
        yield Finding("python-value", what, template, lines)
    items: list[Message] = [{"role": "user", "content": _ITEMS}]
    for form in [] if convention.items else leaks(_ITEMS, _prompt(renderer, items))[:1]:
        what = "content that is a list of items is printed in Python's notation"
        yield Finding("python-value", what, template, _lines(form, _prompt(marked, items)), warning=False)


def _outermost(forms: list[str]) -> list[str]:
    """The forms that stand in no other one."""
    return [form for form in forms if not any(form in other for other in forms if other != form)]


def _marked(template: ChatTemplate) -> ChatTemplate:
    """The template, which prints before each expression the line of its file that it stands on."""
    parts = [
        f"{text} '\ue000{line}\ue001' }}}}{{{{ " if kind == "variable_begin" else text
        for line, kind, text in environment(template).lex(template.text)
    ]
    return replace(template, text="".join(parts))


def _lines(form: str, marked: str) -> tuple[int, ...]:
    """The line whose expression printed `form`; none where the marks changed what is printed."""
    first, *rest = _MARK.split(marked)
    place, read = "".join([first, *rest[1::2]]).find(form), len(first)
    line: tuple[int, ...] = ()
    for number, piece in zip(rest[::2], rest[1::2], strict=True):
        line = (int(number),) if read <= place else line
        read += len(piece)
    return line


def _rendered(renderer: Renderer, convention: Convention, schema: dict[str, Any], argument: Any) -> str:
    """A prompt behind a call with one tool and one argument, "" when the template refuses."""
    parameters = {"type": "object", "properties": {"zqkey": schema}, "required": ["zqkey"]}
    tools = [{"type": "function", "function": {"name": "zqname", "description": "zq", "parameters": parameters}}]
    messages: list[Message] = [{"role": "user", "content": "zq"}]
    if convention.calls:
        messages += [
            assistant("", "", call("zqname", {"zqkey": argument})),
            {"role": "tool", "name": "zqname", "content": "zq"},
        ]
    return _prompt(renderer, convention.shape(messages), tools)


def _prompt(renderer: Renderer, messages: list[Message], tools: list[Message] | None = None) -> str:
    """The same of any messages."""
    try:
        return renderer.prompt(messages, tools)
    except TemplateFailed:
        return ""
