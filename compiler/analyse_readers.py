"""How bodies are read: a reader goes in, out comes the source of the call that reads.

Invariant: the call reads the body and nothing else, and raises ValueError or RecursionError when it is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from .analyse_delimiters import pattern_text
from .captures import closing_parts
from .model import Bool, CallList, Float, Int, JsonLines, JsonValue, KvLines, Python, Reader, Text, Xml, XmlInline
from .names import literal


@dataclass(frozen=True)
class Reading:
    """tags: the constant that holds each compiled tag pattern, by pattern. exact: what belongs to no pair is refused.
    lexed: a dialect of JSON is read token by token, not as version 1 reads it."""

    tags: dict[str, str]
    exact: bool = False
    lexed: bool = False

    def expression(self, reader: Reader, body: str) -> str:
        """The call that reads `body`."""
        if isinstance(reader, Text):
            return f"rt.read_text({body})" if reader.strip else body
        return f"rt.{_FUNCTIONS[type(reader)]}({', '.join([body, *self.arguments(reader)])})"

    def arguments(self, reader: Reader) -> list[str]:
        """What the reader is given besides the body."""
        match reader:
            case JsonValue():
                return self._json(reader)
            case XmlInline():
                merges = ["merge_duplicates=True"] * reader.merge_duplicates
                return [self.tags[reader.tag.text], *self._value(reader.value), *merges]
            case Xml():
                return self._xml(reader)
            case KvLines():
                separators = [f"line_sep={literal(reader.line_sep)}"] if reader.line_sep != "\n" else []
                separators += [f"kv_sep={literal(reader.kv_sep)}"] if reader.kv_sep != ":" else []
                strips = [] if reader.strip else ["strip=False"]
                return [*separators, *strips, *self._value(reader.value), *["exact=True"] * self.exact]
            case CallList():
                separator = [f"separator={literal(reader.separator)}"] if reader.separator != "," else []
                return ([] if reader.brackets else ["brackets=False"]) + separator
            case Int() | Float() | Bool():
                return [] if reader.strip else ["strip=False"]
            case _:
                return []

    def _json(self, reader: JsonValue) -> list[str]:
        arguments = ["unquoted_keys=True"] * reader.unquoted_keys
        if reader.string_delims:
            pairs = ", ".join(f"({literal(left)}, {literal(right)})" for left, right in reader.string_delims)
            arguments.append(f"string_delims=({pairs},)")
        if arguments and self.lexed:
            arguments.append("lexed=True")
        if reader.allow_non_json:
            arguments += ["allow_non_json=True", *([] if reader.strip else ["strip=False"])]
        return arguments

    def _xml(self, reader: Xml) -> list[str]:
        parts = closing_parts(reader)
        closer = f"({', '.join(map(literal, parts))})" if parts else self.tags[pattern_text(reader.close)]
        arguments = [self.tags[pattern_text(reader.open)], closer]
        arguments += [f"items={literal(reader.nested)}"] if reader.nested else []
        raw = trimmed("raw", reader.trim)
        raw = f"rt.without_entities({raw})" if reader.entities else raw
        if reader.by:
            made = (f"{literal(text)}: {_function(self.expression(one, raw))}" for text, one in reader.readers)
            arguments += [f"by={literal(reader.by)}", f"readers={{{', '.join(made)}}}"]
        else:
            arguments += self._value(reader.value, raw)
        flags = {"entities": reader.entities, "merge_duplicates": reader.merge_duplicates, "exact": self.exact}
        return arguments + [f"{name}=True" for name, is_set in flags.items() if is_set]

    def _value(self, reader: Reader | None, raw: str = "raw") -> list[str]:
        call = raw if reader is None else self.expression(reader, raw)
        return [f"value={_function(call)}"] if call != "raw" else []


_FUNCTIONS: dict[type[Reader], str] = {
    Int: "read_int",
    Float: "read_float",
    Bool: "read_bool",
    JsonValue: "read_json",
    JsonLines: "read_json_lines",
    Python: "read_python",
    XmlInline: "read_xml_inline",
    Xml: "read_pairs",
    KvLines: "read_kv_lines",
    CallList: "read_call_list",
}


def json_watcher(reader: Reader) -> str:
    """The class that follows a JSON body's strings, or a function without arguments that makes one."""
    dialect = JsonValue(reader.unquoted_keys, reader.string_delims) if isinstance(reader, JsonValue) else reader
    arguments = ", ".join(Reading({}).arguments(dialect))
    return f"lambda: rt.JsonBody({arguments})" if arguments else "rt.JsonBody"


def trimmed(text: str, trim: str) -> str:
    """The source of a string without what `trim` takes from it."""
    return {
        "both": f"{text}.strip()",
        "start": f"{text}.lstrip()",
        "end": f"{text}.rstrip()",
        "newline": f"rt.without_newlines({text})",
    }.get(trim, text)


def _function(call: str) -> str:
    """The function of `raw` that a call is the body of."""
    function = call.removesuffix("(raw)")
    return function if "(" not in function and function != "raw" else f"lambda raw: {call}"
