"""Small chat templates of known shapes, and folders that hold them: what the tests of compiler/chat stand on."""

from __future__ import annotations

import json
from pathlib import Path

from compiler import compile_grammar
from compiler.chat.convention import probe
from compiler.chat.folder import ChatTemplate, Checkpoint
from compiler.chat.render import Renderer
from compiler.chat.roundtrip import Bench

PLAIN = """{%- for m in messages %}
{{- '<|' + m.role + '|>' + m.content + '<|end|>' }}
{%- endfor %}
{%- if add_generation_prompt %}{{- '<|assistant|>' }}{% endif %}"""

# ChatML turns, reasoning, one JSON object a call; the prompt opens the reasoning, or leaves an empty block behind.
JSON = """{%- for m in messages %}
{{- '<|im_start|>' + ('user' if m.role == 'tool' else m.role) + '\\n' }}
{%- if m.role == 'assistant' %}
{{- '<think>\\n' + (m.reasoning_content or '') + '\\n</think>\\n\\n' }}
{%- endif %}
{{- m.content }}
{%- for c in m.tool_calls or [] %}
{{- '\\n<tool_call>\\n{"name": "' + c.function.name + '", "arguments": ' }}
{{- c.function.arguments | tojson + '}\\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
{{- '<|im_start|>assistant\\n' }}
{%- if enable_thinking is defined and not enable_thinking %}
{{- '<think>\\n\\n</think>\\n\\n' }}
{%- else %}
{{- '<think>\\n' }}
{%- endif %}
{%- endif %}"""

TURNS = """{%%- for m in messages %%}
{{- '<|' + m.role + '|>' + (m.content or '') }}
%s
{{- '<|end|>' }}
{%%- endfor %%}
{%%- if add_generation_prompt %%}{{- '<|assistant|>' }}{%% endif %%}"""

LIST = TURNS % """{%- if m.tool_calls %}
{{- '<|calls|>' + m.tool_calls | map(attribute='function') | list | tojson + '<|/calls|>' }}
{%- endif %}"""

TAGS = TURNS % """{%- for c in m.tool_calls or [] %}
{{- '<call name=' + c.function.name + '>' }}
{%- for key, value in c.function.arguments.items() %}
{{- '<arg=' + key + '>' + (value if value is string else value | tojson) + '</arg>' }}
{%- endfor %}
{{- '</call>' }}
{%- endfor %}"""

# Strings carry another tag than the rest; arguments only come as a JSON string in ENCODED.
TYPED = TAGS.replace("'<arg=' + key + '>'", """'<arg=' + key + (' string>' if value is string else ' json>')""")
ENCODED = TURNS % """{%- for c in m.tool_calls or [] %}
{{- '<call>' + c.id + ':' + c.function.name + '<args>' + c.function.arguments + '</call>' }}
{%- endfor %}"""

GRAMMAR = """grammar json_calls
default role = "assistant"
anchor "<|im_start|>assistant\\n"
field reasoning_content: text { open "<think>" close "</think>" blank after }
field tool_calls[]: json {
    open "<tool_call>"
    close "\\n</tool_call>" blank after
    emit {"type": "function", "function": content}
}
field content: text joined "" { close "<|im_end|>" blank after }
"""


def checkpoint(text: str, **tokens: str) -> Checkpoint:
    path = Path("model/chat_template.jinja")
    return Checkpoint(path, {"default": ChatTemplate("default", text, path)}, tokens)


def renderer(text: str, **tokens: str) -> Renderer:
    return Renderer(checkpoint(text, **tokens))


def bench(text: str, grammar: str = GRAMMAR) -> Bench:
    made = renderer(text)
    return Bench(made, compile_grammar(grammar), probe(made))


def folder(path: Path, **files: str | object) -> Path:
    """A folder with files: `chat_template__jinja="..."`, other values as JSON."""
    for name, value in files.items():
        file = path / name.replace("___", "/").replace("__", ".")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return path
