"""Both doors of the compiler, and what comes out: modules that run alone, whatever names and texts went in."""

from __future__ import annotations

import ast
import builtins
import contextlib
import gc
import json
import linecache
import subprocess
import sys
import tokenize
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import compiler
from compiler import CompileError, Grammar, compile_grammar, compile_template, generate
from compiler.check import check
from compiler.hf_json import from_template
from compiler.load import load_grammar
from compiler.model import Constant, Field, Literals, Members, Pattern, Ref, json_printed
from compiler.parse import parse
from tests.strategies import ODD, flat_readers, texts, values

ROOT = Path(__file__).parent.parent
GRAMMARS = sorted((ROOT / "grammars").glob("*.grammar"))
NAMES = [path.stem for path in GRAMMARS]
TALK = 'grammar talk anchor "A>" field content: text {}'


# -- the two doors ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", GRAMMARS, ids=NAMES)
def test_what_is_committed_is_what_is_generated(path: Path) -> None:
    grammar = load_grammar(path)
    made = generate(grammar, origin=f"grammars/{path.name}")
    assert made == (ROOT / "generated" / f"{path.stem}.py").read_text()
    assert made == generate(grammar, origin=f"grammars/{path.name}")


def test_a_module_in_memory_is_a_module() -> None:
    module = compile_grammar(TALK, name="talk.grammar")
    assert module.__doc__ and module.__doc__.startswith("Response parser for talk.\n")
    assert module.parse("hi", prefix="") == {"content": "hi"}
    assert module.parse.__doc__ and module.Parser.__doc__
    other = compile_grammar(TALK)
    assert other.__name__ != module.__name__ and other.Parser is not module.Parser


def test_its_source_can_be_looked_at() -> None:
    module = compile_grammar(TALK, name="talk.grammar")
    assert module.__file__ is not None
    lines = linecache.getlines(module.__file__)
    assert lines[0] == "# Code generated from talk.grammar by `respc generate`; DO NOT EDIT.\n"
    assert "    def _read_content(self, text: str, at: int) -> int:\n" in lines
    linecache.checkcache()
    assert linecache.getlines(module.__file__) == lines
    line = module.Parser._read_content.__code__.co_firstlineno
    assert linecache.getline(module.__file__, line) == "    def _read_content(self, text: str, at: int) -> int:\n"


def test_a_grammar_and_its_template_mean_the_same() -> None:
    template = {"start_anchor": "A>", "fields": {"think": {"open": "<t>", "close": "</t>"}, "content": {}}}
    grammar = 'grammar g anchor "A>" field think: text { open "<t>" close "</t>" } field content: text {}'
    for text in ("a<t>b</t>c", "<t>b", ""):
        assert compile_template(template).parse(text, prefix="") == compile_grammar(grammar).parse(text, prefix="")


@pytest.mark.parametrize("patterns", ["", "linera", None, True])
def test_another_setting_for_patterns_is_refused(patterns: Any) -> None:
    with pytest.raises(ValueError, match='patterns is "any" or "linear"'):
        compile_grammar(TALK, patterns=patterns)


@pytest.mark.parametrize(
    ("opener", "construct"),
    [(r"<(?P<a>\w+):(?P=a)>", "reference"), (r"(?<=a++)<x>", "look"), (r"<\X>", r"\\X")],
)
def test_what_is_not_linear_is_refused_by_name_when_asked(opener: str, construct: str) -> None:
    emit = {"transform": "{a}"} if "?P<a>" in opener else {}
    template = {"start_anchor": "A>", "fields": {"x": {"open_pattern": opener, **emit}}}
    with pytest.raises(CompileError, match=construct) as caught:
        compile_template(template, patterns="linear")
    assert caught.value.code == "not-linear"
    assert compile_template(template).parse("nothing", prefix="") == {}


def test_faults_are_compile_errors() -> None:
    for broken in ("", "grammar", 'grammar g anchor "A"', 'grammar g anchor "A" field x: text { open /(/ }'):
        with pytest.raises(CompileError) as caught:
            compile_grammar(broken, name="broken.grammar")
        assert caught.value.code and str(caught.value).startswith("broken.grammar:")


def test_an_unchecked_grammar_is_checked() -> None:
    grammar = Grammar("Not a name", parse(TALK, "").anchor, parse(TALK, "").fields)
    for door in (compiler.explain, lambda grammar: generate(grammar, origin="x")):
        with pytest.raises(CompileError) as caught:
            door(grammar)
        assert caught.value.code == "grammar-name"


# -- modules run alone ------------------------------------------------------------------------------------------------

LOADED = """
import json, sys
import {module}
print(json.dumps(sorted(sys.modules)))
"""
ALONE = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {blocked!r}:
            raise ImportError(name + " is blocked")

sys.meta_path.insert(0, Blocked())
import {module} as module

parser = module.Parser(prefix="", spans=True, on_error="keep")
for piece in {pieces!r}:
    parser.feed(piece)
message, _ = parser.finalize()
assert message, message
assert module.parse("".join({pieces!r}), prefix="", tools=[], coerce="exact") == message
"""
PIECES = {"cohere_command": ["<|START_RESP", "ONSE|>Hi"], "gpt_oss": ["<|channel|>final<|mess", "age|>Hi"]}


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_module_without_patterns_needs_the_standard_library_only() -> None:
    loaded = json.loads(run(LOADED.format(module="generated.smollm3")))
    roots = {name.partition(".")[0] for name in loaded}
    assert {"runtime", "generated"} <= roots
    assert not roots & {"compiler", "regex", "typing_extensions", "transformers", "lark", "jinja2", "black"}


@pytest.mark.parametrize("name", NAMES)
def test_a_module_runs_without_the_compiler(name: str) -> None:
    blocked = ["compiler", "transformers", "typing_extensions", "lark", "jinja2", "markupsafe", "black"]
    run(ALONE.format(module=f"generated.{name}", blocked=blocked, pieces=PIECES.get(name, ["Hi <", "x"])))


# -- whatever goes in --------------------------------------------------------------------------------------------------


def without_docstrings(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:]
    return ast.dump(tree)


def inspected(grammar: Grammar, origin: str = "x.grammar", *, with_black: bool = False) -> dict[str, Any]:
    """The namespace of the module; it was looked at on its way."""
    made = compiler.render(compiler.lower(grammar), origin=origin)
    if with_black:
        raw, made = made, generate(grammar, origin=origin)
        assert without_docstrings(raw) == without_docstrings(made)
    assert made.isascii() and "\r" not in made and made.endswith("\n")
    tokens = list(tokenize.tokenize(BytesIO(made.encode()).readline))
    assert tokens[0].string == "utf-8"
    for token in tokens:
        if token.type == tokenize.COMMENT:
            assert token.string.isprintable()
    namespace: dict[str, Any] = {"__name__": "inspected"}
    exec(compile(made.encode(), "inspected", "exec"), namespace)
    assert not hasattr(builtins, "PWNED")
    return namespace


names = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=5) | st.sampled_from(["parse", "_x"])
literals = st.lists(texts.filter(bool), min_size=1, max_size=3, unique=True).map(tuple)
delimiters = st.builds(Literals, literals, st.booleans(), st.booleans()) | st.sampled_from(
    [Pattern(text) for text in (r"<\d+>", r"(?<=a)<", r"[\"'\\]+\s*", "\u2028|\n", r"</x>\s*|(?=<y>)", "^x", r"\bb")]
)
emits = st.recursive(
    values.filter(lambda v: not isinstance(v, (list, dict))).map(Constant) | st.sampled_from([Ref(("content",))]),
    lambda inner: st.dictionaries(texts, inner, max_size=3).map(lambda members: Members(tuple(members.items()))),
    max_leaves=4,
)
fields = st.builds(
    Field,
    names,
    open=delimiters,
    close=st.none() | literals.map(Literals),
    reader=flat_readers,
    repeats=st.booleans(),
    required=st.booleans(),
    emit=st.none() | emits,
)


@settings(max_examples=40, deadline=None)
@given(
    st.builds(
        Grammar,
        st.just("g"),
        delimiters,
        st.lists(fields, min_size=1, max_size=3, unique_by=lambda field: field.name).map(tuple),
        st.dictionaries(texts, values.map(json_printed), max_size=2).map(lambda found: tuple(found.items())),
        comment=texts,
    )
)
def test_any_grammar_that_is_accepted_is_safe_code(grammar: Grammar) -> None:
    try:
        check(grammar)
    except CompileError as error:
        event(error.code)
        return
    module = inspected(grammar, with_black=True)
    assert module["Parser"]._defaults() == grammar.default_values
    for text in ("", *ODD, "<1>a", "".join(ODD)):
        with contextlib.suppress(ValueError):
            module["parse"](text, prefix="")


CANARY = "__import__('builtins').__dict__.__setitem__('PWNED', 1)"
HOSTILE = [
    *[
        '"""',
        "'''",
        '"""\n' + CANARY + '\n"""',
        '\\"""',
        "\\",
        "\\\\",
        "\\N{DIGIT ONE}",
        "\\x41",
        "\\\n",
        '"',
        "'",
        "'\"",
        "\"'\\",
    ],
    *[
        "{{ 7 * 7 }}",
        "{% raw %}",
        "{% endraw %}",
        "{#",
        "#}",
        "{{ m.grammar.__class__ }}",
        "# type: ignore",
        "# fmt: off",
    ],
    *[
        "\x00",
        "\x1a",
        "\x0c",
        "\u2028",
        "\u2029",
        "\x85",
        "\ud800",
        "\udfff",
        "\ufeff",
        "\U000e0041",
        "\u202e",
        "\x7f",
        "\x1b[31m",
    ],
    *["coding: utf-7", "+AAo-" + CANARY, "%s", "{ 0 }", "f{ x }", "a" * 200, "\n" * 50, "\t", " ", "\r", "\r\n"],
    *[f"#\n{CANARY}\n", f"\n    {CANARY}", f'"]; {CANARY}; ["', f"' + {CANARY} + '", f"){CANARY}("],
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: ascii(text)[:20])
def test_hostile_texts_are_only_text(text: str) -> None:
    field: dict[str, Any] = {
        "open": [text, text + "<"],
        "close": text + ">",
        "transform": {text: [text, "{content}"], "n": None},
        "repeats": True,
    }
    joined = {"open": "@", "close": [text + "~", text + "!"], "repeats": True, "join": text}
    kv = {"open": "^", "content": "kv-lines", "content_args": {"kv_sep": text, "line_sep": text + "\n"}}
    template = {
        "start_anchor": ["A" + text, text],
        "defaults": {text: {text: [text]}},
        "fields": {"x": field, "y": joined, "z": kv},
    }
    if "\ud800" <= text <= "\udfff":
        template["fields"].pop("z")  # type: ignore[attr-defined]
    grammar = from_template(template, name="x")
    module = inspected(grammar, with_black=True)
    parser = module["Parser"](prefix=f"0{text}")
    assert parser.initial_events == []
    parser.feed(f"@a{text}~@b{text}!{text}body{text}>")
    message = parser.finalize()[0]
    assert message == {text: {text: [text]}, "y": f"a{text}b", "x": [{text: [text, "body"], "n": None}]}


NAMES_OF_FIELDS = [
    *[
        "parse",
        "outside",
        "prefix",
        "or_finish",
        "feed",
        "finalize",
        "state",
        "states",
        "behind",
        "class",
        "def",
        "match",
    ],
    *[
        "_x",
        "__init__",
        "__class__",
        "self",
        "text",
        "at",
        "Parser",
        "rt",
        "re",
        "regex",
        "None",
        "True",
        "close",
        "read",
    ],
    *[
        "a" * 100,
        "\u00e9t\u00e9",
        "\u65e5\u672c",
        "K",
        "k",
        "\u212a",
        "x y",
        "x.y",
        "x-y",
        '"',
        '"""',
        "'",
        "\\",
        "\\u0041",
        "#",
    ],
    *["{{ x }}", "{% raw %}", CANARY, "field_1", "field_2", "blanks", "done", "content", "0", "_read_x"],
]


@pytest.mark.parametrize("name", NAMES_OF_FIELDS)
def test_hostile_names_are_only_keys(name: str) -> None:
    fields = {
        name: {"open": "<a>", "close": "</a>", "optional": False},
        name
        + "s": {"open_pattern": r"<b(?P<n>\d)>", "close": "</b>", "transform": ["{n}", "{content}"], "repeats": True},
        "rest": {"repeats": True, "join": ""},
    }
    for without in (None, "rest"):
        kept = {key: field for key, field in fields.items() if key != without}
        grammar = from_template({"start_anchor": "A", "defaults": {}, "fields": kept}, name="x")
        module = inspected(grammar)
        parser = module["Parser"](prefix="", spans=True)
        events = [event for piece in "-<a>1</a>-<b2>3</b>" for event in parser.feed(piece)]
        message = parser.finalize()[0]
        assert message.pop("rest", None) == (None if without else "--")
        assert message == {name: "1", name + "s": [["2", "3"]]}
        assert {event["field"] for event in events if "field" in event} == set(kept)
        assert parser.resume(module["Parser"](prefix="").state()).finalize  # states are found by name


def test_all_hostile_names_at_once() -> None:
    fields = {name: {"open": f"<{index}>", "close": ";"} for index, name in enumerate(NAMES_OF_FIELDS)}
    module = inspected(from_template({"start_anchor": "A", "fields": fields}, name="x"))
    text = "".join(f"<{index}>{index};" for index in range(len(fields)))
    assert module["parse"](text, prefix="") == {name: str(index) for index, name in enumerate(NAMES_OF_FIELDS)}


@pytest.mark.parametrize("name", ["", "x\ny", "x\u2028y", "x\x00", "\ud800", "\x1b[31m", "\u202e"])
def test_names_that_do_not_print_are_refused(name: str) -> None:
    with pytest.raises(CompileError) as caught:
        compile_template({"start_anchor": "A", "fields": {name: {"open": "<"}}})
    assert caught.value.code == "field-name"


@pytest.mark.parametrize(
    "origin", [*HOSTILE, "x\ny", "coding: utf-7 +AAo-" + CANARY, "-*- coding=utf_16 -*-"], ids=ascii
)
def test_hostile_paths_are_only_comments(origin: str) -> None:
    inspected(parse(TALK, "x"), origin=origin)
    assert compile_grammar(TALK, name=origin).parse("a", prefix="") == {"content": "a"}


@pytest.mark.parametrize("comment", HOSTILE, ids=lambda text: ascii(text)[:20])
def test_hostile_comments_are_only_prose(comment: str) -> None:
    """What stands before the first colon of a grammar's comment is its title."""
    plain = parse(TALK, "x")
    grammar = Grammar(plain.name, plain.anchor, plain.fields, comment=f"{comment}: x")
    assert inspected(grammar)["parse"]("a", prefix="") == {"content": "a"}


def test_the_source_of_a_module_in_memory_goes_with_the_module() -> None:
    module = compile_template({"start_anchor": "<A>", "fields": {"content": {}}})
    name = module.__file__
    assert linecache.getline(name or "", 1).startswith("# Code generated from")
    del module
    gc.collect()
    assert name not in linecache.cache
