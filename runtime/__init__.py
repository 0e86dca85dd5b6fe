"""What every generated module leans on: the stream, one reader a content type, scanners, tool typing, errors.

What not every module needs is loaded when it is first asked for; `typing` is not needed to run.
"""

from __future__ import annotations

from .anchor import behind_last_match, behind_last_word
from .at_once import parse_whole
from .emit import either, item, items, member, scopes, seek
from .errors import AnchorNotFound, MissingField, MissingKey, ParseError, RuntimeMismatch
from .read_json import read_json, read_json_lines
from .read_text import read_bool, read_float, read_int, read_text, without_newlines
from .states import BLANKS, State
from .stream import Stream, piece, require_abi
from .words import AnyOf

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing_extensions import Unpack as Unpack

    from .automaton import Automaton
    from .capturing import Capturing
    from .events import Event, Message, Partial, RegionChunk, RegionClose, RegionMalformed, RegionOpen, TextDropped
    from .json_body import JsonBody
    from .looking_back import LookingBack
    from .options import Limits, Options
    from .pairs import Pairs
    from .program import (
        alt,
        behind,
        dot,
        end,
        group,
        last,
        line_end,
        look,
        one,
        opt,
        past,
        plus,
        rep,
        seq,
        star,
        word_edge,
    )
    from .python_literals import read_python
    from .quoted_body import QuotedBody
    from .read_calls import read_call_list
    from .read_kv import read_kv_lines
    from .read_tags import read_pairs, without_entities
    from .read_xml import read_xml_inline
    from .scan import Deaf, Twin, Words
    from .tag_body import TagBody
    from .watch import Watch

_ON_DEMAND = {
    "automaton": "Automaton",
    "capturing": "Capturing",
    "events": "Event Message Partial RegionChunk RegionClose RegionMalformed RegionOpen TextDropped",
    "json_body": "JsonBody",
    "looking_back": "LookingBack",
    "options": "Limits Options",
    "pairs": "Pairs",
    "program": "alt behind dot end group last line_end look one opt past plus rep seq star word_edge",
    "python_literals": "read_python",
    "quoted_body": "QuotedBody",
    "read_calls": "read_call_list",
    "read_kv": "read_kv_lines",
    "read_tags": "read_pairs without_entities",
    "read_xml": "read_xml_inline",
    "scan": "Deaf Twin Words",
    "tag_body": "TagBody",
    "watch": "Watch",
}


def __getattr__(name: str) -> object:
    from importlib import import_module

    for home, names in _ON_DEMAND.items():
        if name in names.split():
            found: object = getattr(import_module(f".{home}", __name__), name)
            globals()[name] = found
            return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


__all__ = [
    "BLANKS",
    "AnchorNotFound",
    "AnyOf",
    "Automaton",
    "Capturing",
    "Deaf",
    "Event",
    "JsonBody",
    "Limits",
    "LookingBack",
    "Message",
    "MissingField",
    "MissingKey",
    "Options",
    "Pairs",
    "ParseError",
    "Partial",
    "QuotedBody",
    "RegionChunk",
    "RegionClose",
    "RegionMalformed",
    "RegionOpen",
    "RuntimeMismatch",
    "State",
    "Stream",
    "TagBody",
    "TextDropped",
    "Twin",
    "Watch",
    "Words",
    "alt",
    "behind",
    "behind_last_match",
    "behind_last_word",
    "dot",
    "either",
    "end",
    "group",
    "item",
    "items",
    "last",
    "line_end",
    "look",
    "member",
    "one",
    "opt",
    "parse_whole",
    "past",
    "piece",
    "plus",
    "read_bool",
    "read_call_list",
    "read_float",
    "read_int",
    "read_json",
    "read_json_lines",
    "read_kv_lines",
    "read_pairs",
    "read_python",
    "read_text",
    "read_xml_inline",
    "rep",
    "require_abi",
    "scopes",
    "seek",
    "seq",
    "star",
    "without_entities",
    "without_newlines",
    "word_edge",
]
