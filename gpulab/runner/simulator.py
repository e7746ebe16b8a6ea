"""The engine of Numba puzzles without a GPU: our simulator, as the learner's process uses it.

Any module with `launch` and `call` can be a job's engine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gpulab.runner.answers import HostRecord, Options
from gpulab.trace.model import Run

if TYPE_CHECKING:
    from gpulab.catalog.spec import Launch
    from gpulab.timing.model import Measured, Plan


def prepare() -> bool:
    """Before the learner's code: host calls and eager signatures work from now on. False where they did before.

    Zygotes do it already: what a learner's process replaces by itself it must look at anew, for a tenth of a second.
    """
    from gpulab.engines.simt.host import install, is_installed

    if is_installed():
        install().move_here()
        return False
    install()
    return True


def rehearse() -> None:
    """Type and run a kernel: the first one after a fork copies two thousand pages, which takes 20 ms and more."""
    from gpulab.engines.simt import warm

    warm()


def typings() -> int:
    """How often Numba was asked to type a function so far, which runs what the learner's file has Numba extended by."""
    from gpulab.engines.simt import frontend

    return frontend.typings()


def launch(kernel: Any, launch: Launch, arguments: list[Any], options: Options) -> Run:
    """Launch a kernel over NumPy arrays, which are updated in place."""
    from gpulab import simulate

    return simulate(kernel, launch.blocks, launch.threads, *arguments, shared_bytes=launch.shared_bytes,
                    **vars(options))


def time(function: Any, launch: Launch, arguments: list[Any], plan: Plan) -> Measured:
    """No time, but what the compiler tells of a kernel's resources for the GPU that the plan names."""
    from math import prod

    from gpulab.engines.gpu.faults import GpuFault
    from gpulab.engines.simt.frontend import type_of
    from gpulab.timing.model import Measured
    from gpulab.timing.resources import NoCompiler, compiled

    types = tuple(type_of(argument) for argument in arguments)
    try:
        return Measured(resources=compiled(function, types, plan.compile_for or (9, 0), threads=prod(launch.threads),
                                           dynamic=launch.shared_bytes))
    except NoCompiler as missing:
        raise GpuFault("environment", f"the compiler did not take it, or its libraries are missing: {missing}") from (
            missing)


def call(function: Callable[..., object], arguments: list[Any], options: Options, record: HostRecord) -> None:
    """Call a host function with device arrays in place of the arrays, which are updated when it returns.

    `record` gets what it did, also when it raises.
    """
    from gpulab.engines.simt.host import session

    with session(**vars(options)) as host:
        record.runs, record.transfers, record.sites = host.runs, host.transfers, host.sites
        record.tampered, record.notes = host.tampered, host.notes
        host.know(getattr(function, "__globals__", {}).values())
        device = [host.to_device(value) if isinstance(value, np.ndarray) else value for value in arguments]
        function(*device)
    if host.refused:  # by a launch, and swallowed by the function
        raise host.refused[0]
    for value, copy in zip(arguments, device, strict=True):
        if isinstance(value, np.ndarray) and value.size:
            value[...] = host.contents(copy)
