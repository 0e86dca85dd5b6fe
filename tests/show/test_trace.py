"""A recording on a terminal: all is said, with colours and without, and nothing that a terminal would obey."""

from __future__ import annotations

import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from compiler.show.printable import printed, quoted, visible
from compiler.show.recording import Generation, Hold, record
from compiler.show.trace import BESIDE, refused, show, waited
from compiler.show.trace_html import page
from tests.feeding import MIXED, TEXT

ESCAPE = re.compile(r"\x1b\[[\d;]*m")


def shown(text: str, *, width: int = 80, colours: bool = False, **given: str) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=colours, color_system="standard" if colours else None)
    show(console, record(MIXED, Generation(text, **given)))
    return out.getvalue()


def test_all_is_said_without_a_colour() -> None:
    said = shown(TEXT)
    for line in (
        r" *0 +text +content +\"Hi \" *$",
        r" *3 +opens +think +\"<t>\" +held for 2 characters *$",
        r" *10 +closes +think +\"</t>\" +held for 3 characters *$",
        r" *14 +dropped +\" \\n \" +blank *$",
        r" *\d+ +opens +calls +\"<c=f>\" +name='f'; held for\b",
        r" *\d+ +malformed +count +\"<i>x</i>\" +held 2 times",
        r"error: count at \d+: .*$",
    ):
        assert re.search(f"^{line}", said, re.MULTILINE), line
    assert '"content": "Hithere' in said
    assert "\x1b" not in said


def test_the_message_stands_beside_where_there_is_room() -> None:
    assert re.search(r"^response +message", shown("Hi", width=BESIDE))
    assert shown("Hi", width=BESIDE - 1).startswith("response")


def test_colours_change_no_word() -> None:
    assert ESCAPE.sub("", shown(TEXT, width=120, colours=True)) == shown(TEXT, width=120)
    assert ESCAPE.search(shown(TEXT, width=120, colours=True))


def test_titles_prompts_and_missing_anchors() -> None:
    said = shown("x", prefix="A>abc", title="first\x1b")
    assert re.match(r"-+ first\\x1b -+\nthe prompt gives the first 3 characters\n", said)
    assert shown("x", prefix="abc").startswith("warning: the prefix does not contain the anchor")


def test_a_caret_stands_below_what_is_wrong() -> None:
    recording = record(MIXED, Generation('好\x1b <c=f>{"id": oops}</c>\nnext'))
    first, line, carets = refused(recording, recording.errors[0]).plain.split("\n")
    assert first.startswith("error: calls at 3: Expecting value")
    assert line == '    好\\x1b <c=f>{"id": oops}</c>'
    assert carets == "    " + " " * (line.index("oops") - 4 + 1) + "^"


def test_of_a_long_line_what_is_near_is_shown() -> None:
    recording = record(MIXED, Generation("x" * 500 + "<i>" + "y" * 500 + "</i>" + "z" * 500))
    _, line, carets = refused(recording, recording.errors[0]).plain.split("\n")
    assert len(line) < 200
    assert line[carets.index("^") :].startswith("<i>yyy")


@given(st.text() | st.text(st.characters(categories=["Cc", "Cf", "Cs", "Zl", "Zp", "Zs", "Co", "Cn"])))
def test_nothing_goes_out_that_a_terminal_obeys(text: str) -> None:
    assert all(c.isprintable() or c in "\n\t" for c in visible(text))
    assert quoted(text).isprintable()
    assert all(c.isprintable() or c == "\n" for c in printed({text: [text]}))
    said = shown(text, prefix="A>" + text, title=text)
    assert all(c.isprintable() or c == "\n" for c in said)


def test_what_is_long_is_cut_in_the_middle() -> None:
    assert quoted("a" * 1000 + "b" * 1000) == '"' + "a" * 80 + " ... " + "b" * 80 + '"'


@pytest.mark.parametrize(
    ("holds", "words"),
    [
        ([], ""),
        ([Hold(0, 2, 1)], "held for 1 character"),
        ([Hold(0, 2, 1), Hold(3, 9, 5)], "held 2 times, at most for 5 characters"),
    ],
)
def test_waiting_in_words(holds, words) -> None:
    assert waited(holds) == words


def test_a_page_lists_events_with_chunks_merged() -> None:
    made = page([record(MIXED, Generation(TEXT, "A>"))], title="all kinds")
    (data,) = json.loads(re.findall(r'<script id="data" type="application/json">(.*?)</script>', made)[0])
    said = [f"{event['type']} {event['words']}" for event in data["events"]]
    assert said[:5] == [
        "region_open 0-0 content ",
        'region_chunk 0-3 content "Hi "',
        'region_close 3-3 content "Hi"',
        'region_open 3-6 think "<t>"',
        'region_chunk 6-10 think "deep"',
    ]
    assert 'text_dropped 14-17  blank " \\n "' in said
    assert any(words.startswith("region_malformed") for words in said)
    assert any(words.endswith("\"<c=f>\" name='f'") for words in said)
    assert all(event["first"] <= event["last"] < len(data["steps"]) for event in data["events"])
    assert len(data["errors"]) == 2


def test_a_page_has_its_text_as_data_only() -> None:
    hostile = "</script><script>alert(1)</script>\"'&{{ 7*7 }}"
    made = page([record(MIXED, Generation(hostile, title=hostile))], title=hostile)
    assert made.count("<script") == made.count("</script>") == 2
    assert "alert(1)<" not in made.replace("&lt;", "")
    assert "7*7" in made and "http://" not in made and "https://" not in made
    assert len(re.findall(r"'sha256-[\w+/]{43}='", made)) == 2
