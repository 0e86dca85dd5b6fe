"""Lines as SVG: in go named series of points, out comes a picture that is readable on light and dark paper.

Invariant: the same points give the same bytes; both axes are logarithmic, so that cost which does not depend on the
length is a level line.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape

Points = Sequence[tuple[float, float]]

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 70, 150, 40, 50
COLOURS = ["#8a8a8a", "#1f7a5c", "#c2562d", "#4a63b8"]
STYLE = "font-family='system-ui, sans-serif' font-size='12' fill='#777'"


def chart(title: str, across: str, up: str, series: Mapping[str, Points]) -> str:
    """The picture. across, up: what the axes count. series: at least one, of points with positive numbers."""
    xs = [x for points in series.values() for x, _ in points]
    ys = [y for points in series.values() for _, y in points]
    low, high = 10 ** math.floor(math.log10(min(ys))), 10 ** math.ceil(math.log10(max(ys)))

    def place(x: float, y: float) -> tuple[float, float]:
        share_x = math.log(x / min(xs)) / (math.log(max(xs) / min(xs)) or 1)
        share_y = math.log(y / low) / (math.log(high / low) or 1)
        return LEFT + share_x * (WIDTH - LEFT - RIGHT), HEIGHT - BOTTOM - share_y * (HEIGHT - TOP - BOTTOM)

    parts = [
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' {STYLE}>",
        f"<text x='{LEFT}' y='20' font-size='14'>{escape(title)}</text>",
        f"<text x='{(LEFT + WIDTH - RIGHT) / 2:.0f}' y='{HEIGHT - 10}' text-anchor='middle'>{escape(across)}</text>",
        f"<text transform='translate(16 {HEIGHT / 2:.0f}) rotate(-90)' text-anchor='middle'>{escape(up)}</text>",
    ]
    for tick in _decades(low, high):
        _, y = place(xs[0], tick)
        parts.append(f"<path d='M{LEFT} {y:.1f}H{WIDTH - RIGHT}' stroke='#777' stroke-opacity='.25'/>")
        parts.append(f"<text x='{LEFT - 8}' y='{y + 4:.1f}' text-anchor='end'>{tick:g}</text>")
    for tick in sorted(set(xs)):
        x, _ = place(tick, low)
        parts.append(f"<text x='{x:.1f}' y='{HEIGHT - BOTTOM + 18}' text-anchor='middle'>{_short(tick)}</text>")
    for colour, (name, points) in zip(COLOURS, series.items(), strict=False):
        at = [place(x, y) for x, y in points]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
        parts.append(f"<polyline points='{line}' fill='none' stroke='{colour}' stroke-width='2'/>")
        x, y = at[-1]
        parts.append(
            f"<text x='{x + 8:.1f}' y='{y + 4:.1f}' fill='{colour}'>{escape(name)} {_two_digits(points[-1][1])}</text>"
        )
    return "\n".join([*parts, "</svg>", ""])


def _decades(low: float, high: float) -> Iterable[float]:
    return (10.0**power for power in range(round(math.log10(low)), round(math.log10(high)) + 1))


def _short(number: float) -> str:
    return f"{number / 1000:g}k" if number >= 1000 else f"{number:g}"


def _two_digits(number: float) -> str:
    return f"{number:.0f}" if number >= 10 else f"{number:.1f}" if number >= 1 else f"{number:.2f}"
