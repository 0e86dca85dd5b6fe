"""The command line: what each command prints, writes and returns, and that a mistake is a message and no traceback."""

from __future__ import annotations

import importlib.metadata
import io
import json
import os
import re
import runpy
import subprocess
import sys
import types
from collections.abc import Callable
from pathlib import Path

import pytest

import respc
from compiler import load
from compiler.__main__ import main
from runtime.errors import RuntimeMismatch

ROOT = Path(__file__).parents[1]
TINY = """\
grammar tiny
default role = "assistant"
anchor  "<A>"

field call: json {
    open  "<c>"
    close "</c>"
}

field content: text joined "" {
    close "<E>"
}
"""
ODD = TINY.replace(' joined ""', "")
TEMPLATE = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<A>",
    "fields": {
        "call": {"open": "<c>", "close": "</c>", "content": "json"},
        "content": {"close": "<E>", "repeats": True, "join": "", "content": "text"},
    },
}
BAD = 'grammar bad\nanchor "<A>"\n\nfeild content: text {}\n'


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one grammar, which is where the command runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "grammars").mkdir()
    (tmp_path / "grammars" / "tiny.grammar").write_text(TINY)
    return tmp_path


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """run(word, ..., stdin="") -> exit code, standard output, standard error."""

    def command(*words: str, stdin: bytes = b"") -> tuple[int, str, str]:
        reader, writer = os.pipe()
        os.write(writer, stdin)
        os.close(writer)
        kept = os.dup(0)
        os.dup2(reader, 0)
        try:
            code = main(words)
        finally:
            os.dup2(kept, 0)
            os.close(reader)
            os.close(kept)
        return code, *capfd.readouterr()

    return command


# -- generate -------------------------------------------------------------------------------------------------------


def test_generate_writes_every_grammar_and_then_nothing(project, run) -> None:
    module = project / "generated" / "tiny.py"
    assert run("generate") == (0, "", "wrote generated/tiny.py\n")
    first, second = module.read_text().splitlines()[:2]
    assert first == "# Code generated from grammars/tiny.grammar by `respc generate`; DO NOT EDIT."
    assert re.fullmatch(r"# grammar sha256:[0-9a-f]{16}, runtime ABI \d+", second)
    before = module.stat()
    assert run("generate") == (0, "", "")
    assert (module.stat().st_ino, module.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert run("generate", "--check") == (0, "", "")


def test_generate_check_and_diff_write_nothing(project, run) -> None:
    assert run("generate", "--check") == (1, "", "would write generated/tiny.py\n")
    code, out, err = run("generate", "--diff")
    assert (code, err) == (1, "would write generated/tiny.py\n")
    assert out.startswith("--- generated/tiny.py (there)\n+++ generated/tiny.py (from its grammar)\n@@")
    assert all(line.startswith("+") for line in out.splitlines()[3:])
    assert not (project / "generated").exists()


def test_a_module_edited_by_hand_is_noticed_and_made_anew(project, run) -> None:
    run("generate")
    module = project / "generated" / "tiny.py"
    made = module.read_text()
    module.write_text(made + "EDITED = 1\n")
    code, out, _ = run("generate", "--check", "--diff")
    assert code == 1
    assert "\n-EDITED = 1\n" in out
    assert run("generate")[0] == 0
    assert module.read_text() == made


def test_generate_and_explain_less(project, run) -> None:
    grammar = "grammars/tiny.grammar"
    run("generate")
    assert run("generate", grammar, "--only", "tools", "--out", "less") == (0, "", "wrote less/tiny_tools.py\n")
    assert run("generate", "--only", "tools", "--out", "less", "--check") == (0, "", "")
    code, out, err = run("generate", grammar, "--only", "reasoning", "--out", "less")
    assert (code, out) == (1, "")
    assert "error[no-fields]: no field of tiny is reasoning" in err
    code, out, err = run("generate", grammar, "--only", "tools")
    assert (code, out) == (2, "")
    assert "a folder of their own" in err
    assert run("explain", "tiny", "--only", "tools")[1].startswith("grammar tiny_tools\n")
    assert run("explain", "tiny", "--only", "reasoning")[0] == 1


def test_one_bad_grammar_does_not_stop_the_others(project, run) -> None:
    (project / "grammars" / "bad.grammar").write_text(BAD)
    code, _, err = run("generate")
    assert code == 1
    assert re.search(r"^grammars/bad\.grammar:4:1: error\[[\w-]+\]: ", err)
    assert err.endswith("wrote generated/tiny.py\n")
    assert [path.name for path in (project / "generated").iterdir()] == ["tiny.py"]


def test_generate_keeps_an_index_of_templates_where_there_is_one(project, run) -> None:
    index = project / "generated" / "templates.json"
    run("generate")
    index.write_text("{}")
    assert run("generate", "--check") == (1, "", "would write generated/templates.json\n")
    assert run("generate", "--diff")[1].startswith("--- generated/templates.json (there)\n")
    assert run("generate") == (0, "", "wrote generated/templates.json\n")
    (digest, name), *others = json.loads(index.read_text()).items()
    assert (name, others) == ("tiny", [])
    assert run("generate") == (0, "", "")
    index.write_text(json.dumps({"0" * 64: "gone", digest: "tiny"}, indent=2) + "\n")
    assert run("generate", "grammars/tiny.grammar", "--check") == (0, "", "")
    assert run("generate")[0] == 0
    assert json.loads(index.read_text()) == {digest: "tiny"}
    index.write_text("of somebody else")
    assert run("generate") == (0, "", "")


def test_generate_elsewhere_from_elsewhere(project, run, tmp_path_factory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    grammar = outside / "far.grammar"
    grammar.write_text(TINY.replace("grammar tiny", "grammar far"))
    assert run("generate", str(grammar), "--out", "made") == (0, "", "wrote made/far.py\n")
    assert (project / "made" / "far.py").read_text().startswith("# Code generated from far.grammar by")


def test_generate_from_a_template(project, run) -> None:
    (project / "model.json").write_text(json.dumps(TEMPLATE))
    assert run("generate", "model.json", "--out", "made")[0] == 0
    assert (project / "made" / "model.py").is_file()


def test_two_grammars_of_one_name(project, run) -> None:
    (project / "grammars" / "zwei.grammar").write_text(TINY)
    code, _, err = run("generate")
    assert code == 2
    assert err.endswith("respc: grammars/zwei.grammar: another of these grammars is named tiny, too\n")


def test_a_module_whose_grammar_is_gone(project, run) -> None:
    run("generate")
    (project / "grammars" / "tiny.grammar").rename(project / "grammars" / "other.grammar")
    other = project / "grammars" / "other.grammar"
    other.write_text(TINY.replace("grammar tiny", "grammar other"))
    orphan = "generated/tiny.py: no grammar makes this module; remove it\n"
    assert run("generate") == (0, "", "wrote generated/other.py\n" + orphan)
    assert run("generate", "--check") == (1, "", orphan)
    assert run("generate", "--check", "grammars/other.grammar") == (0, "", "")
    assert (project / "generated" / "tiny.py").exists()


def test_a_file_of_somebody_else_is_left_alone(project, run) -> None:
    (project / "generated").mkdir()
    module = project / "generated" / "tiny.py"
    module.write_text("BY_HAND = 1\n")
    code, _, err = run("generate")
    assert (code, err) == (2, "respc: generated/tiny.py: exists and was not generated; move it away first\n")
    assert module.read_text() == "BY_HAND = 1\n"
    assert run("generate", "--check") == (1, "", "would write generated/tiny.py\n")


def test_nothing_to_generate(tmp_path, monkeypatch, run) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("generate") == (2, "", "respc: there is no grammars/*.grammar here; name the grammars\n")
    code, _, err = run("generate", "none.grammar")
    assert code == 2
    assert "none.grammar" in err


def test_a_grammar_that_is_no_text(project, run) -> None:
    (project / "x.grammar").write_bytes(b"grammar \xff")
    code, _, err = run("generate", "x.grammar")
    assert code == 2
    assert err == "respc: x.grammar: is not UTF-8: invalid start byte at byte 8\n"


# -- check and explain -----------------------------------------------------------------------------------------------


def test_check_is_silent_about_good_grammars(project, run) -> None:
    assert run("check") == (0, "", "")


def test_check_warns_and_can_be_told_not_to(project, run) -> None:
    (project / "odd.grammar").write_text(ODD)
    code, out, err = run("check", "odd.grammar")
    assert (code, out) == (0, "")
    names = re.findall(r"warning\[([\w-]+)\]", err)
    assert names
    off = [word for name in names for word in ("--off", name)]
    assert run("check", "odd.grammar", *off) == (0, "", "")
    code, _, said = run("generate", "odd.grammar")
    assert (code, said) == (0, err + "wrote generated/tiny.py\n")


def test_check_goes_through_all(project, run) -> None:
    (project / "grammars" / "bad.grammar").write_text(BAD)
    (project / "grammars" / "worse.grammar").write_text("grammar")
    code, _, err = run("check")
    assert code == 1
    assert len(re.findall(r"error\[", err)) == 2


def test_explain_by_name_and_by_path(project, run) -> None:
    code, out, err = run("explain", "tiny")
    assert (code, err) == (0, "")
    assert "content" in out
    assert "</c>" in out
    assert run("explain", "grammars/tiny.grammar")[1] == out
    code, _, err = run("explain", "none")
    assert code == 2
    assert err.startswith("respc: no grammar is named none; there are: ")
    assert "tiny" in err.split("there are: ")[1]


@pytest.mark.parametrize(
    "words",
    [
        ("explain", "NAME"),
        ("check", "NAME"),
        ("export", "NAME"),
        ("facts", "NAME"),
        ("diagram", "NAME"),
        ("generate", "NAME", "--out", "made"),
        ("watch", "--once", "NAME"),
        ("vendor", "NAME", "--into", "vendored"),
        ("parse", "-g", "NAME"),
        ("trace", "-g", "NAME", "response.txt"),
    ],
)
def test_every_command_takes_names(project, run, words) -> None:
    """Of the grammars that are here, and of those that respc ships, wherever it is run."""
    (project / "response.txt").write_text("Fine.")
    said = {}
    for name in ("tiny", "granite_20b_fc", "tinny"):
        said[name] = run(*(name if word == "NAME" else word for word in words))
    assert said["tiny"][0] == 0
    assert said["granite_20b_fc"][0] == (1 if words[0] == "export" else 0)
    assert said["tinny"] == (2, "", "respc: no grammar is named tinny; did you mean tiny?\n")


def test_a_grammar_that_is_here_hides_the_one_that_is_shipped(project, run) -> None:
    (project / "grammars" / "smollm3.grammar").write_text(TINY.replace("tiny", "smollm3"))
    assert json.loads(run("parse", "-g", "smollm3", stdin=TEXT)[1]) == MESSAGE
    run("vendor", "smollm3", "--into", "vendored")
    assert "# field call: json" in (project / "vendored" / "smollm3.py").read_text()


def test_a_folder_that_is_called_as_a_grammar_may_be(project, run) -> None:
    (project / "model").mkdir()
    (project / "model" / "tokenizer_config.json").write_text(json.dumps({"response_template": TEMPLATE}))
    assert json.loads(run("parse", "-g", "model", stdin=TEXT)[1]) == MESSAGE
    (project / "tiny").mkdir()
    assert run("explain", "tiny")[1] == run("explain", "grammars/tiny.grammar")[1]


# -- parse -----------------------------------------------------------------------------------------------------------

MESSAGE = {"role": "assistant", "call": {"a": [1, "\r\n"]}, "content": "fine\r\nday"}
TEXT = b'<c>{"a": [1, "\\r\\n"]}</c>fine\r\nday<E>'


def test_parse_standard_input_and_a_file(project, run) -> None:
    code, out, err = run("parse", "-g", "grammars/tiny.grammar", stdin=TEXT)
    assert (code, json.loads(out), err) == (0, MESSAGE, "")
    (project / "text").write_bytes(TEXT)
    assert run("parse", "-g", "grammars/tiny.grammar", "text") == (code, out, err)
    assert run("parse", "-g", "grammars/tiny.grammar", "text", "--stream") == (code, out, err)


@pytest.mark.parametrize("stream", [(), ("--stream",)])
def test_parse_events(project, run, stream) -> None:
    code, out, _ = run("parse", "-g", "grammars/tiny.grammar", "--events", *stream, stdin=TEXT)
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [(line["type"], line["field"]) for line in lines[:-1]] == [
        (f"region_{kind}", field) for field in ("call", "content") for kind in ("open", "chunk", "close")
    ]
    assert lines[-1] == MESSAGE


def test_parse_a_stream_in_pieces(project, run, monkeypatch) -> None:
    from compiler import commands_parse

    monkeypatch.setattr(commands_parse, "PIECE", 1)
    text = "é\u2028\U0001f600"
    code, out, _ = run("parse", "-g", "grammars/tiny.grammar", "--events", "--stream", stdin=text.encode())
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [line["text"] for line in lines[:-1] if line["type"] == "region_chunk"] == list(text)


def test_parse_with_a_prefix_that_opens_a_region(project, run) -> None:
    words = ("parse", "-g", "grammars/tiny.grammar", "--events", "--prefix", "hello <A><c>")
    code, out, _ = run(*words, stdin=b"[1]</c>")
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert lines[0] == {"type": "region_open", "field": "call"}
    assert lines[-1] == {"role": "assistant", "call": [1]}


def test_parse_a_malformed_region(project, run) -> None:
    code, out, err = run("parse", "-g", "grammars/tiny.grammar", "--events", stdin=b"good<c>{</c>")
    assert code == 1
    assert [json.loads(line)["field"] for line in out.splitlines()][:3] == ["content"] * 3
    assert err.startswith("respc: call at 4: ")
    code, out, err = run("parse", "-g", "grammars/tiny.grammar", stdin=b'<c>{"a": 1')
    assert (code, out) == (1, "")
    assert err.startswith("respc: call at 0: ")


def test_parse_a_prefix_that_is_malformed(project, run) -> None:
    code, _, err = run("parse", "-g", "grammars/tiny.grammar", "--prefix", "<A><c>{</c>")
    assert code == 1
    assert err.startswith("respc: call at ")


def test_parse_with_tools(run, tmp_path) -> None:
    tools = tmp_path / "tools.json"
    properties = {"day": {"type": "string"}, "count": {"type": "integer"}}
    schema = {"name": "book", "parameters": {"type": "object", "properties": properties}}
    tools.write_text(json.dumps([{"type": "function", "function": schema}]))
    text = b'<tool_call>\n{"name": "book", "arguments": {"day": "1", "count": "2"}}\n</tool_call>'
    code, out, _ = run("parse", "-g", "smollm3", "--tools", str(tools), stdin=text)
    assert code == 0
    assert json.loads(out)["tool_calls"][0]["function"]["arguments"] == {"day": "1", "count": 2}
    for wrong in ("{", "1", "{}", "[" * 100_000):
        tools.write_text(wrong)
        code, out, err = run("parse", "-g", "smollm3", "--tools", str(tools), stdin=text)
        assert (code, out) == (2, "")
        assert err.startswith(f"respc: {tools}: ")
    assert run("parse", "-g", "smollm3", "--tools", str(tmp_path / "none"))[0] == 2


def test_parse_warns_of_a_prefix_without_the_anchor(run) -> None:
    code, out, err = run("parse", "-g", "smollm3", "--prefix", "no ", stdin=b"anchor")
    assert (code, json.loads(out)["content"]) == (0, "no anchor")
    assert err == "respc: the prefix does not contain the anchor: all of it is parsed\n"


def test_a_line_break_that_the_shell_did_not_make(run) -> None:
    _, _, err = run("parse", "-g", "smollm3", "--prefix", r"<|im_start|>assistant\n", stdin=b"x")
    assert err.endswith("all of it is parsed; in a shell, $'...\\n' ends with a line break\n")


def test_a_dash_is_standard_input(project, run, monkeypatch) -> None:
    code, out, _ = run("parse", "-g", "tiny", "-", stdin=TEXT)
    assert (code, json.loads(out)) == (0, MESSAGE)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(TEXT)))
    code, out, _ = run("trace", "-g", "tiny", "-")
    assert (code, "fine\\r\\nday" in out) == (0, True)


def test_a_template_that_is_wrong_is_named_by_its_file(project, run) -> None:
    wrong = {**TEMPLATE, "fields": {"content": {"closs": "<E>"}}}
    (project / "model.json").write_text(json.dumps(wrong))
    (project / "tokenizer_config.json").write_text(json.dumps({"response_template": wrong}))
    for words in (("import",), ("check",), ("parse", "-g"), ("generate",)):
        code, _, err = run(*words, "model.json")
        assert (code, err.startswith("model.json: fields.content.closs: error[unknown-key]")) == (1, True)
        assert run(*words, ".")[2].startswith("tokenizer_config.json: fields.content.closs: error[unknown-key]")


def test_parse_with_a_template_and_a_checkpoint(project, run) -> None:
    (project / "model.json").write_text(json.dumps(TEMPLATE))
    (project / "tokenizer_config.json").write_text(json.dumps({"a": 1, "response_template": TEMPLATE}))
    for name in ("model.json", "tokenizer_config.json", "."):
        code, out, _ = run("parse", "-g", name, stdin=TEXT)
        assert (code, json.loads(out)) == (0, MESSAGE)


def test_parse_with_what_is_not_there(project, run, monkeypatch) -> None:
    code, _, err = run("parse", "-g", "smollm")
    assert (code, err) == (2, "respc: no grammar is named smollm; did you mean smollm3?\n")
    code, _, err = run("parse", "-g", "zzz")
    assert code == 2
    assert err.startswith("respc: no grammar is named zzz; there are: ")
    monkeypatch.setattr(load.generated, "__path__", [])
    (project / "grammars" / "tiny.grammar").unlink()
    assert run("parse", "-g", "zzz")[2].endswith("there are: none\n")
    (project / "notes.txt").write_text("grammar x")
    assert run("parse", "-g", "notes.txt")[2].endswith(
        "does not begin with {; the file of a grammar ends in .grammar\n"
    )
    for words in (("-g", "./none.json"), ("-g", "none.grammar"), ("-g", "../x"), ("-g", "")):
        code, out, _ = run("parse", *words)
        assert (code, out) == (2, "")


def test_parse_a_file_that_is_not_there_or_no_text(project, run) -> None:
    missing = run("parse", "-g", "grammars/tiny.grammar", "none")
    assert missing == (2, "", "respc: none: No such file or directory\n")
    code, out, err = run("parse", "-g", "grammars/tiny.grammar", stdin=b"a\xff")
    assert (code, out) == (2, "")
    assert err == "respc: standard input: is not UTF-8: invalid start byte at byte 1\n"
    code, _, err = run("parse", "-g", "grammars/tiny.grammar", "--stream", stdin=b"a\xe2\x82")
    assert code == 2
    assert "unexpected end of data" in err


def test_a_module_made_for_another_runtime(run, monkeypatch) -> None:
    def mismatch(name: str) -> types.ModuleType:
        raise RuntimeMismatch(f"{name}: regenerate it")

    monkeypatch.setattr(load.importlib, "import_module", mismatch)
    assert run("parse", "-g", "smollm3") == (2, "", "respc: generated.smollm3: regenerate it\n")


# -- import and export -------------------------------------------------------------------------------------------------


def test_import_and_export_there_and_back(project, run) -> None:
    (project / "tokenizer_config.json").write_text(json.dumps({"a": 1, "response_template": TEMPLATE}))
    code, grammar, _ = run("import", "tokenizer_config.json", "--name", "tiny")
    assert code == 0
    assert grammar.startswith("grammar tiny\n")
    assert run("import", ".", "-o", "made.grammar")[:2] == (0, "")
    name = re.match(r"grammar (\w+)\n", (project / "made.grammar").read_text())
    assert name
    assert name[1] == load.load_template(project, None).name
    code, template, _ = run("export", "made.grammar")
    assert (code, json.loads(template)) == (0, TEMPLATE)
    assert run("export", "tiny", "-o", "made.json") == (0, "", "")
    assert json.loads((project / "made.json").read_text()) == TEMPLATE


def test_import_refuses_patterns_that_are_not_linear(project, run) -> None:
    twice = {"open_pattern": "<(?P<mark>[ab])(?P=mark)>", "close": "</a>", "transform": "{mark}"}
    (project / "model.json").write_text(
        json.dumps({"start_anchor": "<A>", "fields": {"a": twice, "b": {"open": "<b>"}}})
    )
    code, out, err = run("import", "model.json")
    assert (code, out) == (1, "")
    assert re.search(r"fields\.a\.open_pattern: error\[", err)
    assert run("import", "model.json", "--allow-pattern", "b")[0] == 1
    code, out, _ = run("import", "model.json", "--allow-pattern", "a")
    assert code == 0
    assert "/<(?P<mark>[ab])(?P=mark)>/" in out
    code, _, err = run("import", "model.json", "--allow-pattern", "c")
    assert (code, err) == (2, "respc: model.json: no field is named c\n")
    assert run("parse", "-g", "model.json")[0] == 1


def test_import_warns(project, run) -> None:
    (project / "model.json").write_text(
        '{"start_anchor": "<A>", "fields": {"content": {"close": "<E>"}, "a": {"open": "<a>"}}}'
    )
    code, out, err = run("import", "model.json")
    assert code == 0
    assert out.startswith("grammar model\n")
    assert "warning[" in err


def test_import_repairs_and_says_so(project, run) -> None:
    (project / "model.json").write_text(json.dumps(TEMPLATE))
    code, out, err = run("import", "model.json", "--repair")
    assert code == 0
    assert 'stop    "<E>"' in out
    assert "policy  blank skip, trim both, bad text" in out
    assert 'repaired: stop "<E>": what follows the end is no text\n' in err
    assert "warning[" not in err
    (project / "made.grammar").write_text(out)
    assert run("check", "made.grammar") == (0, "", "")


def test_what_exists_is_not_replaced(project, run) -> None:
    (project / "model.json").write_text(json.dumps(TEMPLATE))
    for words in (("import", "model.json", "-o", "model.json"), ("export", "tiny", "-o", "model.json")):
        code, _, err = run(*words)
        assert (code, err) == (2, "respc: model.json: exists; name a new file\n")
    assert json.loads((project / "model.json").read_text()) == TEMPLATE


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("{", 2, "respc: x.json: is not a JSON object"),
        ('{"response_template": {}, "response_template": {}}', 2, "respc: x.json: response_template is there 2 times"),
        ('{"fields": {}, "fields": {}}', 1, "error["),
        ('{"start_anchor": "<A>", "fields": {"a": {"open": ""}}}', 1, "error["),
    ],
)
def test_import_of_what_is_no_template(project, run, text, code, message) -> None:
    (project / "x.json").write_text(text)
    got, out, err = run("import", "x.json")
    assert (got, out) == (code, "")
    assert message in err


def test_import_of_a_checkpoint_with_a_chat_template_only(project, run) -> None:
    (project / "tokenizer_config.json").write_text("{}")
    said = "respc: tokenizer_config.json: has no response_template; for a chat template alone: respc draft .\n"
    assert run("import", ".") == run("parse", "-g", ".") == (2, "", said)


def test_import_from_nowhere(project, run) -> None:
    assert run("import", "none")[0] == 2
    assert run("import", "grammars") == (
        2,
        "",
        "respc: grammars: the folder has no tokenizer_config.json; for a chat template alone: respc draft grammars\n",
    )


# -- the whole ---------------------------------------------------------------------------------------------------------


def test_version(run, monkeypatch) -> None:
    monkeypatch.setattr("compiler.__main__.version", lambda name: {"respc": "1.2.3"}[name])
    assert run("--version") == (0, "respc 1.2.3\n", "")

    def missing(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr("compiler.__main__.version", missing)
    assert run("--version") == (0, "respc, not installed\n", "")


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("none",),
        ("generate", "--none"),
        ("parse",),
        ("import",),
        ("explain",),
        ("export", "a", "b"),
    ],
)
def test_wrong_use(run, words) -> None:
    code, out, err = run(*words)
    assert code == 2
    assert "Usage: respc" in out + err


def test_a_command_that_is_none_is_answered_with_those_that_are(run) -> None:
    assert "No such command 'parze'. Did you mean 'parse'?" in run("parze")[2]
    assert "No such command 'gen'. Did you mean 'generate'?" in run("gen")[2]
    assert "No such command 'frob'. There are: generate, parse, " in run("frob")[2]
    assert "There are: " in run("")[2]


@pytest.mark.parametrize("command", ["generate", "parse", "explain", "check", "import", "export"])
def test_every_command_has_help(run, command) -> None:
    code, out, _ = run(command, "--help")
    assert code == 0
    assert f"Usage: respc {command}" in out


@pytest.mark.parametrize("module", ["compiler", "respc"])
def test_run_as_a_module(module, monkeypatch, capsys) -> None:
    monkeypatch.setattr(sys, "argv", [module, "--help"])
    monkeypatch.delitem(sys.modules, "compiler.__main__" if module == "compiler" else "respc")
    with pytest.raises(SystemExit) as done:
        runpy.run_module(module, run_name="__main__")
    assert done.value.code == 0
    assert "generate" in capsys.readouterr().out


@pytest.mark.parametrize("missing", ["typer", "lark", "jinja2", "black"])
def test_without_the_extra_the_script_says_which_one(missing) -> None:
    program = (
        f"import sys; sys.modules[{missing!r}] = None; import respc; sys.exit(respc.main(['generate', '--check']))"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False)
    expected = f"respc: {missing} is not installed; the compiler needs: pip install 'respc[compile]'\n"
    assert (done.returncode, done.stdout, done.stderr) == (2, "", expected)


def test_the_extra_is_what_the_script_knows() -> None:
    text = (ROOT / "pyproject.toml").read_text()
    extra = re.search(r"^compile = \[(.*)\]$", text, re.MULTILINE)
    assert extra
    assert set(re.findall(r'"(\w+)', extra[1])) == respc.EXTRA


def test_another_missing_module_is_a_fault_of_ours(monkeypatch) -> None:
    monkeypatch.setitem(sys.modules, "compiler.commands_build", None)
    monkeypatch.delitem(sys.modules, "compiler.__main__")
    monkeypatch.delattr("compiler.commands_build")
    with pytest.raises(ImportError):
        respc.main(["--help"])
