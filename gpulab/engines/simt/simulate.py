"""The public door of the simulator: `gpulab.simulate`."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from gpulab.trace import Counting, Element, Run


def simulate(
    kernel: Any,
    blocks: int | tuple[int, ...],
    threads: int | tuple[int, ...],
    *args: Any,
    shared_bytes: int = 0,
    findings: bool = True,
    counters: Counting = True,
    values: bool | Collection[Element] = False,
    order: int | None = None,
    time_limit: float | None = None,
    picture: bool = False,
) -> Run:
    """Run a Numba CUDA kernel without a GPU; arrays among `args` are updated in place.

    >>> import gpulab, numpy as np
    >>> from numba import cuda
    >>> @cuda.jit
    ... def add_ten(out, a):
    ...     i = cuda.grid(1)
    ...     out[i] = a[i] + 10
    >>> a, out = np.arange(5.0), np.zeros(5)
    >>> run = gpulab.simulate(add_ten, 1, 8, out, a)
    >>> out
    array([10., 11., 12., 13., 14.])
    >>> run.findings[0].kind, run.findings[0].message
    ('out of bounds', 'Thread 5 reads a[5], but a has 5 elements.')
    >>> run.counters.totals["global_loads"]
    5

    Args:
        kernel: what `@cuda.jit` made, with the real `numba.cuda`.
        blocks, threads: the launch, as in `kernel[blocks, threads](*args)`: ints or tuples of up to three.
        args: NumPy arrays (any strides) and scalars.
        shared_bytes: dynamic shared memory of each block.
        findings: look for faults: out of bounds, races, divergent barriers, uninitialised reads.
        counters: count what each source line does (`run.counters`; the names are in `gpulab.trace.COUNTERS`), as
            written and, where the compiler is known to do otherwise, as compiled (`run.counters.compiled`).
            "lanes" counts what threads do, not what the memory makes of it: no requests, sectors or conflicts.
        values: for small launches, tell who wrote which value from what (`run.values`), and show two orders
            of each race that leave two answers (`finding.outcomes`). Instead of True, the elements of interest:
            `[("out", (64,))]`.
        order: a seed that shuffles the order in which blocks run.
        time_limit: seconds, after which the launch ends with a finding `timed out`.
        picture: for small launches, keep every access of every warp (`run.picture`); `values` is then not looked at.

    Raises:
        gpulab.Unsupported: a construct the simulator does not know, with its line.
        gpulab.DoesNotCompile: Numba refuses the kernel; the message is Numba's.
        TypeError, ValueError: a launch that no GPU would take.
    """
    from gpulab.engines.simt.machine import launch

    return launch(kernel, blocks, threads, args, shared_bytes=shared_bytes, findings=findings, counters=counters,
                  values=values, order=order, time_limit=time_limit, picture=picture)
