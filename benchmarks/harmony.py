"""openai-harmony, where it and its vocabulary are there: in go responses of gpt-oss, out comes a run over their tokens.

Invariant: nothing here reaches for a network; what is missing is said, with the way to have it.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

VOCABULARY = Path(__file__).parents[1] / ".peers"
VARIABLE = "TIKTOKEN_ENCODINGS_BASE"
FILE = "o200k_base.tiktoken"


def missing() -> str:
    """Why it cannot run; "" when it can."""
    if find_spec("openai_harmony") is None:
        return "openai-harmony is not installed"
    if not (Path(os.environ.get(VARIABLE, VOCABULARY)) / FILE).is_file():
        return f"openai-harmony has no vocabulary, {FILE}: `make peers` rebuilds it, {VARIABLE} says where else it is"
    return ""


@cache
def _encoding() -> Any:
    from openai_harmony import load_harmony_encoding

    os.environ.setdefault(VARIABLE, str(VOCABULARY))
    return load_harmony_encoding("HarmonyGptOss")


def run(responses: list[str]) -> Callable[[], list[Any]]:
    """Process each response's tokens one by one and ask what each of them adds; -> the parsers."""
    from openai_harmony import Role, StreamableParser

    encoding = _encoding()
    tokens = [encoding.encode(response, allowed_special="all") for response in responses]

    def parse() -> list[Any]:
        parsers = []
        for response in tokens:
            parser = StreamableParser(encoding, role=Role.ASSISTANT)
            inner = parser._inner  # without the layers of Python around it
            process = inner.process
            for token in response:
                process(token)
                _ = inner.last_content_delta
            inner.process_eos()
            parsers.append(parser)
        return parsers

    return parse


def message(parser: Any) -> dict[str, Any]:
    """What a parser has read, put as our message."""
    out: dict[str, Any] = {"role": "assistant"}
    for part in parser.messages:
        text = "".join(content.text for content in part.content)
        if part.recipient:
            function = {"name": part.recipient.removeprefix("functions."), "arguments": json.loads(text)}
            out.setdefault("tool_calls", []).append({"type": "function", "function": function})
        else:
            out.setdefault("reasoning_content" if part.channel == "analysis" else "content", []).append(text.strip())
    for field, glue in (("reasoning_content", "\n"), ("content", "\n\n")):
        if field in out:
            out[field] = glue.join(out[field])
    return out


def rebuild(packed: Path, folder: Path = VOCABULARY) -> Path:
    """Write the vocabulary from encoders/o200k_base.json of npm's tiktoken: an offset, then tokens in base64."""
    _, offset, *tokens = json.loads(packed.read_text(encoding="utf-8"))["bpe_ranks"].split(" ")
    folder.mkdir(exist_ok=True)
    path = folder / FILE
    path.write_text("".join(f"{token} {rank}\n" for rank, token in enumerate(tokens, int(offset))), encoding="ascii")
    return path


if __name__ == "__main__":
    print(rebuild(Path(sys.argv[1])))
