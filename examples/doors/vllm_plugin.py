"""For servers that do not load installed plugins:

    vllm serve MODEL --enable-auto-tool-choice --tool-parser-plugin examples/doors/vllm_plugin.py \
        --tool-call-parser respc_qwen3 --reasoning-parser respc_qwen3
"""

from runtime.adapters.vllm_door import register

register()
