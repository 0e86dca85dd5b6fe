"""runtime/adapters/boundary.py: thoughts and the rest, in every chunking; nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compiler import compile_grammar
from runtime.adapters.boundary import Boundary
from tests.examples import MODELS, Example, model_examples, module_of

EXAMPLES = [example for example in model_examples() if not example.is_variant]
WHOLE = compile_grammar("""
    grammar whole
    anchor "<bot>"
    field thinking: text { open "<t>" close "</t>" }
    field content: text joined "" {}
""")


def split(module: object, pieces: list[str], prefix: str = "") -> tuple[str, str]:
    boundary = Boundary(module, prefix=prefix)  # type: ignore[arg-type]
    both = [boundary.feed(piece) for piece in pieces] + [boundary.finish()]
    return "".join(thought for thought, _ in both), "".join(rest for _, rest in both)


@pytest.mark.parametrize("example", EXAMPLES, ids=str)
def test_every_case_in_every_chunking(example: Example) -> None:
    module, text = module_of(example.family), example.text
    thoughts, rest = split(module, [text], example.prefix)
    assert text.endswith(rest)
    assert split(module, list(text), example.prefix) == (thoughts, rest)
    for at in range(1, len(text), 3):
        assert split(module, [text[:at], text[at:]], example.prefix) == (thoughts, rest)
    reasoning = module.parse(text, prefix=example.prefix, on_error="keep").get("reasoning_content", "")
    assert thoughts in reasoning


@pytest.mark.parametrize("model", MODELS)
@given(data=st.data())
def test_wherever_the_prompt_ends(model: str, data: st.DataObject) -> None:
    example = data.draw(st.sampled_from([one for one in EXAMPLES if one.family == model]))
    border = data.draw(st.integers(0, len(example.text)))
    prefix, text = example.prefix + example.text[:border], example.text[border:]
    thoughts, rest = split(module_of(model), [text], prefix)
    assert text.endswith(rest) and split(module_of(model), list(text), prefix) == (thoughts, rest)
    if rest == text:
        assert not thoughts


def test_what_a_later_thought_replaces_is_told_when_it_is_whole() -> None:
    assert split(WHOLE, ["<t>a", "b</t>", "c<t>d</t>"]) == ("ab", "c<t>d</t>")


def test_where_it_ends() -> None:
    module = module_of("qwen3")
    assert not Boundary(module, prefix="<|im_start|>assistant\n").ended
    assert not Boundary(module, prefix="<|im_start|>assistant\n<think>").ended
    assert Boundary(module, prefix="<|im_start|>assistant\n<think>\n\n</think>\n").ended
    assert Boundary(module_of("mistral_v3"), prefix="").ended
    assert split(module, ["<think>Hm.</think>\n<|im_end|>more"]) == ("Hm.", "<|im_end|>more")
    boundary = Boundary(module, prefix="")
    assert boundary.feed("Yes") == ("", "Yes") and boundary.finish() == ("", "")
