"""The engine of Triton puzzles without a GPU: Triton's language over NumPy, as the learner's process uses it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gpulab.runner.answers import HostRecord, Options
from gpulab.trace.model import Run

if TYPE_CHECKING:
    from gpulab.catalog.spec import Launch

_launches: list[str] = []
"""The kernels that were launched. (A list may grow: that is no tampering.)"""

def prepare() -> None:
    """Once in each learner's process, before the learner's code: Triton is changed only while a kernel runs."""


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

    _launches.append(kernel.fn.__name__)
    given = dict(zip(kernel.arg_names, arguments, strict=True))
    compile_front(kernel, given)
    done = run(kernel, launch.blocks, given, findings=options.findings, counters=options.counters,
               values=options.values, order=options.order, time_limit=options.time_limit)
    done.threads = (*launch.threads, 1, 1)[:3]  # type: ignore[assignment]  # three of them
    return done


def call(function: Callable[..., object], arguments: list[Any], options: Options, record: HostRecord) -> None:
    """Host functions that launch Triton kernels have no puzzle yet."""
    from gpulab.engines.simt.errors import Unsupported

    raise Unsupported("a host function that launches Triton kernels")
