"""The public door of the simulator: `gpulab.simulate`."""

from __future__ import annotations

from typing import Any

from gpulab.trace import Run

Extent = int | tuple[int, ...]


def simulate(
    kernel: Any,
    blocks: Extent,
    threads: Extent,
    *args: Any,
    shared_bytes: int = 0,
    findings: bool = True,
    counters: bool = True,
    values: bool = False,
    order: int | None = None,
    time_limit: float | None = None,
) -> Run:
    """Run a Numba CUDA kernel in the simulator; arrays among `args` are updated in place."""
    from gpulab.engines.simt.machine import launch

    return launch(
        kernel, blocks, threads, args, shared_bytes=shared_bytes, findings=findings, counters=counters,
        values=values, order=order, time_limit=time_limit,
    )
