"""Pictures of machines: every state and delimiter is there, the hold is right, whatever the names the text is sound."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree

import pytest

from compiler import compile_grammar
from compiler.load import load_grammar
from compiler.lower import lower
from compiler.machine import Machine
from compiler.parse import parse
from compiler.show.diagram import delimiters, holds, mermaid, svg
from tests.examples import GRAMMARS

ODD = lower(parse(r"""
    grammar odd
    anchor "\"A\""
    stop "<E>" | "<P>"
    field a: text { open "<t>" close "</t>" blank after }
    field "two <b> & \"words\"": text { open /«+|[<&]x>/ }
    field long: text { open "a long one that goes on, and on, and on, and never comes to its end" close /x(?=y)/ }
    field b: text {}
    """))
ONLY = lower(parse('grammar only anchor "A" field a: text {}'))
NONE = lower(parse('grammar none anchor "A" field a: text { open /b{1,3}/ }'))
BEYOND = lower(parse(r"""
    grammar beyond
    policy aware, blank skip
    anchor "A"
    field value: json { open "<v>" close value-end }
    field calls[]: json { open "<c>" close "</c>" }
    field late: text { open "<l>" close ">" ended by sign unless closed }
    field early: text { open "<e>" close ">" ended by sign }
    field sign: text { open /b+/ close "e" }
    field two as one: text { open "<1>" close "</1>" }
    field two as other: text { open "<2>" close "</2>" }
    field content: text joined "" {}
    """))
MACHINES = [*(lower(load_grammar(path)) for path in GRAMMARS), ODD, ONLY, NONE, BEYOND]
each_machine = pytest.mark.parametrize("machine", MACHINES, ids=lambda machine: machine.grammar.name)
SVG = "{http://www.w3.org/2000/svg}"


def said(machine: Machine) -> str:
    """All text of the SVG: what is cut has its whole in a title."""
    return "\n".join(ElementTree.fromstring(svg(machine)).itertext())


@each_machine
def test_svg_has_every_state_and_delimiter(machine: Machine) -> None:
    text = said(machine)
    for state in machine.states:
        assert state.title in text
        assert all(exit.shown in text for exit in state.exits)
    root = ElementTree.fromstring(svg(machine))
    assert len(root.findall(f"{SVG}rect[@class='state']")) == len(machine.states)
    exits = sum(len(state.exits) for state in machine.states)
    heads = root.findall(f"{SVG}polygon") + root.findall(f"{SVG}circle")
    assert len(heads) == exits + 1
    width = float(root.attrib["width"])
    assert all(float(text.attrib["x"]) < width for text in root.findall(f"{SVG}text"))


@each_machine
def test_mermaid_has_every_state_and_arrow(machine: Machine) -> None:
    lines = mermaid(machine).splitlines()
    assert lines[0] == "flowchart LR"
    nodes = [line for line in lines if re.fullmatch(r'    s\d+\["[^"\[\]]*"\]', line)]
    arrows = [line for line in lines if re.fullmatch(r'    \w+ -->\|"[^"|<>\[\]]*"\| \w+', line)]
    assert len(nodes) == len(machine.states)
    assert len(arrows) == 1 + sum(len(state.exits) for state in machine.states)
    rest = [line for line in lines[1:] if line not in nodes and line not in arrows]
    assert rest in (['    start((" "))'], ['    start((" "))', '    stop(((" ")))'])


def test_names_and_delimiters_cannot_leave_their_labels() -> None:
    assert "two #60;b#62; #38; #34;words#34;" in mermaid(ODD)
    assert "<b>" not in svg(ODD)


def test_what_is_held() -> None:
    by_name = {state.name: holds(ODD, state) for state in ODD.states}
    assert by_name["a"] == ["holds up to 3 characters"]
    assert by_name['two <b> & "words"'] == ["holds up to 2 characters"]
    assert by_name["long"][-1] == "until decided: /x(?=y)/"
    assert by_name["b"][0] == "holds up to 66 characters"
    assert by_name["b"][1].startswith("until decided: /«+")
    beyond = {state.name: holds(BEYOND, state) for state in BEYOND.states}
    assert beyond["value"][:2] == ["holds up to 2 characters", "until decided: the end of its value"]
    assert beyond["value"][2:] == ["until decided: before /b+/, where it is ..."]
    assert beyond["calls"] == ["holds up to 3 characters", "until one counts: a closer in a string"]
    assert beyond["late"] == ["until the end: an opener that may end it"]
    assert beyond["early"] == ["until decided: before /b+/"]
    assert beyond["content"][-1] == "until decided: blanks before text"
    assert holds(ONLY, ONLY.states[-1]) == ["holds nothing"]
    assert holds(NONE, NONE.states[-1]) == ["holds up to 2 characters"]


@each_machine
def test_a_hold_is_never_longer_than_is_said(machine: Machine) -> None:
    module = compile_grammar(str(machine.grammar))
    bounds = {state.title: holds(machine, state) for state in machine.states}
    words = [word for delimiter in delimiters(machine.grammar) for word in getattr(delimiter, "words", ())]
    rng = Random(machine.grammar.name)
    for _ in range(40):
        parser = module.Parser(prefix="", on_error="keep")
        pieces = [word[: rng.randint(1, len(word))] for word in rng.choices([*words, *words, "x", " \n", '{"a"'], k=6)]
        for char in "".join(pieces):
            parser.feed(char)
            state = parser.state()
            said = bounds.get(state["state"].removeprefix("in "), ["until"])
            if not any(line.startswith("until") for line in said):
                assert len(state["held"]) <= int(said[0].removeprefix("holds up to ").replace("holds nothing", "0")[:2])
