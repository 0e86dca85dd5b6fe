"""Real chat templates, from TRL: drafts of them, and grammars that somebody wrote, against what they print.

TRL is data here and is never imported: `make test-trl` installs it without what it depends on.
"""

from __future__ import annotations

import ast
import contextlib
import importlib.util
import json
import random
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from compiler import CompileError, compile_grammar, compile_template
from compiler.chat.convention import probe
from compiler.chat.draft import draft
from compiler.chat.folder import read
from compiler.chat.lint import lint
from compiler.chat.messages import MARKERS
from compiler.chat.prefix import report
from compiler.chat.recognise import recognise
from compiler.chat.render import Renderer
from compiler.chat.roundtrip import GRAMMAR, Bench, Trial
from compiler.families import of_template
from compiler.load import all_modules
from tests.examples import module_of

from .templates import folder

pytestmark = pytest.mark.trl

SPEC = importlib.util.find_spec("trl")
FOLDER = Path(SPEC.origin).parent / "chat_templates" if SPEC is not None and SPEC.origin else Path("nowhere")
BASE = sorted(path.stem for path in FOLDER.glob("*.jinja") if not path.stem.endswith("_training"))
ROOT = Path(__file__).parents[2]
FORMATS = ROOT / "tests" / "data" / "formats.jsonl"
WRITTEN = {
    "deepseek_v3": ["deepseekv3"],
    "gemma4": ["gemma4", "gemma4_v2", "gemma4_v3", "gemma4_v4", "gemma4_v5"],
    "glm4_moe": ["glm4moe"],
    "gpt_oss": ["gptoss"],
    "lfm2": ["lfm2_v2"],
    "lfm2_5": ["lfm2_2_5", "lfm2_2_5_v2", "lfm2_2_5_vl"],
    "llama3_1": ["llama3_1", "llama3_2"],
    "muse_glimmer": ["muse_glimmer"],
    "nemotron3": ["nemotron_3_nano", "nemotron_3_super", "nemotron_3_ultra", "nemotron_3_5_lightning"],
    "qwen2_5": ["qwen2_5"],
    "qwen3": ["qwen3", "qwen3_instruct_2507", "qwen3_vl"],
    "qwen3_5": ["qwen3_5_nothink", "qwen3_5_think", "qwen3_6", "qwen3_8"],
}
PUBLISHED = {  # the response templates that TRL gives checkpoints, and whose they are
    "qwen3_template": {"qwen2_5", "qwen3"},
    "qwen3_5_template": {"qwen3_5"},
    "glm4moe_template": {"glm4_moe"},
    "llama3_template": {"llama3_1"},
    "gptoss_template": {"gpt_oss"},
    "lfm2_2_5_template": {"lfm2"},
    "nemotron_3_template": {"nemotron3"},
    "gemma4_template": {"gemma4"},
    "deepseek_r1_distill_template": {"deepseek_r1"},
}
SAME = {"lfm2_5": "lfm2"}  # families that one of our grammars reads besides its own
OURS = {
    **{family: names for family, names in WRITTEN.items() if family not in SAME},
    "cohere_command": ["cohere", "cohere2"],
    "gemma4": ["gemma4", "gemma4_v2", "gemma4_v3", "gemma4_v4", "gemma4_v5", "diffusion_gemma"],
    "lfm2": ["lfm2", "lfm2_v2", "lfm2_2_5", "lfm2_2_5_v2", "lfm2_2_5_vl"],
    "llama3_1": ["llama3", "llama3_1", "llama3_2"],
    "qwen2_5": ["qwen2_5", "qwen2_5_vl"],
}
_WORD = re.compile(r"(?<=<)(/?\|?)([\w▁]+)(?=\|?>)")
NEVER_REACHED = {"deepseek_r1_distill"}  # every prompt opens reasoning, and no turn prints any


def disguised(name: str, path: Path) -> Renderer:
    """A template in a folder whose name says nothing, the words of its markers replaced by others of no meaning."""
    made = random.Random(name)
    words: dict[str, str] = {}

    def other(found: re.Match[str]) -> str:
        return found[1] + words.setdefault(found[2], "".join(made.choices("bcdfghjkmnpqrstvwxz", k=7)))

    text = _WORD.sub(other, (FOLDER / f"{name}.jinja").read_text(encoding="utf-8"))
    model = path / "".join(made.choices("bcdfghjkm", k=9))
    tokens = {"bos_token": "<bos>", "eos_token": "<eos>"}
    return Renderer(read(folder(model, chat_template__jinja=text, tokenizer_config__json=tokens)))


def as_it_is(name: str) -> Renderer:
    checkpoint = read(FOLDER / f"{name}.jinja")
    checkpoint.tokens.update(bos_token="<bos>", eos_token="<eos>")
    return Renderer(checkpoint)


def faults(trials: list[Trial]) -> set[str]:
    return {trial.kind for trial in trials if trial.verdict == GRAMMAR}


def test_all_are_there() -> None:
    assert len(BASE) == 41


@pytest.mark.parametrize("name", BASE)
def test_a_draft_comes_back(name: str, tmp_path: Path) -> None:
    renderer = disguised(name, tmp_path)
    made = draft(renderer)
    trials = list(Bench(renderer, compile_grammar(str(made)), made.convention).trials())
    assert faults(trials) == set()
    assert any(trial.equal for trial in trials) == (name not in NEVER_REACHED)
    has_calls = "tool_calls" in [field.name for field in made.grammar.fields]
    assert has_calls == (made.convention.calls > 0)


def pairs(families: dict[str, list[str]]) -> list[tuple[str, str]]:
    return [(family, name) for family, names in families.items() for name in names]


def response_template(family: str) -> dict[str, Any]:
    lines = FORMATS.read_text(encoding="utf-8").splitlines()
    return next(entry["response_template"] for entry in map(json.loads, lines) if entry["family"] == family)


@pytest.mark.parametrize(("family", "name"), pairs(WRITTEN))
def test_a_written_template_comes_back(family: str, name: str) -> None:
    """Version 1 ends a region at the first closer, also in a string: that kind aside, all comes back."""
    renderer = as_it_is(name)
    bench = Bench(renderer, compile_template(response_template(family)), probe(renderer))
    trials = list(bench.trials())
    if family == "deepseek_v3":  # its anchor is not there behind a tool's result, where the prompt has no header
        trials = [trial for trial in trials if trial.context != "tool result"]
    assert faults(trials) <= {MARKERS}
    assert Counter(trial.reachable for trial in trials)[True] > 0 or family == "deepseek_v3"


# What a template prints so that nobody can read it, and the grammar hands back as text: null as None, quotes that
# nothing escapes.
GARBLED = {
    "gemma4_v2": {"call, null"},
    "lfm2_2_5": {"call, quotes", "call, lines"},
    "lfm2_2_5_v2": {"call, quotes", "call, lines"},
}


@pytest.mark.parametrize(("family", "name"), pairs(OURS))
def test_a_grammar_of_ours_comes_back(family: str, name: str) -> None:
    """Whole and by the character, in every context: all that the template prints as it should."""
    renderer = as_it_is(name)
    trials = list(Bench(renderer, module_of(family), probe(renderer)).trials())
    assert faults(trials) == GARBLED.get(name, set())
    assert any(trial.equal for trial in trials)


@pytest.mark.parametrize("name", BASE)
def test_prefix_and_lint_have_something_true_to_say(name: str, tmp_path: Path) -> None:
    renderer = disguised(name, tmp_path)
    made = draft(renderer)
    points = list(report(Bench(renderer, compile_grammar(str(made)), made.convention), made.grammar))
    assert points
    assert not any(point.warnings for point in points)
    lines = len(renderer.checkpoint.choose(tools=False).text.splitlines())
    for finding in lint(renderer.checkpoint):
        assert all(1 <= line <= lines for line in finding.lines)


@pytest.mark.parametrize(("family", "name"), pairs(WRITTEN))
def test_a_chat_template_is_known_by_what_it_prints(family: str, name: str) -> None:
    assert SAME.get(family, family) in [one.name for one in recognise(as_it_is(name), all_modules())]


def constants(values: dict[str, Any]) -> dict[str, Any]:
    """What the file with the response templates calls by a name. values: of names that are no literals."""
    known: dict[str, Any] = {"__builtins__": {}, **values}
    for node in ast.parse((FOLDER.parent / "chat_template_utils.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id not in values:
            with contextlib.suppress(Exception):
                known[node.targets[0].id] = eval(compile(ast.Expression(node.value), "<trl>", "eval"), known)
    return known


@pytest.mark.parametrize("reader", [{"name": "text"}, {"name": "json", "args": {"allow_non_json": True}}])
@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_response_template_is_known(name: str, reader: dict[str, Any]) -> None:
    found = of_template(constants({"_XML_INLINE_VALUE_PARSER": reader})[name], all_modules())
    assert set(found) == PUBLISHED[name]


WAITS = {"lfm2_2_5_template"}  # a match that may wait for text far behind it


@pytest.mark.parametrize("name", PUBLISHED)
def test_a_published_response_template_is_linear_or_refused_for_what_it_uses(name: str) -> None:
    template = constants({"_XML_INLINE_VALUE_PARSER": {"name": "text"}})[name]
    if name not in WAITS:
        assert compile_template(template, patterns="linear").parse("", prefix="")
        return
    with pytest.raises(CompileError, match="a match that may wait for text far behind it"):
        compile_template(template, patterns="linear")
