"""What attackers tried who did not write the compiler: code, files, time, memory, lost text, foreign exceptions."""

from __future__ import annotations

import itertools
import json
import re
import time
import tracemalloc
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from compiler import CompileError, checkpoint, compile_template
from compiler.__main__ import main
from compiler.chat.folder import read as read_folder
from compiler.chat.save import migrate
from compiler.checkpoint import NoTemplate, find_template
from compiler.show.batch import Batch
from compiler.write import WriteRefused
from generated import llama3_1, qwen3, smollm3
from runtime import Limits, ParseError

SECOND = 1.0  # of CPU time, which no worker may hang; what is measured takes a tenth


# -- time ----------------------------------------------------------------------------------------------------------


def test_a_small_limit_does_not_copy_a_long_text_piece_by_piece() -> None:
    text = "a" * 8_000_000
    began = time.process_time()
    assert qwen3.parse(text, prefix="", limits=Limits(region=100, regions=9), on_error="keep") == {"role": "assistant"}
    assert time.process_time() - began < SECOND


def test_errors_within_a_limit_do_not_copy_what_follows_again_and_again() -> None:
    count = 3_000
    parser = qwen3.Parser(prefix="", bad="raise", limits=Limits(region=150))
    pieces = ["<tool_call>{</tool_call>" * count + "a" * 4_000_000, *[""] * (count - 1), "b"]
    errors = []
    began = time.process_time()
    for piece in pieces:
        try:
            parser.feed(piece)
        except ParseError as error:
            errors.append(error)
    assert len(errors) == count
    assert time.process_time() - began < SECOND
    with pytest.raises(TypeError):
        parser.feed(None)  # which loses nothing


WORDS = ["".join(letters) for letters in itertools.product("abcdefghijklm", repeat=3)]
PATTERNS = {
    "loops in loops": "(?:a{1,1000}b){1,1000}",
    "a long counted loop": "a{0,5000}b",
    "counted loops of nothing": "(?:(?:a?){100}){100}b",
    "as many states as subsets": "x(?:a|b)*a(?:a|b){40}c",
    "groups in groups": "(?:" * 800 + "a" + ")" * 800,
    "branches in branches": "(?:a|" * 3000 + "a" + ")" * 3000,
    "stars on stars": "(?:" * 60 + "a" + ")*" * 60 + "b",
    "many looks": "a" + "(?=b*c)(?!d*e)" * 60 + "f",
    "looks that all wait": "a" + "".join(f"(?=.*{letter})" for letter in "bcdefghij"),
    "looks in looks": "a" + "(?=b" * 60 + ")" * 60,
    "a long look behind": "(?<=a{1,2000})b",
    "many classes": "<" + "".join(rf"[\p{{L}}{chr(200 + n)}-{chr(900 + n)}]" for n in range(400)),
    "many runs of letters": r"[\p{L}\p{N}\p{S}\p{P}]+" * 30 + "z",
    "no case": "(?i)" + "stra\u00dfe" * 400,
    "errors that may be": "(?:abcdefghij){e<=5}",
    "many looks behind": "|".join(f"(?<={letter})x" for letter in "abcdefghijklmnopqrst"),
    "a look behind that tries": "(?<=x(?:a|aa){30})b",
    "all may be missing": "<" + "".join(f"(?:{WORDS[n]})?" for n in range(600)) + ">",
}
TEMPLATES: dict[str, dict[str, Any]] = {
    **{name: {"c": {"open_pattern": pattern, "close": "x"}, "d": {}} for name, pattern in PATTERNS.items()},
    "2,000 openers": {"c": {"open": WORDS[:2000], "close": "x"}},
    "long openers that differ at their end": {
        **{f"f{n}": {"open": "<" * 450 + str(n), "close": "<" * 450 + f"/{n}"} for n in range(60)},
        "d": {},
    },
    "one long opener": {"c": {"open": "a" * 30_000, "close": "a" * 30_000 + "b"}, "d": {}},
    "two long openers that differ at their end": {"c": {"open": ["a" * 15_000 + "b", "a" * 15_000 + "c"]}, "d": {}},
    "64 fields of which each takes its time": {
        **{f"f{n}": {"open_pattern": f"a[ab]{{0,8}}c{n}", "close_pattern": f"b[ab]{{0,9}}c{n}"} for n in range(63)},
        "d": {},
    },
    "64 fields of patterns": {
        **{f"f{n}": {"open_pattern": rf"<\s*{n}[^>]*>", "close_pattern": rf"</\s*{n}\s*>"} for n in range(63)},
        "d": {},
    },
    "one pattern of 60,000 letters": {"c": {"open_pattern": "<" + "a" * 60_000, "close": ">"}, "d": {}},
    "60,000 letters of any case": {"c": {"open_pattern": "(?i)" + "a" * 60_000, "close": ">"}, "d": {}},
    "many words in a pattern": {"c": {"open_pattern": "|".join(f"{word}{word}x" for word in WORDS), "close": ">"}},
    "24 words for each of 63 fields": {
        f"f{n}": {"open": [f"<{n:03}{m:02}" + "a" * 32 for m in range(24)], "close": f">{n}"} for n in range(63)
    },
    "a tag of 60,000 letters": {
        "c": {
            "open": "<",
            "close": ">",
            "content": "xml-inline",
            "content_args": {"tag_pattern": f"<{'a' * 30_000}(?P<key>\\w+)>(?P<value>.*?)</{'b' * 30_000}>"},
        }
    },
    "2,000 ways to quote": {
        "c": {
            "open": "<",
            "close": ">",
            "content": "json",
            "content_args": {"string_delims": [[word, f"{word}!"] for word in WORDS[:2000]]},
        }
    },
}


@pytest.mark.parametrize("patterns", ["any", "linear"])
@pytest.mark.parametrize("name", TEMPLATES)
def test_no_template_takes_the_compiler_long(name: str, patterns: str) -> None:
    began = time.process_time()
    try:
        compile_template({"start_anchor": "A", "fields": TEMPLATES[name]}, patterns=patterns)
    except CompileError as refused:
        assert refused.code in ("not-linear", "beyond", "bad-pattern", "too-large")
    assert time.process_time() - began < 3 * SECOND


SLOW: dict[str, tuple[dict[str, Any], str]] = {
    "groups that may all be empty": (
        {"open_pattern": "<" + "".join(f"(?P<g{n}>[a-z]*)" for n in range(60)) + ">", "close": "x"},
        "<" + "abc" * 6_000 + ">x",
    ),
    "groups that may stand in many ways": (
        {"open_pattern": "(?P<g0>" + "(?:x?)" * 20 + "x" * 20 + ")>", "close": "y"},
        ("<" + "x" * 20 + ">y") * 900,
    ),
    "words that overlap themselves": (
        {"open": ["a" * 15_000 + "b", "a" * 15_000 + "c"], "close_pattern": "z+q"},
        "a" * 20_000,
    ),
    "characters that are all new": (
        {"open_pattern": "<" + "|".join(f"{n}[{chr(n)}-{chr(900 + n)}]" for n in range(300, 340)), "close": "x"},
        "".join(map(chr, range(0x3400, 0x7A00))),
    ),
}


@pytest.mark.parametrize("way", ["whole", "chars"])
@pytest.mark.parametrize("name", SLOW)
def test_no_character_costs_more_than_a_few_looks(name: str, way: str) -> None:
    field, text = SLOW[name]
    groups = re.findall(r"P<(\w+)>", field.get("open_pattern", ""))
    if groups:
        field = {**field, "repeats": True, "transform": {group: f"{{{group}}}" for group in groups}}
    module = compile_template({"start_anchor": "A", "fields": {"c": field, "d": {}}}, patterns="linear")
    parser = module.Parser(prefix="")
    began = time.process_time()
    for piece in [text] if way == "whole" else text:
        parser.feed(piece)
    assert parser.finalize()[0]
    assert time.process_time() - began < SECOND


# -- files ---------------------------------------------------------------------------------------------------------


def test_a_file_that_never_ends_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "LARGEST", 2**20)
    with pytest.raises(NoTemplate, match="larger than 1 MiB"):
        find_template(Path("/dev/zero"))


def test_a_checkpoint_whose_config_is_no_file_has_none(tmp_path: Path) -> None:
    (tmp_path / "tokenizer_config.json").symlink_to("/dev/zero")
    with pytest.raises(NoTemplate, match="has no"):
        find_template(tmp_path)


def test_the_name_of_a_folder_is_no_code(tmp_path: Path) -> None:
    folder = tmp_path / 'x\n"""\nimport os'
    folder.mkdir()
    (folder / "tokenizer_config.json").write_text('{"response_template": {}}')
    assert find_template(folder).name == "x_import_os"


def checkpoint_with(folder: Path, templates: object) -> Path:
    folder.mkdir()
    (folder / "tokenizer_config.json").write_text(json.dumps({"chat_template": templates}), encoding="utf-8")
    return folder


def test_no_template_is_saved_through_a_symlink(tmp_path: Path) -> None:
    templates = [{"name": "default", "template": "a"}, {"name": "evil", "template": "b"}]
    folder, outside = checkpoint_with(tmp_path / "model", templates), tmp_path / "outside"
    outside.mkdir()
    (folder / "additional_chat_templates").symlink_to(outside)
    with pytest.raises(WriteRefused, match="is a symlink"):
        migrate(folder, dry=False)
    assert list(outside.iterdir()) == []
    assert not (folder / "chat_template.jinja").exists()


def test_a_chat_template_that_never_ends_is_no_file(tmp_path: Path) -> None:
    folder = checkpoint_with(tmp_path / "model", "a")
    (folder / "additional_chat_templates").mkdir()
    (folder / "additional_chat_templates" / "x.jinja").symlink_to("/dev/zero")
    with pytest.raises(NoTemplate, match="is no file"):
        read_folder(folder)


def test_rows_whose_tools_are_too_deep_are_wrong_rows(tmp_path: Path) -> None:
    rows = [{"text": "a", "tools": "[" * 100_000}, {"text": "b"}]
    source, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    counts = Batch(source, out, "qwen3").run(1, lambda rows: None)
    assert (counts.rows, counts.wrong) == (2, 1)
    assert json.loads(out.read_text().splitlines()[1])["message"] == {"role": "assistant", "content": "b"}


def test_parts_of_a_batch_lie_behind_no_symlink(tmp_path: Path) -> None:
    source, out, outside = tmp_path / "in.jsonl", tmp_path / "out.jsonl", tmp_path / "outside"
    source.write_text(json.dumps({"text": "a"}) + "\n")
    plan = json.dumps(asdict(Batch(source, out, "qwen3").plan), indent=2)
    outside.mkdir()
    (outside / "plan.json").write_text(plan)
    (tmp_path / "out.jsonl.parts").symlink_to(outside)
    with pytest.raises(WriteRefused, match="is in the way"):
        Batch(source, out, "qwen3").run(1, lambda rows: None)
    (tmp_path / "out.jsonl.parts").unlink()
    parts, other = tmp_path / "out.jsonl.parts", tmp_path / "other"
    parts.mkdir()
    other.write_text("kept")
    (parts / "plan.json").write_text(plan)
    (parts / "whole").symlink_to(other)
    Batch(source, out, "qwen3").run(1, lambda rows: None)
    assert other.read_text() == "kept"


# -- what a terminal would obey ------------------------------------------------------------------------------------

EVIL = "\x1b]0;pwned\x07\x9b31m\u202eabc\x7f"
EVIL_TEMPLATE = {
    "start_anchor": "A" + EVIL,
    "defaults": {"r" + EVIL: EVIL},
    "fields": {"content": {"open": "<" + EVIL, "close": ">" + EVIL}},
}


@pytest.mark.parametrize(
    "arguments",
    [
        *([command, "t.json"] for command in ("import", "explain", "check", "facts")),
        *([command, "bad.json"] for command in ("import", "explain", "check")),
        *([command, "bad.grammar"] for command in ("explain", "check", "export")),
        *(["parse", "-g", name, "r.txt"] for name in ("qwen3", "t.json", "x" + EVIL)),
        ["parse", "-g", "qwen3", "--events", "r.txt"],
        ["trace", "-g", "qwen3", "r.txt"],
        ["import", "--repair", "t.json"],
        ["which", "x" + EVIL],
        *([command, "model"] for command in ("lint", "draft", "prefix", "which", "migrate")),
    ],
)
def test_no_terminal_obeys_what_strangers_wrote(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.json").write_text(json.dumps(EVIL_TEMPLATE))
    Path("bad.json").write_text(json.dumps({"x" + EVIL: 1, "start_anchor": "A", "fields": {}}, ensure_ascii=False))
    Path("bad.grammar").write_text(f'grammar g anchor "A{EVIL}" field c: text {{ open "<{EVIL}" }}', encoding="utf-8")
    Path("r.txt").write_text(f"<{EVIL}<tool_call>{EVIL}</tool_call><think>{EVIL}", encoding="utf-8")
    chat = "{% for m in messages %}<" + EVIL + "{{ m.role }}>{{ m.content }}{% endfor %}"
    checkpoint_with(
        Path("model"), [{"name": "default", "template": chat}, {"name": EVIL, "template": "{% bad " + EVIL}]
    )
    main(arguments)
    said = "".join(capfd.readouterr())
    assert {char for char in said if not char.isprintable()} <= {"\n", "\t"}


def test_events_of_a_refused_region_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "r.txt").write_text("<tool_call>!</tool_call>")
    assert main(["parse", "-g", "smollm3", "--events", str(tmp_path / "r.txt")]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["error"] for event in events if event.get("type") == "region_malformed"] == [
        "tool_calls at 0: Expecting value: line 1 column 1 (char 0); the body is '!'"
    ]


# -- lost text and foreign exceptions ------------------------------------------------------------------------------


def test_a_parser_with_limits_can_make_one_like_itself() -> None:
    options = {"limits": Limits(region=50), "spans": True}
    parser = llama3_1.Parser(prefix="", **options)
    parser.feed("one")
    twin = type(parser).resume(parser.state(), **options)
    assert type(twin) is type(parser)
    twin.feed(" two")
    assert twin.finalize()[0] == {"role": "assistant", "content": "one two"}


def test_errors_that_are_kept_do_not_keep_what_was_fed() -> None:
    parser = smollm3.Parser(prefix="", on_error="keep")
    tracemalloc.start()
    for _ in range(100):
        parser.feed("<tool_call>!</tool_call>" * 10 + " " * 10_000)
    held = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    assert len(parser.errors) == 1000
    assert held < 1_000_000 + 1_000 * len(parser.errors)  # the blanks are text of the content


@pytest.mark.parametrize("options", [{"on_error": "keep"}, {"bad": "drop"}, {"bad": "text"}])
def test_an_error_that_is_kept_weighs_no_more_than_a_call(options: dict[str, str]) -> None:
    def weight(region: str) -> float:
        parser = smollm3.Parser(prefix="", **options)
        parser.feed(region * 200)
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        for _ in range(1_000):
            parser.feed(region)
        held = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        return held

    good = weight('<tool_call>{"name": "f", "arguments": {"a": {}}}</tool_call>')
    assert weight("<tool_call>!</tool_call>") < 2 * good
