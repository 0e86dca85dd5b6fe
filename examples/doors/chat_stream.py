"""A response while it is written, as the chunks that OpenAI's clients read."""

from __future__ import annotations

from generated import qwen3_coder
from runtime.adapters.chat import ChatChunks

WRITTEN = """I look at both files.
<tool_call>
<function=read_file>
<parameter=path>
a.txt
</parameter>
</function>
</tool_call>
<tool_call>
<function=read_file>
<parameter=path>
b.txt
</para"""  # the limit of tokens was reached

parser = ChatChunks(qwen3_coder, prefix="<|im_start|>assistant\n", new_id=lambda index: f"call_{index}")
chunks = list(parser.initial_chunks)
for at in range(0, len(WRITTEN), 11):
    chunks += parser.feed(WRITTEN[at : at + 11])
message, last = parser.finalize("length")
for chunk in [*chunks, *last]:
    choice = chunk["choices"][0]
    print(choice["finish_reason"] or choice["delta"])
