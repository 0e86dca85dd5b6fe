"""transformers serve: in the place of its parser, one that gives the events it reads, made of a compiled parser's.

Invariant: what it is told of a call is one call, whole; text comes trimmed as the message has it, and what the prompt
wrote is not told again. It never raises for what a model wrote.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any

from ..hf_modules import module_for
from .deltas import Arguments, CallBegun, Delta, Deltas, Text

TESTED = {"transformers": "5.24.0"}


class ServeParser:
    """initial_events, feed, finalize: what `transformers serve` asks of a parser. A call without id gets none.

    template: a response template, or a module of respc's. reasoning: the field that thoughts are told as.
    """

    def __init__(
        self,
        template: dict[str, Any] | ModuleType,
        *,
        prefix: str,
        tools: Iterable[Any] | None = None,
        reasoning: str = "reasoning_content",
    ) -> None:
        module = template if isinstance(template, ModuleType) else module_for(template)
        self._fields = {"reasoning": reasoning, "content": "content"}
        self._deltas = Deltas(module, prefix=prefix, tools=tools, new_id=lambda index: "")
        self.initial_events: list[dict[str, Any]] = []

    def feed(self, text: str) -> list[dict[str, Any]]:
        """A region_chunk for text, a region_close for a call."""
        return [event for one in self._deltas.feed(text) for event in self._events(one)]

    def finalize(self) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The message, and the last events."""
        message, deltas = self._deltas.finalize()
        return message, [event for one in deltas for event in self._events(one)]

    def _events(self, one: Delta) -> list[dict[str, Any]]:
        match one:
            case Text(role, text):
                return [{"type": "region_chunk", "field": self._fields[role], "text": text, "dirty": False}]
            case CallBegun(_, ident, name):
                self._call = {"type": "function", **({"id": ident} if ident else {})}
                self._name = name
            case Arguments(_, text):
                value = {**self._call, "function": {"name": self._name, "arguments": text}}
                return [{"type": "region_close", "field": "tool_calls", "value": value}]
        return []


def install() -> None:
    """Let `transformers serve`, in this process, parse with compiled parsers, streamed and not."""
    import transformers.cli.serving.utils as serving
    from transformers import PreTrainedTokenizerBase

    from ..hf import get_response_parser, parse_response

    serving.ResponseParser = ServeParser
    PreTrainedTokenizerBase.parse_response = _keeping(parse_response)
    PreTrainedTokenizerBase.get_response_parser = get_response_parser


def _keeping(parse_response: Any) -> Any:
    """The function, whose errors are kept unless a caller wants them."""

    def kept(tokenizer: Any, response: Any, schema: Any = None, **options: Any) -> Any:
        return parse_response(tokenizer, response, schema, **{"on_error": "keep", **options})

    return kept
