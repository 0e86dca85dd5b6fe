"""Who parses: in go a workload, a size and a way to cut, out come named runs, each of which parses all responses once.

Invariant: a run does the same work each time, and all that a caller would wait for: from making the parser to having
the message. What is prepared once for many responses (a template's patterns, pieces, tokens) is prepared outside of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

from transformers.utils.chat_parsing import ResponseParser, parse_response
from transformers.utils.chat_parsing.response_templates import load_response_template

from . import harmony
from .workloads import CUTS, Workload

Run = Callable[[], Any]  # -> the messages

FLOOR, OURS, SHIPPED, SPANS = "floor", "ours", "shipped module", "with spans"
TRANSFORMERS, HARMONY, JSON = "transformers", "openai-harmony", "json.loads"


class Floor:
    """The least that a parser with events can do: one dict, in a list."""

    __slots__ = ()

    def feed(self, text: str) -> list[dict[str, Any]]:
        return [{"type": "region_chunk", "field": "content", "text": text, "dirty": False}]

    def finalize(self) -> tuple[dict[str, Any], list[Any]]:
        return {}, []


def contestants(workload: Workload, cut: str, size: int | None = None) -> dict[str, Run]:
    """Who can parse responses of this size, cut so; uncut ones by the functions that take whole responses."""
    responses = workload.responses(size)
    template = load_response_template(workload.template)
    runs = {OURS: parsing(workload.module, responses, cut)}
    if workload.shipped:
        runs[SHIPPED] = parsing(workload.shipped_module, responses, cut)
    if cut == "whole":
        runs[TRANSFORMERS] = lambda: [parse_response(response, template, prefix="") for response in responses]
        if texts := bodies(workload, responses):
            runs[JSON] = lambda: [json.loads(text) for text in texts]
        return runs
    parser, pieces = workload.module.Parser, cut_up(responses, cut)
    runs[FLOOR] = streamed(Floor, pieces)
    runs[SPANS] = streamed(lambda: parser(prefix="", spans=True), pieces)
    runs[TRANSFORMERS] = streamed(lambda: ResponseParser(template, ""), pieces)
    if workload.shipped == "gpt_oss" and cut == "tokens" and not harmony.missing():
        runs[HARMONY] = harmony.run(responses)
    return runs


def parsing(module: ModuleType, responses: list[str], cut: str) -> Run:
    """One of our modules alone."""
    parse, parser = module.parse, module.Parser
    if cut == "whole":
        return lambda: [parse(response, prefix="") for response in responses]
    return streamed(lambda: parser(prefix=""), cut_up(responses, cut))


def cut_up(responses: list[str], cut: str) -> list[list[str]]:
    return [CUTS[cut](response) for response in responses]


def streamed(make: Callable[[], Any], pieces: list[list[str]]) -> Run:
    """Feed each response's pieces to a parser of its own."""

    def run() -> list[Any]:
        messages = []
        for response in pieces:
            parser = make()
            feed = parser.feed
            for piece in response:
                feed(piece)
            messages.append(parser.finalize()[0])
        return messages

    return run


def bodies(workload: Workload, responses: list[str]) -> list[str]:
    """The JSON in the responses, in the order of their calls; none where calls are not written in plain JSON."""
    messages = [workload.module.parse(response, prefix="") for response in responses] if workload.in_json else []
    calls = [call["function"] for message in messages for call in message.get("tool_calls", ())]
    return [json.dumps(call if workload.in_json == "function" else call[workload.in_json]) for call in calls]
