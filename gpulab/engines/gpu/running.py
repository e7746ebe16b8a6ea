"""One launch of a kernel, or one call of a host function, on this machine's GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from gpulab.engines.gpu.arrays import DeviceCopy, is_array, to_device
from gpulab.engines.gpu.faults import OUT_OF_MEMORY, GpuFault, error_name, fault_of
from gpulab.trace.model import Run

MOST_LAUNCHES = 10_000
"""Of one host function; more are not recorded."""

_launches: list[list[Run]] = []
"""The lists that launches are recorded in, the innermost last."""


def launch(kernel: Any, blocks: Sequence[int], threads: Sequence[int], arguments: Sequence[Any],
           shared_bytes: int = 0) -> Run:
    """Launch a kernel over arrays with guard bands, which are updated in place, and wait for it.

    Raises `DoesNotCompile` where Numba refuses the kernel, `GpuFault` for what GPU and driver report.
    """
    copies = send(arguments)
    with faults_told(kernel.py_func.__code__, ours=True):
        kernel[tuple(blocks), tuple(threads), 0, shared_bytes](*handed(copies, arguments))
        wait()
        bring_home(copies)
    return Run(kernel.py_func.__name__, _three(blocks), _three(threads))


def call(function: Callable[..., object], arguments: Sequence[Any]) -> list[Run]:
    """Call a host function with device arrays in place of the arrays, which are updated when it returns.

    A `Run` for each launch it made. Raises what it raises, and as `launch`.
    """
    copies = send(arguments)
    code = getattr(function, "__code__", None)
    with faults_told(code, ours=False), recorded() as runs:
        function(*handed(copies, arguments))
        wait()
    with faults_told(code, ours=True):
        bring_home(copies)
    return runs


def send(arguments: Sequence[Any]) -> list[DeviceCopy]:
    """The arrays among the arguments, on the device. Raises `GpuFault`."""
    try:
        return [to_device(value) for value in arguments if is_array(value)]
    except Exception as error:
        if error_name(error) == OUT_OF_MEMORY:
            raise GpuFault("environment", "the GPU has too little free memory for the arrays of this case; other "
                                          "programs may be using it (nvidia-smi lists them)") from error
        raise fault_of(error) or error from error


def handed(copies: Sequence[DeviceCopy], arguments: Sequence[Any]) -> list[Any]:
    """The arguments as a kernel gets them: device arrays and scalars, in their order."""
    views = iter(copy.view for copy in copies)
    return [next(views) if is_array(value) else value for value in arguments]


def bring_home(copies: Sequence[DeviceCopy]) -> None:
    """Copy all arrays back."""
    for copy in copies:
        copy.bring_home()


def wait() -> None:
    """Until the device has done all that it was asked for. Raises what it met meanwhile."""
    from numba import cuda

    cuda.synchronize()


@contextmanager
def faults_told(code: Any, *, ours: bool) -> Iterator[None]:
    """What Numba, the GPU or its driver raise in this block, as `DoesNotCompile` or `GpuFault`.

    `ours` says that no Python of the learner's runs in it: then every error of the driver is told, too large a launch
    included; else an ordinary one goes on as it is, with the learner's own traceback.
    """
    from gpulab.engines.simt.errors import DoesNotCompile, Unsupported

    try:
        yield
    except (GpuFault, DoesNotCompile, Unsupported):
        raise
    except Exception as error:
        if ours and _is_numbas(error):
            from gpulab.engines.simt.refusals import refusal

            raise refusal(error, code) from error
        known = fault_of(error, None if ours else code)
        if known is None and ours and error_name(error):
            known = GpuFault("raised", f"The launch failed: {error_name(error)}.")
        raise known or error from error


def _is_numbas(error: Exception) -> bool:
    return any(cls.__name__ == "NumbaError" for cls in type(error).__mro__)


@contextmanager
def recorded() -> Iterator[list[Run]]:
    """A `Run` for each launch of a kernel that is no library's, as they are made in this block."""
    runs: list[Run] = []
    _launches.append(runs)
    try:
        yield runs
    finally:
        _launches.remove(runs)


def record_launches() -> None:
    """Have launches of `numba.cuda` kernels recorded in this process from now on."""
    from numba.cuda import dispatcher

    from gpulab.engines.simt.host.session import is_library

    kind = dispatcher._Kernel
    stock = kind.launch

    def launch(self: Any, args: Any, griddim: Any, blockdim: Any, stream: Any = 0, sharedmem: int = 0) -> None:
        stock(self, args, griddim, blockdim, stream, sharedmem)
        if _launches and len(_launches[-1]) < MOST_LAUNCHES and not is_library(_file_of(self)):
            _launches[-1].append(Run(_name_of(self), _three(griddim), _three(blockdim)))

    kind.launch = launch


def _file_of(kernel: Any) -> str:
    function = getattr(kernel, "py_func", None)
    return function.__code__.co_filename if function is not None else ""


def _name_of(kernel: Any) -> str:
    function = getattr(kernel, "py_func", None)
    return function.__name__ if function is not None else "kernel"


def _three(extents: Sequence[int]) -> tuple[int, int, int]:
    x, y, z = (*(int(extent) for extent in extents), 1, 1)[:3]
    return x, y, z
