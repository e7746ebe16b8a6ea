"""For all tests: how long property tests look, in `./lab test` and in `./lab fuzz`."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# A busy machine is no failure: no deadlines.
settings.register_profile("lab", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("fuzz", settings.get_profile("lab"), max_examples=5000)
settings.load_profile("lab")
