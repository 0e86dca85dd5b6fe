"""Every example means what it says: whole, by the character, cut in two at every place, its border moved everywhere;
where it is one of many variants, cut at every fifth place.

The border between prefix and text is one more cut, so an example is also read with all of it in the prefix and none.
"""

from __future__ import annotations

from types import ModuleType

import pytest

from tests.examples import FORMATS, Example, exported, format_examples, model_examples, module_of, published
from tests.handed import alike
from tests.outcomes import exact
from tests.reference import Reading, difference, ours, same, theirs

EXAMPLES = model_examples()
AMBIGUOUS = {"lfm2-2"}  # the chat template itself does not escape a quote in a string
PUBLISHED = format_examples([one["family"] for one in FORMATS])


def in_every_way(module: ModuleType, example: Example, *, step: int = 1) -> Reading:
    """The reading of the whole, which all others have to be equal to. step: between the places of the border, and of
    the cut when the example is a variant."""
    given = {"prefix": example.prefix, "tools": example.tools}
    whole = ours(module, [example.text], **given)
    text = example.text
    cuts = range(0, len(text) + 1, step if example.is_variant else 1)
    for chunks in [list(text), *([text[:cut], text[cut:]] for cut in cuts)]:
        assert not same(whole, ours(module, chunks, **given)), chunks
    everything = example.prefix + text
    behind = len(everything) - len(whole.whole)
    for cut in range(behind, len(everything) + 1, step) if behind else ():
        moved = ours(module, [everything[cut:]], prefix=everything[:cut], tools=example.tools)
        if len(moved.whole) < len(whole.whole):
            break  # one more anchor has come into the prefix
        assert not same(whole, moved), cut
    return whole


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_models(example: Example) -> None:
    found = in_every_way(module_of(example.family), example, step=5 if example.is_variant else 1)
    if str(example) in AMBIGUOUS:
        assert not alike(found.message, example.message)
        return
    assert alike(found.message, example.message) if example.is_published else found.message == example.message
    first = found.errors[0][1] if found.errors else None
    assert (first and {"field": first["field"], "text": first["text"]}) == example.error
    template = exported(example.family)
    if template is not None:
        expected = theirs(template, example.text, prefix=example.prefix, tools=example.tools)
        assert not difference(expected, found)


@pytest.mark.parametrize("example", PUBLISHED, ids=str)
def test_published_templates(example: Example) -> None:
    template, module = published(example.family)
    found = in_every_way(module, example, step=3)
    expected = theirs(template, example.text, prefix=example.prefix, tools=example.tools)
    assert not difference(expected, found)
    assert example.fails or found.message == example.message


def test_an_example_that_fails_says_so() -> None:
    failing = [str(example) for example in PUBLISHED if example.fails]
    assert len(failing) == 6
    for example in PUBLISHED:
        if example.fails:
            found = ours(published(example.family)[1], [example.text], prefix=example.prefix, tools=example.tools)
            assert found.errors or exact(found.message) != exact(example.message)
