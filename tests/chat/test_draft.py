"""A draft is made of renderings alone, reads what the template prints, and says what it does not know."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from compiler import compile_grammar
from compiler.chat.anatomy import Turns, examine
from compiler.chat.calls import Calls
from compiler.chat.convention import probe
from compiler.chat.draft import Draft, draft
from compiler.chat.render import TemplateFailed
from compiler.chat.roundtrip import GRAMMAR, Bench
from compiler.parse import parse

from .templates import ENCODED, JSON, LIST, PLAIN, TAGS, TURNS, TYPED, renderer

CALLS_IN_PYTHON = TURNS % """{%- for c in m.tool_calls or [] %}
{{- '<|calls|>[' if loop.first else ', ' }}{{- c.function.name + '(' }}
{%- for key, value in c.function.arguments | items %}
{{- key + '=' + (value | tojson if value is string or value is iterable else value | string) }}
{{- ', ' if not loop.last else '' }}
{%- endfor %}
{{- ')]<|/calls|>' if loop.last else ')' }}
{%- endfor %}"""
LOOSE = TURNS % """{%- for c in m.tool_calls or [] %}
{{- '<call>' + c.function.name + '{' }}
{%- for key, value in c.function.arguments | items %}
{{- key + ':' + ('<|q|>' + value + '<|q|>' if value is string else value | tojson) }}
{{- ',' if not loop.last else '' }}
{%- endfor %}
{{- '}</call>' }}
{%- endfor %}"""
WRAPPED = TURNS % """{%- for c in m.tool_calls or [] %}
{{- '<calls>' if loop.first else '<and>' }}
{{- '<call>' + c.function.name + '<args>' + c.function.arguments | tojson + '</call>' }}
{{- '</calls>' if loop.last else '' }}
{%- endfor %}"""
ONE_CALL = TURNS % """{%- if m.tool_calls %}
{%- if m.tool_calls | length > 1 %}{{ raise_exception('one call') }}{% endif %}
{{- '{"name": "' + m.tool_calls[0].function.name + '", "parameters": ' }}
{{- m.tool_calls[0].function.arguments | tojson + '}' }}
{%- endif %}"""
IDS_IN_JSON = TURNS % """{%- for c in m.tool_calls or [] %}
{{- '<call>' + {'id': c.id, 'name': c.function.name, 'arguments': c.function.arguments} | tojson + '</call>' }}
{%- endfor %}"""
CHANNELS = """{%- for m in messages %}
{%- if m.role == 'assistant' %}
{%- if m.thinking %}{{- '<|start|>assistant<|channel|>thought<|message|>' + m.thinking + '<|end|>' }}{% endif %}
{{- '<|start|>assistant<|channel|>final<|message|>' + m.content + '<|return|>' }}
{%- else %}
{{- '<|start|>' + m.role + '<|message|>' + m.content + '<|end|>' }}
{%- endif %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|start|>assistant' }}{% endif %}"""
FORGETFUL = """{%- for m in messages %}
{{- '<|' + m.role + '|>' + m.content.split('</think>')[-1] + '<|end|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|assistant|><think>' }}{% endif %}"""
NO_PROMPT = """{%- for m in messages %}
{{- '[INST] ' + m.content + ' [/INST]' if m.role == 'user' else ' ' + m.content + '</s> ' }}
{%- endfor %}"""
NAMED_ROLES = """{%- for m in messages %}{{- m.role | capitalize + ': ' + m.content + '<end>\\n' }}{% endfor %}
{%- if add_generation_prompt %}{{- 'Assistant:' }}{% endif %}"""
ENDLESS = """{%- for m in messages %}{{- '<|' + m.role + '|>\\n' + m.content }}
{%- for c in m.tool_calls or [] %}{{- '<call>' + c.function | tojson + '</call>' }}{% endfor %}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|assistant|>\\n' }}{% endif %}"""


def drafted(text: str) -> tuple[Draft, list[str]]:
    """The draft and what the trials of its round trip say that are the grammar's fault."""
    made = draft(renderer(text, bos_token="<s>"))
    trials = list(Bench(renderer(text, bos_token="<s>"), compile_grammar(str(made)), made.convention).trials())
    assert any(trial.equal for trial in trials)
    return made, [f"{trial.kind}, {trial.context}: {trial.raw}" for trial in trials if trial.verdict == GRAMMAR]


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        (JSON, 'open  "<tool_call>"'),
        (LIST, "emit  each"),
        (CALLS_IN_PYTHON, "field tool_calls: python-call-list"),
        (LOOSE, 'json(unquoted_keys, string_delims = [["<|q|>", "<|q|>"]])'),
        (WRAPPED, r"open  /<call>(?P<name>[^<\s]+)<args>/"),
        (ONE_CALL, r'open  /\{"name":\s*"(?P<name>[^"<\s]+)",\s*"parameters":/'),
        (TAGS, r"tag = /<arg=(?P<key>[^>\s]+)>(?P<value>.*?)<\/arg>"),
        (TYPED, r"tag = /<arg=(?P<key>[^>\s]+)\ [^<>]*>"),
        (ENCODED, r"open  /<call>(?P<id>[^:<\s]+):(?P<name>[^<\s]+)<args>/"),
        (IDS_IN_JSON, '"id": content.id'),
    ],
    ids=["json", "list", "python", "loose", "wrapped", "one", "tags", "typed", "encoded", "ids"],
)
def test_each_way_to_write_calls(text: str, calls: str) -> None:
    made, faults = drafted(text)
    assert faults == []
    assert calls in str(made)
    assert parse(str(made), "draft") == replace(made.grammar)


def test_a_wrapper_and_separators_belong_to_nothing() -> None:
    assert 'close "<|end|>" | "<calls>" | "<and>" | "</calls>"' in str(drafted(WRAPPED)[0])


def test_plain_turns() -> None:
    made, faults = drafted(PLAIN)
    assert faults == []
    assert made.notes == (
        "the chat template prints no calls: nothing is said about them",
        "no reasoning was found, neither printed nor in a prompt",
    )
    assert str(made).startswith(
        "# A draft, made from the chat template alone: review it.\n# - the chat template prints"
    )


def test_channels_are_opened_by_their_names() -> None:
    made, faults = drafted(CHANNELS)
    assert faults == []
    assert [str(field.open) for field in made.grammar.fields] == [
        '"<|channel|>thought<|message|>"',
        '"<|channel|>final<|message|>"',
    ]
    assert [str(field.close) for field in made.grammar.fields] == ['"<|end|>"', '"<|return|>"']


def test_reasoning_that_is_only_in_the_prompt() -> None:
    """The prompt opens what past turns do not show: nothing is reachable, and the anchor leaves the opener alone."""
    made = draft(renderer(FORGETFUL))
    assert str(made.grammar.anchor) == '"<|assistant|>"'
    assert (str(made.grammar.fields[0].open), str(made.grammar.fields[0].close)) == (
        '"<think>"',
        '"</think>" blank after',
    )
    assert "its markers were found in the prompt and in the template's source" in made.notes[0]


def test_no_generation_prompt_at_all() -> None:
    made, faults = drafted(NO_PROMPT)
    assert faults == []
    assert str(made.grammar.anchor) == '"[/INST]"'


def test_an_anchor_of_words_takes_the_marker_before_it() -> None:
    made, faults = drafted(NAMED_ROLES)
    assert faults == []
    assert str(made.grammar.anchor) == '"<end>\\nAssistant:"'


def test_turns_without_an_end_end_where_the_next_begins() -> None:
    assert 'close "<|user|>" | "<|tool|>" blank after' in str(drafted(ENDLESS)[0])
    last = "{%- for m in messages %}{{- m.content }}{% endfor %}{% if add_generation_prompt %}{{- '<a>' }}{% endif %}"
    assert "nothing ends a turn: what follows the message will be read as content" in draft(renderer(last)).notes


def test_one_call_a_message_is_said() -> None:
    assert "only one call a message is printed: what stands between two is not known" in drafted(ONE_CALL)[0].notes


def test_calls_that_nothing_reads() -> None:
    """Arguments without names: there is no field for calls, and the draft says so."""
    text = TURNS % """{%- for c in m.tool_calls or [] %}
{{- c.function.name ~ c.function.arguments.keys() | list ~ c.function.arguments.values() | list }}
{%- endfor %}"""
    made = draft(renderer(text))
    assert [field.name for field in made.grammar.fields] == ["content"]
    assert "how calls are written was not found: there is no field for them" in made.notes


def test_special_tokens_come_from_the_checkpoint() -> None:
    assert drafted("{{- bos_token }}" + PLAIN)[1] == []
    with pytest.raises(TemplateFailed, match="'bos_token' is undefined"):
        draft(renderer("{{- 'a' + bos_token }}" + PLAIN))


def test_names() -> None:
    assert draft(renderer(PLAIN)).grammar.name == "chat_template"
    assert draft(renderer(PLAIN), "mine").grammar.name == "mine"
    assert renderer(PLAIN).checkpoint.path == Path("model/chat_template.jinja")


def test_what_the_anchor_may_not_hold() -> None:
    """All prompts open the reasoning: the opener is taken out of what they share."""
    made = renderer(JSON.replace("enable_thinking is defined and not enable_thinking", "false"))
    assert examine(Turns(made, probe(made))).anchors == ("<|im_start|>assistant\n",)


def test_no_header_no_anchor() -> None:
    """Content behind content: the draft has to anchor somewhere, and says that it does not know where."""
    made = renderer("{%- for m in messages %}{{- m.content + '\\n' }}{% endfor %}")
    anatomy = examine(Turns(made, probe(made)))
    assert "no text is common to all generation prompts: check the anchor" in anatomy.notes
    assert anatomy.anchors == ("\n",)


def test_every_candidate_reads_the_probe() -> None:
    for text in (JSON, LIST, TAGS, ENCODED, LOOSE):
        made = renderer(text)
        turns = Turns(made, probe(made))
        assert [found.field.name for found in Calls(turns, examine(turns)).fields()][:1] == ["tool_calls"]


def refusing(text: str, what: str) -> str:
    """A template that refuses messages of which something holds."""
    return "{%- for m in messages %}{%- if " + what + " %}{{ raise_exception('no') }}{% endif %}{% endfor %}" + text


def test_contexts_whose_prompts_share_nothing_have_an_anchor_each() -> None:
    after = "{%- if messages[-1].role == 'tool' %}{{- '<|go_on|>' }}{%- elif add_generation_prompt %}"
    text = LIST.replace("{%- if add_generation_prompt %}", after).replace("'<|' + m.role + '|>'", "header")
    text = text.replace(
        "{{- header",
        "{%- set again = m.role == 'assistant' and not loop.first and messages[loop.index0 - 1].role == 'tool' %}"
        "{%- set header = '<|go_on|>' if again else '<|' + m.role + '|>' %}{{- header",
    )
    text = text.replace("messages[-1].role == 'tool'", "add_generation_prompt and messages[-1].role == 'tool'")
    made, faults = drafted(text)
    assert faults == []
    assert str(made.grammar.anchor) == '"<|assistant|>" | "<|go_on|>"'


def test_results_that_are_refused() -> None:
    assert 'close "<|user|>" blank after' in str(drafted(refusing(ENDLESS, "m.role == 'tool'"))[0])


def test_reasoning_beside_content_may_be_refused() -> None:
    """Then it is looked for beside a call."""
    text = JSON.replace("m.content }}", "m.content or '' }}")
    made, faults = drafted(refusing(text, "m.reasoning_content and m.content"))
    assert faults == []
    assert (str(made.grammar.fields[0].open), str(made.grammar.fields[0].close)) == (
        '"<think>"',
        '"</think>" blank after',
    )
    none = drafted(refusing(PLAIN, "m.reasoning_content"))[0]
    assert "no reasoning was found, neither printed nor in a prompt" in none.notes


def test_kinds_of_calls_that_are_refused_are_not_asked_of_a_draft() -> None:
    """Arguments of other types than strings, and messages that say something beside calls."""
    types = "m.tool_calls and (m.tool_calls[0].function.arguments.zqkeya or 'a') is not string"
    for what in ("m.tool_calls and m.content", types):
        made, faults = drafted(refusing(TAGS, what))
        assert faults == []
        assert "tool_calls" in [field.name for field in made.grammar.fields]


def test_one_call_between_tags() -> None:
    text = refusing(TAGS, "m.tool_calls and m.tool_calls | length > 1")
    made, faults = drafted(text)
    assert faults == []
    assert made.convention.calls == 1


def test_tags_on_lines() -> None:
    lines = (
        TAGS.replace("'<call name='", "'\\n<call name='")
        .replace("'>' }}\n{%- for key", "'>\\n' }}\n{%- for key")
        .replace("'</arg>' }}", "'</arg>\\n' }}")
        .replace("'</call>'", "'</all>\\n</call>'")
    )
    made, faults = drafted(lines)
    assert faults == []
    assert r"close /<\/all>\s*<\/call>" in str(made)


def test_calls_without_a_marker_behind_them() -> None:
    """A brace closes nothing that may hold braces: it counts where it stands behind another one."""
    bare = ENDLESS.replace("'<call>'", "'CALL '").replace("'</call>'", "''")
    assert r"close /(?<=\}\s?)\}\s*/" in str(draft(renderer(bare)))
    assert r"close /(?<=\}\s?)<\|stop\|>\s*/" in str(drafted(bare.replace("| tojson + ''", "| tojson + '<|stop|>'"))[0])


def test_names_in_another_place_than_the_arguments() -> None:
    calls = "{{- '<a>' + c.function.arguments | tojson + '</a>' + c.function.name }}"
    text = TURNS % ("{% for c in m.tool_calls or [] %}" + calls + "{% endfor %}")
    assert "tool_calls" not in [field.name for field in draft(renderer(text)).grammar.fields]


def test_lists_of_other_things() -> None:
    """A list that holds arguments, but no names: its brackets are part of opener and closer."""
    calls = "{{- '[' + c.function.name + ']<a>' + [c.function.arguments] | tojson + '</a>' }}"
    made, faults = drafted(TURNS % ("{% for c in m.tool_calls or [] %}" + calls + "{% endfor %}"))
    assert faults == []
    assert r"open  /\[(?P<name>[^\]<\s]+)\]<a>\[/" in str(made)


def test_closers_that_hold_the_id() -> None:
    """The one thing that differs from call to call may stand behind it, too."""
    made, faults = drafted(ENCODED.replace("'</call>'", "'</call ' + c.id + '>'"))
    assert faults == []
    assert [field.name for field in made.grammar.fields] == ["tool_calls", "content"]


def test_keys_that_are_printed_twice() -> None:
    """Not a shape that tags have: there is no field, and no failure."""
    made = draft(renderer(TAGS.replace("'</arg>'", "'</arg ' + key + '>'")))
    assert [field.name for field in made.grammar.fields] == ["content"]


def test_calls_with_two_arguments_may_be_refused() -> None:
    made = draft(
        renderer(
            refusing(
                TAGS, "m.tool_calls and 'zqkeyb' in m.tool_calls[0].function.arguments and m.tool_calls | length == 1"
            )
        )
    )
    assert "how calls are written was not found: there is no field for them" in made.notes


def test_lists_that_nothing_introduces_or_that_hold_no_names() -> None:
    """The first cannot be told from content by a marker; the second does not say which call is which."""
    bare = TURNS % "{%- if m.tool_calls %}{{- m.tool_calls | map(attribute='function') | list | tojson }}{% endif %}"
    made = draft(renderer(bare))
    assert "python-call-list" not in str(made)
    assert "emit  each" not in str(made)
    apart = "{{- '<f>' + m.tool_calls | map(attribute='function.name') | join(' ') + '</f><a>' }}"
    apart += "{{- m.tool_calls | map(attribute='function.arguments') | list | tojson + '</a>' }}"
    made = draft(renderer(TURNS % ("{%- if m.tool_calls %}" + apart + "{% endif %}")))
    assert "emit  each" not in str(made)


def test_objects_whose_key_is_the_name() -> None:
    """Version 1 has no word for the key of an object."""
    calls = "{%- for c in m.tool_calls or [] %}{{- '<a>[' if loop.first else ', ' }}"
    calls += "{{- {c.function.name: c.function.arguments} | tojson }}{{- ']</a>' if loop.last else '' }}{% endfor %}"
    made = draft(renderer(TURNS % calls))
    assert "emit  each" not in str(made)
