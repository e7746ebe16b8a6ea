"""A test double of a card: the real engine of the GPU, over the CUDA driver in host memory and the simulator's kernels.

Contexts, device arrays, copies, events and launches are numba-cuda's own code; only what lies below is not a GPU. So
the engine's logic runs here for real: poison, guard bands, faults, timing. Its times are no times of any card.

Like a card, it lets a kernel pass that strays a little, and stops one that strays far.
"""

from __future__ import annotations

import os
from typing import Any

from gpulab.runner.gpu import describe, rehearse

FAR = 1_000_000
"""Elements beyond an array's end where this card has no memory at all."""

ABSENT = "GPULAB_TEST_NO_GPU"
"""An environment variable: with it there is no card."""

__all__ = ["describe", "prepare", "rehearse"]


def prepare() -> bool:
    """Put the driver in place, then do what the real engine does."""
    from gpulab.engines.gpu.faults import GpuFault
    from gpulab.engines.gpu.worker import open_gpu
    from gpulab.engines.simt.host import install
    from gpulab.timing import protocol

    if ABSENT in os.environ:
        raise GpuFault("environment", "CUDA sees no GPU (CUDA_ERROR_NO_DEVICE)")
    protocol.FLUSH_OF_L2 = 1  # of memory that is the host's
    installation = install(time_limit=0.3)
    _stop_far_strays(installation)
    _never_end()
    open_gpu()
    return True


def _never_end() -> None:
    """A kernel that the simulator gives up goes on for ever, as on a card: who waits for it is ended from outside."""
    from numba.cuda import dispatcher

    from gpulab.engines.simt.host import Stopped

    stock = dispatcher._Kernel.launch

    def launch(self: Any, *arguments: Any, **options: Any) -> None:
        try:
            stock(self, *arguments, **options)
        except Stopped:
            while True:
                pass

    dispatcher._Kernel.launch = launch


def _stop_far_strays(installation: Any) -> None:
    """After a kernel has used an index far outside, every later wait reports what a card reports."""
    from numba.cuda.cudadrv.driver import driver

    session = installation.session
    for name in ("cuCtxSynchronize", "cuMemcpyDtoH", "cuEventSynchronize"):
        stock = getattr(driver, name)

        def checked(*arguments: Any, name: str = name, stock: Any = stock) -> Any:
            findings = [finding for run in session.runs for finding in run.findings]
            if any(finding.kind == "out of bounds" and max(map(abs, finding.index or (0,))) > FAR
                   for finding in findings):
                installation.driver.fail(name, "CUDA_ERROR_ILLEGAL_ADDRESS")
            return stock(*arguments)

        vars(driver)[name] = checked
