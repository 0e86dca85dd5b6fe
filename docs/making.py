"""What Sphinx reads: in goes the repository, out comes a folder of Markdown pages, the hand-written and the made ones.

Made are a page of all messages to authors (diagnostics.md), a page a grammar (families/<name>.md) with its diagram and
its cases, and their index. Hand-written are docs/*.md, and the pages of OUTSIDE, which stand elsewhere for those who
read the repository. Invariant: a link leads to the same page in the repository and in the documentation.

    python -m docs.making build/pages
"""

from __future__ import annotations

import html
import json
import posixpath
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from compiler.check import check
from compiler.diagnostics import CODES
from compiler.facts import facts as all_facts
from compiler.load import load_grammar
from compiler.lower import lower
from compiler.model import Field, Grammar
from compiler.show.diagram import svg

ROOT = Path(__file__).parents[1]
OUTSIDE = {
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changes.md",
    "SECURITY.md": "security.md",
    "editors/README.md": "editors.md",
}
LINK = re.compile(r"(\]\()(?!\w+:|#)([^)#\s]+)")


def main(folder: Path) -> None:
    """Make the folder anew."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "docs" / "charts", folder / "charts")
    for path, text in pages():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")


def pages() -> Iterator[tuple[str, str]]:
    """Every file but the charts: its path in the folder, and its text."""
    for path in sorted((ROOT / "docs").glob("*.md")):
        yield path.name, relinked(path.read_text(encoding="utf-8"), "docs")
    for source, name in OUTSIDE.items():
        yield name, relinked((ROOT / source).read_text(encoding="utf-8"), posixpath.dirname(source))
    yield "diagnostics.md", diagnostics()
    paths = sorted((ROOT / "grammars").glob("*.grammar"))
    grammars = [load_grammar(path) for path in paths]
    yield "families/index.md", families(grammars)
    for grammar in grammars:
        yield f"families/{grammar.name}.svg", svg(lower(grammar))
        yield f"families/{grammar.name}.md", family(grammar)


def relinked(text: str, folder: str) -> str:
    """The text of a page of a folder of the repository, with its links as they are in the documentation."""

    def again(match: re.Match[str]) -> str:
        path = posixpath.normpath(posixpath.join(folder, match[2]))
        return match[1] + OUTSIDE.get(path, path.removeprefix("docs/"))

    return LINK.sub(again, text)


# -- messages ----------------------------------------------------------------------------------------------------------


def diagnostics() -> str:
    """Every code with its title, its way out, and a grammar or template that has it said."""
    lines = [
        "# Messages",
        "",
        "What the compiler says about a grammar or a template: the place, the code in brackets, the line, what helps.",
        "An error is the end of it. A warning names what works and is seldom meant; `respc check --off NAME` leaves",
        "one out. Errors marked *stricter* are for templates that transformers loads, and that fail later or go wrong.",
    ]
    for head, warning in (("## Errors", False), ("## Warnings", True)):
        lines += ["", head]
        for name in sorted(name for name, code in CODES.items() if code.warning == warning):
            code = CODES[name]
            lines += [
                "",
                f"### {name}",
                "",
                f"{code.title[0].upper()}{code.title[1:]}.{' *Stricter.*' * code.stricter}",
            ]
            said = (ROOT / "tests" / "diagnostics" / f"{name}.txt").read_text(encoding="utf-8")
            lines += ["", *fenced(said, "text")]
    return "\n".join([*lines, ""])


# -- families ----------------------------------------------------------------------------------------------------------


def families(grammars: list[Grammar]) -> str:
    """The index: each family with what its parser gives, and the models that write so."""
    rows = [
        f"| [{title(grammar)}]({grammar.name}.md) | `{grammar.name}` | {' | '.join(supports(grammar).values())}"
        f" | {facts(grammar).get('Models', '')} |"
        for grammar in grammars
    ]
    toctree = ["```{toctree}", ":hidden:", "", *(grammar.name for grammar in grammars), "```"]
    columns = ["family", "name", *supports(grammars[0]), "models"]
    head = [f"| {' | '.join(columns)} |", f"|{'---|' * len(columns)}"]
    return "\n".join(["# Families", "", *INDEX, "", "```{container} wide", *head, *rows, "```", "", *toctree, ""])


INDEX = (
    "A parser for each is there as `generated.<name>`, and on the command line as `-g <name>`; `respc which` finds the",
    "name for a model or a checkpoint. Another family takes [twenty minutes](../new-family.md).",
    "",
    "*Thoughts*: reasoning is a key of its own. *Calls*: how they are written. *Several*: a response may have more",
    "than one. *Types*: arguments have types of their own, or those of the request's tools. *Ids*: the model writes",
    "them.",
)


def supports(grammar: Grammar) -> dict[str, str]:
    """The columns of the index: what a parser gives, in a word or two; "" for what is not there."""
    fields = all_facts(grammar)["fields"]
    tools = [field for field in fields if field["kind"] == "tools"]
    readers = dict.fromkeys(
        READ_AS.get(field["reader"], field["reader"]) for field in tools if field["reader"] != "text"
    )
    typed = {"their own" if field["reader"] in TYPED else "the tools'" for field in tools if field["reader"] != "text"}
    return {
        "thoughts": "yes" * any(field["kind"] == "reasoning" for field in fields),
        "calls": ", ".join(readers),
        "several": "yes" * any(field["list"] for field in tools),
        "types": " or ".join(sorted(typed)),
        "ids": "yes" * any(field["call"]["id"] for field in tools),
    }


TYPED = ("json", "json-lines", "python", "python-call-list", "call-list")
READ_AS = {
    "json": "JSON",
    "json-lines": "JSON",
    "xml": "tags",
    "xml-inline": "tags",
    "kv-lines": "lines",
    "python": "Python",
    "python-call-list": "Python",
    "call-list": "Python",
}


def family(grammar: Grammar) -> str:
    """One grammar: what its head says, its fields, machine, text, facts, warnings and cases."""
    said = facts(grammar)
    lines = [f"# {title(grammar)}", "", said[""], ""]
    lines += [f"- **{name}:** {text}" for name, text in said.items() if name]
    lines += ["", "```python", f"from generated.{grammar.name} import Parser, parse", "```", ""]
    lines += ["| field | what | opens at | closes at | ends at, too |", "|---|---|---|---|---|"]
    lines += [_row(grammar, field) for field in grammar.fields]
    lines += ["", "## The machine", "", "```{container} wide"]
    lines += [f"![State machine of {grammar.name}]({grammar.name}.svg)", "```"]
    source = (ROOT / "grammars" / f"{grammar.name}.grammar").read_text(encoding="utf-8")
    lines += ["", "## The grammar", "", *fenced(source, "grammar")]
    if grammar.extends:
        whole = str(replace(grammar, comment=""))
        lines += ["", f"With what [{grammar.extends}]({grammar.extends}.md) says:", "", *fenced(whole, "grammar")]
    warnings = check(grammar)
    if warnings:
        lines += ["", "Of which the compiler says:", "", *fenced("\n".join(map(str, warnings)), "text")]
    lines += ["", "## For servers", "", *served(grammar)]
    return "\n".join([*lines, "", "## Cases", "", CASES, "", *cases(grammar.name), ""])


def served(grammar: Grammar) -> Iterator[str]:
    """The facts that servers ask for first, in words."""
    found = all_facts(grammar)
    where = {source for field in found["fields"] if field["call"] for source in field["call"]["name"]}
    yield f"- Keep when decoding: {', '.join(map(_code, found['preserve']))}"
    for field in found["fields"]:
        closers = [end["at"]["words"] for end in field["ends"] if end["by"] == "close"]
        if field["kind"] == "reasoning" and any(closers):
            yield f"- A thought is ended by writing {_code(closers[0][0])}"
    if where:
        yield f"- The name of a called tool stands in {' or '.join(f'its {source}' for source in sorted(where))}"
    yield f"- All of it: `respc facts {grammar.name}`, see [What servers need to know](../serving.md)"


CASES = "What the parser is held to, in every way to cut the text. Line breaks are shown as they are."


def title(grammar: Grammar) -> str:
    """The family, as the first line of the grammar's head names it."""
    return head(grammar).partition(":")[0]


def facts(grammar: Grammar) -> dict[str, str]:
    """What the head says: under "" the family's format, then by the words that end in a colon."""
    text = head(grammar).partition(": ")[2]
    first, *rest = re.split(r"(?:^|(?<=[.\s])) ?(Models|Sources|Unverified): ", text)
    return {"": first.strip()[:1].upper() + first.strip()[1:]} | {
        name: value.strip() for name, value in zip(rest[::2], rest[1::2], strict=True)
    }


def head(grammar: Grammar) -> str:
    """The comment that begins a grammar's file, as one line, with nothing in it that Markdown would read as its own."""
    text = (ROOT / "grammars" / f"{grammar.name}.grammar").read_text(encoding="utf-8")
    said = " ".join(line.lstrip("# ") for line in text.partition("\n\n")[0].splitlines())
    return re.sub(r"`[^`]*`|[*_<\[\]|{}]", lambda match: match[0] if match[0][1:] else f"\\{match[0]}", said)


def cases(name: str) -> Iterator[str]:
    """The lines of all cases of a family, each folded."""
    for path in sorted((ROOT / "tests" / "cases" / name).glob("*.json")):
        read = json.loads(path.read_text(encoding="utf-8"))
        for case in read if isinstance(read, list) else [read]:
            yield from _case(case)


def _case(case: dict[str, Any]) -> Iterator[str]:
    yield from ["<details>", f"<summary>{html.escape(case['about'])}</summary>", "", "Behind the prompt", ""]
    yield from [*fenced(case["prefix"], "text"), "", "the model writes", "", *fenced(case["text"], "text"), ""]
    yield from [
        "and the message is",
        "",
        *fenced(json.dumps(case["message"], ensure_ascii=False, indent=2), "json"),
        "",
    ]
    if "error" in case:
        yield from [f"with an error in `{case['error']['field']}`.", ""]
    yield from ["</details>", ""]


def _row(grammar: Grammar, field: Field) -> str:
    name = f"{field.name}{'[]' * (field.repeats and field.joined is None)}{f' as {field.label}' * bool(field.label)}"
    opens, closes = (_code(str(one)) if one else "" for one in (field.open, field.close))
    reader = str(field.reader).partition("(")[0]
    late = [f"{_code(name)} unless closed" for name in field.late_ends]
    ends = [*map(_code, field.ended_by), *late] + ["its value's end"] * field.value_end
    if not field.implicit and grammar.stop:
        ends.append(_code(str(grammar.stop)))
    return f"| {_code(name)} | {_code(reader)} | {opens or 'all else'} | {closes} | {', '.join(ends)} |"


def _code(text: str) -> str:
    """Code in a cell of a table, with nothing left in it that could be Markdown or markup."""
    return f"<code>{''.join(c if c.isalnum() or c == ' ' else f'&#{ord(c)};' for c in text)}</code>"


def fenced(text: str, language: str) -> list[str]:
    """A block of code, behind a fence that is longer than any in it; what no page can hold is spelled out."""
    text = re.sub(r"[^\n\t\x20-\x7e\xa0-\U0010ffff]", lambda match: f"\\u{ord(match[0]):04x}", text)
    fence = "`" * max([3, *(len(run) + 1 for run in re.findall("`+", text))])
    return [f"{fence}{language}", text.removesuffix("\n"), fence]


if __name__ == "__main__":
    main(Path(sys.argv[1]))
