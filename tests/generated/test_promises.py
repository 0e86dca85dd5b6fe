"""What users fight over, promised of every grammar: in go examples of its family, published where there are some, each
changed in one place, out comes what is promised of any output like that.

Invariant: a promise that a grammar does not keep is listed: as decided where the format leaves no choice, or as open;
a listed one that is kept fails here, to be taken off the list.
"""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import pytest

from compiler.load import load_grammar
from compiler.model import Delimiter, Literals
from compiler.policies import choice
from tests.examples import GRAMMARS, MODELS, Example, examples_of_calls, module_of
from tests.reference import silent

PROSE = " Zz {1} [2] <b> it's "
NAMES = ["get-x", "web.search", "web.search/v2", "srv:x", "naïve_工具", "9lives", "functions", "a:0:1", "x" * 80]
SPACED = "  x \n\n y  "

BESIDE_CALLS = "closers that a value quotes are its text: where prose follows them, they may be such"
NO_END = "nobody knows where a call that cannot be read ends, and a further one stands right behind one that can"
DECIDED = {
    ("a_bad_body_costs_only_itself", "function_gemma"): "what stands there is the name",
    ("a_bad_body_costs_only_itself", "gemma4"): "what stands there is the name",
    ("a_bad_body_costs_only_itself", "glm4_7"): "what stands there is the name",
    ("a_bad_body_costs_only_itself", "glm4_moe"): "what stands there is the name",
    ("a_bad_body_costs_only_itself", "iquest_q1"): "what stands there is the name",
    ("a_bad_body_costs_only_itself", "k2_horizon"): "what stands there is the name",
    ("a_bad_body_costs_only_itself", "llama3_1"): NO_END,
    ("a_bad_body_stays_as_text", "beam"): "there is no text outside of messages that it could become",
    ("a_bad_body_stays_as_text", "gpt_oss"): "there is no text outside of messages that it could become",
    ("a_bad_body_stays_as_text", "llm_jp"): "there is no text outside of messages that it could become",
    ("a_call_ends_an_open_thought", "beam"): "a message begins with its <|start|>, or its channel",
    ("a_call_ends_an_open_thought", "llm_jp"): "a thought is a message, and ends with it",
    ("a_call_ends_an_open_thought", "muse_glimmer"): "a thought is a message, and ends with it",
    ("a_call_ends_an_open_thought", "smollm3"): "thoughts stream as they come",
    ("a_missing_closer_costs_no_call", "beam"): "a message begins with its <|start|>, or its channel",
    ("a_missing_closer_costs_no_call", "gpt_oss"): "a message begins with its <|start|>, or its channel",
    ("a_missing_closer_costs_no_call", "llm_jp"): "a message begins with its <|start|>, or its channel",
    ("a_string_that_never_ends_swallows_no_call", "llama3_1"): NO_END,
    ("markers_in_values_are_text", "beam"): "a message begins with its <|start|>, or its channel",
    ("names_are_what_stands_there", "lfm2"): "a name is one that Python can call",
    ("names_are_what_stands_there", "llama4_pythonic"): "a name is one that Python can call",
    ("names_are_what_stands_there", "olmo3"): "a name is one that Python can call",
    ("prose_is_no_call", "beam"): "text outside of messages is in none, and dropped",
    ("prose_is_no_call", "gpt_oss"): "text outside of messages is in none, and dropped",
    ("prose_is_no_call", "llm_jp"): "text outside of messages is in none, and dropped",
    ("text_behind_a_call_stays", "beam"): "text outside of messages is in none, and dropped",
    ("text_behind_a_call_stays", "deepseek_v3_2"): BESIDE_CALLS,
    ("text_behind_a_call_stays", "deepseek_v4"): BESIDE_CALLS,
    ("text_behind_a_call_stays", "dots"): BESIDE_CALLS,
    ("text_behind_a_call_stays", "gigachat3_5"): BESIDE_CALLS,
    ("text_behind_a_call_stays", "gpt_oss"): "text outside of messages is in none, and dropped",
    ("text_behind_a_call_stays", "llama3_1"): "a further call stands right behind one",
    ("text_behind_a_call_stays", "llama4_pythonic"): "nothing tells a bare list from prose",
    ("text_behind_a_call_stays", "llm_jp"): "text outside of messages is in none, and dropped",
    ("text_behind_a_call_stays", "minimax_m2"): BESIDE_CALLS,
    ("text_behind_a_call_stays", "muse_glimmer"): BESIDE_CALLS,
    ("text_behind_a_call_stays", "step3"): BESIDE_CALLS,
    ("text_in_front_of_a_call_stays", "beam"): "text outside of messages is in none, and dropped",
    ("text_in_front_of_a_call_stays", "deepseek_v3_2"): BESIDE_CALLS,
    ("text_in_front_of_a_call_stays", "deepseek_v4"): BESIDE_CALLS,
    ("text_in_front_of_a_call_stays", "dots"): BESIDE_CALLS,
    ("text_in_front_of_a_call_stays", "gigachat3_5"): BESIDE_CALLS,
    ("text_in_front_of_a_call_stays", "gpt_oss"): "text outside of messages is in none, and dropped",
    ("text_in_front_of_a_call_stays", "llama3_1"): "only what begins the message is a call",
    ("text_in_front_of_a_call_stays", "llama4_pythonic"): "only what begins the message is a call",
    ("text_in_front_of_a_call_stays", "llm_jp"): "text outside of messages is in none, and dropped",
    ("text_in_front_of_a_call_stays", "minimax_m2"): BESIDE_CALLS,
    ("text_in_front_of_a_call_stays", "step3"): BESIDE_CALLS,
    ("text_in_front_of_a_call_stays", "xlam"): "only what begins the message is a call",
}
"""(promise, family) -> why it is not made."""
OPEN = {
    ("end_tokens_in_values_are_text", "minimax_m3"): "nested pairs are not followed while they arrive",
}
"""(promise, family) -> what is wrong."""


@dataclass(frozen=True)
class Tried:
    """An example, what it means, and where its calls stand in the text: opener, body, closer, what follows."""

    example: Example
    message: dict[str, Any]
    regions: tuple[tuple[int, int, int, int], ...]
    stops: tuple[str, ...]
    ends_thought: bool  # the first call stands in a thought that never closes

    def read(self, text: str) -> dict[str, Any]:
        return read(self.example, text)

    @property
    def calls(self) -> list[dict[str, Any]]:
        return calls(self.message)

    @property
    def text(self) -> str:
        return self.example.text

    @property
    def is_quoted(self) -> bool:
        """Strings of the calls stand between quotes."""
        return re.search(r"""["']Lyon["']""", self.text) is not None


def read(example: Example, text: str, **options: Any) -> dict[str, Any]:
    with silent():
        return module_of(example.family).parse(
            text, prefix=example.prefix, tools=copy.deepcopy(example.tools), on_error="keep", **options
        )


def calls(message: dict[str, Any]) -> list[dict[str, Any]]:
    return [call["function"] for call in message.get("tool_calls", [])]


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from strings(inner)


def words(delimiter: Delimiter | None) -> tuple[str, ...]:
    return delimiter.words if isinstance(delimiter, Literals) else ()


@lru_cache
def grammar_of(family: str) -> Any:
    return load_grammar(next(path for path in GRAMMARS if path.stem == family))


@lru_cache
def tried(family: str) -> tuple[Tried, ...]:
    """The examples of a family that have calls."""
    found = []
    for example in examples_of_calls(family):
        if example.fails:
            continue
        with silent():
            parser = module_of(family).Parser(
                prefix=example.prefix, tools=copy.deepcopy(example.tools), spans=True, on_error="keep"
            )
            events = [*parser.initial_events, *parser.feed(example.text)]
            message, last = parser.finalize()
        begins, regions, begun = parser.prefix_end, [], (0, 0)
        thoughts = set()  # where one ended at no delimiter
        for event in [*events, *last]:
            kind, start, end = event["type"], event.get("start", 0) - begins, event.get("end", 0) - begins
            if kind == "region_close" and event["field"] == "reasoning_content" and start == end:
                thoughts.add(end)
            if kind == "region_open" and event["field"] == "tool_calls":
                begun = (start, end)
            if kind == "region_close" and event["field"] == "tool_calls":
                regions.append((*begun, start, end))
        if regions:
            stops = words(grammar_of(family).stop)
            found.append(Tried(example, message, tuple(regions), stops, regions[0][0] in thoughts))
    assert found, "a family without an example of a call"
    return tuple(found)


def out_of_thoughts(family: str) -> list[Tried]:
    """The examples whose calls stand in no thought: what stands beside such a call is the thought's."""
    return [one for one in tried(family) if not one.ends_thought]


def kept(promise: str, family: str, faults: list[Any]) -> None:
    """That there are faults where one is listed, and nowhere else."""
    listed = (promise, family) in DECIDED or (promise, family) in OPEN
    assert bool(faults) == listed, faults[:2]


CALLING = [family for family in MODELS if any(field.name == "tool_calls" for field in grammar_of(family).fields)]
families = pytest.mark.parametrize("family", CALLING)


@families
def test_end_tokens_never_show(family: str) -> None:
    faults = []
    for one in tried(family):
        for stop in one.stops:
            for cut in range(len(one.text) + 1):
                message = one.read(f"{one.text[:cut]}{stop} x{stop}\n")
                faults += [(cut, message)] * any(stop in text for text in strings(message))
    kept("end_tokens_never_show", family, faults)


@families
def test_a_cut_call_never_looks_complete(family: str) -> None:
    """Behind a `stop` a call of pairs may have those alone that are whole: the model has ended its turn there."""
    faults = []
    for one in tried(family):
        for cut in range(len(one.text) + 1):
            made = calls(one.read(one.text[:cut]))
            faults += [(cut, made)] * (made != one.calls[: len(made)])
            made = calls(one.read(one.text[:cut] + "".join(one.stops[:1])))
            faults += [(cut, made)] * (not all(map(leads, made, one.calls)))
    kept("a_cut_call_never_looks_complete", family, faults)


def leads(call: dict[str, Any], whole: dict[str, Any]) -> bool:
    given, wanted = list(call["arguments"].items()), list(whole["arguments"].items())
    return call["name"] == whole["name"] and given == wanted[: len(given)]


@families
def test_a_missing_closer_costs_no_call(family: str) -> None:
    """What the end of the text cuts off is a call where its body says that it is whole, which pairs never do."""
    faults = []
    for one in tried(family):
        text = one.text[: one.regions[-1][2]]
        field = next(f for f in grammar_of(family).fields if f.name == "tool_calls")
        ends = one.stops if choice(grammar_of(family), field, "cut") == "bad" else ("", *one.stops)
        is_bare = text.endswith(one.calls[-1]["name"])  # nothing says where such a name ends
        for end in () if is_bare else ends:
            message = one.read(text + end)
            faults += [(text, end, message)] * (calls(message) != one.calls)
        for (_, _, end, _), (start, *_) in zip(one.regions, one.regions[1:], strict=False):
            message = one.read(one.text[:end] + one.text[start:])
            faults += [message] * (calls(message) != one.calls)
    kept("a_missing_closer_costs_no_call", family, faults)


@families
def test_text_behind_a_call_stays(family: str) -> None:
    faults = []
    for one in tried(family):
        for *_, end in one.regions:
            message = one.read(one.text[:end] + PROSE + one.text[end:])
            faults += [message] * (not stands_beside(one, message))
    kept("text_behind_a_call_stays", family, faults)


@families
def test_text_in_front_of_a_call_stays(family: str) -> None:
    faults = []
    for one in out_of_thoughts(family):
        for start, *_ in one.regions:
            message = one.read(one.text[:start] + PROSE + one.text[start:])
            faults += [message] * (not stands_beside(one, message))
    kept("text_in_front_of_a_call_stays", family, faults)


def stands_beside(one: Tried, message: dict[str, Any]) -> bool:
    """Nothing but the prose has come to the message, and that verbatim."""
    content, before = "".join(message.get("content", "").split()), "".join(one.message.get("content", "").split())
    without = content.replace("".join(PROSE.split()), "", 1)
    rest = message | {"content": ""} == one.message | {"content": ""}
    return PROSE.strip() in message.get("content", "") and without == before and rest


@families
def test_blanks_between_calls_are_nothing(family: str) -> None:
    faults = []
    for one in tried(family):
        for *_, end in one.regions:
            message = one.read(one.text[:end] + " \r\n\n\t" + one.text[end:])
            faults += [message] * (message != one.message)
    kept("blanks_between_calls_are_nothing", family, faults)


@families
def test_a_bad_body_costs_only_itself(family: str) -> None:
    faults, lost = [], []
    for one in out_of_thoughts(family):
        for number, (_, inside, _, _) in enumerate(one.regions):
            message = one.read(f"{one.text[:inside]}?!{one.text[inside:]}")
            others = [call for at, call in enumerate(one.calls) if at != number] if len(one.regions) > 1 else []
            is_same = message.get("reasoning_content") == one.message.get("reasoning_content")
            faults += [message] * (calls(message) != others or not is_same)
            lost += [message] * ("?!" not in message.get("content", "") and calls(message) == others)
    kept("a_bad_body_costs_only_itself", family, faults)
    kept("a_bad_body_stays_as_text", family, lost)


@families
def test_a_string_that_never_ends_swallows_no_call(family: str) -> None:
    faults = []
    for one in tried(family):
        if len(one.regions) > 1:  # of the first call there may be one with more in its value
            text, made = re.subn(r"""(Lyon\s*)(?:["']|<[^>]*>)""", r"\1", one.text, count=1)
            message = one.read(text)
            faults += [message] * (made and calls(message)[-1:] != one.calls[1:])
    kept("a_string_that_never_ends_swallows_no_call", family, faults)


@families
def test_names_are_what_stands_there(family: str) -> None:
    faults = []
    for one in tried(family):
        for name in NAMES:
            message = one.read(one.text.replace(one.calls[0]["name"], name))
            faults += [(name, message)] * ([call["name"] for call in calls(message)][:1] != [name])
    kept("names_are_what_stands_there", family, faults)


@families
def test_markers_in_values_are_text(family: str) -> None:
    """A value between tags that nothing escapes ends where a pair follows: it cannot quote a call with two."""
    faults, ended = [], []
    for one in out_of_thoughts(family):
        start, inside, end, behind = one.regions[0]
        fields, stray = grammar_of(family).fields, words(grammar_of(family).stray)
        markers = [word for field in fields for word in (*words(field.open), *words(field.close))]
        markers += [*stray, one.text[start:inside], one.text[end:behind]]
        markers += [one.text[start:behind]] * one.is_quoted
        for marker in {*markers, *one.stops}:
            message = with_value(one, f"Lyon {marker.replace('Lyon', 'Rome')} x")
            if message is not None:
                (ended if marker in one.stops else faults).extend([(marker, message)] * (not message["is_right"]))
    kept("markers_in_values_are_text", family, faults)
    kept("end_tokens_in_values_are_text", family, ended)


@families
def test_values_keep_their_white_space(family: str) -> None:
    messages = [with_value(one, SPACED) for one in tried(family)]
    kept("values_keep_their_white_space", family, [one for one in messages if one and not one["is_right"]])


def with_value(one: Tried, value: str) -> dict[str, Any] | None:
    """What comes of the example with another value in place of Lyon, and whether it is right; None where it has none,
    or where the value would have to be escaped in a way of the format's own."""
    if one.text.count("Lyon") != 1 or one.example.text.find("Lyon") < one.regions[0][0] or '<|"|>' in value:
        return None
    shown = json.dumps(value, ensure_ascii=False)[1:-1] if one.is_quoted else value
    shown = shown.replace("'", "\\'") if "'Lyon'" in one.text else shown
    message = one.read(one.text.replace("Lyon", shown))
    wanted = copy.deepcopy(one.calls)
    wanted[0]["arguments"]["city"] = value
    return {**message, "is_right": calls(message) == wanted}


@families
def test_prose_is_no_call(family: str) -> None:
    faults = []
    for one in tried(family):
        start, inside, end, _ = one.regions[0]
        for quoted in (one.text[start:inside], one.text[inside:end]):
            message = one.read(f"Say {quoted} now.")
            said = message.get("reasoning_content", "") + message.get("content", "")
            faults += [message] * bool(calls(message) or not (said.startswith("Say") and said.endswith("now.")))
    kept("prose_is_no_call", family, faults)


@families
def test_a_call_ends_an_open_thought(family: str) -> None:
    faults = []
    for one in tried(family):
        thought = one.message.get("reasoning_content", "")
        at = one.text.find(thought) + len(thought)
        if thought and at <= one.regions[0][0] and family != "gpt_oss":
            message = one.read(one.text[:at] + one.text[one.regions[0][0] :])
            faults += [message] * (calls(message) != one.calls or message["reasoning_content"] != thought)
    kept("a_call_ends_an_open_thought", family, faults)


def test_what_is_listed_is_there() -> None:
    listed = [*DECIDED, *OPEN]
    promises = {name.removeprefix("test_") for name in globals() if name.startswith("test_")}
    promises |= {"a_bad_body_stays_as_text", "end_tokens_in_values_are_text"}
    assert len(listed) == len(set(listed))
    assert all(promise in promises and family in MODELS for promise, family in listed)
