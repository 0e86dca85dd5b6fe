"""Colours for grammars on pages: in goes grammar text, out come Pygments' tokens. Invariant: every text has tokens."""

from __future__ import annotations

from typing import Any, ClassVar

from pygments.lexer import RegexLexer, words
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text

from compiler.arguments import READERS
from compiler.model import POLICIES
from compiler.parse import KEYWORDS

WORDS = sorted({word for word in KEYWORDS.values() if word.isalpha()} | set(POLICIES))


class GrammarLexer(RegexLexer):
    """Grammars, and the responses with their messages that stand below them on the page about the language."""

    name = "respc grammar"
    aliases = ("grammar", "reads")
    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            (r"#.*", Comment),
            (r'"(?:\\.|[^"\\\n])*"', String),
            (r"/(?:\\.|[^/\\\n])+/", String.Regex),
            (words(WORDS, prefix=r"(?<![\w-])", suffix=r"(?![\w-])"), Keyword),
            (words(sorted(READERS), prefix=r"(?<![\w-])", suffix=r"(?![\w-])"), Name.Builtin),
            (r"-?\d[\d.]*", Number),
            (r"[\w-]+", Name),
            (r"\?\?|=>|[?=|]", Operator),
            (r"[{}\[\]():,.@`]", Punctuation),
            (r"\s+|.", Text),
        ]
    }
