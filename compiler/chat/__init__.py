"""Chat templates, the other half: what a checkpoint folder says goes in, out come prompts, checks and drafts.

Invariant: a chat template runs nowhere but in the sandboxed renderer of transformers (render.py).
"""
