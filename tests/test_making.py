"""docs/making.py: a page for every code and every grammar, links that lead somewhere, and nothing that breaks out."""

from __future__ import annotations

import json
import posixpath
import re
from dataclasses import replace
from pathlib import Path

import pytest

from compiler.diagnostics import CODES
from compiler.load import load_grammar
from docs.highlight import GrammarLexer
from docs.making import LINK, OUTSIDE, cases, facts, fenced, head, main, pages, relinked, supports
from tests.examples import GRAMMARS, MODELS

MADE = dict(pages())
CASES = {name: list(cases(name)) for name in MODELS}


def test_every_code_has_its_section_under_its_kind() -> None:
    errors, warnings = MADE["diagnostics.md"].split("\n## Warnings\n")
    found = [re.findall(r"^### (.*)$", text, re.MULTILINE) for text in (errors, warnings)]
    assert found[0] == sorted(name for name, code in CODES.items() if not code.warning)
    assert found[1] == sorted(name for name, code in CODES.items() if code.warning)


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
def test_every_grammar_has_its_page(path: Path) -> None:
    page = MADE[f"families/{path.stem}.md"]
    assert path.read_text(encoding="utf-8") in page
    assert MADE[f"families/{path.stem}.svg"].startswith("<svg ")
    assert f"({path.stem}.md)" in MADE["families/index.md"]
    grammar = load_grammar(path)
    assert list(facts(grammar))[:3] == ["", "Models", "Sources"]
    assert all(facts(grammar).values())
    assert all(f"<code>{field.name.replace('_', '&#95;')}" in page for field in grammar.fields)


@pytest.mark.parametrize("name", MODELS)
def test_every_case_is_on_the_page_of_its_family(name: str) -> None:
    read = [json.loads(path.read_text("utf-8")) for path in (Path(__file__).parent / "cases" / name).rglob("*.json")]
    assert CASES[name].count("<details>") == sum(len(one) if isinstance(one, list) else 1 for one in read)
    assert CASES[name].count("<details>") == CASES[name].count("</details>")


def test_links_are_those_of_the_documentation() -> None:
    assert relinked("[a](../ARCHITECTURE.md) [b](language.md#x) [c](https://a.b/c.md) [d](#e)", "docs") == (
        "[a](architecture.md) [b](language.md#x) [c](https://a.b/c.md) [d](#e)"
    )
    assert relinked("[a](docs/threats.md)", "") == "[a](threats.md)"
    assert relinked("[a](../docs/tools.md)", "editors") == "[a](tools.md)"


def test_every_link_leads_to_a_page(tmp_path: Path) -> None:
    main(tmp_path)
    for name, text in MADE.items():
        for _, target in LINK.findall(re.sub(r"^(```+).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)):
            path = posixpath.join(posixpath.dirname(name), target.partition("#")[0])
            assert (tmp_path / path).is_file() or not target.endswith((".md", ".svg")), (name, target)


def test_a_second_making_leaves_nothing_of_the_first(tmp_path: Path) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "gone.md").write_text("")
    main(tmp_path / "pages")
    assert {
        path.relative_to(tmp_path / "pages").as_posix() for path in tmp_path.rglob("*.[ms]*") if path.is_file()
    } >= {*MADE}
    assert not (tmp_path / "pages" / "gone.md").exists()


def test_every_page_is_in_the_index() -> None:
    listed = set(re.findall(r"^[\w/-]+$", MADE["index.md"], re.MULTILINE)) | {"index"}
    assert {name.removesuffix(".md") for name in MADE if "/" not in name} == listed - {"families/index"}
    assert set(OUTSIDE.values()) <= set(MADE)


def test_no_page_says_where_it_was_made() -> None:
    assert not [name for name, text in MADE.items() if str(Path(__file__).parents[1]) in text]


def test_a_block_holds_what_looks_like_its_end() -> None:
    assert fenced("a\n```\nb\n", "text") == ["````text", "a\n```\nb", "````"]
    assert fenced("\x1b[31m\x07\t\n", "text") == ["```text", "\\u001b[31m\\u0007\t", "```"]


def test_a_head_is_text() -> None:
    for path in GRAMMARS:
        said = head(load_grammar(path))
        assert not re.search(r"(?<!\\)[<*]", re.sub(r"`[^`]*`", "", said)), path.stem


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
def test_every_grammar_has_colours(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tokens = list(GrammarLexer(stripnl=False).get_tokens(text))
    assert "".join(piece for _, piece in tokens) == text
    assert {str(kind) for kind, _ in tokens} >= {"Token.Keyword", "Token.Name", "Token.Literal.String"}
    assert "Token.Error" not in {str(kind) for kind, _ in tokens}


@pytest.mark.parametrize("path", GRAMMARS, ids=lambda path: path.stem)
def test_the_index_says_what_a_family_supports(path: Path) -> None:
    (row,) = [line for line in MADE["families/index.md"].splitlines() if f"({path.stem}.md)" in line]
    cells = [cell.strip() for cell in row.split(" | ")]
    said = dict(zip(supports(load_grammar(path)), cells[2:], strict=False))
    names = {field.name for field in load_grammar(path).fields}
    assert (said["thoughts"] == "yes") == ("reasoning_content" in names)
    assert (said["calls"] != "") == (said["several"] == "yes") == (said["types"] != "") == ("tool_calls" in names)


def test_what_some_families_support() -> None:
    known = {name: list(supports(load_grammar(GRAMMARS[0].with_name(f"{name}.grammar"))).values()) for name in KNOWN}
    assert known == KNOWN


KNOWN = {
    "kimi_k2": ["yes", "JSON", "yes", "their own", "yes"],
    "qwen3_coder": ["yes", "tags", "yes", "the tools'", ""],
    "llama4_pythonic": ["", "Python", "yes", "their own", ""],
    "deepseek_v3_2": ["yes", "tags, JSON", "yes", "the tools' or their own", ""],
}


def test_a_page_says_what_servers_need() -> None:
    page = MADE["families/kimi_k2.md"].partition("## For servers")[2].partition("## Cases")[0]
    assert "<code>&#60;&#124;tool&#95;call&#95;argument&#95;begin&#124;&#62;</code>" in page
    assert "A thought is ended by writing <code>&#60;&#47;think&#62;</code>" in page
    assert "The name of a called tool stands in its opener" in page
    assert "A thought" not in MADE["families/llama3_1.md"].partition("## For servers")[2].partition("## Cases")[0]


def test_a_page_of_a_grammar_that_builds_on_another_has_both() -> None:
    page = MADE["families/glm4_moe.md"]
    assert "With what [glm4_7](glm4_7.md) says:" in page
    assert str(replace(load_grammar(GRAMMARS[0].with_name("glm4_moe.grammar")), comment="")) in page
