"""Snapshots of modules are no tests, though their names begin like those."""

collect_ignore_glob = ["__snapshots__/*"]
