"""What is paid before the first text: importing a module, and compiling one.

Invariant: an import is timed in a process of its own, from bytecode, its CPU time taken inside; both sides take turns.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from statistics import median

from compiler.check import check
from compiler.load import load_grammar
from compiler.lower import lower
from compiler.render import formatted, render

from .figures import Figures
from .measure import no_collection

ROOT = Path(__file__).parents[1]
IMPORT, COMPILE, BLACK = "module / json, re", "ms", "ms in black"
BASE = "json, re"
TIMED = """
import sys, time
sys.path.insert(0, {root!r})
began = time.process_time()
import {names}
print(time.process_time() - began)
"""


def imports(module: str, rounds: int) -> Figures:
    """Importing a generated module, beside importing what any parser would."""
    ours, base = f"generated.{module}", BASE
    _import_time(ours)  # writes the bytecode
    pairs = [(_import_time(ours), _import_time(base)) for _ in range(rounds)]
    return {(module, "import", IMPORT): median(a / b for a, b in pairs)}


def _import_time(names: str) -> float:
    """Seconds; without site, which may import some of it beforehand."""
    code = TIMED.format(root=str(ROOT), names=names)
    return float(subprocess.run([sys.executable, "-S", "-E", "-c", code], check=True, capture_output=True).stdout)


def compiling() -> Figures:
    """Every grammar: milliseconds from its text to its source, and those that black takes to format it."""
    figures: Figures = {}
    paths = sorted(ROOT.glob("grammars/*.grammar"))
    for path in [paths[0], *paths]:  # the first time, what all grammars share is made
        with no_collection():
            began = time.process_time()
            grammar = load_grammar(path)
            check(grammar)
            source = render(lower(grammar), origin=path.name)
            made = time.process_time()
            formatted(source)
            ended = time.process_time()
        figures[path.stem, "compile", COMPILE] = (made - began) * 1e3
        figures[path.stem, "compile", BLACK] = (ended - made) * 1e3
    return figures
