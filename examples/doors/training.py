"""A completion as TRL's trainers hand it over, parsed by the parser of its family whatever templates can say.

In a training script two lines before the trainer is made let TRL's own `parse_response` use it:

    tokenizer.response_template = template_for("qwen3_coder")
    attach(tokenizer, on_error="keep")
"""

from __future__ import annotations

import json

from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from runtime.adapters.training import parse_response
from runtime.hf import template_for

letters = {letter: number for number, letter in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
backend = Tokenizer(models.BPE(vocab=letters, merges=[]))  # in place of a checkpoint's: one token a byte
backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
backend.decoder = decoders.ByteLevel()
tokenizer = PreTrainedTokenizerFast(tokenizer_object=backend, response_template=template_for("qwen3_coder"))

prompt = tokenizer.encode("<|im_start|>assistant\n<think>\n")
completion = tokenizer.encode(
    "Two seats.\n</think>\n<tool_call>\n<function=book>\n<parameter=seats>\n2\n</parameter>\n</function>\n</tool_call>"
)
tools = [{"name": "book", "parameters": {"type": "object", "properties": {"seats": {"type": "integer"}}}}]
print(json.dumps(parse_response(tokenizer, completion, prefix=prompt, tools=tools), indent=2))
