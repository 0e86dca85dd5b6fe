"""The form that a template prints whole is found by rendering."""

from __future__ import annotations

import pytest

from compiler.chat.convention import Convention, probe
from compiler.chat.messages import assistant, call
from compiler.chat.render import TemplateFailed

from .templates import ENCODED, JSON, LIST, PLAIN, TAGS, renderer

ITEMS = "{% for m in messages %}{% for item in m.content %}{{ item['text'] }}{% endfor %}{% endfor %}"
ONE = """{% for m in messages %}{{ m.content }}{% if m.tool_calls %}
{% if m.tool_calls | length > 1 %}{{ raise_exception('one') }}{% endif %}
{{ m.tool_calls[0].function | tojson }}{% endif %}{% endfor %}"""
SILENT = """{% for m in messages %}{% if m.tool_calls %}
{% if 'content' in m %}{{ raise_exception('say nothing') }}{% endif %}{{ m.tool_calls | tojson }}
{% else %}{{ m.content }}{% endif %}{% endfor %}"""
WITH_CALLS = """{% for m in messages %}{{ m.content }}{% for c in m.tool_calls or [] %}
{{ m.thinking }}{{ c | tojson }}{% endfor %}{% endfor %}"""


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (PLAIN, Convention()),
        (ITEMS, Convention(items=True)),
        (JSON, Convention(calls=2, reasoning=True)),
        (LIST, Convention(calls=2)),
        (TAGS, Convention(calls=2)),
        (ENCODED, Convention(encoded=True, ids=True, calls=2)),
        (ONE, Convention(calls=1)),
        (SILENT, Convention(silent=True, calls=2)),
        (WITH_CALLS, Convention(calls=2, reasoning=True)),
    ],
)
def test_probe(text: str, expected: Convention) -> None:
    assert probe(renderer(text)) == expected


def test_a_template_that_prints_nothing() -> None:
    with pytest.raises(TemplateFailed, match="neither a string nor a list of items"):
        probe(renderer("hi"))


def test_a_template_that_refuses() -> None:
    with pytest.raises(TemplateFailed, match="never"):
        probe(renderer("{{ raise_exception('never') }}"))


def test_shapes() -> None:
    messages = [
        {"role": "user", "content": "q"},
        assistant("", "", call("f", {"a": 1}), call("g", {})),
        {"role": "tool", "name": "f", "content": "r"},
        {"role": "tool", "name": "g", "content": "s"},
        assistant(),
    ]
    user, asked, first, second, said = Convention(items=True, encoded=True, ids=True).shape(messages)
    assert user["content"] == [{"type": "text", "text": "q"}]
    assert [each["id"] for each in asked["tool_calls"]] == ["call00000", "call00001"]
    assert asked["tool_calls"][0]["function"] == {"name": "f", "arguments": '{"a": 1}'}
    assert (first["tool_call_id"], second["tool_call_id"]) == ("call00000", "call00001")
    assert said["content"] == []
    assert "content" not in Convention(silent=True).shape(messages)[1]
    assert Convention().shape(messages)[1]["content"] == ""


def test_results_answer_the_calls_of_their_own_message() -> None:
    """The second message's calls go on counting, and its result names the id that stands there."""
    turn = [assistant("", "", call("f", {})), {"role": "tool", "name": "f", "content": "r"}]
    shaped = Convention(ids=True).shape([*turn, *turn])
    assert [shaped[at]["tool_calls"][0]["id"] for at in (0, 2)] == [shaped[at]["tool_call_id"] for at in (1, 3)]
