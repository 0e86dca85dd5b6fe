"""A conversation goes in, out comes the text that transformers' sandboxed renderer makes of it.

Invariant: this is the one door to template code; whatever goes wrong in there is a TemplateFailed with file and line.
"""

from __future__ import annotations

import os
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .folder import ChatTemplate, Checkpoint

Message = dict[str, Any]
Conversation = Sequence[Mapping[str, Any]]


class TemplateFailed(ValueError):
    """A chat template cannot be compiled, or raises. `line` is the template's; `template` says which it is."""

    def __init__(self, template: ChatTemplate, line: int, what: str) -> None:
        super().__init__(f"{template.at(line)}: {what}")
        self.template, self.line, self.what = template, line, what


class ExtraMissing(ImportError):
    """transformers is not installed."""


@dataclass(frozen=True)
class Renderer:
    """Renders with the templates of a checkpoint. switches: variables that every rendering gets."""

    checkpoint: Checkpoint
    switches: Mapping[str, Any] = field(default_factory=dict)

    def prompt(self, messages: Conversation, tools: Sequence[Message] | None = None, **variables: Any) -> str:
        """The prompt that asks for the next message."""
        return self.render(messages, tools, add_generation_prompt=True, **variables)

    def render(
        self,
        messages: Conversation,
        tools: Sequence[Message] | None = None,
        *,
        add_generation_prompt: bool = False,
        continue_final_message: bool = False,
        **variables: Any,
    ) -> str:
        """The conversation as text; keys with None are left out, as in `apply_chat_template`. Raises TemplateFailed."""
        module = _transformers()
        template = self.checkpoint.choose(tools=tools is not None)
        given = [{key: value for key, value in message.items() if value is not None} for message in messages]
        try:
            texts, _ = module.render_jinja_template(
                conversations=[given],
                tools=None if tools is None else list(tools),
                chat_template=template.text,
                add_generation_prompt=add_generation_prompt,
                continue_final_message=continue_final_message,
                **{**self.checkpoint.tokens, **self.switches, **variables},
            )
        except Exception as error:
            raise _failed(template, error) from error
        text: str = texts[0]
        return text


def variables(template: ChatTemplate) -> frozenset[str]:
    """The names that a template reads and does not set. Raises TemplateFailed when it does not compile."""
    module = _transformers()
    try:
        names: frozenset[str] = module._get_template_variables(template.text)
    except Exception as error:
        raise _failed(template, error) from error
    return names


def environment(template: ChatTemplate) -> Any:
    """The sandbox that a template is compiled in, to look at its parts. Raises TemplateFailed."""
    module = _transformers()
    try:
        return module._compile_jinja_template(template.text).environment
    except Exception as error:
        raise _failed(template, error) from error


def _failed(template: ChatTemplate, error: Exception) -> TemplateFailed:
    """The error with the line of the template that it comes from: the last one that ran, or that does not parse."""
    line = getattr(error, "lineno", None)
    if line is None:
        frames = traceback.extract_tb(error.__traceback__)
        line = next((frame.lineno for frame in reversed(frames) if frame.filename == "<template>"), 1)
    kind = type(error).__name__
    return TemplateFailed(template, line or 1, str(error) if kind == "TemplateError" else f"{kind}: {error}")


def _transformers() -> Any:
    os.environ.setdefault("TRANSFORMERS_NO_ADVISORY_WARNINGS", "1")  # rendering needs no PyTorch: do not miss it
    try:
        from transformers.utils import chat_template_utils
    except ImportError as error:
        raise ExtraMissing("transformers renders chat templates; it is missing: pip install 'respc[hf]'") from error
    return chat_template_utils
