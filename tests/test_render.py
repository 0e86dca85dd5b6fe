"""Machines as text: layout prints only what a filter let through, and what it prints is read as it is meant."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import jinja2
import pytest
from markupsafe import Markup

from compiler.gate import UnsafeCode
from compiler.lower import lower
from compiler.model import Grammar
from compiler.parse import parse
from compiler.render import _ENVIRONMENT, COMMENT, digest, formatted, render, title
from runtime.stream import ABI

GENERATED = sorted((Path(__file__).parent.parent / "generated").glob("[!_]*.py"))


def rendered(text: str, origin: str = "x.grammar", **changes: Any) -> str:
    grammar = parse(text, "x.grammar")
    grammar = Grammar(grammar.name, grammar.anchor, grammar.fields, grammar.defaults, **changes)
    return formatted(render(lower(grammar), origin=origin))


def docstring(source: str) -> str:
    found = ast.get_docstring(ast.parse(source), clean=False)
    assert found is not None
    return found


# -- the environment --------------------------------------------------------------------------------------------------


def shown(template: str, **values: Any) -> str:
    return _ENVIRONMENT.from_string(template).render(**values)


@pytest.mark.parametrize("value", ["x", 1, None, ["x"], b"x"])
def test_nothing_is_printed_but_what_is_gated(value: Any) -> None:
    with pytest.raises(UnsafeCode, match="not gated"):
        shown("{{ value }}", value=value)
    assert shown("{{ value }}", value=Markup("x = 1")) == "x = 1"


def test_a_name_that_is_not_there_is_a_fault() -> None:
    for template in ("{{ missing }}", "{{ value.missing }}"):
        with pytest.raises(UnsafeCode, match="not gated: Undefined"):
            shown(template, value=1)
    for template in (
        "{% if missing %}x{% endif %}",
        "{{ missing | literal }}",
        "{% for x in value.missing %}{% endfor %}",
    ):
        with pytest.raises((jinja2.UndefinedError, TypeError)):
            shown(template, value=1)


@pytest.mark.parametrize("source", ["x\ny", "\u00e9", "x = '\u2028'"])
def test_a_line_of_code_is_one_line_of_ascii(source: str) -> None:
    with pytest.raises(UnsafeCode, match="a line of code"):
        shown("{{ source | code }}", source=source)
    assert shown("{{ source | code }}", source="x = '<&>'") == "x = '<&>'"


@pytest.mark.parametrize("name", ["", "x y", "1x", "x.y", "x\n", "\u00e9", "x;"])
def test_an_identifier_is_one(name: str) -> None:
    with pytest.raises(UnsafeCode, match="an identifier"):
        shown("{{ name | ident }}", name=name)
    assert shown("{{ name | ident }}", name="_Read_x1") == "_Read_x1"


@pytest.mark.parametrize(
    ("filtered", "value", "expected"),
    [
        ("literal", 'a"b', "'a\"b'"),
        ("value", {"a": [None, True]}, '{"a": [None, True]}'),
        ("comment", "a\nb", "a\\nb"),
        ("prose", 'a"""', 'a""\\"'),
        ("origin", "coding: x", "coding\\x3a x"),
        ("origin", "coding=x", "coding\\x3dx"),
    ],
)
def test_filters(filtered: str, value: Any, expected: str) -> None:
    assert shown(f"{{{{ value | {filtered} }}}}", value=value) == expected


# -- modules ----------------------------------------------------------------------------------------------------------


def test_the_first_lines_say_where_the_module_comes_from() -> None:
    grammar = parse('grammar g anchor "A" field x: text {}', "")
    lines = rendered('grammar g anchor "A" field x: text {}', origin="dir/g.grammar").splitlines()
    assert lines[0] == "# Code generated from dir/g.grammar by `respc generate`; DO NOT EDIT."
    assert lines[1] == f"# grammar sha256:{digest(grammar)}, runtime ABI {ABI}"
    assert lines[2] == '"""Response parser for g.'


def test_a_digest_tells_grammars_apart() -> None:
    texts = [f'grammar {name} anchor "{anchor}" field x: text {{}}' for name in "ab" for anchor in "AB\u00e9"]
    digests = {digest(parse(text, "")) for text in [*texts, *texts]}
    assert len(digests) == len(texts) and all(re.fullmatch("[0-9a-f]{16}", one) for one in digests)
    assert digest(parse('grammar g anchor "\\ud800" field x: text {}', ""))


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("", "g"),
        ("no colon", "g"),
        ("Family: words: more", "Family"),
        (" Family :", "Family"),
        ("no colon\nin line: one", "g"),
        (": nothing", ""),
    ],
)
def test_the_title(comment: str, expected: str) -> None:
    grammar = parse('grammar g anchor "A" field x: text {}', "")
    assert title(Grammar(grammar.name, grammar.anchor, grammar.fields, comment=comment)) == expected


PLAIN = 'grammar g anchor "A" field x: text { open "<x>" }'


@pytest.mark.parametrize(
    ("comment", "quotes", "first"),
    [
        ("Plain: x", '"""', "Response parser for Plain."),
        ("A\\B: x", 'r"""', "Response parser for A\\B."),
        ('"""A": x', 'r"""', 'Response parser for ""\\"A".'),
        ("\u00c9: x", 'r"""', "Response parser for \\xc9."),
        ("\\" * 80 + ": x", '"""', "Response parser for ...."),
        ("a" * 80 + ": x", '"""', f"Response parser for {'a' * 53}...."),
    ],
)
def test_the_docstring_is_raw_where_it_has_to_be(comment: str, quotes: str, first: str) -> None:
    source = rendered(PLAIN, comment=comment)
    assert source.splitlines()[2].startswith(quotes)
    assert docstring(source).splitlines()[0] == first


def test_the_states_stand_in_columns() -> None:
    source = rendered(
        'grammar g anchor "A" field x: text { open "<x>" close "</x>" blank after } '
        'field longer: text { open "<longer>" }'
    )
    assert docstring(source).splitlines()[4:8] == [
        '    outside (start)  "<longer>"                -> longer',
        '                     "<x>"                     -> x',
        "    longer           only the end of the text",
        '    x                "</x>"                    -> outside, past the blanks',
    ]


def test_long_lines_of_a_grammar_go_on_below() -> None:
    words = " | ".join(f'"<word {number}>"' for number in range(20))
    source = rendered(f'grammar g anchor "A" field x: text {{ open {words} }}')
    quoted = [line for line in source.splitlines() if line.startswith(("    #     open", "    #      "))]
    assert len(quoted) == 3
    assert all(len(line) <= COMMENT + 6 for line in quoted)
    whole = quoted[0].removeprefix("    #     ") + "".join(line[len("    #") :] for line in quoted[1:])
    assert whole.replace(" ", "") == f"open{words}".replace(" ", "")


def test_what_a_grammar_does_not_use_leaves_no_trace() -> None:
    source = rendered(PLAIN)
    for absent in ("import re", "regex", "_join", "_lacking", "BEHIND", "LookingBack", "Watch", "BLANKS", "_captures"):
        assert absent not in source
    with_all = rendered(
        'grammar g anchor "A" field x: text joined "-" required '
        '{ open /(?<=a)<(?P<n>x)/ close "</x>" blank after emit n }'
    )
    for present in ("def _join", "def _lacking", "LookingBack", "self._captures"):
        assert present in with_all


LEANING = [
    'grammar g anchor "A" field x: text { open "<x>" }',
    'grammar g anchor "aa" field x: text { close /b|$/ }',
    'grammar g anchor "A" field x: text { close /b|(?=a)/ } field y: text { open "a" close /bc\\s*/ }',
    'grammar g anchor "A" field x: text { close /<b>|(?=<a>)/ } field y: text { open "<y>" close "a" | "b" }',
]


@pytest.mark.parametrize("source", [*(path.read_text() for path in GENERATED), *map(rendered, LEANING)])
def test_facts_are_cited_where_they_are_leaned_on(source: str) -> None:
    listed = re.findall(r"^    (P\d+)  ", docstring(source), re.MULTILINE)
    cited = re.findall(r"  # (P\d+)$", source, re.MULTILINE)
    assert listed == [f"P{number}" for number in range(1, len(listed) + 1)]
    assert set(cited) == set(listed)


@pytest.mark.parametrize("module", GENERATED, ids=lambda path: path.stem)
def test_what_is_committed_is_as_black_leaves_it(module: Path) -> None:
    assert formatted(module.read_text()) == module.read_text()
