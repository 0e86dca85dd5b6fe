"""What a round trip sends: assistant messages by kind, the conversations before them, and the tools they may call.

Invariant: a message is in its plain form, whatever a template wants: `content` is a string, `reasoning_content` is
there or not, each call is {"type", "function": {"name", "arguments": dict}}; equal messages are equal dicts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

Message = dict[str, Any]
Arguments = dict[str, Any]

TYPES: dict[str, dict[str, Any]] = {
    "text": {"type": "string", "description": "Any text."},
    "place": {"type": "string", "description": "A place."},
    "count": {"type": "integer", "description": "A number."},
    "share": {"type": "number", "description": "A number."},
    "exact": {"type": "boolean", "description": "Yes or no."},
    "nothing": {"type": "null", "description": "Nothing."},
    "list": {"type": "array", "items": {"type": "string"}, "description": "A list."},
    "nested": {"type": "object", "properties": {}, "description": "Anything with keys."},
}
NAMES = ("look_up", "send-mail", "plan.route")


def _tool(name: str) -> Message:
    parameters = {"type": "object", "properties": TYPES, "required": []}
    return {"type": "function", "function": {"name": name, "description": "Does it.", "parameters": parameters}}


TOOLS = [_tool(name) for name in NAMES]


def call(name: str, arguments: Arguments) -> Message:
    return {"type": "function", "function": {"name": name, "arguments": arguments}}


def assistant(content: str = "", reasoning: str = "", *calls: Message) -> Message:
    """A message in its plain form: what is empty is not there."""
    message: Message = {"role": "assistant"}
    if reasoning:
        message["reasoning_content"] = reasoning
    if content:
        message["content"] = content
    if calls:
        message["tool_calls"] = list(calls)
    return message


@dataclass(frozen=True)
class Context:
    """What stands before the message. `tools`: whether it needs tools to be given."""

    name: str
    messages: tuple[Message, ...]
    tools: bool = False


USER = {"role": "user", "content": "What is the weather in Lund?"}
CONTEXTS = (
    Context("single turn", (USER,)),
    Context("system", ({"role": "system", "content": "Be brief."}, USER)),
    Context("multi turn", (USER, assistant("It rains."), {"role": "user", "content": "And tomorrow?"})),
    Context(
        "tool result",
        (
            USER,
            assistant("", "", call("look_up", {"place": "Lund"})),
            {"role": "tool", "name": "look_up", "content": "12 degrees"},
        ),
        tools=True,
    ),
    Context("items", ({"role": "user", "content": [{"type": "text", "text": "What is this?"}, {"type": "image"}]},)),
)

_ONE = call("look_up", {"place": "Lund"})
_TWO = call("send-mail", {"text": "It rains.", "count": 2})
_THREE = call("plan.route", {"exact": True, "list": ["Lund", "Malmö"]})
_TYPES = {"count": -3, "share": 2.5, "exact": False, "nested": {"a": {"b": [1, {"c": "d"}], "e": []}}, "list": ["x"]}

CONTENT: Mapping[str, Message] = {
    "content": assistant("It is 12 degrees."),
    "lines": assistant("First line.\n\n- an item\n- \"another\"\n\n```py\nx = {'a': [1]}\n```\nLast."),
    "unicode": assistant("Blåbär 🫐, 東京, \u00a0e\u0301, عربي"),
    "signs": assistant("a < b > c & d | {e} [f] </g> \\n %s"),
    "outer blanks": assistant("\n  It rains. \n"),
    "empty": assistant(),
}
REASONING: Mapping[str, Message] = {
    "reasoning": assistant("It is 12 degrees.", "The tool said 12."),
    "reasoning lines": assistant("It rains.", "First,\n\n  second:\n- \"third\"\n{'a': 1}"),
    "reasoning only": assistant("", "Nothing to say."),
}
CALLS: Mapping[str, Message] = {
    "call": assistant("", "", _ONE),
    "call with content": assistant("I will look it up.", "", _ONE),
    "call, types": assistant("", "", call("look_up", _TYPES)),
    "call, null": assistant("", "", call("look_up", {"nothing": None})),
    "call, no arguments": assistant("", "", call("look_up", {})),
    "call, empty things": assistant("", "", call("look_up", {"text": "", "list": [], "nested": {}})),
    "call, quotes": assistant("", "", call("look_up", {"text": "say \"yes\", it's 'no' \\ C:\\new\\table"})),
    "call, lines": assistant("", "", call("look_up", {"text": "def f():\n    return {\n\t'a': 1,\n    }\n\nf()"})),
    "call, unicode": assistant("", "", call("look_up", {"text": "Blåbär 🫐 東京", "place": "عربي"})),
    "call, like other types": assistant("", "", call("look_up", {"text": "12", "place": "true"})),
    "call, blanks": assistant("", "", call("look_up", {"text": "  indented\n", "place": "\nLund "})),
    "two calls": assistant("", "", _ONE, _TWO),
    "three calls": assistant("Three things.", "", _ONE, _TWO, _THREE),
    "reasoning and call": assistant("", "Look it up.", _ONE),
    "reasoning, content, calls": assistant("I will do both.", "Look it up, then tell.", _ONE, _TWO),
}
MARKERS = "call, markers"


def with_markers(markers: str) -> Message:
    """A call with a string argument in which the format's own markers stand."""
    return assistant("", "", call("look_up", {"text": markers, "place": "Lund"}))
