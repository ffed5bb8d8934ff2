"""Property tests of the rules: the same examples on every run, no deadline (machines differ)."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile(
    "rules", max_examples=40, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("rules")
