"""What `respc check` says to GitHub and to programs is what it says to people."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from compiler.__main__ import main
from compiler.diagnostics import CompileError
from compiler.reports import Report, as_github
from compiler.source import Source, Span

GOOD = 'grammar good\nanchor "A"\nfield content: text joined "" {}\n'
ODD = 'grammar odd\nanchor "A"\nfield call: json { open "<c>" close "</c>" }\nfield content: text { close "<E>" }\n'
BAD = 'grammar bad\nanchor "A"\n\nfeild content: text {}\n'


@pytest.fixture
def check(tmp_path: Path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a,b").mkdir()

    def run(form: str, **files: str) -> tuple[int, str, str]:
        paths = []
        for name, text in files.items():
            path = Path("a,b") / (f"{name}.json" if text.startswith("{") else f"{name}.grammar")
            path.write_text(text)
            paths.append(str(path))
        code = main(["check", "--format", form, *paths])
        return code, *capsys.readouterr()

    return run


def test_nothing_to_say(check) -> None:
    assert check("github", good=GOOD) == (0, "", "")
    assert check("json", good=GOOD) == (0, "[]\n", "")
    assert check("text", good=GOOD) == (0, "", "")


def test_json(check) -> None:
    code, out, err = check("json", odd=ODD, bad=BAD)
    assert (code, err) == (1, "")
    warned, error = json.loads(out)
    assert warned["file"] == "a,b/odd.grammar"
    assert (warned["line"], warned["severity"], warned["code"]) == (4, "warning", "overwritten")
    assert (error["line"], error["column"], error["severity"]) == (4, 1, "error")
    assert error["message"] and error["help"]
    assert error["text"].startswith("a,b/bad.grammar:4:1: error[")


def test_github(check) -> None:
    code, out, err = check("github", odd=ODD, bad=BAD)
    assert (code, err) == (1, "")
    warned, error = out.splitlines()
    assert re.fullmatch(
        r"::warning file=a%2Cb/odd\.grammar,title=respc overwritten,"
        r"line=4,col=\d+,endLine=4,endColumn=\d+::.+%0Ahelp: .+",
        warned,
    )
    assert re.match(r"::error file=a%2Cb/bad\.grammar,title=respc [\w-]+,line=4,col=1,endLine=4,endColumn=6::", error)


def test_github_is_not_given_commands(check) -> None:
    _, out, _ = check("github", bad=BAD.replace("feild", '"50%\\n::error::x"'))
    assert out.count("\n") == 1 and "50%25" in out


def test_a_stretch_of_many_lines_has_no_end_column() -> None:
    error = CompileError("syntax", "odd", Span(Source("a.grammar", "one\ntwo\n"), 1, 6), "mend it")
    report = Report.of(Path("a.grammar"), error)
    assert (report.line, report.column, report.end_line, report.end_column) == (1, 2, 2, 3)
    title = "::error file=a.grammar,title=respc syntax,line=1,col=2,endLine=2"
    assert as_github([report]) == f"{title}::odd%0Ahelp: mend it\n"


def test_a_template_has_a_path(check) -> None:
    template = json.dumps({"start_anchor": "A", "fields": {"a": {"bogus": 1}}})
    code, out, _ = check("github", t=template)
    assert code == 1
    assert out.startswith("::error file=a%2Cb/t.json,title=respc unknown-key::fields.a.bogus: ")
    _, out, _ = check("json", t=template)
    (report,) = json.loads(out)
    assert (report["where"], report["line"], report["end_column"]) == ("fields.a.bogus", None, None)


def test_warnings_alone_are_no_failure(check) -> None:
    assert check("json", odd=ODD)[0] == 0
