"""Fixtures: a machine to put together, and a driver for it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.doctor.machines import Imagined, build_driver


@pytest.fixture
def imagined(tmp_path: Path) -> Imagined:
    """Without a GPU, without packages, without programs."""
    return Imagined(tmp_path)


@pytest.fixture(scope="session")
def driver(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a fake libcuda.so.1."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not here to build the fake driver")
    return build_driver(tmp_path_factory.mktemp("driver"))


@pytest.fixture
def gpu(imagined: Imagined, driver: Path) -> Imagined:
    """With one H200 and its driver."""
    imagined.environ["LD_LIBRARY_PATH"] = str(driver)
    return imagined
