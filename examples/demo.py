"""A SmolLM3 response, parsed while it arrives: in go a few characters at a time, out come events, then the message.

Invariant: what is shown is what `Parser.feed` returned for the piece just fed, at the moment it was fed.
"""

from __future__ import annotations

import json
import re
import time

from rich.console import Console
from rich.text import Text

from generated.smollm3 import Parser

PREFIX = "<|im_start|>user\nCan I take my bike to Hven on Sunday?<|im_end|>\n<|im_start|>assistant\n"
RESPONSE = """\
<think>
I need the Sunday ferries, and the rules for bikes.
</think>

Let me look up the ferries and the rules.
<tool_call>
{"name": "find_ferries", "arguments": {"to": "Hven", "day": "sunday", "after": "09:00"}}
</tool_call>
<tool_call>
{"name": "read_rules", "arguments": {"about": ["bike", "trailer"], "season": null}}
</tool_call><|im_end|>
"""
COLOURS = {"reasoning_content": "magenta", "content": "green", "tool_calls": "cyan"}


def main() -> None:
    """Print events as they come and the message at the end."""
    console = Console(highlight=False, soft_wrap=True)
    pace = 0.01 if console.is_terminal else 0.0  # seconds between two pieces
    parser = Parser(prefix=PREFIX)
    for piece in re.findall(r"(?s).{1,5}", RESPONSE):
        for event in parser.feed(piece):
            show(console, event)
        time.sleep(pace)
    message, events = parser.finalize()
    for event in events:
        show(console, event)
    console.print()
    console.print_json(json.dumps(message))


def show(console: Console, event: dict[str, object]) -> None:
    """One event, in its field's colour: chunks run on in a line, opens and closes stand in lines of their own."""
    field, kind = str(event["field"]), event["type"]
    colour = COLOURS.get(field, "yellow")
    if kind == "region_open":
        console.print(Text(f"\n{field} opens", style=f"bold {colour}"))
    elif kind == "region_chunk":
        text = str(event["text"]).replace("\n", "\\n")
        console.print(Text(f"|{text}", style=colour), end="")
    else:
        console.print(Text(f"\n{field} closes: {json.dumps(event['value'])}", style=f"bold {colour}"))


if __name__ == "__main__":
    main()
