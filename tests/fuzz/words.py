"""Words that a fuzzer would not find by itself: what delimiters, grammars and templates are made of."""

from __future__ import annotations

WORDS = [
    *("<think>", "</think>", "<tool_call>", "</tool_call>", "<|im_end|>", "<|im_start|>assistant\n", "<tool_call|>"),
    *("<|channel|>", "<|message|>", "<|call|>", "<|end|>", "<|return|>", "commentary", "analysis", "final", "to=f"),
    *("<|START_ACTION|>", "<|END_ACTION|>", "<|START_THINKING|>", "<|END_THINKING|>", "<|START_RESPONSE|>"),
    *('{"name": "f", "arguments": {}}', '"', "{", "}", "[", "]", "\\", "\\ud800", "NaN", "1e999", "9" * 20),
    *("grammar", "anchor", "field", "default", "open", "close", "emit", "json", "text", "joined", "blank", "after"),
    *('"start_anchor"', '"start_anchor_pattern"', '"fields"', '"open_pattern"', '"close_pattern"', '"transform"'),
    *('"content_args"', '"xml-inline"', '"kv-lines"', '"python-call-list"', '"tag_pattern"', "{content}", '"repeats"'),
    *(r"\s*", r"\w+", ".*?", "(?=", "(?!", "(?<=", "(?<!", "(?P<key>", "(?P<value>", "(?:", "(?>", "(?i)", "[^>]", "$"),
    *(r"\b", r"\B", r"\A", r"\Z", r"\X", r"\1", "{2,3}", "+?", "*+", "|", r"\p{L}", "(?P=key)", "[a-z]", "(?m:^)"),
]
