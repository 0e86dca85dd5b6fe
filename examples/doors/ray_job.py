"""A Parquet of raw generations becomes one of messages, on Ray: `python examples/doors/ray_job.py IN OUT [FAMILY]`.

IN has a column text, perhaps prefix and tools; OUT, a folder, has message and error beside them. Each worker is an
actor that imports its parser once.
"""

from __future__ import annotations

import sys

import ray

from runtime.adapters.rows import Rows


def main(source: str, out: str, family: str = "qwen3", workers: int = 2) -> None:
    rows = ray.data.read_parquet(source)
    parsed = rows.map_batches(
        Rows,
        fn_constructor_kwargs={"module": f"generated.{family}"},
        concurrency=workers,
        num_cpus=0.5,  # by the books: where actors hold all processors, reading and writing never get one
        batch_size=2000,
    )
    parsed.write_parquet(out)


if __name__ == "__main__":
    main(*sys.argv[1:4])
