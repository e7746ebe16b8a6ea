"""NumPy stays below 2.5 for as long as numba-cuda needs that, and no longer."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

from tests.ground.wheelhouse import ROOT


def test_numpy_is_limited_because_numba_cuda_still_uses_row_stack() -> None:
    """Fails when numba-cuda no longer does: then lift `numpy<2.5` in pyproject.toml, and this test with it."""
    limited = re.search(r'"numpy[^"]*<2\.5"', (ROOT / "pyproject.toml").read_text())
    sources = [Path(str(file.locate())) for file in metadata.files("numba-cuda") or [] if file.name == "arrayobj.py"]
    needed = any("np.row_stack" in source.read_text() for source in sources)
    assert sources
    assert bool(limited) == needed
