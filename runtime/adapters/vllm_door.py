"""vLLM: a tool parser and a reasoning parser for each committed module, both named `respc_<family>`.

Invariant: both are engine-based in vLLM's sense: they get each piece once, and say what waited when the stream ends.
The reasoning parser hands on all that is no thought as it stands; what the tool parser finds thought in that is
content.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Sequence
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any

from vllm.entrypoints.generate.base.protocol import (
    DeltaFunctionCall,
    DeltaMessage,
    DeltaToolCall,
    ExtractedToolCallInformation,
    FunctionCall,
    ToolCall,
)
from vllm.reasoning import ReasoningParser, ReasoningParserManager
from vllm.tool_parsers import ToolParser, ToolParserManager

from ..hf_modules import COMMITTED
from .boundary import Boundary
from .deltas import Arguments, CallBegun, CallEnded, Delta, Deltas, Text

TESTED = {"vllm": "0.33.0"}


def register() -> None:
    """Make all parsers known to vLLM; each is made when it is asked for. vLLM calls it, by its plugins' entry point."""
    for found in pkgutil.iter_modules(import_module(COMMITTED).__path__):
        ToolParserManager.register_lazy_module(f"respc_{found.name}", __name__, f"{found.name}.tools")
        ReasoningParserManager.register_lazy_module(f"respc_{found.name}", __name__, f"{found.name}.reasoning")


def __getattr__(name: str) -> Any:
    family, _, kind = name.partition(".")
    if kind not in ("tools", "reasoning"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = import_module(f"{COMMITTED}.{family}")
    return tool_parser(module) if kind == "tools" else reasoning_parser(module)


@cache
def tool_parser(module: ModuleType) -> type[RespcToolParser]:
    """The class of tool parsers that parse as a module does."""
    return type("RespcToolParser", (RespcToolParser,), {"module": module})


@cache
def reasoning_parser(module: ModuleType) -> type[RespcReasoningParser]:
    """The class of reasoning parsers that parse as a module does."""
    return type("RespcReasoningParser", (RespcReasoningParser,), {"module": module})


class RespcToolParser(ToolParser):  # type: ignore[misc]
    """Content and calls of a response behind its reasoning."""

    module: ModuleType
    engine_based_streaming = True

    def __init__(self, tokenizer: Any, tools: Any = None) -> None:
        super().__init__(tokenizer, tools)
        self._tools = tools
        self._deltas: Deltas | None = None

    def adjust_request(self, request: Any) -> Any:
        request.skip_special_tokens = False
        return super().adjust_request(request)

    def extract_tool_calls(self, model_output: str, request: Any) -> Any:
        deltas = self._new(request)
        told = deltas.feed(model_output) + deltas.finalize()[1]
        calls = _calls(told)
        text = "".join(one.text for one in told if isinstance(one, Text))
        return ExtractedToolCallInformation(tools_called=bool(calls), tool_calls=calls, content=text or None)

    def extract_tool_calls_streaming(
        self,
        previous_text: str,
        current_text: str,
        delta_text: str,
        previous_token_ids: Sequence[int],
        current_token_ids: Sequence[int],
        delta_token_ids: Sequence[int],
        request: Any,
    ) -> Any:
        if self._deltas is None:
            self._deltas = self._new(request)
        return self._message(self._deltas.feed(delta_text))

    def finish_streaming(self) -> Any:
        """What waited for the end."""
        if self._deltas is None:
            return None
        deltas, self._deltas = self._deltas, None
        return self._message(deltas.finalize()[1])

    def _new(self, request: Any) -> Deltas:
        tools = self._tools or getattr(request, "tools", None) or []
        plain = [tool if isinstance(tool, dict) else tool.model_dump(exclude_none=True) for tool in tools]
        return Deltas(self.module, prefix="", tools=plain or None)

    def _message(self, deltas: list[Delta]) -> Any:
        text = "".join(one.text for one in deltas if isinstance(one, Text))
        calls = [
            DeltaToolCall(
                index=index,
                id=call.id,
                type="function",
                function=DeltaFunctionCall(name=call.function.name, arguments=call.function.arguments),
            )
            for index, call in zip(
                (one.index for one in deltas if isinstance(one, CallBegun)), _calls(deltas), strict=True
            )
        ]
        for call in calls:  # what vLLM looks at when a stream ends
            self.prev_tool_call_arr.append({"name": call.function.name, "arguments": call.function.arguments})
            self.streamed_args_for_tool.append(call.function.arguments)
        if not (text or calls):
            return None
        return DeltaMessage(**({"content": text} if text else {}), **({"tool_calls": calls} if calls else {}))


class RespcReasoningParser(ReasoningParser):  # type: ignore[misc]
    """What is thought, and where that ends."""

    module: ModuleType
    engine_based_streaming = True

    def __init__(self, tokenizer: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(tokenizer, *args, **kwargs)
        self._prompt = ""
        self._boundary: Boundary | None = None

    def adjust_request(self, request: Any) -> Any:
        request.skip_special_tokens = False
        return request

    def set_prompt_token_ids(self, prompt_token_ids: Sequence[int]) -> None:
        self._prompt = self._text(prompt_token_ids)

    def adjust_initial_state_from_prompt(self, prompt_token_ids: Sequence[int]) -> None:
        self._prompt = self._text(prompt_token_ids)

    def is_reasoning_end(self, input_ids: Sequence[int]) -> bool:
        return Boundary(self.module, prefix=self._text(input_ids)).ended

    def is_reasoning_end_streaming(self, input_ids: Sequence[int], delta_ids: Any) -> bool:
        boundary = Boundary(self.module, prefix=self._prompt)
        boundary.feed(self._text(input_ids))
        return boundary.ended

    def has_engine_confirmed_reasoning_end(self) -> bool:
        return self._boundary is not None and self._boundary.ended

    def extract_content_ids(self, input_ids: list[int]) -> list[int]:
        """The ids from the first one on that has text of the rest."""
        boundary = Boundary(self.module, prefix=self._prompt)
        rest = boundary.feed(self._text(input_ids))[1]
        size = 0
        for at in range(len(input_ids), 0, -1):
            if size >= len(rest):
                return list(input_ids[at:])
            size += len(self._text(input_ids[at - 1 : at]))
        return list(input_ids)

    def extract_reasoning(self, model_output: str, request: Any) -> tuple[str | None, str | None]:
        boundary = Boundary(self.module, prefix=self._prompt)
        thoughts, rest = (one + more for one, more in zip(boundary.feed(model_output), boundary.finish(), strict=True))
        return thoughts or None, rest or None

    def extract_reasoning_streaming(
        self,
        previous_text: str,
        current_text: str,
        delta_text: str,
        previous_token_ids: Sequence[int],
        current_token_ids: Sequence[int],
        delta_token_ids: Sequence[int],
    ) -> Any:
        if self._boundary is None:
            self._boundary = Boundary(self.module, prefix=self._prompt)
        return self._message(*self._boundary.feed(delta_text))

    def finish_streaming(self) -> Any:
        """What waited for the end."""
        return None if self._boundary is None else self._message(*self._boundary.finish())

    def _message(self, thoughts: str, rest: str) -> Any:
        given = {"reasoning": thoughts, "content": rest}
        return DeltaMessage(**{key: text for key, text in given.items() if text}) if thoughts or rest else None

    def _text(self, ids: Sequence[int]) -> str:
        text: str = self.model_tokenizer.decode(list(ids), skip_special_tokens=False)
        return text


def _calls(deltas: list[Delta]) -> list[Any]:
    """The calls among deltas; each is there as a whole."""
    begun = [one for one in deltas if isinstance(one, CallBegun)]
    texts = [one.text for one in deltas if isinstance(one, Arguments)]
    assert len(begun) == len(texts) == sum(isinstance(one, CallEnded) for one in deltas)
    return [
        ToolCall(id=one.id, type="function", function=FunctionCall(name=one.name, arguments=text))
        for one, text in zip(begun, texts, strict=True)
    ]
