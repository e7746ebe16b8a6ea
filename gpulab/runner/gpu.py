"""The engine of Numba puzzles on this machine's GPU, as the learner's process uses it: see `simulator` beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gpulab.runner.answers import HostRecord, Options
from gpulab.trace.device import Device
from gpulab.trace.model import Run

if TYPE_CHECKING:
    from gpulab.catalog.spec import Launch
    from gpulab.timing.model import Measured, Plan

TAKES_MEMORY = True
"""Arrays come with their guard bands: these are copied to the device too."""


def prepare() -> bool:
    """Once in each learner's process, before the learner's code: open a context, run a kernel. Raises `GpuFault`."""
    from gpulab.engines.gpu.worker import open_gpu

    open_gpu()
    return True


def rehearse() -> None:
    """Nothing is left to do: `prepare` has run a kernel."""


def launch(kernel: Any, launch: Launch, arguments: list[Any], options: Options) -> Run:
    """Launch a kernel over arrays with guard bands, which are updated in place."""
    from gpulab.engines.gpu import running

    return running.launch(kernel, launch.blocks, launch.threads, arguments, launch.shared_bytes)


def call(function: Callable[..., object], arguments: list[Any], options: Options, record: HostRecord) -> None:
    """Call a host function with device arrays in place of the arrays, which are updated when it returns."""
    from gpulab.engines.gpu import running

    record.runs = running.call(function, arguments)


def time(function: Any, launch: Launch | None, arguments: list[Any], plan: Plan) -> Measured:
    """Time a kernel or a host function; afterwards the arrays hold what one more run left."""
    from gpulab.timing.protocol import time_function

    return time_function(function, launch, arguments, plan)


def describe() -> Device:
    """The GPU of this process."""
    from gpulab.engines.gpu import worker

    return worker.describe()
