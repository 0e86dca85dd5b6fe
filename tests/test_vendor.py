"""`respc vendor`: what it writes works alone, under any name, and holds no more than it needs."""

from __future__ import annotations

import json
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest

from compiler.__main__ import main
from compiler.vendor import HEADER, RUNTIME, license_text, needs_regex, package
from tests.examples import MODELS, model_examples

ROOT = Path(__file__).parents[1]
ALONE = """
import json, sys
sys.path.insert(0, sys.argv[1])
if sys.argv[3]:
    sys.path.append(sys.argv[3])
else:
    sys.modules["regex"] = None
import importlib
for line in sys.stdin:
    case = json.loads(line)
    module = importlib.import_module(f"{sys.argv[2]}.{case['family']}")
    parser = module.Parser(prefix=case["prefix"], tools=case["tools"], on_error="keep", cut=case["cut"], spans=True)
    for char in case["text"]:
        parser.feed(char)
    message, _ = parser.finalize()
    try:
        whole = module.parse(case["text"], prefix=case["prefix"], tools=case["tools"])
    except ValueError as error:
        whole = error.message
    print(json.dumps([message, whole]))
assert not {"respc", "runtime", "compiler", "generated"} & sys.modules.keys()
"""


def alone(folder: Path, name: str, cases: list[dict[str, object]], regex: bool) -> list[list[object]]:
    """Read the cases with a package in a Python that has nothing installed, or `regex` and nothing that it asks for."""
    site = sysconfig.get_path("platlib") if regex else ""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "ignore", "-c", ALONE, str(folder), name, site],
        input="".join(json.dumps(case) + "\n" for case in cases),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("model", MODELS)
def test_a_package_of_one_grammar_reads_its_cases_alone(model: str, tmp_path: Path) -> None:
    into = tmp_path / "deep" / "down"
    assert main(["vendor", model, "--into", str(into)]) == 0
    examples = [example for example in model_examples() if example.family == model]
    cases: list[dict[str, object]] = [
        {"family": model, "prefix": one.prefix, "text": one.text, "tools": one.tools, "cut": "close"}
        for one in examples
    ]
    regex = "`regex`" in (into / "__init__.py").read_text()
    for case, example, (message, whole) in zip(
        cases, examples, alone(tmp_path, "deep.down", cases, regex), strict=True
    ):
        module = __import__(f"generated.{model}", fromlist=["Parser"])
        parser = module.Parser(prefix=example.prefix, tools=example.tools, on_error="keep", cut="close")
        parser.feed(example.text)
        assert message == parser.finalize()[0], case
        try:
            assert whole == module.parse(example.text, prefix=example.prefix, tools=example.tools)
        except ValueError as error:
            assert whole == error.message  # type: ignore[attr-defined]


def test_all_in_one_package(tmp_path: Path) -> None:
    assert main(["vendor", *MODELS, "--into", str(tmp_path / "parsers")]) == 0
    example = next(one for one in model_examples() if one.family == "smollm3")
    case = {"family": "smollm3", "prefix": example.prefix, "text": example.text, "tools": example.tools, "cut": "close"}
    assert alone(tmp_path, "parsers", [case], True)[0][1] == example.message


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str]]:
    def run(*words: str) -> tuple[int, str]:
        code = main(["vendor", *words])
        return code, capfd.readouterr().err

    return run


def test_check_says_what_would_change(tmp_path: Path, run: Callable[..., tuple[int, str]]) -> None:
    into = str(tmp_path / "p")
    code, said = run("seed_oss", "--into", into, "--check")
    assert code == 1 and f"would write {into}/seed_oss.py" in said and not Path(into).exists()
    assert run("seed_oss", "--into", into)[0] == 0
    assert run("seed_oss", "--into", into, "--check") == (0, "")
    assert run("seed_oss", "--into", into) == (0, "")
    changed = Path(into, RUNTIME, "stream.py")
    changed.write_text(changed.read_text() + "\n")
    assert run("seed_oss", "--into", into, "--check") == (1, f"would write {changed}\n")
    assert run("seed_oss", "--into", into) == (0, f"wrote {changed}\n")


def test_what_is_no_longer_needed_is_named_and_left(tmp_path: Path, run: Callable[..., tuple[int, str]]) -> None:
    into = str(tmp_path / "p")
    run("lfm2", "gemma4", "--into", into)
    code, said = run("lfm2", "--into", into, "--check")
    named = [line.partition(":")[0] for line in said.splitlines() if line.endswith("remove it")]
    assert code == 1 and named == [f"{into}/{RUNTIME}/lax_json.py", f"{into}/gemma4.py"]
    own = Path(into, "mine.py")
    own.write_text("")
    assert str(own) not in run("lfm2", "--into", into, "--check")[1]


def test_nothing_of_others_is_overwritten(tmp_path: Path, run: Callable[..., tuple[int, str]]) -> None:
    (tmp_path / "LICENSE").write_text("mine")
    code, said = run("lfm2", "--into", str(tmp_path))
    assert code == 2 and f"{tmp_path}/LICENSE: is in the way" in said
    assert [path.name for path in tmp_path.iterdir()] == ["LICENSE"]
    link = tmp_path / "link"
    link.symlink_to(tmp_path)
    assert run("lfm2", "--into", str(link)) == (2, f"respc: {link}: is no folder of its own\n")
    assert run("lfm2", "lfm2", "--into", str(tmp_path / "p"))[0] == 2
    odd = tmp_path / "odd.grammar"
    odd.write_text('grammar "a b" anchor "<A>" field content: text {}')
    assert run(str(odd), "--into", str(tmp_path / "p")) == (2, "respc: 'a b' cannot name a module\n")
    odd.write_text('grammar odd anchor "<A>" field content: text {}')
    assert run(str(odd), "--into", str(tmp_path / "p"))[0] == 0


def test_only_what_is_needed_comes_along() -> None:
    def files(model: str) -> set[str]:
        source = (ROOT / "generated" / f"{model}.py").read_text()
        return {name.removeprefix(f"{RUNTIME}/") for name in package([(model, source)], "")}

    assert {"hf.py", "hf_modules.py"} & files("smollm3") == set()
    assert {"lax_json.py", "repair.py"} & files("smollm3") == {"repair.py"}
    assert {"lax_json.py", "repair.py", "looking_back.py"} & files("mistral_v3") == set()
    assert {"read_tags.py", "looking_back.py"} <= files("qwen3_coder")
    assert {"lax_json.py", "repair.py"} <= files("gemma4")


def test_every_file_says_what_it_is() -> None:
    source = (ROOT / "generated" / "smollm3.py").read_text()
    made = package([("smollm3", source)], license_text())
    assert all(text.startswith(HEADER) for name, text in made.items() if name.endswith(".py"))
    assert made["LICENSE"] == (ROOT / "LICENSE").read_text()


@pytest.mark.parametrize(
    "code, needed",
    [
        ('rt.Twin("a", "a")', True),
        ("import regex", True),
        (r'rt.one(r"\s")', False),
        (r'rt.one(r"\w")', True),
        (r'rt.Automaton(rt.one("a"), r"\p{L}")', True),
        (r'rt.Pairs("<", r"[^>]", ">", "</")', False),
        (r'rt.Pairs("<", r"\w", ">", "</")', True),
        ('rt.read_json(body, string_delims=(("a", "b"),))', True),
        ('rt.read_json(body, string_delims=(("a", "b"),), lexed=True)', False),
    ],
)
def test_who_needs_regex(code: str, needed: bool) -> None:
    assert needs_regex([code]) is needed
