"""Words beyond version 1, together: whatever a text is cut into, and by whatever way it is read, all see the same.

Random grammars with stops, strays, ends from outside and policies; then the places where such words meet.
"""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler import CompileError, compile_grammar
from tests.random_grammars import random_grammar, random_options, random_words_text
from tests.random_templates import KINDS
from tests.random_texts import random_prefix, random_tools
from tests.ways import agree

SAMPLE = 60  # grammars of a kind
TEXTS = 2  # for each


@pytest.mark.parametrize("part", range(4))
@pytest.mark.parametrize("kind", KINDS)
def test_chunking_never_matters(kind: str, part: int) -> None:
    refused: Counter[str] = Counter()
    for number in range(part, SAMPLE, 4):
        rng = Random(f"{kind} words {number}")
        grammar, template = random_grammar(rng, kind)
        try:
            module = compile_grammar(str(grammar))
        except CompileError as error:
            refused[error.code] += 1
            continue
        for _ in range(TEXTS):
            text, prefix = random_words_text(rng, grammar, template), random_prefix(rng, template)
            agree(module, text, prefix=prefix, tools=random_tools(rng, kind), **random_options(rng, grammar))
    assert not refused


# -- where words meet -------------------------------------------------------------------------------------------------

MODULE = compile_grammar(r"""
    grammar words
    policy bad text, unknown text, cut complete, blank skip, trim both
    anchor "A>"
    stop  "<end>" | "<pad>"
    stray "</t>" | "</c>"
    field thoughts[]: text { open "<t>" close "</t>" blank after ended by calls }
    field plans[]: text { open "<p>" close "</p>" ended by calls unless closed ended by notes unless closed }
    field calls[]: json {
        open  "<c>"
        close "</c>"
        ended by plans
        emit  {"type": "function", "function": content}
    }
    field notes[]: kv-lines { open /<n(?P<at>\d*)>/ close /<\/n\d*>/ emit {"at": at, "pairs": content} policy bad drop }
    field content: text joined "|" {}
    """)
PIECES = [
    *["<t>", "</t>", "<p>", "</p>", "<c>", "</c>", "<n1>", "<n>", "</n1>", "<end>", "<pad>", " ", "\n \n", "\x1c"],
    *["a", "a: 1\n", "{}", '{"a": 1}', '{"name": "f", "arguments": {"n": "1"}}', "1", "<", "</", "<n", "<e", "é"],
]
TOOLS = [{"name": "g", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}]


@settings(max_examples=80, deadline=None)
@given(
    st.lists(st.sampled_from(PIECES), max_size=9).map("".join),
    st.sampled_from([None, TOOLS]),
    st.fixed_dictionaries(
        {},
        optional={
            "bad": st.sampled_from(["raise", "drop", "text"]),
            "cut": st.sampled_from(["close", "bad", "complete"]),
            "unknown": st.sampled_from(["keep", "drop", "text"]),
            "on_error": st.just("keep"),
        },
    ),
)
def test_all_ways_see_the_same(text: str, tools: Any, options: dict[str, str]) -> None:
    agree(MODULE, text, prefix="", tools=tools, **options)


def message(module: ModuleType, text: str, **options: Any) -> Any:
    return agree(module, text, **{"prefix": "", **options}).message


def calls(*functions: Any) -> list[Any]:
    return [{"type": "function", "function": function} for function in functions]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # the end of the message
        ("a<c>1</c> <end>b", {"content": "a", "calls": calls(1)}),
        ("<t>a<end></t>b<c>", {"thoughts": ["a"]}),
        ("<c>1<pad>", {"calls": calls(1)}),
        ("<c>{<pad> b", {"content": "<c>{"}),
        ("a \n<end>", {"content": "a"}),
        (" <end> ", {}),
        # strays
        ("a</t>b</c></c> c", {"content": "a|b| c"}),
        (" </t> ", {}),
        # an end from outside, at once
        ("<t>a<c>1</c>b</t>c", {"thoughts": ["a"], "calls": calls(1), "content": "b|c"}),
        ("<t>a<c>1<p>b", {"thoughts": ["a"], "calls": calls(1), "plans": ["b"]}),
        ("<c>{<p>b", {"content": "<c>{", "plans": ["b"]}),
        # an end from outside, unless closed
        ("<p>a<c>1</c></p>b", {"plans": ["a<c>1</c>"], "content": "b"}),
        ("<p>a<c>1</c>b", {"plans": ["a"], "calls": calls(1), "content": "b"}),
        ("<p>a<n7>b: c</n7>", {"plans": ["a"], "notes": [{"at": "7", "pairs": {"b": "c"}}]}),
        ("<p>a<c>1<end></p>", {"plans": ["a"], "calls": calls(1)}),
        ("<p>a<end><c>1</c></p>", {"plans": ["a"]}),
        ("<p>a<n", {"plans": ["a<n"]}),
        # refused bodies
        ("a <c>?</c> b", {"content": "a |<c>?</c> b"}),
        ("<c>?</c>  <c>?</c>", {"content": "<c>?</c>  |<c>?</c>"}),
        # cuts
        ("<c>1</", {"calls": calls(1)}),
        ("<c>1<p", {"calls": calls(1)}),
        ("<c>{</", {"content": "<c>{</"}),
        ("<n1>a: b\n</n", {"notes": [{"at": "1", "pairs": {"a": "b"}}]}),
    ],
)
def test_words_meet(text: str, expected: Any) -> None:
    assert message(MODULE, text) == expected


def test_tools_that_are_not_there() -> None:
    f, g = (json.dumps({"name": name, "arguments": {"n": "1"}}) for name in "fg")
    text = f"<c>{f}</c> <c>{g}</c>"
    typed = {"name": "g", "arguments": {"n": 1}}
    assert message(MODULE, text, tools=TOOLS) == {"content": f"<c>{f}</c>", "calls": calls(typed)}
    assert message(MODULE, text, tools=TOOLS, unknown="drop") == {"calls": calls(typed)}
    assert len(message(MODULE, text, tools=TOOLS, unknown="keep")["calls"]) == 2
    assert len(message(MODULE, text)["calls"]) == 2
    for odd in ('{"name": "f"}', '{"name": "f", "arguments": "n"}', '{"name": ["g"]}'):
        assert message(MODULE, f"<c>{odd}</c>", tools=TOOLS, unknown="drop") == {}
    for none in ('{"arguments": {}}', '"f"', '{"names": 1}'):
        assert "calls" in message(MODULE, f"<c>{none}</c>", tools=TOOLS, unknown="drop")


# -- who wins where two begin at one place ----------------------------------------------------------------------------


@pytest.mark.parametrize("close", ['"</c>" | "<end>"', r"/<\/c>|<end>/", '"</c>" | "<end>" blank after'])
@pytest.mark.parametrize("more", ["", "ended by d unless closed"])
def test_a_stop_wins_over_an_equal_delimiter(close: str, more: str) -> None:
    module = compile_grammar(f"""
        grammar g anchor "A" stop "<end>"
        field c: json {{ open "<c>" close {close} {more} }}
        field d: text {{ open "<d>" | "<end>" close "<end>" }}
        field e: text {{ close "<end>" }}
        """)
    assert message(module, "<c>1<end>b") == {"c": 1}
    assert message(module, "a<end>b") == {"e": "a"}
    assert message(module, "<d>a<end>b") == {"d": "a"}


def test_a_stop_ends_the_reading_even_where_the_open_region_is_refused() -> None:
    module = compile_grammar("""
        grammar g anchor "A" stop "<end>"
        field c: json { open "<c>" close "</c>" }
        field d: text { open "<end>x" }
        """)
    assert message(module, "<c>?<end>x<c>1</c>", on_error="keep") == {}
    assert agree(module, "<c>?<end>x<c>1</c>", prefix="").message == {}


def test_a_late_end_that_is_not_decided_is_waited_for() -> None:
    module = compile_grammar(r"""
        grammar g anchor "A" stop "<end>"
        field a: text { open "<a>" close "</a>" ended by b unless closed }
        field b: text { open /<b.*?>/ }
        """)
    assert message(module, "<a>1<b <end> 2") == {"a": "1", "b": "2"}
    assert message(module, "<a>1<b <end") == {"a": "1<b <end"}
    assert message(module, "<a>1<b <end></a>") == {"a": "1", "b": "</a>"}
    assert message(module, "<a>1<b </a><end>") == {"a": "1<b"}


def test_a_late_end_holds_text_from_the_opener_on() -> None:
    parser = MODULE.Parser(prefix="")
    assert [event.get("text") for event in parser.feed("<p>ab<c>1</c>")] == [None, "ab"]
    assert parser.feed(" more") == []
    assert [event.get("text") for event in parser.feed("</p>")] == ["<c>1</c> more", None]
