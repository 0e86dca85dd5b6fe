"""The same step on Ray's local cluster, in datasets.map and in `respc parse --batch`: 100,000 rows, the same results.

`make test-ray` installs ray and datasets.
"""

from __future__ import annotations

import importlib
import json
import os
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest

from compiler.show.batch import Batch
from runtime.adapters.rows import Rows
from tests.examples import model_examples

pytestmark = pytest.mark.ray
ROOT = Path(__file__).parents[2]
ROWS = 100_000
FAMILY = "qwen3"


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cases of the family, good and bad, over and over, each with its number."""
    examples = [example for example in model_examples() if example.family == FAMILY]
    rows = list(islice(cycle(examples), ROWS))
    tools = [json.dumps(row.tools) if row.tools else None for row in rows]
    columns: dict[str, Any] = {
        "n": range(ROWS),
        "text": [row.text for row in rows],
        "prefix": [row.prefix for row in rows],
        "tools": pa.array(tools, pa.string()),
    }
    path = tmp_path_factory.mktemp("rows") / "rows.parquet"
    parquet.write_table(pa.table(columns), path)
    return path


@pytest.fixture(scope="module")
def local(source: Path) -> Any:
    """What `respc parse --batch` makes of them."""
    out = source.with_name("local.parquet")
    counts = Batch(source, out, FAMILY, part=5000).run(2, lambda rows: None)
    assert counts.rows == ROWS and 0 < counts.wrong < ROWS
    return parquet.read_table(out)


def test_ray_data(source: Path, local: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    monkeypatch.setenv("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    ray.init(num_cpus=2, include_dashboard=False, runtime_env={"env_vars": {"PYTHONPATH": path}}, log_to_driver=False)
    try:
        spec = importlib.util.spec_from_file_location("ray_job", ROOT / "examples" / "doors" / "ray_job.py")
        assert spec is not None and spec.loader is not None
        job = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(job)
        job.main(str(source), str(source.with_name("ray")), FAMILY)
    finally:
        ray.shutdown()
    found = parquet.read_table(source.with_name("ray")).sort_by("n")
    assert found.column_names == local.column_names
    assert all(found[name].to_pylist() == local[name].to_pylist() for name in local.column_names)


def test_datasets_map(source: Path, local: Any) -> None:
    import datasets

    rows = datasets.Dataset.from_parquet(str(source), cache_dir=str(source.with_name("cache")))
    found = rows.map(Rows(f"generated.{FAMILY}"), batched=True, batch_size=2000)
    assert all(found[name][:] == local[name].to_pylist() for name in local.column_names)
