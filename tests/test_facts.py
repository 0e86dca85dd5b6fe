"""facts.py and fixed.py: the shape for every grammar, and that all responses of the tests are as the facts say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import regex

from compiler.__main__ import main
from compiler.analyse_delimiters import pattern_node
from compiler.facts import facts
from compiler.fixed import heads, texts
from compiler.load import find_grammar
from compiler.model import Pattern
from compiler.parse import parse
from tests.examples import MODELS, Example, model_examples, module_of

ROOT = Path(__file__).parents[1]
SCHEMA = json.loads((ROOT / "editors" / "facts.schema.json").read_text(encoding="utf-8"))
FACTS = {name: facts(find_grammar(name)) for name in MODELS}
EXAMPLES: dict[str, list[Example]] = {name: [] for name in MODELS}
for one in model_examples():
    EXAMPLES[one.family].append(one)


@pytest.mark.parametrize("name", MODELS)
def test_all_facts_have_the_documented_shape(name: str) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(FACTS[name])
    assert json.loads(json.dumps(FACTS[name])) == FACTS[name]


@dataclass(frozen=True)
class Stretch:
    """A delimiter in a response: what it took, and the response from there on."""

    taken: str
    text: str

    def fits(self, delimiter: dict[str, Any]) -> bool:
        """Whether it is what the facts say; one that the end of the response cuts off is as far as it goes."""
        begins, words = delimiter["begins"], delimiter["words"]
        if self.taken == self.text and any(begin.startswith(self.taken.strip()) for begin in begins):
            return True
        is_begun = not begins or self.text.lstrip().startswith(tuple(begins))
        return is_begun and (words is None or self.taken.strip() in [word.strip() for word in words])


def delimiters(example: Example) -> Iterator[tuple[str, str, Stretch]]:
    """Field, event and place of each delimiter that opened or closed a region."""
    parser = module_of(example.family).Parser(prefix=example.prefix, tools=example.tools, spans=True, on_error="keep")
    text = example.prefix[len(example.prefix) - parser.prefix_end :] + example.text
    for event in [*parser.initial_events, *parser.feed(example.text), *parser.finalize()[1]]:
        if event["type"] in ("region_open", "region_close") and event["start"] < event["end"]:
            yield event["field"], event["type"], Stretch(text[event["start"] : event["end"]], text[event["start"] :])


@pytest.mark.parametrize("name", MODELS)
def test_every_region_of_the_examples_opens_and_ends_as_the_facts_say(name: str) -> None:
    seen = 0
    for field, event, stretch in (found for example in EXAMPLES[name] for found in delimiters(example)):
        blocks = [one for one in FACTS[name]["fields"] if one["field"] == field]
        known = [one["open"] for one in blocks if one["open"]]
        known += [also["open"] for one in blocks for also in one["also"]]
        if event == "region_close":
            known = [end["at"] for one in blocks for end in one["ends"] if end["by"] in ("close", "stop", "stray")]
        bare = Stretch(stretch.taken.lstrip(), stretch.text.lstrip())  # behind a close, blanks belong to an opener
        assert any(stretch.fits(one) or bare.fits(one) for one in known), (field, event, stretch)
        seen += 1
    assert seen > 3


@pytest.mark.parametrize("name", MODELS)
def test_what_is_preserved_stands_in_the_delimiters_or_pairs(name: str) -> None:
    source = str(find_grammar(name))
    plain = re.sub(r"\\(.)", r"\1", source)
    plain += re.sub(r"(?<=\w)\?", "", plain) + re.sub(r"\w\?", "", plain)  # with what may be there, and without
    kept = FACTS[name]["preserve"]
    assert kept == sorted(set(kept)) and all(text == text.strip() for text in kept)
    markers = [text for text in kept if re.fullmatch(r"<\|?\w+\|?>", text)]
    assert [text for text in markers if text not in plain and text.replace("<", "</") not in plain] == []


def test_a_call_whose_name_is_in_its_opener() -> None:
    (tools,) = [one for one in FACTS["kimi_k2"]["fields"] if one["kind"] == "tools"]
    assert tools["call"] == {"name": ["opener"], "arguments": ["body"], "id": ["opener"]}
    assert tools["open"]["words"] is None
    assert tools["open"]["begins"] == ["<|tool_call_begin|>", "<|tool_calls_section_begin|>"]
    assert "<|tool_call_argument_begin|>" in FACTS["kimi_k2"]["preserve"]


def test_a_call_whose_name_is_in_its_body() -> None:
    thought, tools, content = FACTS["qwen3"]["fields"]
    assert tools["call"] == {"name": ["body"], "arguments": ["body", "fixed"], "id": []}
    assert tools["ends"][0]["at"]["words"] == ["</tool_call>"]
    assert tools["ends"][0]["at"]["before"] == ["<tool_call>"]
    assert [(end["by"], end.get("unless_closed")) for end in thought["ends"]] == [
        ("close", None),
        ("open", True),
        ("stop", None),
    ]
    assert [end["by"] for end in content["ends"]] == ["open", "open", "stray", "stop"]
    assert (thought["kind"], tools["kind"], content["kind"]) == ("reasoning", "tools", "text")
    assert thought["call"] is None and content["open"] is None


WHOLE = """grammar g
models "a/b*"
anchor "<bot>"
field calls[] as x: json {
    open /<c(?:all)?>(?P<name>\\w+)?/
    close /<\\/c id=(?P<id>\\w+)>/
    emit {"id": id, "function": {"name": name ?? content.name ?? "none", "arguments": content}}
}
field calls[] as y: json { open "[C" when line close value-end emit {"function": content} }
field plain: json { open "<p>" close "</p>" }
field pairs: xml(pair /<(?P<key>\\w+)>/ "</{key}>") { open "<pairs>" close "</pairs>" }
field quotes: json(string_delims = [["<|q|>", "<|q|>"]]) { open /\\s*<quotes>\\s*/ close "</quotes>" }
field note: text { open "NOTE:" close "\\n" }
field content: text joined "" {}
"""


def test_where_the_parts_of_a_call_come_from() -> None:
    found = facts(parse(WHOLE))
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    fields = {(one["field"], one["label"]): one for one in found["fields"]}
    call = fields["calls", "x"]["call"]
    assert call == {"name": ["opener", "body", "fixed"], "arguments": ["body"], "id": ["closer"]}
    assert fields["calls", "y"]["call"] == {"name": ["body"], "arguments": ["body"], "id": []}
    assert fields["plain", None]["call"] == {"name": ["body"], "arguments": ["body"], "id": ["body"]}
    assert (fields["calls", "y"]["when"], fields["calls", "y"]["ends"]) == ("line", [{"by": "value"}])
    assert fields["note", None]["kind"] == "text"
    assert found["models"] == ["a/b*"]
    assert found["preserve"] == sorted(
        [
            "<c>",
            "<call>",
            "</c id=",
            "[C",
            "<p>",
            "</p>",
            "<pairs>",
            "</pairs>",
            "<|q|>",
            "<quotes>",
            "</quotes>",
            "NOTE:",
        ]
    )


@pytest.mark.parametrize(
    ("pattern", "begins"),
    [
        (r"<a>|<b>", ["<a>", "<b>"]),
        (r"\s*<a>", ["<a>"]),
        (r"\s*(?:<a>|<b>)?", []),
        (r"(?:<a>\s*)?<b>", ["<a>", "<b>"]),
        (r"<a(?:b|c)+>", ["<ab", "<ac"]),
        (r"<a>?(?P<n>\w+)", ["<a"]),
        (r"\w+<a>", []),
        (r"(?=<a>x)", ["<a>x"]),
        (r"(?!x)<a>", ["<a>"]),
        (r"(?<=x)\s*<a>", ["<a>"]),
        (r"^<a>\b", ["<a>"]),
        (r"(?>ab|a)c", ["abc", "ac"]),
        (r"(?P<q>a)(?P=q)b", ["a"]),
        (r"(?:\s*a|b)", ["a", "b"]),
        (r"[ab]c", []),
        (r"a{3}b", ["a"]),
    ],
)
def test_heads(pattern: str, begins: list[str]) -> None:
    assert list(heads(pattern_node(Pattern(pattern)))) == begins


def test_every_match_begins_with_a_head() -> None:
    for name in MODELS:
        for field in find_grammar(name).fields:
            for delimiter in filter(None, (field.open, field.close)):
                begins = heads(pattern_node(delimiter))
                source = (
                    delimiter.text if isinstance(delimiter, Pattern) else "|".join(map(regex.escape, delimiter.words))
                )
                for example in EXAMPLES[name]:
                    for match in regex.finditer(source, example.text, regex.DOTALL):
                        behind = example.text[match.start() :].lstrip()
                        assert not begins or behind.startswith(begins), (source, match[0])


def test_too_many_heads_are_none_too_many() -> None:
    many = "(?:a|b|c|d|e)" * 4
    assert len(heads(pattern_node(Pattern(many)))) in range(1, 25)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (r"</?x>", ["</x>", "<x>"]),
        (r"<a>\s*(?P<n>\w+)<b>(?=<c>)", ["<a>", "<b>", "<c>"]),
        (r"(?:<a>\s*)?<b>(?:c|d)", ["<a>", "<b>c", "<b>d"]),
        (r"\w+", []),
    ],
)
def test_runs_of_fixed_text(pattern: str, found: list[str]) -> None:
    assert [text for text in texts(pattern_node(Pattern(pattern))) if text] == found


def test_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["facts", "qwen3"]) == 0
    assert json.loads(capsys.readouterr().out) == FACTS["qwen3"]
    path = tmp_path / "g.grammar"
    path.write_text(WHOLE)
    assert main(["facts", str(path)]) == 0
    assert json.loads(capsys.readouterr().out)["grammar"] == "g"
    path.write_text(WHOLE.replace("value-end", '"x" ended by nobody'))
    assert main(["facts", str(path)]) == 1
    assert "error[ended-by]" in capsys.readouterr().err
