"""What the worker does while nobody waits."""

from __future__ import annotations

from gpulab.engines.simt import frontend
from gpulab.engines.simt.practice import practise


def test_practice_types_every_kernel_and_numba_is_asked_less_afterwards() -> None:
    frontend._resolved.clear()
    before = [len(frontend._resolved) for _ in practise()]
    assert len(before) == 5 and before[-1] > before[0] > 0
    known = len(frontend._resolved)
    list(practise())
    assert len(frontend._resolved) == known, "all of it was remembered"
