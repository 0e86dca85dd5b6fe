"""What is parsed: in goes a size, out come responses, the same ones each time and on each machine.

Invariant: a workload's responses are well-formed in its format, and its size is about the characters that they have in
all; a generated module gives the same message for them as the template does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any

from compiler import compile_template

FORMATS = Path(__file__).parents[1] / "tests" / "data" / "formats.jsonl"
SENTENCE = """we should compare the early train with the late one because rain is likely and the walk from harbour to
museum takes about twenty minutes on foot so a bus might do as well but it runs twice an hour at most which leaves
little room for lunch or coffee before tickets sell out; then again nobody said that lunch matters, so let us check"""
WORDS = SENTENCE.split()


@dataclass(frozen=True)
class Workload:
    """A format, as a response template, and responses in it.

    size: characters, in the table. grown: the least of the four sizes that growth is measured at, each twice the last;
    0 when another workload shows it. shipped: the generated module for the same family, "" when there is none.
    in_json: the part of a call that stands in the response as plain JSON, "" when none does.
    """

    name: str
    title: str
    template: dict[str, Any]
    write: Callable[[int], list[str]]
    size: int
    grown: int = 50_000
    shipped: str = ""
    in_json: str = "function"

    @cached_property
    def module(self) -> ModuleType:
        """What we make of the template."""
        return compile_template(self.template, name="benchmark")

    @cached_property
    def shipped_module(self) -> ModuleType:
        return import_module(f"generated.{self.shipped}")

    def responses(self, size: int | None = None) -> list[str]:
        return _written(self.write, self.size if size is None else size)


@cache
def _written(write: Callable[[int], list[str]], size: int) -> list[str]:
    return write(size)


# -- ways to cut -----------------------------------------------------------------------------------------------------

_TOKEN = re.compile(r" ?\w{1,5}| ?[^\w\s]{1,3}|\s{1,4}")


def whole(text: str) -> list[str]:
    """One piece."""
    return [text]


def tokens(text: str) -> list[str]:
    """Pieces of about four characters, cut where tokenizers cut: a word with the blank before it, signs, blanks."""
    return _TOKEN.findall(text)


CUTS: dict[str, Callable[[str], list[str]]] = {"whole": whole, "tokens": tokens, "chars": list}

# -- responses -------------------------------------------------------------------------------------------------------


def prose(size: int, seed: int = 0) -> str:
    """Sentences, `size` characters of them."""
    rng, parts, length = Random(seed), [], 0
    while length < size:
        sentence = " ".join(rng.choices(WORDS, k=rng.randint(5, 17))).capitalize() + rng.choice(
            [". ", ". ", "?\n", ".\n\n"]
        )
        parts.append(sentence)
        length += len(sentence)
    return "".join(parts)[:size]


def call(number: int) -> str:
    """The JSON of a tool call, about 120 characters."""
    arguments = {
        "city": WORDS[number % len(WORDS)],
        "days": number % 7,
        "units": "metric",
        "tags": ["rain", "wind"],
        "deep": None,
    }
    return json.dumps({"name": "get_forecast", "arguments": arguments})


def chatml(size: int) -> list[str]:
    """Reasoning, an answer, two tool calls."""
    calls = "".join(f"\n<tool_call>\n{call(number)}\n</tool_call>" for number in range(2))
    room = max(0, size - len(calls) - 60)
    thought = room * 3 // 4
    return [f"<think>\n{prose(thought)}\n</think>\n\n{prose(room - thought, 1)}{calls}<|im_end|>\n"]


def reasoning(size: int) -> list[str]:
    """Nothing but reasoning, and a word of answer."""
    return [f"<think>\n{prose(size)}\n</think>\nYes.<|im_end|>"]


def harmony(size: int) -> list[str]:
    """A turn of gpt-oss: reasoning, a preamble, a call; half of it reasoning, and again while there is room."""
    parts: list[str] = []
    while size > 0:
        here = min(size, 3_500)
        thought = prose(here // 2, size)
        size -= here
        parts += [
            f"<|channel|>analysis<|message|>{thought}<|end|><|start|>assistant",
            f"<|channel|>commentary<|message|>{prose(max(0, here // 2 - 340), size)}<|end|><|start|>assistant",
            f"<|channel|>commentary to=functions.get_forecast <|constrain|>json<|message|>{call(size)}<|call|>",
            "<|start|>assistant",
        ]
    return ["".join(parts[:-1])]


def parameters(size: int) -> list[str]:
    """A call with 20 parameters as XML, one of them nearly as long as the response."""
    values = [str(number) if number % 2 else prose(40, number) for number in range(19)]
    values.append(prose(max(0, size - 2_000)))
    inner = "".join(f"<parameter=key_{number}>\n{value}\n</parameter>\n" for number, value in enumerate(values))
    return [
        f"<think>\nDone.\n</think>\n\n<tool_call>\n<function=write_file>\n{inner}</function>\n</tool_call><|im_end|>"
    ]


def strings(size: int) -> list[str]:
    """A call of Gemma 4 with strings in delimiters of their own, one in 50 characters."""
    return [f"<|tool_call>call:store{{rows:[{','.join(map(_lax_row, range(size // 50)))}]}}<tool_call|><turn|>"]


def _lax_row(number: int) -> str:
    return f'{{id:{number},text:<|"|>{prose(20, number)}<|"|>}}'


def near_misses(size: int) -> list[str]:
    """Reasoning full of what might become its closer."""
    rng, misses = Random(2), ["<", "</th", "</t", "a < b", "<|", "</think", "<i>"]
    parts = [f"{rng.choice(WORDS)} {rng.choice(misses)} " for _ in range(size // 9)]
    return [f"<think>{''.join(parts)}</think>Yes.<|im_end|>"]


def messages(size: int) -> list[str]:
    """Many small responses."""
    return [f"<think>\n{prose(60, n)}\n</think>\n{prose(40, -n)}<|im_end|>\n" for n in range(size // 140)]


def calls(size: int) -> list[str]:
    """Tool calls one after the other."""
    body = "<tool_call>" + '{"name": "f", "arguments": {"a": 1}}' + "</tool_call>"
    return [body * (size // len(body))]


def newlines(size: int) -> list[str]:
    """Blank lines that might stand before a tool call, and then do not."""
    return ["\n" * size + "Yes.<|im_end|>"]


def pending(size: int) -> list[str]:
    """A header whose end is far away."""
    return [f"<|chan|>tool to=f {prose(size)}<|body|>{{}}<|done|>"]


def prefilled(size: int) -> list[str]:
    """Text that is reasoning if a closer comes at all, and it comes last."""
    return [f"{prose(size)}</think>Yes.<|im_end|>"]


# -- formats ---------------------------------------------------------------------------------------------------------


@cache
def family(name: str) -> dict[str, Any]:
    """The response template of a family of checkpoints."""
    lines = FORMATS.read_text(encoding="utf-8").splitlines()
    return next(entry["response_template"] for entry in map(json.loads, lines) if entry["family"] == name)


def _template(**fields: dict[str, Any]) -> dict[str, Any]:
    return {"defaults": {"role": "assistant"}, "start_anchor": "<|im_start|>assistant\n", "fields": fields}


_CALLS = {"repeats": True, "content": "json", "transform": {"type": "function", "function": "{content}"}}
_PIECES = {"repeats": True, "join": ""}
LITERALS = _template(
    reasoning_content={"open": "<think>", "close": "</think>"},
    tool_calls={"open": "<tool_call>", "close": "</tool_call>", **_CALLS},
    content={"close": "<|im_end|>", **_PIECES},
)
BLANKS_AROUND = _template(
    reasoning_content={"open_pattern": r"\s*<think>", "close_pattern": r"</think>\s*"},
    tool_calls={"open_pattern": r"\s*<tool_call>", "close_pattern": r"</tool_call>\s*", **_CALLS},
    content={"close_pattern": r"<\|im_end\|>\s*", **_PIECES},
)
LAZY = _template(
    tool_calls={
        "open_pattern": r"<\|chan\|>tool to=(?P<name>\w+).*?<\|body\|>",
        "close": "<|done|>",
        "repeats": True,
        "content": "json",
        "transform": {"type": "function", "function": {"name": "{name}", "arguments": "{content}"}},
    },
    content={"close": "<|end|>"},
)
LOOK_AHEAD = _template(
    reasoning_content={"open_pattern": r"(?=[\s\S]*?</think>)", "close_pattern": r"</think>\s*"},
    content={"close_pattern": r"<\|im_end\|>\s*"},
)

SMOLLM3, GPT_OSS, GEMMA4, QWEN3_CODER = map(family, ("smollm3", "gpt_oss", "gemma4", "qwen3_coder"))

WORKLOADS = {
    workload.name: workload
    for workload in (
        Workload("literals", "SmolLM3, literal delimiters, 3.5k", LITERALS, chatml, 3_500),
        Workload("closers", "SmolLM3, `\\s*` closers, 3.5k", SMOLLM3, chatml, 3_500, shipped="smollm3"),
        Workload("openers", "the same, `\\s*` openers too", BLANKS_AROUND, chatml, 3_500),
        Workload("reasoning_100k", "100k of reasoning", SMOLLM3, reasoning, 100_000, shipped="smollm3"),
        Workload("reasoning_400k", "400k of reasoning", SMOLLM3, reasoning, 400_000, grown=0, shipped="smollm3"),
        Workload("harmony", "gpt-oss (harmony), 3.5k", GPT_OSS, harmony, 3_500, shipped="gpt_oss", in_json="arguments"),
        Workload(
            "xml", "20 XML parameters, one of 50k", QWEN3_CODER, parameters, 52_000, shipped="qwen3_coder", in_json=""
        ),
        Workload("strings", "200 custom-delimited strings", GEMMA4, strings, 10_000, shipped="gemma4", in_json=""),
        Workload("messages", "1000 small messages", SMOLLM3, messages, 140_000, shipped="smollm3"),
        Workload("near_misses", "near misses everywhere, 20k", SMOLLM3, near_misses, 20_000, shipped="smollm3"),
        Workload("newlines", "20k newlines, `\\s*<tool_call>` opener", BLANKS_AROUND, newlines, 20_000),
        Workload("lazy", "`.*?` opener pending over 100k", LAZY, pending, 100_000, in_json="arguments"),
        Workload("look_ahead", "look-ahead opener pending over 5k", LOOK_AHEAD, prefilled, 5_000),
        Workload("calls", "10,000 calls", SMOLLM3, calls, 590_000, shipped="smollm3"),
    )
}
