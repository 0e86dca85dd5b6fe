"""Every decision about the code of a grammar: how a state looks at its text, what it leans on, what is scanned for."""

from __future__ import annotations

from typing import Any

import pytest

from compiler import CompileError
from compiler.hf_json import from_template
from compiler.lower import lower
from compiler.machine import Machine, State
from compiler.parse import parse


def machine(fields: str, *, linear: bool = False, head: str = "") -> Machine:
    return lower(parse(f'grammar g {head} anchor "A" {fields}', "g.grammar"), linear=linear)


def states(found: Machine) -> dict[str, State]:
    return {state.name: state for state in found.states}


def facts(found: Machine) -> list[str]:
    return [fact.text.split()[0] for fact in found.facts]


@pytest.mark.parametrize(
    ("field", "kind", "lead", "leads_to"),
    [
        ('field x: text { open "<x>" }', "rest", "\0", []),
        ('field x: text { open "<x>" close "</x>" }', "find", "<", [["</x>"]]),
        ('field x: text { open "<x>" close "</x>" | "</y>" }', "search", "<", [["</x>", "</y>"]]),
        ('field x: text { open "<x>" close "</x>" | "]" }', "scan", "", [[]]),
        ('field x: text { open "<x>" close "</x>" | "</x" }', "scan", "<", [[]]),
        ('field x: text { open "<x>" close "</x>" blank after }', "find", "<", [["</x>"]]),
        ('field x: text { open "<x>" close "</x>" blank before }', "scan", "", [[]]),
        (r'field x: text { open "<x>" close /<\/x>\s*|(?=<y>)/ }', "search", "<", [["</x>"], ["<y>"]]),
        (r'field x: text { open "<x>" close /<\/\w>/ }', "scan", "<", [[]]),
        (r'field x: text { open "<x>" close /(?<=a)<\/x>/ }', "scan", "", [[]]),
        (r'field x: text { open "<x>" close /^<\/x>/ }', "scan", "<", [[]]),
    ],
)
def test_how_a_region_is_read(field: str, kind: str, lead: str, leads_to: list[list[str]]) -> None:
    state = states(machine(field))["x"]
    assert (state.kind, state.lead) == (kind, lead)
    assert [list(exit.words) for exit in state.exits] == leads_to
    assert not state.is_outside


def test_what_stands_between_regions() -> None:
    found = machine(
        'field b: text { open "<b>" } field a: text { open "<a>" } field c: text { close "<c>" blank after }'
    )
    outside = found.states[-1]
    assert (outside.name, outside.is_outside, outside.kind) == ("c", True, "search")
    assert [(exit.does, exit.target, exit.words, exit.blanks) for exit in outside.exits] == [
        ("open", "A", ("<a>",), False),
        ("open", "B", ("<b>",), False),
        ("close", "", ("<c>",), True),
    ]
    assert [state.name for state in found.states] == ["b", "a", "c"]


def test_without_an_implicit_field_there_is_a_state_of_no_field() -> None:
    outside = machine('field a: text { open "<a>" }').states[-1]
    assert (outside.name, outside.field, outside.close) == ("outside", None, ())
    alone = machine("field a: text {}").states
    assert [(state.name, state.kind, state.exits) for state in alone] == [("a", "rest", ())]


def test_a_field_called_outside_keeps_its_name() -> None:
    found = machine('field outside: text { open "<o>" } field blanks: text { open "<b>" }')
    assert [(state.name, state.ident) for state in found.states] == [
        ("outside", "field_1"),
        ("blanks", "blanks"),
        ("outside", "outside"),
    ]


def test_of_equal_openers_the_first_name_wins() -> None:
    found = machine('field b: text { open "<x>" } field a: text { open "<x>" } field c: text { close "<x>" }')
    assert [exit.target for exit in found.states[-1].exits] == ["A"]


def test_some_words_of_two_openers_may_be_equal() -> None:
    found = machine('field a: text { open "<x>" | "<y>" } field b: text { open "<x>" | "<z>" }')
    assert [(exit.target, exit.words) for exit in found.states[-1].exits] == [("A", ("<x>", "<y>")), ("B", ("<z>",))]


def test_a_close_that_can_be_empty() -> None:
    for close in ("/<b>|(?=<a>)/", "/b*/", "/x|$/"):
        [state] = machine(f"field c: text {{ close {close} }}").states
        assert any(exit.may_be_empty for exit in state.exits)
    explicit, outside = machine('field c: text { open "<c>" close /<b>|(?=<a>)/ }').states
    assert not any(exit.may_be_empty for state in (explicit, outside) for exit in state.exits)
    [state] = machine("field c: text { close /bb*/ }").states
    assert not any(exit.may_be_empty for exit in state.exits)


def test_structured_bodies_make_dirty_chunks() -> None:
    found = states(machine('field a: json { open "<a>" } field b: int { open "<b>" } field c: text {}'))
    assert [found[name].dirty for name in "abc"] == [True, False, False]


# -- scanners ---------------------------------------------------------------------------------------------------------


def test_each_delimiter_has_one_scanner() -> None:
    found = machine(
        'field a: text { open "<a>" close "]" | "</" } field b: text { open "(b)" close "]" | "</" } '
        'field c: text { close "]" }'
    )
    assert [scanner.ident for scanner in found.scanners] == ["_CLOSES_A", "_OPENS_A", "_OPENS_B", "_CLOSES_C"]
    by_name = states(found)
    assert [exit.scanner for exit in by_name["b"].exits] == ["_CLOSES_A"]
    assert [exit.scanner for exit in by_name["c"].exits] == ["_OPENS_A", "_OPENS_B", "_CLOSES_C"]


def test_a_scanner_of_two_delimiters_has_the_name_of_the_opener() -> None:
    found = machine("field a: text { open /<a>+/ close /(?:x)+y/ } field b: text { open /(?:x)+y/ close /<b>+/ }")
    assert [scanner.ident for scanner in found.scanners] == ["_OPENS_B", "_CLOSES_B", "_OPENS_A"]


@pytest.mark.parametrize(
    ("opener", "expression", "why"),
    [
        ('"<a" | "[b" | "<a>"', 'rt.Words("<a>", "<a", "[b")', ""),
        ("/<a>?|b/", 'rt.Words("<a>", "<a", "b")', ""),
        ("/<a|<a>|b/", "rt.Automaton(", ""),
        (r"/<\d+>/", "rt.Automaton(", ""),
        (r"/<\X>/", "rt.Twin(", "not linear: "),
        (r"/(?P<n>.):(?P=n)/", "rt.Deaf(", "decided only at the end of the text: "),
    ],
)
def test_what_a_delimiter_is_scanned_with(opener: str, expression: str, why: str) -> None:
    emit = "emit n" if "?P<n>" in opener else ""
    [scanner] = machine(f"field x: text {{ open {opener} {emit} }}").scanners
    assert scanner.expression.startswith(expression)
    assert scanner.why.startswith(why) and bool(scanner.why) == bool(why)


def test_captures_are_taken_where_there_are_any() -> None:
    text = r"field x: text { open /<(?P<a>\w)>/ close /<\/(?P<b>\w)>/ emit [a, b] } field y: text { open /<y\d>/ }"
    region, _, outside = machine(text).states
    assert [exit.captures for exit in region.exits] == [True]
    assert [exit.captures for exit in outside.exits] == [True, False]


@pytest.mark.parametrize(
    ("template", "what"),
    [
        ({"x": {"open_pattern": r"(.):\1"}}, "x's open"),
        ({"x": {"open": "<", "close_pattern": r"\X>"}}, "x's close"),
        (
            {
                "x": {
                    "open": "<",
                    "content": "xml-inline",
                    "content_args": {"tag_pattern": r"(?P<key>\w)(?P<value>.)\2"},
                }
            },
            "tag pattern of x",
        ),
    ],
)
def test_what_is_not_linear_is_refused_where_it_stands(template: dict[str, Any], what: str) -> None:
    grammar = from_template({"start_anchor": "A", "fields": template}, name="g")
    with pytest.raises(CompileError, match=f"{what} cannot be scanned for in linear time") as caught:
        lower(grammar, linear=True)
    assert caught.value.code == "not-linear" and "fields.x." in str(caught.value)
    assert lower(grammar)


def test_an_anchor_that_is_not_linear_is_refused() -> None:
    grammar = from_template({"start_anchor_pattern": r"(.):\1", "fields": {"x": {}}}, name="g")
    with pytest.raises(CompileError, match="the anchor cannot be scanned for in linear time"):
        lower(grammar, linear=True)
    assert lower(grammar)


def test_what_is_linear_is_not_refused() -> None:
    text = (
        r'field x: json { open /<(?P<n>\w+)>\s*/ close "</x>" blank after emit n } '
        r"field y: text { open /(?<=a)<(?!x)/ }"
    )
    assert str(machine(text, linear=True)) == str(machine(text))


# -- what is leaned on ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ("field x: text {}", ["The"]),
        ('field x: text { open "<x>" }', ["Every", "The"]),
        ('field x: text { open "<x>" | "<y>" }', ["No", "Every", "The"]),
        ('field x: text { open "<x>" close "</x>" blank after }', ["Every", "The", "The"]),
        (r"field x: text { open /<\d>/ }", ["The"]),
        (r'field x: text { open /<\d>/ } field y: text { open "[" }', ["Of", "The"]),
        ("field x: text { close /<b>|(?=<a>)/ }", ["No", "Every", "The", "A"]),
    ],
)
def test_facts_are_numbered_in_one_order(fields: str, expected: list[str]) -> None:
    found = machine(fields)
    assert facts(found) == expected
    assert [fact.ident for fact in found.facts] == [f"P{number}" for number in range(1, len(expected) + 1)]


@pytest.mark.parametrize(
    ("opener", "behind"),
    [('"<x>"', 0), (r"/<\d>/", 0), (r"/^<\d>/", 1), (r"/(?<=ab)<\d>/", 2), (r"/(?<=a+)<\d>/", 2**62), (r"/\b<\d>/", 1)],
)
def test_how_far_delimiters_look_back(opener: str, behind: int) -> None:
    found = machine(f"field x: text {{ open {opener} close /[>}}]/ }}").behind
    assert found == behind if behind < 2**62 else found > behind


def test_defaults_joins_and_what_is_required() -> None:
    found = machine(
        'field x: text joined "-" required { open "<x>" } field y: text joined "" { open "<y>" }',
        head='default y = "d" default z = {"a": [1, null]}',
    )
    assert found.defaults == '{"y": "d", "z": {"a": [1, None]}}'
    assert [join[:3] for join in found.joins] == [('"x"', '"-"', False), ('"y"', '""', True)]
    assert found.required == ('"x"',)


def test_tag_patterns_have_names_of_their_own() -> None:
    inner = {"name": "xml-inline", "args": {"tag_pattern": r"(?P<key>b)=(?P<value>\d)"}}
    tags: dict[str, Any] = {"tag_pattern": r"<(?P<key>a)>(?P<value>[^<]*)", "value_parser": inner}
    nested = {"open": "<", "content": "xml-inline", "content_args": tags}
    flat = {"open": "[", "content": "xml-inline", "content_args": inner["args"]}
    outer = {"name": "xml-inline", "args": tags}
    again = {"open": "(", "content": "xml-inline", "content_args": {**tags, "value_parser": outer}}
    fields = {"x": nested, "x_2": flat, "2_x": flat, "y": again}
    found = lower(from_template({"start_anchor": "A", "fields": fields}, name="g"))
    idents = [constant.ident for constant in found.constants]
    assert idents == ["_TAG_X", "_TAG2_X", "_TAG_X_2", "_TAG_FIELD_3", "_TAG_Y", "_TAG2_Y"]


def test_a_machine_can_be_read() -> None:
    found = machine('field x: text { open "<x>" close "</x>" blank after } field y: text { close /[a\\n]/ }')
    facts = "".join(f"  {fact.ident}  {fact.text}\n" for fact in found.facts)
    assert str(found) == f"""grammar g

states, and what leaves them:
  x: finds a word, lead '<'
      "</x>"  ->  y, past the blanks
  y (start): scans
      "<x>"  ->  x
      /[a\\n]/  ->  y

facts that the code leans on:
{facts}
scanned for:
  _OPENS_X = "<x>"
  _CLOSES_Y = /[a\\n]/
"""
