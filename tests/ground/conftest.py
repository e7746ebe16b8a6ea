"""Machines to set up on, and the offline package index they share."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.ground.machines import Machine, new_machine
from tests.ground.wheelhouse import fill


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The offline package index."""
    folder = tmp_path_factory.mktemp("wheels")
    fill(folder)
    return folder


@pytest.fixture
def machine(tmp_path: Path, wheels: Path) -> Machine:
    """A machine with a shell and a checkout, and no Python yet."""
    return new_machine(tmp_path / "machine", wheels)
