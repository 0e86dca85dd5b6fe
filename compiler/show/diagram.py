"""A machine as a picture: in goes a Machine, out comes text for Mermaid, or an SVG that stands alone.

Invariant: every state, every delimiter that leaves it and where to is drawn, with how much text the state may hold;
whatever a grammar names, the picture is well-formed: all foreign text is escaped, and what does not print spelled out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass
from math import inf
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from .. import pattern
from ..analyse_delimiters import pattern_node
from ..machine import UNENDED, Exit, Machine, State
from ..model import Delimiter, Literals, Pattern
from ..policies import choice
from .printable import visible

LABEL, BOUND = 56, 28  # characters of a delimiter that are drawn; all of them are in its title
CHAR, LINE, GAP, EDGE = 7.4, 18, 34, 24  # pixels: a character, a line of text, between arrows, around everything
STYLE = """
svg { color-scheme: light dark; font: 12px ui-monospace, "DejaVu Sans Mono", monospace; }
.paper { fill: #fff; } text { fill: #1a1a1a; } .hold { fill: #595959; }
.state { fill: #eef3fb; stroke: #41567d; } .arrow { stroke: #41567d; fill: none; } .head { fill: #41567d; }
@media (prefers-color-scheme: dark) {
  .paper { fill: #16181c; } text { fill: #ececec; } .hold { fill: #a6a6a6; }
  .state { fill: #232c3d; stroke: #9db4ff; } .arrow { stroke: #9db4ff; } .head { fill: #9db4ff; }
}
"""


def holds(machine: Machine, state: State) -> list[str]:
    """How much text the state may hold, in words: one line, and one for each delimiter that has no bound."""
    known = {str(delimiter): delimiter for delimiter in delimiters(machine.grammar)}
    longest, unbound = 0, []
    for exit in state.exits:
        if exit.words:
            longest = max(longest, *(len(word) - 1 for word in exit.words))
            continue
        delimiter = known.get(exit.shown.removeprefix("before ").removesuffix(UNENDED))
        node = pattern_node(delimiter) if delimiter else None
        high = inf if node is None else pattern.width(node)[1]
        if node is None or high == inf or any(isinstance(inner, pattern.Look) for inner in pattern.walk(node)):
            unbound.append(f"until decided: {_short(exit.shown, BOUND)}")
        else:
            longest = max(longest, int(high) - 1)
    if state.kind in ("aware", "aware scan"):
        unbound.append("until one counts: a closer in a string")
    if state.kind == "late":
        unbound.append("until the end: an opener that may end it")
    if state.field and choice(machine.grammar, state.field, "blank") == "skip":
        unbound.append("until decided: blanks before text")
    lines = [f"holds up to {longest} character{'s' * (longest != 1)}"] if longest > 0 else []
    return [*lines, *unbound] or ["holds nothing"]


def mermaid(machine: Machine) -> str:
    """A flow chart in Mermaid's language."""
    numbers = {state.ident: f"s{number}" for number, state in enumerate(machine.states)}
    outside = next(state for state in machine.states if state.is_outside)
    lines = ["flowchart LR", '    start((" "))']
    for state in machine.states:
        text = "<br>".join(map(_mermaid_text, [state.title, *holds(machine, state)]))
        lines.append(f'    {numbers[state.ident]}["{text}"]')
    lines.append(f"    start -->|\"{_mermaid_text(f'behind {machine.grammar.anchor}')}\"| {numbers[outside.ident]}")
    if any(exit.does == "stop" for state in machine.states for exit in state.exits):
        lines.append('    stop(((" ")))')
    for state in machine.states:
        for exit in state.exits:
            to = "stop" if exit.does == "stop" else numbers[exit.target.lower() or outside.ident]
            lines.append(f'    {numbers[state.ident]} -->|"{_mermaid_text(_label(exit))}"| {to}')
    return "\n".join(lines) + "\n"


def _mermaid_text(text: str) -> str:
    """Mermaid's entities for all that is no plain letter: its labels know markup and Markdown."""
    return "".join(c if c.isalnum() or c == " " else f"#{ord(c)};" for c in visible(_short(text)))


@dataclass(frozen=True)
class _Arrow:
    """side: which way it runs, seen from what all others leave: into a region, out of it, round again, to the end."""

    exit: Exit
    side: str


def svg(machine: Machine) -> str:
    """The state that others are entered from at the left, those at the right, an arrow a delimiter."""
    outside = next(state for state in machine.states if state.is_outside)
    regions = [state for state in machine.states if not state.is_outside]
    rows = {state.ident: _arrows(outside, state) for state in regions}
    own = [_Arrow(exit, _side(exit)) for exit in outside.exits if exit.does != "open"]
    every = [arrow for arrows in [*rows.values(), own] for arrow in arrows]
    boxes = {state.ident: [state.title, *holds(machine, state)] for state in machine.states}
    left = max(CHAR * max(map(len, boxes[outside.ident])) + 2 * EDGE, 140.0)
    gap = CHAR * max([len(_short(_label(arrow.exit))) for arrow in every], default=10) + 2 * EDGE
    right = max([CHAR * max(map(len, boxes[state.ident])) + 2 * EDGE for state in regions], default=0.0)
    heights = {s.ident: max(len(rows[s.ident]) * GAP, len(boxes[s.ident]) * LINE) + EDGE for s in regions}
    top = EDGE + 2.0 * LINE
    total = max(
        sum(heights.values()) + EDGE * len(regions) + len(own) * GAP + EDGE / 2, len(boxes[outside.ident]) * LINE + EDGE
    )
    drawing = _Drawing(2 * EDGE + left + gap + right, top + total + EDGE, machine.grammar.name)
    drawing.text(EDGE, EDGE + 4.0, f"behind {machine.grammar.anchor}")
    drawing.arrow(EDGE + 12.0, EDGE + 10.0, EDGE + 12.0, top)
    drawing.box(EDGE, top, left, total, boxes[outside.ident])
    x, y = EDGE + left, top
    for state in regions:
        drawing.box(x + gap, y, right, heights[state.ident], boxes[state.ident])
        for number, arrow in enumerate(rows[state.ident]):
            drawing.labelled(arrow, x, x + gap, y + GAP * (number + 0.75))
        y += heights[state.ident] + EDGE
    for number, arrow in enumerate(own):
        drawing.labelled(arrow, x, x + gap, y + GAP * (number + 0.75))
    return drawing.printed()


class _Drawing:
    """An SVG under way; y grows downwards, all in pixels."""

    def __init__(self, width: float, height: float, title: str) -> None:
        size = {"width": f"{width:.0f}", "height": f"{height:.0f}", "viewBox": f"0 0 {width:.0f} {height:.0f}"}
        self.root = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", **size})
        SubElement(self.root, "title").text = f"State machine of {visible(title)}"
        SubElement(self.root, "style").text = STYLE
        SubElement(self.root, "rect", {"class": "paper", "width": "100%", "height": "100%"})

    def box(self, x: float, y: float, width: float, height: float, lines: list[str]) -> None:
        size = {"x": f"{x:.1f}", "y": f"{y:.1f}", "width": f"{width:.1f}", "height": f"{height:.1f}"}
        SubElement(self.root, "rect", {"class": "state", "rx": "6", **size})
        for number, line in enumerate(lines):
            kind = {"class": "hold"} if number else {"font-weight": "bold"}
            self.text(x + EDGE / 2, y + LINE * (number + 1.2), line, kind)

    def labelled(self, arrow: _Arrow, x: float, end: float, y: float) -> None:
        """An arrow between two boxes, or from the left one round to itself, or to the end."""
        label = _label(arrow.exit)
        self.text(x + EDGE, y - 6, label)
        if arrow.side == "into":
            self.arrow(x, y, end, y)
        elif arrow.side == "out":
            self.arrow(end, y, x, y)
        elif arrow.side == "again":
            path = f"M{x:.1f} {y:.1f} h{EDGE * 3} q6 0 6 5 t-6 5 H{x + 8:.1f}"
            SubElement(self.root, "path", {"class": "arrow", "d": path})
            self.head(x, y + 10, -1, 0)
        else:
            start, stop = x if arrow.side == "stop" else end, x + EDGE * 1.5 + CHAR * len(_short(label))
            SubElement(self.root, "path", {"class": "arrow", "d": f"M{start:.1f} {y:.1f} H{stop:.1f}"})
            SubElement(self.root, "circle", {"class": "head", "cx": f"{stop:.1f}", "cy": f"{y:.1f}", "r": "5"})

    def arrow(self, x: float, y: float, to_x: float, to_y: float) -> None:
        """One that runs along an axis."""
        ahead_x, ahead_y = (to_x > x) - (to_x < x), (to_y > y) - (to_y < y)
        path = f"M{x:.1f} {y:.1f} L{to_x - 8 * ahead_x:.1f} {to_y - 8 * ahead_y:.1f}"
        SubElement(self.root, "path", {"class": "arrow", "d": path})
        self.head(to_x, to_y, ahead_x, ahead_y)

    def head(self, x: float, y: float, ahead_x: int, ahead_y: int) -> None:
        back_x, back_y = x - 8 * ahead_x, y - 8 * ahead_y
        corners = [(x, y), (back_x + 4 * ahead_y, back_y + 4 * ahead_x), (back_x - 4 * ahead_y, back_y - 4 * ahead_x)]
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
        SubElement(self.root, "polygon", {"class": "head", "points": points})

    def text(self, x: float, y: float, text: str, attributes: dict[str, str] | None = None) -> None:
        element = SubElement(self.root, "text", {"x": f"{x:.1f}", "y": f"{y:.1f}", **(attributes or {})})
        element.text = _short(visible(text))
        if element.text != text:
            SubElement(element, "title").text = visible(text)

    def printed(self) -> str:
        indent(self.root)
        return tostring(self.root, encoding="unicode") + "\n"


def _arrows(outside: State, region: State) -> list[_Arrow]:
    """What enters the region, then what leaves it."""
    enters = [
        _Arrow(exit, "into") for exit in outside.exits if exit.does == "open" and exit.target == region.ident.upper()
    ]
    return [*enters, *(_Arrow(exit, "out-stop" if exit.does == "stop" else "out") for exit in region.exits)]


def _side(exit: Exit) -> str:
    return "stop" if exit.does == "stop" else "again"


def _label(exit: Exit) -> str:
    return f"{exit.shown}{', past the blanks' if exit.blanks else ''}{' (stop)' if exit.does == 'stop' else ''}"


def _short(text: str, room: int = LABEL) -> str:
    return text if len(text) <= room else text[: room - 3] + "..."


def delimiters(node: object) -> Iterator[Delimiter]:
    """Every delimiter of a model."""
    if isinstance(node, (Literals, Pattern)):
        yield node
    elif isinstance(node, tuple):
        for item in node:
            yield from delimiters(item)
    elif is_dataclass(node) and not isinstance(node, type):
        for field in fields(node):
            if field.compare:
                yield from delimiters(getattr(node, field.name))
