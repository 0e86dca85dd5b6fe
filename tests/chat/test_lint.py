"""Habits are found with their lines; what is fine is not mentioned."""

from __future__ import annotations

import pytest

from compiler.chat.folder import Checkpoint
from compiler.chat.lint import lint
from compiler.chat.render import TemplateFailed

from .templates import JSON, LIST, PLAIN, TAGS, TURNS, checkpoint

GENERATION = "{% if add_generation_prompt %}<|a|>{% endif %}"


def found(text: str, **tokens: str) -> list[str]:
    return [str(finding) for finding in lint(checkpoint(text, **tokens))]


@pytest.mark.parametrize("text", [PLAIN, JSON, LIST])
def test_nothing_to_say(text: str) -> None:
    assert not any(finding.warning for finding in lint(checkpoint(text)))


def test_python_constants() -> None:
    text = "{% set a = None %}\n{% if True and None %}\n{% endif %}{# None #}None" + PLAIN
    assert found(text)[:2] == [
        "model/chat_template.jinja:1: warning[python-constant]: None is Python's; other renderers know none (and 2)",
        "model/chat_template.jinja:2: warning[python-constant]: True is Python's; other renderers know true",
    ]


def test_python_methods_are_a_note_each() -> None:
    text = PLAIN.replace("m.content", "m.content.strip()\n.lower().strip().startswith('a') | string + m.content")
    assert found(text) == [
        "model/chat_template.jinja:3: note[python-method]: .lower() is Python's; everywhere there is |lower",
        "model/chat_template.jinja:2: note[python-method]: .strip() is Python's; everywhere there is |trim (and 3)",
    ]
    assert [finding.warning for finding in lint(checkpoint(TAGS))] == [False]


def test_untested_variables() -> None:
    text = "\n{{ a }}{{ b | default('') }}{% if c is defined %}{{ c }}{% endif %}{% if not d and e %}{{ d }}{% endif %}"
    text += "{{ f if f else '' }}{% set g = 1 %}{{ g }}{{ bos_token }}{{ h }}{{ strftime_now('%Y') }}{{ tools }}"
    assert [line for line in found(text + PLAIN) if "untested" in line] == [
        "model/chat_template.jinja:2: warning[untested-variable]: a is used, and never tested for being there",
        "model/chat_template.jinja:2: warning[untested-variable]: h is used, and never tested for being there",
    ]
    (missing,) = (line for line in found("{{ bos_token }}" + PLAIN, eos_token="</s>") if "untested" in line)
    assert "bos_token is used" in missing


def test_no_generation_prompt() -> None:
    (finding,) = lint(checkpoint("{%- for m in messages %}{{- m.content + '' }}{% endfor %}"))
    assert (finding.name, finding.lines) == ("no-generation-prompt", ())
    assert str(finding).startswith("model/chat_template.jinja: warning[no-generation-prompt]: add_generation_prompt")


def test_no_white_space_control() -> None:
    """The two templates of the documentation: the first prints its indentation."""
    printed = (
        "{% for message in messages %}\n    {{ message['role'] + message['content'] }}\n{% endfor %}\n" + GENERATION
    )
    (line,) = found(printed)
    assert line.startswith("model/chat_template.jinja:2: warning[no-white-space-control]: indentation is printed")
    assert found(printed.replace("{% for", "{%- for").replace("{{ ", "{{- ")) == []
    assert found("{% for m in messages %}\n{{ m.content + '' }}{% endfor %}" + GENERATION) == []


def test_python_values_of_tools_and_arguments() -> None:
    text = (
        TURNS % "{% for c in m.tool_calls or [] %}<c>{{ c.function.name }} {{ c.function.arguments }}</c>{% endfor %}"
    ) + ("{% for tool in tools or [] %}{{ tool.function.parameters.properties['zqkey'].enum }}{% endfor %}")
    lines = found(text)
    assert "an argument null is printed as {'zqkey': None}" not in lines
    assert any("a tool's enum is printed as ['zqOne', 'zqTwo'], which is Python's notation" in line for line in lines)
    plain = "{% for m in messages %}{{ m.content }}{% endfor %}{{ tools }}" + GENERATION
    assert [line for line in found(plain) if "a tool's default is printed as" in line]


def test_what_a_rendering_shows_has_the_line_that_prints_it() -> None:
    call = (
        "{%- for c in m.tool_calls or [] %}<c>{{- c.function.name }}\n{{- show(c.function.arguments) }}</c>{% endfor %}"
    )
    macro = "{% macro show(values) -%}{% for k, v in values | items %}\n{{ k }}={{ v }}{% endfor %}{% endmacro %}\n"
    lines = [line.partition(" warning[python-value]: ") for line in found(macro + TURNS % call)]
    values = {what.partition(" is printed")[0]: place for place, _, what in lines if what}
    assert values["an argument null"] == "model/chat_template.jinja:2:"
    # What the marks change is found all the same, and has no line.
    shy = "{%- for m in messages %}{%- set s -%}{{ m.content }}{%- endset %}{{ s if s | length < 37 }}{% endfor %}"
    assert [line for line in found(shy + GENERATION + "{{ '' }}") if "list of items" in line] == [
        "model/chat_template.jinja: note[python-value]: content that is a list of items is printed in Python's notation"
    ]


def test_calls_in_python_are_written_so_on_purpose() -> None:
    call = "{% for c in m.tool_calls or [] %}<c>{{ c.function.name }}({{ c.function.arguments }})</c>{% endfor %}"
    assert not any("argument" in line for line in found(TURNS % call))
    bare = "{% for c in m.tool_calls or [] %}<c>{{ c.function.name }} {% for k, v in c.function.arguments | items %}"
    bare += "{{ k }}={{ v }}{% endfor %}</c>{% endfor %}"
    assert any("an argument true is printed as True" in line for line in found(TURNS % bare))


def test_content_items_in_python_are_a_note() -> None:
    (line,) = found("{%- for m in messages %}{{- m.content }}{% endfor %}" + GENERATION)
    what = "content that is a list of items is printed in Python's notation"
    assert line == f"model/chat_template.jinja:1: note[python-value]: {what}"
    items = "{%- for m in messages %}{%- for item in m.content %}{{- item.text }}{% endfor %}{% endfor %}" + GENERATION
    assert found(items) == []


def test_a_template_that_refuses_everything() -> None:
    (line,) = found("\n{{ raise_exception('never') }}" + GENERATION)
    assert line == "model/chat_template.jinja:2: warning[does-not-render]: never"


def test_a_template_that_refuses_tools() -> None:
    assert found("{% if tools %}{{ raise_exception('none') }}{% endif %}" + PLAIN) == []


def test_broken_jinja() -> None:
    with pytest.raises(TemplateFailed, match=r"chat_template\.jinja:2: "):
        list(lint(checkpoint("\n{% if %}")))


def test_every_template_of_a_checkpoint() -> None:
    one, two = (checkpoint(text).templates["default"] for text in (PLAIN, "{% set a = None %}" + PLAIN))
    findings = list(lint(Checkpoint(one.file, {"default": one, "tool_use": two})))
    assert [finding.template for finding in findings] == [two]
