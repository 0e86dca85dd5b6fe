"""A pytest plugin that lets transformers' own tests of chat parsing meet our parser: docs/transformers.md says how.

In go the names that those tests import, out come ours under the same names, attributes of theirs that the tests look at
included. Invariant: only names are replaced; a message, an event or an exception that a test sees is the runtime's.
"""

from __future__ import annotations

from typing import Any

import transformers
from transformers.tokenization_utils_base import PreTrainedTokenizerBase
from transformers.utils import chat_parsing

from runtime import hf, tools
from runtime.hf_modules import module_for
from tests.tiny_tokenizer import tiny_tokenizer

HUB = ("hf-internal-testing/tiny-random-gpt2", "openai-community/gpt2")


class ResponseParser:
    """A parser of ours, with what the tests look at inside of theirs."""

    def __init__(self, response_template: Any, prefix: Any = None, *, tools: Any = None) -> None:
        self._parser = module_for(response_template).Parser(prefix=prefix, tools=tools)
        self._output: dict[str, Any] = {}
        self.initial_events, self.feed = self._parser.initial_events, self._parser.feed

    def finalize(self) -> tuple[dict[str, Any], list[Any]]:
        self._output, events = self._parser.finalize()
        return self._output, events

    def _coerce_tool_calls(self, value: Any) -> Any:
        return self._parser._type_arguments(value)


def parse_response(text: str, response_template: Any, *, prefix: Any = None, tools: Any = None) -> Any:
    return module_for(response_template).parse(text, prefix=prefix, tools=tools)


_from_pretrained = transformers.AutoTokenizer.from_pretrained


def from_pretrained(name: str, *args: Any, **keywords: Any) -> Any:
    """Tokenizers of the hub are a tiny one here: the tests want any that loses nothing."""
    return tiny_tokenizer() if name in HUB else _from_pretrained(name, *args, **keywords)


chat_parsing.ResponseParser = ResponseParser
chat_parsing.parse_response = parse_response
chat_parsing.response_parser._coerce = lambda text, types: tools._cast(text, list(types))
chat_parsing.response_parser._schema_types = lambda schema: tuple(tools._declared(schema))
PreTrainedTokenizerBase.parse_response = hf.parse_response
PreTrainedTokenizerBase.get_response_parser = hf.get_response_parser
transformers.AutoTokenizer.from_pretrained = staticmethod(from_pretrained)
