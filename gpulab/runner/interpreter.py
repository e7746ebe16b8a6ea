"""The engine of Triton puzzles without a GPU: Triton's language over NumPy, as the learner's process uses it."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
from gpulab.runner.answers import HostRecord, Options
from gpulab.runner.guard import NotAllowed
from gpulab.trace.model import Run

if TYPE_CHECKING:
    from gpulab.catalog.spec import Launch
    from gpulab.timing.model import Measured, Plan

_launches: list[str] = []
"""The kernels that were launched. (A list may grow: that is no tampering.)"""


def prepare() -> bool:
    """Once in each learner's process, before the learner's code: launches come to us from now on."""
    from gpulab.engines.triton import hosting

    hosting.prepare()
    return True


def rehearse() -> None:
    """Compile and run a kernel: the first one after a fork copies the pages that it writes to."""
    from gpulab.engines.triton import practice

    practice.warm()


def typings() -> int:
    """How often code of the learner's may have run since it was loaded: each launch runs the kernel's own Python."""
    return len(_launches)


def launch(kernel: Any, launch: Launch, arguments: list[Any], options: Options) -> Run:
    """Launch a kernel over NumPy arrays, which are updated in place. Raises `DoesNotCompile` if Triton refuses it."""
    from gpulab.engines.triton.compiling import compile_front
    from gpulab.engines.triton.launching import launch as run

    kernel = _beneath(kernel)
    _launches.append(kernel.fn.__name__)
    given = dict(zip(kernel.arg_names, arguments, strict=True))
    compile_front(kernel, given)
    done = run(kernel, launch.blocks, given, findings=options.findings, counters=options.counters,
               values=options.values, order=options.order, time_limit=options.time_limit)
    done.threads = (*launch.threads, 1, 1)[:3]  # type: ignore[assignment]  # three of them
    return done


def _beneath(kernel: Any) -> Any:
    """The kernel beneath `@triton.autotune`: here the case says what is constant.

    Raises `DoesNotCompile` for what is no kernel of Triton's, `Unsupported` for what computes arguments on the host.
    """
    while not inspect.isfunction(getattr(kernel, "fn", None)):
        function = getattr(kernel, "py_func", None)
        if not hasattr(kernel, "fn"):
            raise DoesNotCompile(f"{getattr(function or kernel, '__name__', 'This')} is no kernel of Triton's: write "
                                 "@triton.jit above it.", function.__code__.co_firstlineno if function else None)
        if type(kernel).__name__ == "Heuristics":
            raise Unsupported("@triton.heuristics")
        kernel = kernel.fn
    return kernel


def time(function: Any, launch: Launch, arguments: list[Any], plan: Plan) -> Measured:
    """No time, but what the compiler tells of a kernel's resources for the GPU that the plan names."""
    from gpulab.engines.gpu.faults import GpuFault
    from gpulab.engines.triton.compiling import compile_for, compile_front
    from gpulab.timing.model import Measured
    from gpulab.timing.resources import NoCompiler, of_report

    kernel, capability = _beneath(function), plan.compile_for or (9, 0)
    given = dict(zip(kernel.arg_names, arguments, strict=True))
    compile_front(kernel, given)
    try:
        done = compile_for(kernel, given, 10 * capability[0] + capability[1])
        return Measured(resources=of_report(done.said, capability, threads=32 * done.warps, shared=done.shared))
    except NoCompiler as missing:
        raise GpuFault("environment", str(missing)) from missing
    except Exception as error:
        told = " ".join(f"{type(error).__name__}: {error}".split())[:200]
        raise GpuFault("environment", f"Triton did not compile it for this GPU: {told}") from error


def call(function: Callable[..., object], arguments: list[Any], options: Options, record: HostRecord) -> None:
    """Call a host function with tensors of torch in place of the arrays, which are updated.

    `record` gets what it did, also when it raises.
    """
    from gpulab.engines.gpu.faults import GpuFault
    from gpulab.engines.triton import hosting

    try:
        importlib.import_module("torch")
    except ImportError as error:
        raise GpuFault("environment", f"torch cannot be imported: {error}") from error
    names = {(value.__array_interface__["data"][0], value.shape): name
             for name, value in zip(inspect.signature(function).parameters, arguments, strict=False)
             if isinstance(value, np.ndarray)}
    host = hosting.Host(function.__code__.co_filename, options.findings, options.counters, options.values,
                        options.order, options.time_limit, names)
    record.runs, record.sites = host.runs, host.sites
    try:
        hosting.call(function, arguments, host)
    except hosting.NotByTorch as error:
        raise NotAllowed(f"Your code {error}.").with_traceback(error.__traceback__) from error
