"""A random number generator goes in, a response template that transformers loads comes out.

Kinds: `tame` is literals and the patterns that published templates are made of; `tools` has calls that a request's
tools can type; `wild` has edges, look-around, lists that overlap, what can be empty, patterns put together at random.
"""

from __future__ import annotations

from random import Random
from typing import Any

import regex

KINDS = ("tame", "tools", "wild")
NAMES = ["content", "reasoning_content", "tool_calls", "thinking", "score", "b", "a"]
ANCHORS: list[tuple[str, Any]] = [
    ("start_anchor", "<bot>"),
    ("start_anchor", "<|turn|>model\n"),
    ("start_anchor", ["<bot>", "<bot>\n", "<ai>"]),
    ("start_anchor", ["aba", "ab", "abab"]),
    ("start_anchor_pattern", r"<bot>\s*"),
    ("start_anchor_pattern", r"<\|(?:bot|ai)\|>(?:\n|$)?"),
    ("start_anchor_pattern", r"(?<=<bot>)"),
    ("start_anchor_pattern", r"(?m:^)bot:"),
]
PAIRS = [
    ("<think>", "</think>"),
    ("<call>", "</call>"),
    ("<|open|>", "<|close|>"),
    ("[ARGS]", "\n\n"),
    ("```py\n", "```"),
    ("«", "»"),
    ("🔧", "🔩"),
    ("<s>", "</s>"),
    ("## Plan\n", "## "),
    ("aab", "ba"),
    ("$$", "$"),
]
LISTS = {
    "open": [["<call>", "[call]"], ["<think>", "<thinking>"], ["<s", "<s>"], ["«", "««", "«««"]],
    "close": [["</call>", "<|eot|>"], ["<|eot|>", "<|eot_id|>"], ["</s>", "</s>\n"], ["»", "."]],
}
SHAPES = {
    "open": [
        r"<call:(?P<who>[\w.-]+)>",
        r"<call>\s*<fn=(?P<who>[^>\n]+)>",
        r"<\|to\|>(?P<who>\S+?)<\|open\|>",
        r"<call>\n?",
        r"(?:<call>|<fn>)",
        r"<th(?:ink|ought)>",
        r"(?:<\|to\|>)?\s*to=(?P<who>\w+)(?:\s*<\|(?P<how>json|code)\|>)?\s*<\|open\|>",
        r"<call (?P<who>\w*).*?>",
        r"call:(?P<who>\w+)\s*(?=\{)",
    ],
    "close": [
        r"</call>\s*",
        r"</call>\n?",
        r"\s*</call>",
        r"<\|(?:eot|close)\|>\s*",
        r"(?:</call>|<\|eot\|>)",
        r"</fn>\s*</call>",
        r"</call>\s*|(?=<call>)",
        r"\}\s*;",
    ],
}
TRAPS = [
    r"</call>|$",
    r"(?:</call>|<\|eot\|>)\s*|$",
    r"</call>\s*|(?=<)",
    r"$",
    r"\Z",
    r"^",
    r"^\s*<call>",
    r"<call>$",
    r"<call>\Z",
    r"\bcall\b",
    r"call\b",
    r"\B<",
    r"(?m)^- ",
    r"(?m:$)\n",
    r"(?<=\n)#",
    r"(?<!a)<call>",
    r"(?<=^|\n)<",
    r"<call>(?!\s*<call>)",
    r"<call>(?=\s*\{|\s*$)",
    r"(?=<call>)",
    r"(?=[\s\S]*?</call>)",
    r"(?=(?P<who>\w+)>)<",
    r"a*",
    r"",
    r"\b",
    r".",
    r"[\s\S]",
    r"\n",
    r"\n(?=\n)",
    r"a|ab",
    r"ab|a|b$",
    r"(?:ab)+",
    r"(?:a|ab)(?:c|bcd)?",
    r"<a>.*<b>",
    r"<a>.*?<b>|<call>",
    r"(?P<who>a+)(?P<how>b)?",
    r"(?P<who>\w+)[:=]",
    r"(?P<content>\w)!",
    r"(?i:<CALL>)",
    r"(?i)</Call>",
    r"(?>a+)b",
    r"a++b",
    r"a{2,3}",
    r"a{2,3}?b?",
    r"<(?P<who>\w+)>(?=.*</(?P=who)>)",
    r"(?P<who>\w)(?P=who)",
    r"\X;",
    r"[^\W\d]+\(",
    r"\p{Lu}+",
    r"<call>\s*\n",
    r"</call>.*</call>",
    r"</call>(?:.*?<fn>)?",
]
LITERALS = [
    "\n",
    " ",
    "a",
    "<",
    "aa",
    "aba",
    ".*",
    "\\d",
    "\x00",
    "\ud83d",
    "e\u0301",
    ["<|a", "|"],
    ["aab", "ab", "b"],
    ["abcd", "bc"],
    ["</call>\n\n", "\n"],
    ["STOP", "STOPPED"],
]
TAGS = [
    r"<arg=(?P<key>\w+)>(?P<value>.*?)</arg>",
    r"<(?P<key>\w+)>\s*(?P<value>.*?)\s*</(?P=key)>",
    r"(?P<key>\w+)=(?P<value>[^,]*)",
]
WILD_TAGS = [
    r"<(?P<key>\w+)(?:=(?P<value>\w+))?>",
    r"(?P<value>\d*)(?P<key>a*)",
    r"<(?P<key>\w)>",
    r"(?P<key>)(?P<value>.)",
]
PIECES = ["<", ">", "a", "b", "ab", "call", "\n", " ", r"\w", r"\s", "[^<]", ".", r"\d", "[ab]", "/", "é"]
EDGES = ["^", "$", r"\b", r"\B", r"\Z", r"\A"]


def random_template(rng: Random, kind: str) -> dict[str, Any]:
    """kind: one of KINDS."""
    return _tools_template(rng) if kind == "tools" else _template(rng, kind == "wild")


def _template(rng: Random, wild: bool) -> dict[str, Any]:
    names = rng.sample(NAMES, rng.choice([1, 2, 2, 3, 3, 4]))
    implicit = rng.choice(names) if rng.random() < 0.75 else None
    anchor, given = rng.choice(ANCHORS)
    template: dict[str, Any] = {anchor: given}
    if rng.random() < 0.5:
        template["defaults"] = {"role": "assistant"}
    template["fields"] = {name: _field(rng, wild, name == implicit) for name in names}
    if "defaults" in template and rng.random() < 0.4:
        name = rng.choice(names)
        template["defaults"][name] = _default(rng, template["fields"][name])
    if rng.random() < 0.2:
        template["version"] = 1
    return template


def _default(rng: Random, field: dict[str, Any]) -> Any:
    if "join" in field:
        return rng.choice(["", "so far", None])
    return rng.choice([[], ["one"]]) if field.get("repeats") else rng.choice(["", "one", None, [], {}, 0])


def _field(rng: Random, wild: bool, implicit: bool) -> dict[str, Any]:
    field: dict[str, Any] = {}
    if not implicit:
        _put(field, "open", _delimiter(rng, wild, "open"))
    if rng.random() < 0.85:
        closer = dict(PAIRS).get(field.get("open")) if isinstance(field.get("open"), str) else None
        if closer is not None and rng.random() < 0.7:
            field["close"] = closer
        else:
            _put(field, "close", _delimiter(rng, wild, "close"))
    content = "text" if implicit and rng.random() < 0.85 else _content(rng, field, wild)
    groups = [group for key in ("open_pattern", "close_pattern") for group in _groups(field.get(key, ""))]
    if groups or rng.random() < (0.1 if content == "text" else 0.5):
        _transform(rng, field, content, groups)
    if rng.random() < 0.45:
        field["repeats"] = True
        if content == "text" and "transform" not in field and rng.random() < 0.6:
            field["join"] = rng.choice(["", "\n", ", "])
    if rng.random() < 0.12:
        field["optional"] = rng.random() < 0.3
    return field


def _put(field: dict[str, Any], side: str, delimiter: Any) -> None:
    """A delimiter is a literal, a list of them, or ("pattern",)."""
    if isinstance(delimiter, tuple):
        field[f"{side}_pattern"] = delimiter[0]
    else:
        field[side] = delimiter


def _delimiter(rng: Random, wild: bool, side: str) -> Any:
    way = rng.random()
    if wild and way < 0.65:
        if way < 0.1:
            return rng.choice(LITERALS)
        if way < 0.35:
            return (_pattern(rng),)
        return (rng.choice(TRAPS),)
    way = rng.random()
    if way < 0.2:
        return rng.choice(LISTS[side])
    if way < 0.6:
        return (rng.choice(SHAPES[side]),)
    return rng.choice(PAIRS)[side == "close"]


def _pattern(rng: Random) -> str:
    """Put together from PIECES, EDGES and look-around; at most one group, named `who`."""
    while True:
        pattern = _sequence(rng, 3)
        if rng.random() < 0.2:
            pattern = f"(?P<who>{pattern}){_atom(rng, 1)}"
        try:
            regex.compile(pattern, regex.DOTALL)
        except regex.error:
            continue
        return pattern


def _sequence(rng: Random, depth: int) -> str:
    return "".join(_atom(rng, depth) for _ in range(rng.choice([1, 2, 2, 3])))


def _atom(rng: Random, depth: int) -> str:
    way = rng.random()
    if depth and way < 0.15:
        return f"(?:{_sequence(rng, depth - 1)}|{_sequence(rng, depth - 1)})" + rng.choice(["", "", "?"])
    if depth and way < 0.25:
        return f"(?{rng.choice(['=', '!', '<=', '<!'])}{_sequence(rng, 0)})"
    if way < 0.32:
        return rng.choice(EDGES)
    return rng.choice(PIECES) + rng.choice(["", "", "", "", "*", "+", "?", "*?", "+?", "{2}", "{1,2}"])


def _groups(pattern: str) -> list[str]:
    return list(regex.compile(pattern).groupindex)


def _content(rng: Random, field: dict[str, Any], wild: bool) -> str:
    content = rng.choices(
        ["text", "json", "xml-inline", "kv-lines", "python-call-list", "int", "float", "bool"], [9, 8, 5, 4, 3, 1, 1, 1]
    )[0]
    args: dict[str, Any] = {}
    if content == "json":
        if rng.random() < 0.35:
            args["unquoted_keys"] = True
        if rng.random() < 0.3:
            args["string_delims"] = rng.choice([[["«", "»"]], [['<|"|>', '<|"|>']], [["'", "'"], ["«", "»"]]])
        if rng.random() < 0.4:
            args["allow_non_json"] = True
    elif content == "xml-inline":
        args["tag_pattern"] = rng.choice(WILD_TAGS if wild and rng.random() < 0.4 else TAGS)
        if rng.random() < 0.4:
            args["merge_duplicates"] = True
    elif content == "kv-lines":
        if rng.random() < 0.4:
            args["line_sep"] = rng.choice([";", "\n\n", ","])
        if rng.random() < 0.4:
            args["kv_sep"] = rng.choice(["=", "->", " "])
    if content in ("xml-inline", "kv-lines") and rng.random() < 0.6:
        args["value_parser"] = rng.choice(
            [
                {"name": "json", "args": {"allow_non_json": True}},
                {"name": "json"},
                {"name": "text", "args": {"strip": False}},
                {"name": "bool"},
                {"name": "int"},
                {},
            ]
        )
    if content != "python-call-list" and rng.random() < 0.2:
        args["strip"] = rng.random() < 0.4
    if content != "text" or rng.random() < 0.5:
        field["content"] = content
    if args:
        field["content_args"] = args
    return content


def _transform(rng: Random, field: dict[str, Any], content: str, groups: list[str]) -> None:
    captured = [f"{{{group}}}" for group in groups]
    name = rng.choice(captured) if captured else "look_up"
    call: dict[str, Any] = {"name": name, "arguments": "{content}"}
    if content == "python-call-list" or (content == "json" and rng.random() < 0.2):
        field["transform_each"] = True
        call = {"name": "{name}", "arguments": "{arguments}"}
        field["transform"] = {"type": "function", "function": {**call, "more": captured} if captured else call}
    elif content == "json" and rng.random() < 0.4:
        field["transform"] = {"type": "function", "function": "{content}"}
    elif content == "json" and rng.random() < 0.3:
        field["transform"] = {"function": {"name": "{content.name}", "arguments": "{content.arguments}"}}
    elif content in ("json", "xml-inline", "kv-lines"):
        field["transform"] = {"type": "function", "function": call}
    else:
        field["transform"] = rng.choice(["{content}", ["{content}", name, 1, None], {"v": "{content}", "by": captured}])


def _tools_template(rng: Random) -> dict[str, Any]:
    content = rng.choice(["json", "xml-inline", "xml-inline", "kv-lines", "python-call-list"])
    field: dict[str, Any] = {"close": rng.choice(["</call>", ["</call>", "<|eot|>"]]), "content": content}
    call: dict[str, Any] = {"name": "look_up", "arguments": "{content}"}
    if content == "python-call-list":
        field["transform_each"] = True
        call = {"name": "{name}", "arguments": "{arguments}"}
    elif rng.random() < 0.6:
        field["open_pattern"] = rng.choice(SHAPES["open"][:2])
        call["name"] = "{who}"
    if "open_pattern" not in field:
        field["open"] = "<call>"
    if content == "xml-inline":
        field["content_args"] = {"tag_pattern": rng.choice(TAGS), "merge_duplicates": rng.random() < 0.4}
        if rng.random() < 0.3:
            field["content_args"]["value_parser"] = {"name": "json", "args": {"allow_non_json": True}}
    function = "{content}" if content == "json" and "open" in field else call
    field["transform"] = {"type": "function", "function": function}
    field["repeats"] = content != "python-call-list"
    around = rng.choice([{}, {"repeats": True, "join": ""}])
    return {
        "defaults": {"role": "assistant"},
        "start_anchor": "<bot>",
        "fields": {"tool_calls": field, "content": around},
    }
