"""Coverage-guided fuzzing with atheris: `python -m tests.fuzz SECONDS [TARGET ...]`; each target has that many seconds.

Invariant: what fails is kept in tests/fuzz/finds, where the suite tries it again for ever; the corpus that has grown is
kept in .fuzz, where the next run goes on.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from tests.fuzz.words import WORDS

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FINDS = HERE / "finds"
CORPUS = ROOT / ".fuzz"
TARGETS = ("grammar", "template", "delimiter", "response")


def seeds(target: str) -> Iterator[bytes]:
    """Where a corpus starts."""
    grammars = sorted((ROOT / "grammars").glob("*.grammar"))
    if target == "grammar":
        yield from (path.read_bytes() for path in (*grammars, *sorted((ROOT / "tests/diagnostics").glob("*.grammar"))))
    elif target == "template":
        yield from (path.read_bytes() for path in sorted((ROOT / "tests/diagnostics").glob("*.json")))
        lines = (ROOT / "tests/hostile/templates.jsonl").read_bytes().splitlines()
        yield from (
            line.split(b'"template": ', 1)[1].rsplit(b', "expect"', 1)[0] for line in lines if b'"template"' in line
        )
    elif target == "delimiter":
        yield from (word.encode() + b"\0" + word.encode() for word in WORDS)
    else:
        yield from (bytes([number, 1]) + "".join(WORDS[number::6]).encode() for number in range(6))


def fuzz(target: str, seconds: int) -> int:
    """Run one target, in a process of its own."""
    corpus = CORPUS / target
    corpus.mkdir(parents=True, exist_ok=True)
    (FINDS / target).mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds(target)):
        (corpus / f"seed-{number}").write_bytes(seed)
    dictionary = CORPUS / "words"
    escaped = ("".join(f"\\x{byte:02x}" for byte in word.encode()) for word in WORDS)
    dictionary.write_text("".join(f'"{word}"\n' for word in escaped), encoding="ascii")
    options = [
        f"-max_total_time={seconds}",
        f"-dict={dictionary}",
        "-timeout=20",
        "-max_len=2000",
        "-print_final_stats=1",
    ]
    command = [
        sys.executable,
        "-m",
        "tests.fuzz.one",
        target,
        *options,
        f"-artifact_prefix={FINDS / target}/",
        str(corpus),
    ]
    return subprocess.run(command, cwd=ROOT).returncode


def main() -> int:
    seconds, *wanted = sys.argv[1:] or ["60"]
    return max([fuzz(target, int(seconds)) for target in wanted or TARGETS])


if __name__ == "__main__":
    sys.exit(main())
