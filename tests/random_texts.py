"""A template goes in, out come prefixes, responses, tools and ways to cut a response: half well-formed, half noise.

Noise is made of the template's own delimiters: whole, cut short at every place, one character off.
"""

from __future__ import annotations

import json
from functools import lru_cache
from random import Random
from typing import Any

import regex

from compiler import pattern
from compiler.pattern import Alt, Cat, Char, Cluster, Edge, Group, Look, Node, Ref, Rep

WORDS = [
    "Lyon",
    "a",
    "b",
    "ab",
    "aab",
    "abc",
    "42",
    "é",
    "e\u0301",
    "日本",
    "🔧",
    "\ud83d",
    "<",
    ">",
    "|",
    "call",
    "STOP",
    ".",
]
WORDS += ["\\", '"', "'", "{", "}", "\x00", "\x01", "\u200b", "İ", "#", "- ", ":", "A", "x!", "</", "<|"]
BLANKS = [" ", "\n", "\n\n", "\t", "  \n ", "\r\n", "\u00a0", "\x1c"]
NAMES = ["look_up", "get.forecast", "say-hi"]
KEYS = ["city", "days", "deep", "tags", "name", "arguments", "a"]
SCALARS: list[Any] = [1, -3, 2.5, True, None, "x", "", "12", "007", "true", "null", "1e3", "3.0", "[1]", '{"k": 1}']
SCALARS += [
    "a\nb",
    "é🔧",
    "  padded ",
    2**53 + 1,
    "1_000",
    "</call>",
    "a: b",
    10**20,
    "٣",
    "NaN",
    "TRUE ",
    "None",
    "1e400",
]
CHARACTERS = "ab<>c1 \n/|.!é\U0001f527Z_\t-=:{([;"
TYPES: list[Any] = ["integer", "number", "boolean", "string", "null", "object", "array", "date", ["integer", "null"]]


def random_prefix(rng: Random, template: dict[str, Any]) -> str:
    """The end of a prompt: often none, seldom without the anchor; it may go on into the message."""
    way = rng.random()
    if way < 0.35:
        return ""
    anchor = sample(rng, template, "start_anchor")
    rest = _noise(rng, template) if way < 0.6 else ""
    return rng.choice(["", "user: hi\n", anchor + "hi\n"]) + (anchor if way < 0.95 else "") + rest


def random_text(rng: Random, template: dict[str, Any]) -> str:
    text = _noise(rng, template) if rng.random() < 0.5 else _well_formed(rng, template)
    if text and rng.random() < 0.15:
        text = text[: rng.randrange(len(text))]
    return text


def random_tools(rng: Random, kind: str) -> list[dict[str, Any]] | None:
    """JSON schemas, with and without their envelope."""
    if rng.random() > (0.9 if kind == "tools" else 0.15):
        return None
    tools = []
    for name in rng.sample(NAMES, rng.choice([1, 2, 3])):
        properties = {key: _schema(rng) for key in rng.sample(KEYS, rng.randrange(1, 6))}
        function = {"name": name, "parameters": {"type": "object", "properties": properties}}
        tools.append(function if rng.random() < 0.3 else {"type": "function", "function": function})
    return tools


def _schema(rng: Random) -> dict[str, Any]:
    way = rng.random()
    if way < 0.7:
        return {"type": rng.choice(TYPES)}
    if way < 0.9:
        return {rng.choice(["anyOf", "oneOf"]): [{"type": kind} for kind in rng.sample(TYPES, 2)]}
    return {"type": rng.choice(TYPES), "nullable": True}


def random_cuts(rng: Random, text: str) -> list[str]:
    """The text in pieces, some of them empty."""
    most = rng.choice([1, 2, 3, 8])
    chunks = []
    while text:
        size = rng.randrange(0 if rng.random() < 0.1 else 1, most + 1)
        chunks.append(text[:size])
        text = text[size:]
    return chunks


# -- texts ------------------------------------------------------------------------------------------------------------


def _well_formed(rng: Random, template: dict[str, Any]) -> str:
    text = ""
    for _ in range(rng.choice([1, 1, 2, 3])):
        field = rng.choice(list(template["fields"].values()))
        text += rng.choice(["", "", words(rng), rng.choice(BLANKS)])
        text += sample(rng, field, "open") + _body(rng, field) + sample(rng, field, "close")
    return text + rng.choice(["", "", words(rng), rng.choice(BLANKS)])


def _noise(rng: Random, template: dict[str, Any]) -> str:
    """Delimiters of all fields, proper prefixes of them and near misses, amid words."""
    text = ""
    for _ in range(rng.randrange(6)):
        field = rng.choice(list(template["fields"].values()))
        delimiter = sample(rng, field, rng.choice(["open", "close"]))
        way = rng.random()
        if way < 0.3:
            text += delimiter
        elif way < 0.55:
            text += delimiter[: rng.randrange(len(delimiter))] if delimiter else ""
        elif way < 0.65 and delimiter:
            at = rng.randrange(len(delimiter))
            text += delimiter[:at] + rng.choice(["", "x", delimiter[at] * 2]) + delimiter[at + 1 :]
        elif way < 0.75:
            text += _body(rng, field)
        else:
            text += words(rng)
    return text


def words(rng: Random) -> str:
    return "".join(rng.choice(BLANKS if rng.random() < 0.25 else WORDS) for _ in range(rng.randrange(4)))


# -- strings that delimiters match ------------------------------------------------------------------------------------


def sample(rng: Random, part: dict[str, Any], side: str) -> str:
    """A string that (probably) matches a delimiter of a field or the anchor; "" when there is none."""
    if f"{side}_pattern" in part:
        return sample_pattern(rng, part[f"{side}_pattern"])
    words = part.get(side, "")
    return words if isinstance(words, str) else rng.choice(words)


def sample_pattern(rng: Random, text: str) -> str:
    try:
        node = pattern.parse(text)
    except pattern.Refused:
        return "".join(char for char in text if char not in "\\()[]?*+^$")
    return _sampled(rng, node, {})


def _sampled(rng: Random, node: Node, groups: dict[str, str]) -> str:
    if isinstance(node, Char):
        return node.literal if node.literal is not None else rng.choice(_members(node.source))
    if isinstance(node, Cat):
        return "".join(_sampled(rng, item, groups) for item in node.items)
    if isinstance(node, Alt):
        return _sampled(rng, rng.choice(node.items), groups)
    if isinstance(node, Rep):
        most = node.low + 3 if node.high is None else min(node.high, node.low + 3)
        return "".join(_sampled(rng, node.node, groups) for _ in range(rng.randint(node.low, most)))
    if isinstance(node, Ref):
        return groups.get(node.name, "")
    if isinstance(node, Cluster):
        return "e\u0301"
    if isinstance(node, Edge):
        return "\n" if node.kind in ("m$", "m^") and rng.random() < 0.5 else ""
    if isinstance(node, Look) and (node.negative or rng.random() < 0.2):
        return ""
    found = _sampled(rng, node.node, groups)
    if isinstance(node, Group) and node.name:
        if rng.random() < 0.5:
            found = _named(rng, node.name) or found
        groups[node.name] = found
    return found


def _named(rng: Random, group: str) -> str:
    """What a group of this name holds in a sensible response."""
    if group == "value":
        return _printed(rng, rng.choice(SCALARS))
    return rng.choice({"who": NAMES, "key": KEYS}.get(group, [""]))


@lru_cache(256)
def _members(source: str) -> str:
    return "".join(char for char in CHARACTERS if regex.fullmatch(source, char, regex.DOTALL)) or "q"


# -- bodies -----------------------------------------------------------------------------------------------------------


def _body(rng: Random, field: dict[str, Any]) -> str:
    content, args = field.get("content", "text"), field.get("content_args", {})
    way = rng.random()
    if way < 0.12:
        return rng.choice(["", *BLANKS, words(rng)])
    if content == "json":
        return _json(rng, args, bool(field.get("transform_each")))
    if content == "xml-inline":
        return "".join(
            sample_pattern(rng, args["tag_pattern"]) + rng.choice(["", "\n"]) for _ in range(rng.randrange(4))
        )
    if content == "kv-lines":
        sep = args.get("kv_sep", ":")
        lines = [f"{rng.choice(KEYS)}{sep} {_printed(rng, rng.choice(SCALARS))}" for _ in range(rng.randrange(4))]
        return args.get("line_sep", "\n").join([*lines, *rng.choice([[], ["junk"], [""], [f"{sep}b{sep}c"]])])
    if content == "python-call-list":
        return _calls(rng)
    number = ["1", " 42 ", "-7", "1_000", "٣", "x", "1.5", "", "nan", "9" * 30, "true", " True", "0"]
    return words(rng) if content == "text" else rng.choice(number)


def _printed(rng: Random, value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _value(rng: Random, depth: int) -> Any:
    way = rng.random()
    if depth and way < 0.15:
        return [_value(rng, depth - 1) for _ in range(rng.randrange(3))]
    return _object(rng, depth - 1) if depth and way < 0.3 else rng.choice(SCALARS)


def _object(rng: Random, depth: int = 2) -> dict[str, Any]:
    return {rng.choice(KEYS): _value(rng, depth) for _ in range(rng.randrange(4))}


def _json(rng: Random, args: dict[str, Any], many: bool) -> str:
    def call() -> dict[str, Any]:
        return {"name": rng.choice(NAMES), "arguments": _object(rng)}

    value: Any = call() if rng.random() < 0.6 else _value(rng, 2)
    if many:
        value = [call() for _ in range(rng.randrange(3))] + rng.choice([[], [], [value]])
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5, indent=rng.choice([None, None, 1]))
    if args.get("string_delims") and rng.random() < 0.8:
        begin, end = rng.choice(args["string_delims"])
        text = regex.sub(r'"([^"\\]*)"', lambda found: rng.choice([begin + found[1] + end, found[0]]), text)
    if args.get("unquoted_keys") and rng.random() < 0.8:
        text = regex.sub(r'"(\w+)":', r"\1:", text)
    return text


def _calls(rng: Random) -> str:
    literals = [
        "1",
        "-2",
        "3.5",
        "1e999",
        "01",
        "True",
        "false",
        "None",
        '"a"',
        "'b'",
        r"'\u00e9'",
        r"'\q'",
        "9" * 17,
        "x",
    ]
    literals += ["[1, 'a']", "{'k': [None]}", "'it\\'s'", '"new\nline"', r"'\ud83d'"]
    calls = []
    for _ in range(rng.choice([0, 1, 1, 2])):
        arguments = ", ".join(f"{key}={rng.choice(literals)}" for key in rng.sample(KEYS, rng.randrange(3)))
        calls.append(f"{rng.choice(NAMES)}({arguments})")
    return f"[{', '.join(calls)}]" + rng.choice(["", "", "\n", "x"])
