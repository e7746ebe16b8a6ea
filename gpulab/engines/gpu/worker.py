"""The GPU as one worker process holds it: a context, opened ahead of its job and rehearsed, and what it is."""

from __future__ import annotations

from typing import Any

from gpulab.engines.gpu.faults import GpuFault, error_name, fault_of
from gpulab.engines.gpu.running import record_launches, wait
from gpulab.engines.gpu.warming import practice_kernel
from gpulab.trace.device import Device

_SIZE = 64


def open_gpu() -> None:
    """Create this process's context and run a kernel in it, so that the job's first one finds all at hand.

    Raises `GpuFault` of kind "environment" where no kernel can run here.
    """
    from numba.cuda.core import config

    config.CUDA_LOW_OCCUPANCY_WARNINGS = 0  # they would stand in what the learner's code prints
    config.CUDA_WARN_ON_IMPLICIT_COPY = 0
    try:
        _rehearse()
    except Exception as error:
        raise _unusable(error) from error
    record_launches()


def _rehearse() -> None:
    """A kernel compiled, launched and timed, and its arrays copied both ways. Raises whatever goes wrong."""
    import numpy as np
    from numba import cuda

    given = np.arange(_SIZE, dtype=np.float32)
    a, out = cuda.to_device(given), cuda.device_array(_SIZE, np.float32)
    begun, ended = cuda.event(), cuda.event()
    begun.record()
    cuda.jit(practice_kernel())[_SIZE // 32, 32](out, a, np.int64(_SIZE).item())
    ended.record()
    ended.synchronize()
    cuda.event_elapsed_time(begun, ended)
    wait()
    if not np.array_equal(out.copy_to_host(), given * 2 + 1):
        raise GpuFault("environment", "a kernel ran on the GPU, and its numbers were wrong")


def _unusable(error: Exception) -> GpuFault:
    if isinstance(error, GpuFault):
        return error
    known = fault_of(error)
    if known is not None and known.kind == "environment":
        return known
    return GpuFault("environment", f"no kernel can run on this GPU: {error_name(error) or _short(error)}")


def _short(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:200]}" if text else type(error).__name__


def describe() -> Device:
    """The GPU of this process's context."""
    from numba import cuda

    device = cuda.get_current_device()
    free, total = cuda.current_context().get_memory_info()
    major, minor = device.compute_capability
    return Device(
        name=_text(device.name), uuid=_uuid(device), capability=(int(major), int(minor)), memory=int(total),
        free=int(free), multiprocessors=_attribute(device, "MULTIPROCESSOR_COUNT"),
        l2=_attribute(device, "L2_CACHE_SIZE"), clock=_attribute(device, "CLOCK_RATE"),
        memory_clock=_attribute(device, "MEMORY_CLOCK_RATE"),
        memory_bus=_attribute(device, "GLOBAL_MEMORY_BUS_WIDTH"),
        cuda=_driver_version(),
    )


def _text(name: Any) -> str:
    return name.decode("utf-8", "replace") if isinstance(name, bytes) else str(name)


def _uuid(device: Any) -> str:
    uuid = _text(getattr(device, "uuid", ""))
    return uuid if uuid.startswith("GPU-") or not uuid else f"GPU-{uuid}"


def _attribute(device: Any, name: str) -> int:
    try:
        return int(getattr(device, name))
    except Exception:  # newer drivers drop some, such as clock rates
        return 0


def _driver_version() -> tuple[int, int]:
    """The newest CUDA that the driver knows."""
    from numba.cuda.cudadrv.driver import driver

    try:
        version = int(driver.cuDriverGetVersion())
    except Exception:
        return 0, 0
    return version // 1000, version % 1000 // 10
