"""extend.py: what a grammar takes from the one it builds on, what takes whose place, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from compiler import CompileError, compile_grammar, generate
from compiler.__main__ import main
from compiler.check import check
from compiler.extend import among, beside, read
from compiler.load import find_module, load_grammar
from compiler.model import Grammar
from compiler.parse import parse
from compiler.strict_json import LEVELS
from tests.examples import GRAMMARS

BASE = """# Base: of others.
# Models: none.

grammar base
models "a/Base"
templates "0123456789abcdef"
policy blank skip, trim both
default role = "assistant"
default n = 1
anchor "<bot>"
stop "<end>"
stray "</think>"

field thought: text { open "<think>" close "</think>" }
field calls[] as x: json { open "<x>" close "</x>" }
field calls[] as y: json { open "<y>" close "</y>" }
field content: text joined "" {}
"""


def extended(own: str, **others: str) -> Grammar:
    return read(f"grammar own\nextends base\n{own}", "own.grammar", among({"base": BASE, **others}))


def test_all_but_whose_it_is_is_taken() -> None:
    base, own = parse(BASE), extended("")
    assert (own.name, own.extends, own.comment) == ("own", "base", "")
    assert replace(own, name="base", models=base.models, templates=base.templates) == base
    assert parse(str(own)) == own and "extends" not in str(own)
    assert extended('models "a/Own"').models == ("a/Own",)


def test_what_is_said_takes_the_place_of_what_the_base_says() -> None:
    own = extended('policy aware default n = 2 default m = 3 anchor "A" stop "B" stray "C"')
    expected = BASE.replace("blank skip, trim both", "aware").replace("n = 1", "n = 2\ndefault m = 3")
    for old, new in (("<bot>", "A"), ("<end>", "B"), ('stray "</think>"', 'stray "C"')):
        expected = expected.replace(old, new)
    assert own.default_values == {"role": "assistant", "n": 2, "m": 3}
    assert replace(own, models=("a/Base",), templates=("0123456789abcdef",), name="base") == parse(expected)


def test_a_field_takes_the_place_of_all_of_its_name() -> None:
    own = extended('field more: text { open "<m>" close "</m>" } field calls[]: json { open "<c>" close "</c>" }')
    assert [field.title for field in own.fields] == ["thought", "calls", "content", "more"]
    check(own)
    blocks = extended(
        'field thought[] as a: text { open "(" close ")" } field thought[] as b: text { open "[" close "]" }'
    )
    assert [field.title for field in blocks.fields][:3] == ["thought as a", "thought as b", "calls as x"]


def test_a_base_may_build_on_another() -> None:
    own = read("grammar top extends own", "", among({"base": BASE, "own": 'grammar own extends base stop "<o>"'}))
    assert str(own.stop) == '"<o>"' and len(own.fields) == 4
    assert own.extends == "own"


def test_it_compiles_to_what_it_says() -> None:
    module = compile_grammar('grammar own extends base anchor "<own>"', bases={"base": BASE})
    assert module.parse("<think>a</think>b<x>1</x><end>", prefix="<own>") == {
        "role": "assistant",
        "n": 1,
        "thought": "a",
        "content": "b",
        "calls": [1],
    }
    whole = extended('anchor "<own>"')
    assert generate(whole, origin="o") == generate(parse(str(whole)), origin="o")


@pytest.mark.parametrize(
    ("own", "others", "code", "at"),
    [
        ("extends heron", {}, "no-base", "heron"),
        ('extends "../base"', {}, "grammar-name", '"../base"'),
        ('extends "/etc/passwd"', {}, "grammar-name", '"/etc/passwd"'),
        ('extends "base.grammar"', {}, "grammar-name", '"base.grammar"'),
        ('extends ""', {}, "grammar-name", '""'),
        ("extends con", {}, "grammar-name", "con"),
        ("extends base extends base", {}, "syntax", "extends"),
        ('anchor "A" extends base', {}, "syntax", "extend"),
        ("extends a", {"a": "grammar a extends a"}, "base-cycle", "a"),
        ("extends a", {"a": "grammar a extends b", "b": "grammar b extends a"}, "base-cycle", "a"),
        ("extends a", {"a": "grammar a extends own", "own": "grammar own extends a"}, "base-cycle", "a"),
        ("extends a", {"a": "grammar a"}, "no-anchor", "a"),
        ("extends a", {"a": "grammar a anchor"}, "syntax", ""),
    ],
)
def test_what_is_refused(own: str, others: dict[str, str], code: str, at: str) -> None:
    with pytest.raises(CompileError) as refused:
        read(f"grammar own {own}", "own.grammar", among({"base": BASE, **others}))
    span = refused.value.span
    assert (refused.value.code, span.source.text[span.start : span.end]) == (code, at)


def test_a_base_that_is_broken_is_said_with_its_own_place() -> None:
    with pytest.raises(CompileError, match=r"^base:18:1: error\[unknown-word\]"):
        read("grammar own extends base", "own.grammar", among({"base": BASE + "feild x: text {}"}))


def test_a_rule_that_the_whole_breaks_is_found() -> None:
    with pytest.raises(CompileError, match="two-implicit"):
        check(extended("field other: text {}"))


def test_a_tower_of_grammars_has_an_end() -> None:
    tower = {f"g{n}": f"grammar g{n} extends g{n + 1}" for n in range(500)}
    with pytest.raises(CompileError) as refused:
        read("grammar own extends g0", "own.grammar", among(tower))
    assert refused.value.code == "too-deep" and str(LEVELS) in str(refused.value)


def test_files_stand_beside_each_other(tmp_path: Path) -> None:
    (tmp_path / "base.grammar").write_text(BASE)
    (tmp_path / "own.grammar").write_text("grammar own\nextends base\n")
    (tmp_path / "base.txt").write_text("")
    assert load_grammar(tmp_path / "own.grammar") == extended("")
    assert beside(tmp_path, ".grammar")("nothing") is None
    assert find_module(str(tmp_path / "own.grammar")).parse("b", prefix="")["content"] == "b"
    (tmp_path / "own.grammar").write_text("grammar own\nextends elsewhere\n")
    with pytest.raises(CompileError, match=r"own\.grammar:2:9: error\[no-base\]"):
        load_grammar(tmp_path / "own.grammar")


def test_explain_prints_it_whole(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "base.grammar").write_text(BASE)
    (tmp_path / "own.grammar").write_text("grammar own\nextends base\n")
    monkeypatch.chdir(tmp_path)
    assert main(["explain", "own.grammar"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(str(extended(""))) and "\nstates, and what leaves them:\n" in out
    assert main(["explain", "base.grammar"]) == 0
    assert capsys.readouterr().out.startswith("grammar base\n\nstates, and")


def test_what_the_shipped_grammars_build_on_is_needed() -> None:
    """A grammar that says anew what its base says, word for word, says it once too often."""
    for path in GRAMMARS:
        grammar = load_grammar(path)
        if grammar.extends:
            base = load_grammar(path.with_name(f"{grammar.extends}.grammar"))
            own = [field for field in grammar.fields if field.span.source is grammar.span.source]
            assert not set(own) & set(base.fields), path.stem
            source = path.read_text(encoding="utf-8")
            for word, said, there in (("anchor", grammar.anchor, base.anchor), ("stop", grammar.stop, base.stop)):
                assert f"\n{word}" not in source or said != there, (path.stem, word)
