"""Messages that nobody thought of: in goes a bench, out comes the smallest message that its grammar fails on.

Invariant: the search is the same every time, and keeps nothing on the disk.
"""

from __future__ import annotations

from typing import Any

from .messages import CONTEXTS, NAMES, TYPES, Message, assistant, call
from .render import ExtraMissing
from .roundtrip import GRAMMAR, Bench, Trial
from .switches import Thinking

KIND = "deep"
_SIGNS = [*"<>/|{}[]'\"\\\n :,=aö", r"\n", "12", "true"]


def search(bench: Bench, examples: int) -> Trial | None:
    """The smallest of `examples` messages that is the grammar's fault, shrunk; None when there is none."""
    try:
        import hypothesis
        from hypothesis import strategies as st
    except ImportError as error:
        raise ExtraMissing("hypothesis makes the messages; it is missing: pip install 'respc[test]'") from error

    text = st.lists(st.sampled_from(_SIGNS) | st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"])).map(
        "".join
    )
    json = st.recursive(
        st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | text,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
        max_leaves=6,
    )
    values: dict[str, Any] = {
        "text": text,
        "place": text,
        "count": st.integers(-(2**53) + 1, 2**53 - 1),
        "share": st.sampled_from([0.5, -2.25, 1e-7, 3.0]),
        "exact": st.booleans(),
        "list": st.lists(text, max_size=3),
        "nested": st.dictionaries(st.sampled_from("abc"), json, max_size=3),
    }
    arguments = st.fixed_dictionaries({}, optional={key: values[key] for key in TYPES if key in values})
    most = 3 if bench.convention.calls > 1 else 1
    calls = st.lists(st.builds(call, st.sampled_from(NAMES), arguments), max_size=most)
    thought = text if bench.convention.reasoning else st.just("")
    messages = st.builds(
        lambda content, reasoning, calls: assistant(content, reasoning, *calls),
        text,
        thought,
        calls if bench.convention.calls else st.just([]),
    )

    def trial(message: Message) -> Trial:
        return bench.trial(KIND, message, CONTEXTS[0], Thinking("default"))

    quiet = hypothesis.settings(
        max_examples=examples,
        database=None,
        derandomize=True,
        phases=[hypothesis.Phase.generate, hypothesis.Phase.shrink],
        deadline=None,
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    try:
        return trial(hypothesis.find(messages, lambda message: trial(message).verdict == GRAMMAR, settings=quiet))
    except hypothesis.errors.NoSuchExample:
        return None
