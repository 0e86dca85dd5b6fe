"""`transformers serve` with compiled parsers: run this in its place, with its arguments.

    python examples/doors/transformers_serve.py serve --help

A model whose template says too little is given the parser of its family by its tokenizer's `response_template`:
`runtime.hf.template_for("kimi_k3")`.
"""

from __future__ import annotations

import sys

from runtime.adapters.transformers_serve import install


def main() -> None:
    from transformers.cli.transformers import main as transformers

    install()
    transformers()


if __name__ == "__main__":
    sys.exit(main())
