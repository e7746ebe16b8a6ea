"""The host side over the simulator."""

from __future__ import annotations

import pytest

from gpulab.engines.simt import host


@pytest.fixture
def session():
    with host.session() as session:
        yield session
