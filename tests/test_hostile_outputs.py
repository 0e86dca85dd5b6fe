"""Hostile outputs, on templates of their own and on the shipped modules: a message or a ParseError, in any pieces."""

from __future__ import annotations

import gc
import sys
import threading
from collections.abc import Callable, Iterator
from functools import cache, partial
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from compiler import compile_template
from runtime import ParseError
from tests.hostile.outputs import ATTACKS, CALL, PLAIN, Attack, call, template
from tests.hostile.shipped import shipped_attacks
from tests.outcomes import exact

SIZE = 300
Reading = tuple[Any, list[Any], list[Any]]
SHIPPED = {f"{model}:{name}": (module, build) for model, module, name, build in shipped_attacks()}


@cache
def module_of(name: str) -> ModuleType:
    return compile_template(ATTACKS[name](1).template)


def pieces(text: str, width: int) -> Iterator[str]:
    return (text[at : at + width] for at in range(0, len(text), width))


def read(module: ModuleType, attack: Attack, width: int, *, cut: Any = "close") -> Reading:
    """(message, merged events, errors), all of it exact. cut: as in version 1, or "" for what is usual where errors are
    kept."""
    parser = module.Parser(prefix=attack.prefix, tools=attack.tools, on_error="keep", cut=cut)
    events = list(parser.initial_events)
    for piece in pieces(attack.text(), width):
        events += parser.feed(piece)
    message, last = parser.finalize()
    errors = [(error.policy, error.field, error.start, error.end, error.text) for error in parser.errors]
    return exact(message), merged([*events, *last]), errors


def merged(events: list[Any]) -> list[Any]:
    out: list[Any] = []
    for event in events:
        shown = {key: exact(value) for key, value in event.items() if key not in ("error", "text")}
        shown["text"] = event.get("text", "")
        if out and event["type"] == "region_chunk" and out[-1]["type"] == exact("region_chunk"):
            out[-1]["text"] += shown["text"]
        else:
            out.append(shown)
    return out


def raised(module: ModuleType, attack: Attack) -> ParseError | None:
    try:
        module.parse(attack.text(), prefix=attack.prefix, tools=attack.tools)
    except ParseError as error:
        return error
    return None


@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_means_the_same_in_any_pieces(name: str) -> None:
    attack = ATTACKS[name](SIZE)
    whole = read(module_of(name), attack, 10**9)
    for width in (1, 4, 7):
        assert read(module_of(name), attack, width) == whole
    error = raised(module_of(name), attack)
    assert (error is None) == (not whole[2])
    if error is not None:
        assert len(str(error)) < 1000
        assert exact(error.message) == whole[0]
    if attack.text().startswith("keep me"):
        assert whole[1][1]["text"] == "keep me "


@pytest.mark.parametrize("name", SHIPPED)
def test_an_attack_on_a_shipped_module_means_the_same_in_any_pieces(name: str) -> None:
    module, build = SHIPPED[name]
    attack = build(SIZE)
    whole = read(module, attack, 10**9, cut="")
    assert read(module, attack, 1, cut="") == read(module, attack, 4, cut="") == whole
    assert raised(module, attack) is None or whole[2]


@pytest.mark.parametrize("name", ATTACKS)
def test_every_character_of_an_attack_has_its_place(name: str) -> None:
    attack = ATTACKS[name](SIZE)
    parser = module_of(name).Parser(prefix=attack.prefix, tools=attack.tools, on_error="keep", spans=True)
    events = [*parser.initial_events, *(event for piece in pieces(attack.text(), 4) for event in parser.feed(piece))]
    events += parser.finalize()[1]
    at, opened = 0, 0
    for event in events:
        if event["type"] == "region_open":
            opened = event["start"]
        if event["type"] == "region_malformed":
            assert event["start"] == opened
            at = event["end"]
            continue
        assert event["start"] == at, event
        at = event["end"]
    assert at == parser.prefix_end + len(attack.text())


@pytest.mark.parametrize("name", [name for name in ATTACKS if name.startswith("forge_")])
def test_what_a_forged_delimiter_does_is_known(name: str, snapshot: Any) -> None:
    """Text alone cannot tell a forged delimiter from a real one: this is what is promised instead, and no more."""
    attack = ATTACKS[name](SIZE)
    error = raised(module_of(name), attack)
    parser = module_of(name).Parser(prefix=attack.prefix, on_error="keep")
    parser.feed(attack.text())
    message = parser.finalize()[0]
    assert {"message": message, "error": error and [error.field, error.reason]} == snapshot


@pytest.mark.parametrize("bad", ["{", "nonsense", "[" * 100_000, '{"x": ' + "9" * 5000 + "}", '{"a": "\n"}'])
def test_one_bad_region_never_costs_the_rest(bad: str) -> None:
    module = module_of("volume_oneshot")
    text = f"before{call('{}', 'one')}between<call>{bad}</call>{call('{}', 'two')}after<|end|>"
    splits = range(len(text)) if len(text) < 400 else range(0, len(text), len(text) // 7)
    for split in splits:
        parser = module.Parser(prefix="")
        errors = []
        for piece in (text[:split], text[split:], "", ""):
            try:
                parser.feed(piece)
            except ParseError as error:
                errors.append(error)
        message, _ = parser.finalize()
        assert [call["function"]["name"] for call in message["tool_calls"]] == ["one", "two"]
        assert message["content"] == "after"
        assert [(error.text, error.field) for error in errors] == [(bad, "tool_calls")]


@given(
    st.lists(
        st.sampled_from(["<call>", "</call>", "<think>", "</think>", "<|end|>", "{}", "[", "9", '"', "\ud800", " "])
    )
)
@settings(max_examples=200)
def test_any_text_gives_a_message_or_a_parse_error(words: list[str]) -> None:
    attack = Attack("any", PLAIN, lambda: iter(words))
    whole = read(module_of("volume_oneshot"), attack, 10**9)
    assert read(module_of("volume_oneshot"), attack, 1) == whole
    error = raised(module_of("volume_oneshot"), attack)
    assert (error is None) == (not whole[2])


# -- what a run does besides ------------------------------------------------------------------------------------------

_AUDITED: list[str] = []
_WATCHED = threading.local()
QUIET = ("open", "exec", "compile", "import", "os.", "socket.", "subprocess.", "shutil.", "ctypes.", "tempfile.")


def _audit(event: str, _: object) -> None:
    if getattr(_WATCHED, "is_on", False) and event.startswith(QUIET):
        _AUDITED.append(event)


def test_a_hostile_run_opens_executes_imports_and_connects_nothing() -> None:
    """A first run is not watched: what is loaded or compiled when it is first asked for is then there."""
    runs: list[Callable[[], object]] = []
    for name in ATTACKS:
        for size in (2, 60):
            attack = ATTACKS[name](size)
            runs += [partial(read, module_of(name), attack, 4), partial(raised, module_of(name), attack)]
    runs += [partial(read, module, build(60), 4) for module, build in SHIPPED.values()]
    for run in runs:
        run()
    sys.addaudithook(_audit)
    gc.collect()
    _WATCHED.is_on = True
    try:
        for run in runs:
            run()
    finally:
        _WATCHED.is_on = False
    assert _AUDITED == []


def test_the_audit_sees_what_it_looks_for() -> None:
    _AUDITED.clear()
    sys.addaudithook(_audit)
    _WATCHED.is_on = True
    try:
        compile("1", "<seen>", "eval")
        open("/dev/null").close()
    finally:
        _WATCHED.is_on = False
    seen = set(_AUDITED)
    _AUDITED.clear()
    assert {"compile", "open"} <= seen


def test_two_parsers_share_nothing() -> None:
    module = compile_template(template({**PLAIN["fields"]["tool_calls"], "transform": {**CALL, "tags": ["a"]}}))
    first = module.parse(call("{}"), prefix="")
    first["tool_calls"][0]["tags"].append("b")
    assert module.parse(call("{}"), prefix="")["tool_calls"][0]["tags"] == ["a"]
