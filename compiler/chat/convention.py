"""How a chat template wants its messages: in go a renderer and probes, out comes the form that it prints whole.

Invariant: only renderings decide; the source of the template is not looked at.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from .messages import TOOLS, Message, assistant, call
from .render import Renderer, TemplateFailed

IDENTITY = "call{:05d}"  # nine letters and digits: the form that the strictest templates take
_USER, _SAID, _THOUGHT, _NAME, _KEY, _VALUE = "zqUser", "zqSaid", "zqThought", "zq_name", "zq_key", "zqValue"


@dataclass(frozen=True)
class Convention:
    """The form of messages. items: content is a list of {type, text}. encoded: arguments are a JSON string.

    ids: calls and results carry ids. silent: what `content` is beside calls when nothing is said ("" or not there).
    calls: how many calls of a message are printed (0: none, 1, or many). reasoning: whether reasoning is printed.
    """

    items: bool = False
    encoded: bool = False
    ids: bool = False
    silent: bool = False
    calls: int = 0
    reasoning: bool = False

    def shape(self, messages: Sequence[Message]) -> list[Message]:
        """Messages in their plain form, as the template wants them."""
        numbers = iter(range(10**5))
        shaped: list[Message] = []
        asked: list[str] = []
        for message in messages:
            given = dict(message)
            if isinstance(given.get("content"), str) and self.items:
                given["content"] = [{"type": "text", "text": given["content"]}]
            if "tool_calls" in given:
                given["tool_calls"] = [self._call(each, next(numbers)) for each in given["tool_calls"]]
                asked = [each.get("id", "") for each in given["tool_calls"]]
            if given["role"] == "assistant" and "content" not in given and not (self.silent and "tool_calls" in given):
                given["content"] = [] if self.items else ""
            if given["role"] == "tool" and self.ids and asked:
                given["tool_call_id"] = asked.pop(0)
            shaped.append(given)
        return shaped

    def _call(self, given: Message, number: int) -> Message:
        function = dict(given["function"])
        if self.encoded:
            function["arguments"] = json.dumps(function["arguments"], ensure_ascii=False)
        identity = {"id": IDENTITY.format(number)} if self.ids else {}
        return {**identity, "type": "function", "function": function}


def probe(renderer: Renderer) -> Convention:
    """The convention of a template: the first one in which everything that it can print is there.

    Raises TemplateFailed when no form of a plain text message is rendered.
    """
    items = _content(renderer)
    calls: tuple[int, Convention] = 0, Convention(items)
    for form in _forms(items):
        printed = _calls(renderer, form)
        if printed > calls[0]:
            calls = printed, form
        if printed == 2:
            break
    found = calls[1]
    return Convention(items, found.encoded, found.ids, found.silent, calls[0], _reasoning(renderer, found))


def _forms(items: bool) -> Iterator[Convention]:
    for ids, encoded, silent in product((False, True), repeat=3):
        yield Convention(items, encoded, ids, silent)


def _content(renderer: Renderer) -> bool:
    """Whether content has to be a list of items."""
    failed: TemplateFailed | None = None
    for items in (False, True):
        shaped = Convention(items).shape([{"role": "user", "content": _USER}, assistant(_SAID)])
        try:
            text = renderer.render(shaped)
        except TemplateFailed as error:
            failed = failed or error
            continue
        if _USER in text and _SAID in text and "'text'" not in text:
            return items
    if failed is not None:
        raise failed
    template = renderer.checkpoint.choose(tools=False)
    raise TemplateFailed(template, 1, "the content of messages is not printed, neither a string nor a list of items")


def _calls(renderer: Renderer, form: Convention) -> int:
    """How many of two calls are printed with name, key and value, and as what they are: 0, 1 or 2."""
    for count in (2, 1):
        each = [call(_NAME + str(n), {_KEY + str(n): _VALUE + str(n), "zq_list": ["zqItem"]}) for n in range(count)]
        try:
            text = renderer.render(form.shape([{"role": "user", "content": _USER}, assistant("", "", *each)]), TOOLS)
        except TemplateFailed:
            continue
        there = [all(part + str(n) in text for part in (_NAME, _KEY, _VALUE)) for n in range(count)]
        escaped = '\\"' in text
        if all(there) and not escaped:
            return count
    return 0


def _reasoning(renderer: Renderer, form: Convention) -> bool:
    """Whether reasoning is printed, beside content or beside a call."""
    said: list[Any] = [assistant(_SAID, _THOUGHT)]
    if form.calls or _calls(renderer, form):
        said.append(assistant("", _THOUGHT, call(_NAME, {_KEY: _VALUE})))
    for message in said:
        try:
            tools = TOOLS if "tool_calls" in message else None
            if _THOUGHT in renderer.render(form.shape([{"role": "user", "content": _USER}, message]), tools):
                return True
        except TemplateFailed:
            continue
    return False
