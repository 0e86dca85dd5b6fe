"""The page in a real browser: no error, the message of each step the parser's, hostile text stays text."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from compiler.show.recording import Generation, record
from compiler.show.trace_html import page
from tests.feeding import MIXED, TEXT
from tests.show.webdriver import Browser

pytestmark = pytest.mark.browser

HOSTILE = (
    'Hi 😀 </script><script>window.PWNED = 1</script><img src=x onerror="window.PWNED = 1"> <!--<script> {{7*7}} ${1} '
    '\u202eevil\u2028\x00\x1b[31m\ud83d <t><b onmouseover="window.PWNED = 1">deep</b></t>'
    '<c=f>{"id": ["</script><svg onload=alert(1)>", 12345678901234567890, 1.0, {"2": 1, "1": 2}]}</c><end>'
)
PREFIX = "A>Well <"
MOVE = """
const slider = document.getElementById("position");
slider.value = arguments[0];
slider.dispatchEvent(new Event("input"));
return [document.getElementById("message").textContent, document.getElementById("text").textContent,
        [...document.querySelectorAll("#text .held")].map((piece) => piece.textContent).join("")]
    .map((shown) => shown.toWellFormed());
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    assert shutil.which("chromedriver"), "the Debian packages chromium and chromium-driver are needed"
    opened = Browser()
    yield opened
    opened.close()


@pytest.fixture(params=[TEXT, HOSTILE], ids=["mixed", "hostile"])
def text(request: pytest.FixtureRequest, browser: Browser, tmp_path: Path) -> str:
    """The text of a page that is open."""
    path = tmp_path / "page.html"
    recordings = [record(MIXED, Generation(t, PREFIX, title=t)) for t in (request.param, "other")]
    path.write_text(page(recordings, title=request.param), encoding="utf-8")
    browser.open(path)
    return request.param


def test_five_positions_show_what_the_parser_says(browser: Browser, text: str) -> None:
    for position in (0, 9, len(text) // 2, len(text) - 4, len(text)):
        parser = MIXED.Parser(prefix=PREFIX, on_error="keep")
        for char in text[:position]:
            parser.feed(char)
        message, whole, held = browser.run(MOVE, position)
        assert exact(message) == exact(json.dumps(parser.partial()["message"]))
        assert whole == as_shown(PREFIX.removeprefix("A>") + text)
        assert held == as_shown(parser.state()["held"])
    parser = MIXED.Parser(prefix=PREFIX, on_error="keep")
    parser.feed(text)
    assert exact(browser.run(MOVE, len(text) + 1)[0]) == exact(json.dumps(parser.finalize()[0]))
    assert not browser.console()


def exact(message: str) -> str:
    """The message, numbers and the order of keys included."""
    return json.dumps(json.loads(message))


def as_shown(text: str) -> str:
    """What a page can carry: a surrogate that stands alone comes back from it as U+FFFD."""
    return "".join("\ufffd" if "\ud800" <= c <= "\udfff" else c for c in text)


def test_hostile_text_stays_text(browser: Browser, text: str) -> None:
    for position in range(0, len(text) + 2, 7):
        browser.run(MOVE, position)
    assert browser.run("return window.PWNED") is None
    assert browser.run("return document.querySelectorAll('img, svg, iframe, object, b').length") == 0
    assert browser.run("return document.scripts.length") == 2
    assert browser.run("return document.querySelector('h1').textContent.length") >= len(text.rstrip())
    assert not browser.console()


def test_it_is_used_by_keyboard(browser: Browser, text: str) -> None:
    right, left, home, end = "\ue014", "\ue012", "\ue011", "\ue010"
    browser.press("#text", home)
    first = browser.run("return document.getElementById('detail').textContent")
    browser.press("#text", right)
    second = browser.run("return document.getElementById('detail').textContent")
    assert first.startswith("text content, 0 to ") and second != first
    browser.press("#text", left)
    assert browser.run("return document.getElementById('detail').textContent") == first
    assert browser.run("return document.querySelector('#text .current').textContent") == "Well <"
    browser.press("#position", home)
    assert browser.run("return document.getElementById('progress').textContent").startswith("step 0 of ")
    browser.press("#position", right)
    assert browser.run("return document.getElementById('progress').textContent").startswith("step 1 of ")
    browser.press("#position", end)
    assert browser.run("return document.getElementById('progress').textContent") == "end of the text"
    browser.press("#events li:first-child button", " ")
    assert browser.run("return document.querySelectorAll('#events .now').length") >= 1
    assert browser.run("return document.getElementById('position').value") == "0"
    assert not browser.console()


def test_another_generation_can_be_picked(browser: Browser, text: str) -> None:
    browser.run("const g = document.getElementById('generation'); g.value = '1'; g.dispatchEvent(new Event('change'))")
    assert browser.run("return document.getElementById('text').textContent") == "Well <other"
    assert not browser.console()


@pytest.mark.parametrize(("width", "zoom"), [(1440, 1), (640, 2), (375, 2)])
def test_it_fits(browser: Browser, text: str, width: int, zoom: int) -> None:
    """At 200 % a window of 1,280 pixels is 640 wide; a telephone has 375. Nothing may stick out."""
    browser.resize(width, zoom)
    assert browser.run("return document.documentElement.clientWidth") == width
    assert browser.run("return document.documentElement.scrollWidth") == width


def test_it_is_dark_where_that_is_wished(text: str, tmp_path: Path) -> None:
    dark = Browser("--force-dark-mode", "--blink-settings=preferredColorScheme=0")
    try:
        path = tmp_path / "dark.html"
        path.write_text(page([record(MIXED, Generation(text, PREFIX))], title="dark"), encoding="utf-8")
        dark.open(path)
        assert dark.run("return matchMedia('(prefers-color-scheme: dark)').matches")
        assert dark.run("return getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 28)"
    finally:
        dark.close()
