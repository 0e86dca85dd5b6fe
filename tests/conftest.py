"""What all tests share: hypothesis draws the same examples in every run, so that a run fails for a change and nothing
else. `make fuzz` is where new ones are looked for.
"""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "steady",
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
settings.load_profile("steady")
