"""Template code runs in transformers' sandbox; what goes wrong in there names file and line."""

from __future__ import annotations

import builtins
from datetime import datetime
from typing import Any

import pytest

from compiler.chat.render import ExtraMissing, Renderer, TemplateFailed, environment, variables
from compiler.chat.switches import positions

from .templates import JSON, PLAIN, checkpoint, renderer

USER = [{"role": "user", "content": "hi"}]


def test_a_prompt_and_a_conversation() -> None:
    assert renderer(PLAIN).prompt(USER) == "<|user|>hi<|end|><|assistant|>"
    assert renderer(PLAIN).render(USER) == "<|user|>hi<|end|>"


def test_keys_with_none_are_left_out() -> None:
    text = "{{ 'content' in messages[0] }}"
    assert renderer(text).render([{"role": "user", "content": None}]) == "False"


def test_tokens_switches_and_variables_reach_the_template() -> None:
    made = Renderer(checkpoint("{{ bos_token }}{{ a }}{{ b }}", bos_token="<s>"), {"a": 1, "b": 2})
    assert made.render(USER, b=3) == "<s>13"


def test_the_documented_functions() -> None:
    assert renderer("{{ strftime_now('%Y') }}").render(USER) == str(datetime.now().year)
    with pytest.raises(TemplateFailed, match="no system messages") as caught:
        renderer("a\n{{ raise_exception('no system messages') }}").render(USER)
    assert caught.value.line == 2
    assert str(caught.value) == "model/chat_template.jinja:2: no system messages"


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("a\n\n{% if %}", 3, "TemplateSyntaxError: Expected an expression"),
        ("{% for m in messages %}", 1, "TemplateSyntaxError: Unexpected end of template"),
        ("a\n{{ 'x' + missing }}", 2, "UndefinedError: 'missing' is undefined"),
        ("a\n\n{{ messages[0].content.lower.x.y }}", 3, "UndefinedError"),
        ("{% macro m() %}\n{{ 1 + 'a' }}{% endmacro %}\n{{ m() }}", 2, "TypeError"),
        ("\n{{ ''.__class__.__mro__[0] }}", 2, "SecurityError"),
        ("\n{{ messages.append(1) }}", 2, "SecurityError"),
    ],
)
def test_failures_name_file_and_line(text: str, line: int, what: str) -> None:
    with pytest.raises(TemplateFailed) as caught:
        renderer(text).render(USER)
    assert caught.value.line == line
    assert str(caught.value).startswith(f"model/chat_template.jinja:{line}: {what}")


def test_parts_of_a_template_that_does_not_compile() -> None:
    for ask in (variables, environment):
        with pytest.raises(TemplateFailed, match=":2: "):
            ask(checkpoint("\n{% if %}").templates["default"])


def test_without_transformers(monkeypatch: pytest.MonkeyPatch) -> None:
    real = builtins.__import__

    def without(name: str, *rest: Any) -> Any:
        if name.startswith("transformers"):
            raise ImportError(name)
        return real(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ExtraMissing, match=r"pip install 'respc\[hf\]'"):
        renderer(PLAIN).render(USER)


def test_positions_of_the_switch() -> None:
    assert [thinking.name for thinking in positions(renderer(PLAIN))] == ["default"]
    default, on, off = positions(renderer(JSON))
    assert (default.variables, on.variables, off.variables) == (
        {},
        {"enable_thinking": True},
        {"enable_thinking": False},
    )
