"""recognise.py: the grammars that read a chat template's probe back, and none that loses a part of it."""

from __future__ import annotations

from types import ModuleType

from compiler import compile_grammar
from compiler.chat.recognise import Reading, recognise

from .templates import GRAMMAR, JSON, LIST, PLAIN, TAGS, renderer


def modules(**changes: tuple[str, str]) -> dict[str, ModuleType]:
    """The grammar for JSON, and others that differ in one place each."""
    assert all(GRAMMAR.count(old) == 1 for old, _ in changes.values())
    made = {name: compile_grammar(GRAMMAR.replace(*change)) for name, change in changes.items()}
    return {"same": compile_grammar(GRAMMAR), **made}


def names(found: list[Reading]) -> list[str]:
    return [one.name for one in found]


def test_what_reads_the_probe_back_is_found() -> None:
    (found,) = recognise(renderer(JSON), modules())
    assert (found.name, str(found)) == ("same", "a thought, text and calls")
    assert found.exact > 4


def test_what_loses_a_part_is_not() -> None:
    known = modules(
        calls=('"<tool_call>"', '"<call>"'),
        thought=('"<think>"', '"<thought>"'),
        anchor=("im_start", "turn"),
        values=("tool_calls[]: json", "tool_calls[]: text"),
    )
    assert names(recognise(renderer(JSON), known)) == ["same"]


def test_what_is_written_in_another_way_is_not_read() -> None:
    assert names(recognise(renderer(LIST), modules())) == []
    assert names(recognise(renderer(TAGS), modules())) == []


def test_a_template_of_plain_text_is_read_by_all_that_know_its_prompt() -> None:
    plain = 'grammar plain\nanchor "<|assistant|>"\nstop "<|end|>"\nfield content: text joined "" {}'
    found = recognise(renderer(PLAIN), {**modules(), "plain": compile_grammar(plain)})
    assert [(one.name, str(one)) for one in found] == [("plain", "text")]


def test_a_message_that_no_prompt_leads_to_is_read_from_where_they_part() -> None:
    opens = PLAIN.replace("'<|assistant|>' }}{% endif", "'<|assistant|><think>' }}{% endif")
    thought = 'field reasoning_content: text { open "<think>" close "</think>" }'
    grammar = f'grammar g anchor "<|assistant|>" stop "<|end|>" {thought} field content: text joined "" {{}}'
    assert names(recognise(renderer(opens), {"g": compile_grammar(grammar)})) == ["g"]


def test_the_most_exact_comes_first() -> None:
    stripped = GRAMMAR.replace("grammar json_calls", "grammar json_calls\npolicy trim both")
    known = {"b": compile_grammar(GRAMMAR), "a": compile_grammar(GRAMMAR), "c": compile_grammar(stripped)}
    found = recognise(renderer(JSON), known)
    assert names(found)[:2] == ["a", "b"]
    assert [one.exact for one in found] == sorted((one.exact for one in found), reverse=True)
