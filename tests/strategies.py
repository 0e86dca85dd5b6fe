"""Hypothesis strategies for models: grammars of any names, literals, patterns and shapes, checked or not.

Invariant: two surrogates never make a pair, which JSON reads as one character; all else that a str can hold occurs.
"""

from __future__ import annotations

import re

from hypothesis import strategies as st

from compiler.model import (
    ANYWHERE,
    POLICIES,
    REPAIRS,
    SOLE,
    WHEN,
    Bool,
    CallList,
    Constant,
    Either,
    Emit,
    Field,
    Float,
    Grammar,
    Int,
    Items,
    JsonLines,
    JsonValue,
    KvLines,
    Literals,
    Members,
    Opening,
    Pattern,
    Place,
    Policies,
    Python,
    Reader,
    Ref,
    Text,
    Xml,
    XmlInline,
    json_printed,
)
from compiler.parse import DIGEST, MODEL

ODD = [
    "",
    "\\",
    "\\\\",
    "/",
    "\\/",
    '"',
    "\n",
    "\r",
    "\\n",
    "\t",
    "\x00",
    "\x7f",
    "\u2028",
    "\ud83d",
    "\ude00",
    "é",
    "😀",
]
ODD += [
    "{",
    "}",
    "[",
    "|",
    "#",
    "`",
    "'",
    "each",
    "true",
    "null",
    "open",
    "field",
    "pattern",
    " ",
    "(?=<)",
    "<a>",
    "$",
    ":",
]

pieces = st.one_of(st.sampled_from(ODD), st.text(max_size=4))
texts = (
    st.lists(pieces, max_size=4).map("".join).filter(lambda text: not re.search("[\ud800-\udbff][\udc00-\udfff]", text))
)
words = st.one_of(
    st.sampled_from(["a", "_", "each", "true", "false", "null", "content", "open", "grammar", "1", "1a", "日"])
)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), texts, st.just(10**40)
)
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3), max_leaves=6
)

literals = st.builds(
    Literals, st.lists(texts, min_size=1, max_size=3, unique=True).map(tuple), st.booleans(), st.booleans()
)
patterns = texts.map(Pattern)
delimiters = literals | patterns

strips = st.booleans()
flat_readers = st.one_of(
    *(st.builds(kind, strip=strips) for kind in (Text, Int, Float, Bool)),
    st.builds(CallList, st.booleans(), st.sampled_from([",", "\n", "\u2028 "])),
    st.sampled_from([Python(), JsonLines()]),
    st.builds(
        JsonValue,
        unquoted_keys=st.booleans(),
        string_delims=st.lists(st.tuples(texts, texts), max_size=2).map(tuple),
        allow_non_json=st.booleans(),
        strip=strips,
    ),
)


def chosen(inner: st.SearchStrategy[Reader]) -> st.SearchStrategy[tuple[tuple[str, Reader], ...]]:
    return st.dictionaries(texts, inner, min_size=1, max_size=2).map(lambda found: tuple(found.items()))


readers = st.recursive(
    flat_readers,
    lambda inner: st.one_of(
        st.builds(XmlInline, tag=patterns, value=st.none() | inner, merge_duplicates=st.booleans()),
        st.builds(
            Xml,
            patterns,
            delimiters,
            value=st.none() | inner,
            nested=st.sampled_from(["", "item", "the items"]),
            trim=st.sampled_from(POLICIES["trim"]),
            entities=st.booleans(),
            merge_duplicates=st.booleans(),
        ),
        st.builds(Xml, patterns, delimiters, by=st.sampled_from(["a", "each"]), readers=chosen(inner)),
        st.builds(KvLines, line_sep=texts, kv_sep=texts, strip=strips, value=st.none() | inner),
    ),
    max_leaves=2,
)

refs = st.builds(lambda root, keys: Ref((root, *keys)), words, st.lists(words | st.sampled_from(SOLE), max_size=2))


def shapes(inner: st.SearchStrategy[Emit]) -> st.SearchStrategy[Emit]:
    choices = st.lists(inner.filter(lambda emit: not isinstance(emit, Either)), min_size=2, max_size=3)
    return st.one_of(
        st.lists(inner, max_size=3).map(lambda items: Items(tuple(items))),
        st.dictionaries(texts, inner, max_size=3).map(lambda members: Members(tuple(members.items()))),
        st.dictionaries(texts, inner, max_size=2).map(lambda all: Members(tuple(all.items()), tuple(all)[:1])),
        choices.map(lambda choices: Either(tuple(choices))),
    )


emits = st.recursive(refs | scalars.map(Constant), shapes, max_leaves=5)


@st.composite
def policies(draw: st.DrawFn) -> Policies:
    words = draw(st.lists(st.sampled_from(sorted(POLICIES)), max_size=3, unique=True))
    chosen = {word: draw(st.sampled_from(("no", *POLICIES[word])) if POLICIES[word] else st.just("")) for word in words}
    return tuple(("no", word) if choice == "no" else (word, choice) for word, choice in chosen.items())


places = st.sampled_from(WHEN).map(Place) | (texts | words).map(lambda name: Place(after=name)) | st.just(ANYWHERE)
openings = st.builds(Opening, delimiters, places)


@st.composite
def fields(draw: st.DrawFn) -> Field:
    joined = draw(st.none() | texts)
    emit = draw(st.none() | emits)
    opened = draw(st.lists(openings, max_size=3))
    return Field(
        draw(texts | words),
        open=opened[0].delimiter if opened else None,
        place=opened[0].place if opened else ANYWHERE,
        further=tuple(opened[1:]),
        close=draw(st.none() | delimiters),
        reader=draw(readers),
        repeats=joined is not None or draw(st.booleans()),
        joined=joined,
        required=draw(st.booleans()),
        emit=emit,
        each=emit is not None and draw(st.booleans()),
        extend=draw(st.booleans()),
        tolerate=draw(st.sampled_from([(), ("commas", "double-encoded"), REPAIRS])),
    )


defaults = st.dictionaries(texts | words, values.map(json_printed), max_size=3).map(lambda found: tuple(found.items()))


def listed(form: str) -> st.SearchStrategy[tuple[str, ...]]:
    return st.lists(
        st.from_regex(form, fullmatch=True, alphabet=st.characters(codec="ascii")), max_size=2, unique=True
    ).map(tuple)


grammars = st.builds(
    Grammar,
    name=texts | words,
    anchor=delimiters,
    fields=st.lists(fields(), max_size=3).map(tuple),
    defaults=defaults,
    stop=st.none() | delimiters,
    stray=st.none() | delimiters,
    policies=policies(),
    models=listed(MODEL.pattern),
    templates=listed(DIGEST.pattern),
    comment=texts,
)
