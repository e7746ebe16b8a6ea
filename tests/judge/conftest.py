"""The simulator's host side, as every learner's process has it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from gpulab.engines.simt.host import install


@pytest.fixture(scope="module", autouse=True)
def installed_simulator() -> Iterator[None]:
    """For the tests of one module: others prove what numba.cuda is like without it."""
    installation = install()
    yield
    installation.uninstall()
