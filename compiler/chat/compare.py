"""Two messages side by side: in go what was sent and what was parsed, out comes how equal they are.

Invariant: both are brought to the plain form of messages.py first; a grade that holds implies all later ones.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from .messages import Message

REASONING = ("reasoning_content", "thinking", "reasoning")
GRADES = ("exact", "outer blanks", "argument blanks")


def plain(message: Message) -> Message:
    """A parsed message in its plain form: one name for reasoning, text as a string, no ids, nothing that is empty."""
    out: Message = {"role": "assistant"}
    reasoning = next((message[key] for key in REASONING if message.get(key)), None)
    if reasoning is not None:
        out["reasoning_content"] = reasoning
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(item.get("text", "") for item in content if isinstance(item, dict))
    if content:
        out["content"] = content
    calls = message.get("tool_calls")
    if calls:
        out["tool_calls"] = [_call(call) for call in (calls if isinstance(calls, list) else [calls])]
    return out


def grade(sent: Message, parsed: Message) -> str | None:
    """The strictest of GRADES at which two plain messages are equal, None when they differ at all of them."""
    if sent == parsed:
        return GRADES[0]
    if _outer(sent) == _outer(parsed):
        return GRADES[1]
    return GRADES[2] if _each_string(_outer(sent), str.strip) == _each_string(_outer(parsed), str.strip) else None


def sendable(message: Message) -> bool:
    """Whether every call of a plain message is one that a template can be given."""
    calls = message.get("tool_calls", [])
    return all(
        isinstance(call, dict)
        and isinstance(call["function"]["name"], str)
        and isinstance(call["function"]["arguments"], dict)
        for call in calls
    )


def _call(call: Any) -> Any:
    function = call.get("function", call) if isinstance(call, dict) else call
    if not isinstance(function, dict):
        return function
    arguments = function.get("arguments")
    if isinstance(arguments, str):
        with suppress(ValueError):
            arguments = json.loads(arguments)
    return {"type": "function", "function": {"name": function.get("name"), "arguments": arguments}}


def _outer(message: Message) -> Message:
    """Without the blanks around content and reasoning; what is empty then is not there."""
    stripped = {key: value.strip() if isinstance(value, str) else value for key, value in message.items()}
    return {key: value for key, value in stripped.items() if value != ""}


def _each_string(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [_each_string(item, change) for item in value]
    if isinstance(value, dict):
        return {key: _each_string(member, change) for key, member in value.items()}
    return value
