"""Reduced machines: what is kept is what the whole machine reads, all other text passes through as it stands."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from itertools import pairwise
from types import ModuleType
from typing import Any

import pytest

from compiler import compile_grammar
from compiler.check import check
from compiler.diagnostics import CompileError
from compiler.load import load_grammar
from compiler.lower import lower
from compiler.parse import parse
from compiler.reduce import Only, reduce
from tests.examples import GRAMMARS, Example, model_examples, module_of
from tests.reference import Reading, ours
from tests.ways import agree

TEXTS = {path.stem: str(load_grammar(path)) for path in GRAMMARS}
KEYS: dict[Only, str] = {"reasoning": "reasoning_content", "tools": "tool_calls"}
PLAIN: tuple[Only, ...] = ("reasoning", "tools")


def has(family: str, only: Only) -> bool:
    return any(field.name == KEYS[only] for field in parse(TEXTS[family]).fields)


MACHINES = [(family, only) for family in TEXTS for only in PLAIN if has(family, only)]
EXAMPLES: dict[str, list[Example]] = defaultdict(list)
for one in model_examples():
    EXAMPLES[one.family].append(one)


@lru_cache
def reduced(family: str, only: Only) -> ModuleType:
    return compile_grammar(TEXTS[family], only=only)


def regions(reading: Reading) -> list[tuple[str, int, int]]:
    """The field of each region that is one, and its stretch of the response, delimiters included."""
    found, begun = [], 0
    for event in reading.events:
        if event["type"] == "region_open":
            begun = event["start"]
        elif event["type"] == "region_close" or (
            event["type"] == "region_malformed" and event["error"].policy != "text"
        ):
            found.append((event["field"], begun, event["end"]))
    return found


def passed(reading: Reading, key: str) -> str:
    """The text of a reduced machine's response without the regions of the key, blanks that belong to their closers, and
    what begins with a stop."""
    gone = [(start, end) for field, start, end in regions(reading) if field == key]
    for before, event in pairwise([{}, *reading.events]):
        if event["type"] == "text_dropped" and (event["rule"] == "stop" or before["type"] == "region_close"):
            gone.append((event["start"], event["end"]))
    text, at = "", 0
    for start, end in sorted(gone):
        text, at = text + reading.whole[at:start], max(at, end)
    return text + reading.whole[at:]


def is_within_another(reading: Reading, only: Only, family: str) -> bool:
    """Whether what is wanted seems to stand in a region of another field, as a call in a thought does, or an end."""
    for field, start, end in regions(reading):
        if field not in (KEYS[only], "content"):
            found = ours(reduced(family, only), [reading.whole[start:end]], spans=True).events
            if any(event.get("rule") == "stop" or event.get("field") == KEYS[only] for event in found):
                return True
    return False


@pytest.mark.parametrize(("family", "only"), MACHINES)
def test_what_is_kept_is_as_ever_and_all_other_text_passes_through(family: str, only: Only) -> None:
    compared = 0
    for example in EXAMPLES[family]:
        given = {"prefix": example.prefix, "tools": example.tools}
        whole = ours(module_of(family), [example.text], spans=True, **given)
        if is_within_another(whole, only, family):
            continue
        less = ours(reduced(family, only), list(example.text), spans=True, **given)
        assert whole.message is not None
        assert less.message is not None
        assert less.message.get(KEYS[only]) == whole.message.get(KEYS[only]), example
        stretches = [[one for one in regions(reading) if one[0] == KEYS[only]] for reading in (whole, less)]
        assert stretches[0] == stretches[1], example
        assert less.message.get("content", "") == passed(less, KEYS[only]), example
        assert {event["rule"] for event in less.events if "rule" in event} <= {"stop", "blank"}
        assert less.message.keys() <= {"role", "content", KEYS[only]}
        compared += 1
    assert compared > len(EXAMPLES[family]) // 2


@pytest.mark.parametrize(("family", "only"), MACHINES)
def test_in_every_chunking_it_is_the_same(family: str, only: Only) -> None:
    for example in EXAMPLES[family][::5]:
        agree(reduced(family, only), example.text, prefix=example.prefix, tools=example.tools)


TINY = """
grammar tiny
policy  blank skip, trim both, bad text
default role = "assistant"
default calls = []
default content = "none"
anchor  "A"
stop    "<E>"
stray   "</t>"

field thinking: text { open "<t>" close "</t>" ended by calls }
field calls[] as a: json { open /<c(?P<n>\\d)>/ close "</c>" emit {"function": {"name": n, "arguments": content}} }
field calls[] as b: json {
    open  /<(?P<q>['"])(?P=q)c>/
    close "</c>"
    emit  {"function": {"name": q, "arguments": content}}
}
field score: int { open "<s>" close "</s>" }
field content: text joined " " { close "<end>" }
"""


def read(only: Only, text: str) -> Any:
    return agree(compile_grammar(TINY, only=only), text, prefix="A").message


def test_one_kind_is_read() -> None:
    text = " a <t> b </t> </t>\n<c1>2</c> <s>1</s> <end> <E>x"
    rest = " </t>\n<c1>2</c> <s>1</s> <end> "
    assert read("reasoning", text) == {"role": "assistant", "content": f" a {rest}", "thinking": "b"}
    calls = [{"function": {"name": "1", "arguments": 2}}]
    message = {"role": "assistant", "content": " a <t> b </t> </t>\n <s>1</s> <end> ", "calls": calls}
    assert read("tools", text) == message
    assert read("tools", "<c1>x</c> \n") == {"role": "assistant", "content": "<c1>x</c> \n", "calls": []}


@pytest.mark.parametrize("call", ["<c1>2</c>", '<""c>2</c>'])
def test_what_ends_a_thought_still_ends_it(call: str) -> None:
    text = f"x<t>a{call} y <t>b</t>"
    assert read("reasoning", text) == {"role": "assistant", "thinking": "b", "content": f"x{call} y "}


def test_what_is_not_there_is_not_read() -> None:
    grammar = parse('grammar g anchor "A" field a: text { open "<a>" } field content: json {}')
    for only in PLAIN:
        with pytest.raises(CompileError, match=f"no field of g is {'reasoning' if only == 'reasoning' else 'a tool'}"):
            reduce(grammar, only)
    with pytest.raises(ValueError, match="not 'calls'"):
        compile_grammar(TINY, only="calls")  # type: ignore[arg-type]


def test_other_text_finds_a_key_of_its_own() -> None:
    grammar = parse('grammar g anchor "A" field content: json { open "<c>" close "</c>" } field note: text {}')
    assert [field.name for field in reduce(grammar, "tools").fields] == ["content", "note"]
    taken = parse('grammar g anchor "A" field content: json { open "<c>" close "</c>" }')
    assert [field.name for field in reduce(taken, "tools").fields] == ["content", "text"]


@pytest.mark.parametrize(("family", "only"), MACHINES)
def test_a_reduced_grammar_is_a_grammar(family: str, only: Only) -> None:
    grammar = reduce(parse(TEXTS[family]), only)
    assert parse(str(grammar)) == grammar
    check(grammar)
    lower(grammar)
