"""Training loops: a tokenizer and the ids of a completion go in, as TRL's trainers give them, a message comes out.

Invariant: whatever a model wrote gives a message whose content is a string; only ValueError and TypeError come out, and
only for wrong use.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import Any

from .. import hf
from .deltas import calls_of

TESTED = {"trl": "1.16.0"}


def parse_response(
    tokenizer: Any,
    ids: list[int],
    prefix: list[int] | None = None,
    tools: Iterable[Any] | None = None,
    *,
    module: ModuleType | None = None,
) -> dict[str, Any]:
    """In the place of `trl.chat_template_utils.parse_response`.

    ids, prefix: token ids of the completion and of its prompt. tools: JSON schemas or functions. module: a module of
    respc's, by default what the tokenizer's response template stands for (`hf.template_for`). A region that is refused
    is left out, or is content where the grammar says so; the calls that are left have name and arguments.
    """
    try:
        given = None if tools is None else list(tools)
        if module is None:
            message = hf.parse_response(
                tokenizer, ids, prefix="" if prefix is None else prefix, tools=given, on_error="keep"
            )
        else:
            text, prompt = tokenizer.decode(ids), "" if prefix is None else tokenizer.decode(prefix)
            message = module.parse(text, prefix=prompt, tools=given, on_error="keep")
    except (ValueError, TypeError):
        raise
    except (ArithmeticError, AttributeError, ImportError, LookupError) as error:
        raise ValueError(f"this cannot be parsed: {error}") from error
    content = message.get("content")
    ending = getattr(tokenizer, "eos_token", None) or ""
    message["content"] = content.removesuffix(ending) if isinstance(content, str) else ""
    if "tool_calls" in message:
        message["tool_calls"] = [call for call in message["tool_calls"] if calls_of(call)]
    return dict(message)
