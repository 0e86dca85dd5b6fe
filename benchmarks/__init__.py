"""How fast generated parsers are, beside the floor, transformers and others: `python -m benchmarks`."""
