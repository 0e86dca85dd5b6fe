"""The tokenizer door against the methods of transformers that it stands for, over all forms that they take."""

from __future__ import annotations

import copy
import inspect
import json
import pickle
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from transformers import AutoTokenizer, ProcessorMixin

from runtime.errors import AnchorNotFound, ParseError
from runtime.hf import attach, detach, get_response_parser, parse_response
from tests.tiny_tokenizer import tiny_tokenizer

PREFIX = "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"
TEMPLATE: dict[str, Any] = {
    "defaults": {"role": "assistant"},
    "start_anchor": "<|im_start|>assistant\n",
    "fields": {
        "reasoning_content": {"open": "<think>", "close": "</think>"},
        "tool_calls": {
            "open": "<tool_call>",
            "close": "</tool_call>",
            "repeats": True,
            "content": "json",
            "transform": {"type": "function", "function": "{content}"},
        },
        "content": {"close": "<|im_end|>", "repeats": True, "join": "", "content_args": {"strip": False}},
    },
}
GOOD = '<think>Paris?</think>Looking.<tool_call>{"name": "f", "arguments": {"n": "7"}}</tool_call><|im_end|>'
PLAIN = "Bonjour, ça va ? 🙂<|im_end|>"
BAD = "One<tool_call>{no JSON}</tool_call> two<|im_end|>"
SHORT = {"role": "assistant", "content": "One two"}
TOOL = {"name": "f", "parameters": {"type": "object", "properties": {"n": {"type": "integer"}}}}


@cache
def plain_tokenizer() -> Any:
    return tiny_tokenizer(TEMPLATE)


@pytest.fixture
def tokenizer() -> Any:
    return copy.deepcopy(plain_tokenizer())


class Array:
    """What some library calls an array: all that is known of it is `tolist`."""

    def __init__(self, items: Any) -> None:
        self.items = items

    def tolist(self) -> Any:
        return self.items


def ids(text: str) -> list[int]:
    numbers: list[int] = plain_tokenizer()(text).input_ids
    return numbers


def padded(*texts: str) -> list[list[int]]:
    """Ids of one length: blanks fill the short ones."""
    width = max(len(ids(text)) for text in texts)
    return [ids(text + " " * (width - len(ids(text)))) for text in texts]


# -- what transformers takes ----------------------------------------------------------------------------------------

FORMS: dict[str, Any] = {
    "text": GOOD,
    "empty text": "",
    "ids": ids(GOOD),
    "one id": ids("x")[0],
    "tuple of ids": tuple(ids(GOOD)),
    "list of numpy ids": list(np.array(ids(GOOD))),
    "1-D array": np.array(ids(GOOD)),
    "empty array": np.array([], dtype=int),
    "encoding": plain_tokenizer()(GOOD),
    "texts": [GOOD, PLAIN],
    "tuple of texts": (PLAIN, GOOD),
    "one text in a list": [GOOD],
    "empty list": [],
    "empty tuple": (),
    "lists of ids": [ids(GOOD), ids(PLAIN)],
    "an empty list in a list": [[]],
    "2-D array": np.array(padded(GOOD, PLAIN)),
    "2-D array without columns": np.zeros((2, 0), dtype=int),
    "list of arrays": [np.array(ids(GOOD)), np.array(ids(PLAIN))],
}
PREFIXES: dict[str, Any] = {
    "text": PREFIX,
    "empty text": "",
    "empty list": [],
    "ids": ids(PREFIX),
    "array": np.array(ids(PREFIX)),
    "empty array": np.array([], dtype=int),
    "texts": [PREFIX, PREFIX + "<think>"],
    "lists of ids": [ids(PREFIX + "<think>"), ids(PREFIX)],
    "2-D array": np.array(padded(PREFIX, PREFIX)),
}


def outcome(call: Callable[..., Any], *args: Any, **keywords: Any) -> Any:
    """The value as JSON, so that the order of keys counts, or the family of the exception."""
    try:
        return json.dumps(call(*args, **keywords))
    except (ValueError, AttributeError) as error:
        return ValueError if isinstance(error, ValueError) else AttributeError


@pytest.mark.filterwarnings("ignore:the prefix does not contain")
@pytest.mark.parametrize("prefix", PREFIXES)
@pytest.mark.parametrize("form", FORMS)
def test_it_gives_what_the_method_gives(tokenizer: Any, form: str, prefix: str) -> None:
    keywords = {"prefix": PREFIXES[prefix], "tools": [TOOL]}
    expected = outcome(tokenizer.parse_response, FORMS[form], **keywords)
    assert outcome(parse_response, tokenizer, FORMS[form], **keywords) == expected
    assert outcome(attach(tokenizer).parse_response, FORMS[form], **keywords) == expected


@pytest.mark.parametrize(
    ("args", "keywords"),
    [
        ((GOOD,), {}),
        ((GOOD,), {"prefix": None}),
        ((GOOD, {}), {"prefix": ""}),
        ((GOOD, {"fields": 5}), {"prefix": ""}),
        ((GOOD, "no template"), {"prefix": ""}),
        ((GOOD, {**TEMPLATE, "version": 2}), {"prefix": ""}),
        ((GOOD, {**TEMPLATE, "start_anchor": {"a", "set"}}), {"prefix": ""}),
        (([GOOD, PLAIN],), {"prefix": [PREFIX]}),
        (([GOOD],), {"prefix": [PREFIX, PREFIX]}),
        (([],), {"prefix": [PREFIX]}),
        ((BAD,), {"prefix": PREFIX}),
        (([PLAIN, BAD],), {"prefix": PREFIX}),
        (([],), {"prefix": PREFIX}),
        ((GOOD, {"version": 1, **TEMPLATE}), {"prefix": PREFIX}),
    ],
)
def test_it_refuses_what_the_method_refuses(tokenizer: Any, args: Any, keywords: Any) -> None:
    assert outcome(parse_response, tokenizer, *args, **keywords) == outcome(tokenizer.parse_response, *args, **keywords)


def test_a_tokenizer_without_a_template_needs_one(tokenizer: Any) -> None:
    tokenizer.response_template = None
    for call in (tokenizer.parse_response, partial(parse_response, tokenizer)):
        with pytest.raises(AttributeError, match="response_template"):
            call(GOOD, prefix=PREFIX)
        assert call(PLAIN, TEMPLATE, prefix=PREFIX)["role"] == "assistant"
    for call in (tokenizer.get_response_parser, partial(get_response_parser, tokenizer)):
        with pytest.raises(AttributeError, match="response_template"):
            call(prefix=PREFIX)
    with pytest.raises(AttributeError):
        parse_response(object(), GOOD, prefix="")


def test_the_signatures_begin_as_those_of_the_methods(tokenizer: Any) -> None:
    methods = [inspect.signature(method) for method in (tokenizer.parse_response, tokenizer.get_response_parser)]
    attach(tokenizer)
    for before, method in zip(methods, (tokenizer.parse_response, tokenizer.get_response_parser), strict=True):
        now = inspect.signature(method).parameters
        for name, parameter in before.parameters.items():
            assert (now[name].kind, now[name].default) == (parameter.kind, parameter.default)
        assert list(now)[: len(before.parameters)] == list(before.parameters)


# -- and what it does not -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "response",
    [Array(ids(GOOD)), Array([ids(GOOD)]), [Array(ids(GOOD))], np.array([GOOD]).tolist(), [np.array(ids(GOOD))]],
)
def test_whatever_has_tolist_is_an_array(tokenizer: Any, response: Any) -> None:
    expected = parse_response(tokenizer, GOOD, prefix=PREFIX)
    parsed = parse_response(tokenizer, response, prefix=Array(ids(PREFIX)))
    assert parsed in (expected, [expected])


def test_tensors_of_torch(tokenizer: Any) -> None:
    torch = pytest.importorskip("torch")
    rows = torch.tensor(padded(GOOD, PLAIN))
    expected = tokenizer.parse_response(rows, prefix=PREFIX)
    assert parse_response(tokenizer, rows, prefix=torch.tensor(ids(PREFIX))) == expected
    assert parse_response(tokenizer, rows[0], prefix=torch.tensor([])) == parse_response(tokenizer, GOOD, prefix="")


# -- one bad item ---------------------------------------------------------------------------------------------------


def test_a_batch_ends_at_its_first_bad_item(tokenizer: Any) -> None:
    with pytest.raises(ParseError) as raised:
        parse_response(tokenizer, [PLAIN, BAD], prefix=PREFIX)
    assert raised.value.message == SHORT


def test_a_batch_can_keep_what_is_good(tokenizer: Any) -> None:
    parsed = parse_response(tokenizer, [PLAIN, BAD], prefix=PREFIX, on_error="keep")
    assert parsed == [parse_response(tokenizer, PLAIN, prefix=PREFIX), SHORT]


def test_a_batch_can_hold_errors_where_messages_would_be(tokenizer: Any) -> None:
    good, bad, lost = parse_response(
        tokenizer, [PLAIN, BAD, PLAIN], prefix=[PREFIX, PREFIX, "?"], on_error="return", strict_prefix=True
    )
    assert good["content"] == PLAIN.removesuffix("<|im_end|>")
    assert isinstance(bad, ParseError) and (bad.field, bad.text, bad.message) == ("tool_calls", "{no JSON}", SHORT)
    assert isinstance(lost, AnchorNotFound)
    assert isinstance(parse_response(tokenizer, BAD, prefix=PREFIX, on_error="return"), ParseError)


def test_other_words_for_on_error_are_refused(tokenizer: Any) -> None:
    with pytest.raises(ValueError, match="on_error"):
        parse_response(tokenizer, GOOD, prefix=PREFIX, on_error="ignore")


# -- streams --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("prefix", ["text", "ids", "array", "empty text", "empty list"])
def test_a_parser_says_what_the_method_s_parser_says(tokenizer: Any, prefix: str) -> None:
    keywords = {"prefix": PREFIXES[prefix], "tools": [TOOL]}
    theirs, ours = tokenizer.get_response_parser(**keywords), get_response_parser(tokenizer, **keywords)
    assert ours.initial_events == theirs.initial_events
    for token in ids(GOOD):
        assert ours.feed(piece := tokenizer.decode(token)) == theirs.feed(piece)
    assert ours.finalize() == theirs.finalize()


@pytest.mark.parametrize("prefix", [None, [PREFIX], [ids(PREFIX)], np.array([ids(PREFIX)])])
def test_a_parser_wants_one_prefix(tokenizer: Any, prefix: Any) -> None:
    with pytest.raises(ValueError, match="prefix"):
        get_response_parser(tokenizer, prefix=prefix)


def test_a_parser_takes_another_template_and_options(tokenizer: Any) -> None:
    shouting = {**TEMPLATE, "defaults": {"role": "shouting"}}
    parser = get_response_parser(tokenizer, shouting, prefix=PREFIX + "<think>", spans=True, on_error="keep")
    (opened,) = parser.initial_events
    assert (opened["type"], opened["field"], opened["start"], opened["end"]) == (
        "region_open",
        "reasoning_content",
        0,
        len("<think>"),
    )
    parser.feed("</think>" + BAD)
    message, _ = parser.finalize()
    assert message == {"role": "shouting", "content": "One two"}
    assert [error.field for error in parser.errors] == ["tool_calls"]


# -- attached -------------------------------------------------------------------------------------------------------


def test_attaching_twice_and_detaching_twice_changes_nothing_more(tokenizer: Any) -> None:
    before = dict(vars(tokenizer))
    assert attach(attach(tokenizer)) is tokenizer
    assert tokenizer.parse_response.func is parse_response
    assert tokenizer.get_response_parser(prefix="").__class__.__module__ != "transformers.utils.chat_parsing"
    assert detach(detach(tokenizer)) is tokenizer
    assert vars(tokenizer) == before


def test_what_others_put_in_place_of_the_method_stays(tokenizer: Any) -> None:
    tokenizer.parse_response = str.upper
    assert detach(tokenizer).parse_response is str.upper


def test_the_options_of_attach_are_those_of_each_call(tokenizer: Any) -> None:
    attach(tokenizer, on_error="keep")
    assert tokenizer.parse_response(BAD, prefix=PREFIX) == SHORT
    with pytest.raises(ParseError):
        tokenizer.parse_response(BAD, prefix=PREFIX, on_error="raise")
    parser = tokenizer.get_response_parser(prefix=PREFIX)
    parser.feed(BAD)
    assert parser.finalize()[0] == SHORT
    attach(tokenizer)
    with pytest.raises(ParseError):
        tokenizer.parse_response(BAD, prefix=PREFIX)


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_a_copy_is_attached_to_itself(tokenizer: Any, copied: Callable[[Any], Any]) -> None:
    twin = copied(attach(tokenizer))
    twin.response_template = {**TEMPLATE, "defaults": {"role": "twin"}}
    assert twin.parse_response.func is parse_response
    assert twin.parse_response(PLAIN, prefix=PREFIX)["role"] == "twin"
    assert tokenizer.parse_response(PLAIN, prefix=PREFIX)["role"] == "assistant"


def test_the_template_is_saved_and_loaded(tokenizer: Any, tmp_path: Path) -> None:
    attach(tokenizer).save_pretrained(tmp_path)
    assert json.loads((tmp_path / "tokenizer_config.json").read_text())["response_template"] == TEMPLATE
    loaded = AutoTokenizer.from_pretrained(tmp_path)
    assert loaded.response_template == TEMPLATE
    expected = loaded.parse_response(GOOD, prefix=PREFIX)
    assert attach(loaded).parse_response.func is parse_response
    assert loaded.parse_response(GOOD, prefix=PREFIX) == expected == tokenizer.parse_response(GOOD, prefix=PREFIX)


# -- processors -----------------------------------------------------------------------------------------------------


class TextProcessor(ProcessorMixin):
    """The smallest processor that transformers takes: a tokenizer and nothing else."""

    def __init__(self, tokenizer: Any) -> None:
        super().__init__(tokenizer)


def test_a_processor_stands_for_its_tokenizer(tokenizer: Any) -> None:
    processor = TextProcessor(tokenizer)
    expected = processor.parse_response(GOOD, prefix=PREFIX)
    assert parse_response(processor, ids(GOOD), prefix=PREFIX) == expected
    assert get_response_parser(processor, prefix=PREFIX).feed("<think>") == [
        {"type": "region_open", "field": "reasoning_content"}
    ]
    assert attach(processor, on_error="keep") is processor
    assert processor.parse_response(BAD, prefix=PREFIX) == SHORT
    assert tokenizer.parse_response.func is parse_response
    assert "parse_response" not in vars(detach(processor).tokenizer)


def test_a_processor_without_a_tokenizer_is_refused(tokenizer: Any) -> None:
    processor = TextProcessor(tokenizer)
    del processor.tokenizer
    for call in (processor.parse_response, partial(parse_response, processor)):
        with pytest.raises(ValueError, match="tokenizer"):
            call(GOOD, TEMPLATE, prefix="")
    with pytest.raises(ValueError, match="tokenizer"):
        attach(processor)
