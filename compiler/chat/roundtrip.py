"""A grammar against a chat template: messages are rendered, the prompt is cut off, the rest is parsed and compared.

A message is reachable when its rendering extends the rendered prompt. The message law is parse(render(m)) == m, the
text law render(parse(t)) == t. Invariant: every message that is not equal has a side: the chat template when
rendering what was parsed gives the same text (it lost the difference) or values come out garbled; else the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

from runtime.errors import AnchorNotFound, ParseError

from .compare import grade, plain, sendable
from .convention import Convention, probe
from .messages import CALLS, CONTENT, CONTEXTS, MARKERS, REASONING, TOOLS, Context, Message, with_markers
from .notation import faults
from .render import Renderer, TemplateFailed
from .switches import Thinking, positions
from .units import common_start

REFUSED, UNREACHABLE, TEMPLATE, GRAMMAR = "refused", "unreachable", "template", "grammar"
_MARKER = re.compile(r"</?[^\s<>/][^\s<>]{0,60}>")


@dataclass(frozen=True)
class Trial:
    """One message in one context. `verdict`: a grade, or REFUSED, UNREACHABLE, or the side that is at fault.

    text_law: rendering what was parsed gives the text again. parsed: a plain message. why: in words.
    """

    kind: str
    context: str
    thinking: str
    message: Message
    verdict: str
    raw: str = ""
    parsed: Message | None = None
    text_law: bool = False
    why: str = ""

    @property
    def reachable(self) -> bool:
        return self.verdict not in (REFUSED, UNREACHABLE)

    @property
    def compared(self) -> bool:
        return self.reachable and self.verdict != TEMPLATE

    @property
    def equal(self) -> bool:
        return self.reachable and self.verdict not in (TEMPLATE, GRAMMAR)


@dataclass(frozen=True)
class Bench:
    """What trials need: a renderer, how its template wants messages, and a parser module."""

    renderer: Renderer
    module: ModuleType
    convention: Convention

    @classmethod
    def of(cls, renderer: Renderer, module: ModuleType) -> Bench:
        return cls(renderer, module, probe(renderer))

    def kinds(self) -> dict[str, Message]:
        """The messages that the template can print at all, by kind."""
        kinds = dict(CONTENT)
        if self.convention.reasoning:
            kinds.update(REASONING)
        if self.convention.calls:
            for kind, message in CALLS.items():
                several = len(message["tool_calls"]) > 1 and self.convention.calls < 2
                if not several and (self.convention.reasoning or "reasoning_content" not in message):
                    kinds[kind] = message
            kinds[MARKERS] = markers_message(self.renderer, self.convention)
        return kinds

    def contexts(self) -> list[Context]:
        return [context for context in CONTEXTS if self.convention.calls or not context.tools]

    def trials(self) -> Iterator[Trial]:
        """Every kind of message in every context with every position of the switch."""
        for kind, message in self.kinds().items():
            for context in self.contexts():
                for thinking in positions(self.renderer):
                    yield self.trial(kind, message, context, thinking)

    def trial(
        self, kind: str, message: Message, context: Context, thinking: Thinking, *, forced: bool = False
    ) -> Trial:
        """One message in one context with one position of the switch.

        forced: a message that does not extend the prompt is read from where the two part.
        """
        sent = Trial(kind, context.name, thinking.name, message, REFUSED)
        tools = TOOLS if context.tools or "tool_calls" in message else None
        try:
            prompt = self.renderer.prompt(self.convention.shape(context.messages), tools, **thinking.variables)
            text = self._render(context, message, tools, thinking)
        except TemplateFailed as error:
            return replace(sent, why=str(error))
        if forced:
            prompt = common_start(prompt, text)
        if not text.startswith(prompt):
            return replace(sent, verdict=UNREACHABLE, why="the rendered message does not extend the prompt")
        sent = replace(sent, raw=text[len(prompt) :])
        try:
            parsed = self._parse(sent.raw, prompt, tools)
        except (ParseError, AnchorNotFound) as error:
            return _blamed(sent, str(error))
        sent = replace(sent, parsed=plain(parsed))
        if not self._streams(sent.raw, prompt, tools, parsed):
            return replace(sent, verdict=GRAMMAR, why="char by char it gives another message")
        try:
            same = sendable(sent.parsed or {}) and self._render(context, plain(parsed), tools, thinking) == text
        except TemplateFailed:
            same = False
        return _compared(replace(sent, text_law=same))

    def _render(self, context: Context, message: Message, tools: list[Message] | None, thinking: Thinking) -> str:
        messages = self.convention.shape([*context.messages, message])
        return self.renderer.render(messages, tools, **thinking.variables)

    def _parse(self, raw: str, prompt: str, tools: list[Message] | None) -> Message:
        parsed: Message = self.module.parse(raw, prefix=prompt, tools=tools, strict_prefix=True)
        return parsed

    def _streams(self, raw: str, prompt: str, tools: list[Message] | None, whole: Message) -> bool:
        parser = self.module.Parser(prefix=prompt, tools=tools)
        for char in raw:
            parser.feed(char)
        message, _ = parser.finalize()
        return bool(message == whole)


def _compared(trial: Trial) -> Trial:
    """A trial that was parsed, with its verdict."""
    assert trial.parsed is not None
    equal = grade(trial.message, trial.parsed)
    if equal is not None:
        return replace(trial, verdict=equal)
    if not trial.text_law:
        return _blamed(trial, "the message differs")
    if _markup_in_content(trial.message, trial.parsed):
        return replace(trial, verdict=GRAMMAR, why="reasoning or calls are read as content")
    return replace(trial, verdict=TEMPLATE, why="what was parsed is rendered to the same text")


def _blamed(trial: Trial, why: str) -> Trial:
    """A trial that failed, with the side that is at fault: the template where its text is garbled."""
    garbled = faults(_arguments(trial.message), trial.raw)
    if garbled:
        return replace(trial, verdict=TEMPLATE, why=f"the template {garbled[0]}")
    return replace(trial, verdict=GRAMMAR, why=why)


def _markup_in_content(sent: Message, parsed: Message) -> bool:
    """Whether the parsed content holds reasoning or a call's name, which the content that was sent does not.

    A template that prints content as it stands prints such a message as the same text, and has lost nothing.
    """
    names = [call["function"]["name"] for call in sent.get("tool_calls", [])]
    content, had = parsed.get("content", ""), sent.get("content", "")
    return any(part in content and part not in had for part in [sent.get("reasoning_content", ""), *names] if part)


def _arguments(message: Message) -> list[Any]:
    return [call["function"]["arguments"] for call in message.get("tool_calls", [])]


def markers_message(renderer: Renderer, convention: Convention) -> Message:
    """A call with a string in which all markers stand that a call is printed with."""
    user, message = CONTEXTS[0].messages, CALLS["call"]
    try:
        text = renderer.render(convention.shape([*user, message]), TOOLS)
        before = renderer.render(convention.shape(user), TOOLS)
    except TemplateFailed:
        return with_markers("</a>")
    start = next((at for at, pair in enumerate(zip(text, before, strict=False)) if pair[0] != pair[1]), len(before))
    markers = dict.fromkeys(_MARKER.findall(text, start)) or ["</a>"]
    return with_markers(" and ".join(markers) + " are markers")
