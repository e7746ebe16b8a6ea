"""The simulator's host side, as every learner's process has it."""

from __future__ import annotations

import pytest

from gpulab.runner import simulator


@pytest.fixture(scope="session", autouse=True)
def installed_simulator() -> None:
    simulator.prepare()
