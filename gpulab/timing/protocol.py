"""Timing one function on this process's GPU: CUDA events, L2 flushed, inputs rotated, a copy in turn with it.

The flush before each run does two things. It writes more than the L2 cache holds, so no run finds its inputs there;
and it takes the GPU longer than a launch takes the host, so the launch's own cost is over when the run begins. The
first is a matter of size; for the second it is repeated as often as this host, at this moment, needs.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import ceil, prod
from statistics import median
from typing import Any

from gpulab.engines.gpu.arrays import DeviceCopy
from gpulab.engines.gpu.running import bring_home, faults_told, handed, send, wait
from gpulab.timing.model import Measured, Plan
from gpulab.timing.resources import NoCompiler, Resources, of_kernel

LEAST_FLUSH = 32 << 20
FLUSH_OF_L2 = 4
"""The flush writes this many times the L2 cache: 60 us on an H200, where a launch with device arrays costs 24 to 80."""

COVER = 3.0
"""The flush takes the GPU so many times as long as a launch takes the host; on an H200, whose host was busy, a cover
shorter than the launch added up to a tenth to runs of 0.2 ms, and spread them as much."""

MOST_FLUSHES = 64

MOST_OF_FREE = 0.6
"""Of the device's free memory, what rotated inputs may take."""

FEWEST = 3


def time_function(function: Any, launch: Any, arguments: Sequence[Any], plan: Plan) -> Measured:
    """Time a kernel with its `launch`, or without one a host function, over arrays with guard bands.

    Afterwards it runs once more from the arrays as they were sent, which are then updated in place: what was timed can
    be checked. Raises what a launch raises.
    """
    first = send(arguments)
    code = getattr(getattr(function, "py_func", function), "__code__", None)
    with faults_told(code, ours=launch is not None):
        sets = [first, *_rotated(first, plan.rotations - 1)]
        run = _caller(function, launch)
        calls = [_bound(run, handed(copies, arguments)) for copies in sets]
        with _collector_off():
            measured = _Timing(calls, plan).measure()
        for copy in first:
            copy.renew()
        run(*handed(first, arguments))
        wait()
        bring_home(first)
    return measured if launch is None else replace(measured, resources=_resources(function, launch))


def _resources(kernel: Any, launch: Any) -> Resources | None:
    try:
        return of_kernel(kernel, prod(launch.threads), launch.shared_bytes)
    except NoCompiler:
        return None


def _caller(function: Any, launch: Any) -> Callable[..., object]:
    if launch is None:
        host: Callable[..., object] = function
        return host
    configured: Callable[..., object] = function[tuple(launch.blocks), tuple(launch.threads), 0, launch.shared_bytes]
    return configured


def _bound(run: Callable[..., object], arguments: list[Any]) -> Callable[[], object]:
    return lambda: run(*arguments)


@contextmanager
def _collector_off() -> Iterator[None]:
    was = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def _rotated(first: Sequence[DeviceCopy], more: int) -> list[list[DeviceCopy]]:
    """Further sets of the same arrays, as many as there is memory for."""
    from numba import cuda

    free = cuda.current_context().get_memory_info()[0]
    size = sum(copy.home.nbytes for copy in first)
    room = int(free * MOST_OF_FREE) // max(1, size)
    return [[_turned(copy, turn + 1) for copy in first] for turn in range(max(0, min(more, room)))]


def _turned(copy: DeviceCopy, turn: int) -> DeviceCopy:
    """The array again, in memory of its own; of floats each element a few places further on, so that values differ."""
    from numba import cuda
    from numba.cuda.cudadrv.devicearray import DeviceNDArray
    from numba.cuda.cudadrv.driver import device_to_device

    size = copy.home.nbytes
    memory = cuda.device_array(size, "uint8")
    source, target, view = copy.memory.gpu_data, memory.gpu_data, copy.view
    device_to_device(target, source, size)
    offset = _offset(copy)
    shift = turn * 97 * view.dtype.itemsize
    if view.dtype.kind == "f" and view.is_c_contiguous() and shift < view.nbytes:
        end = offset + view.nbytes
        device_to_device(target.view(offset, end - shift), source.view(offset + shift, end), view.nbytes - shift)
        device_to_device(target.view(end - shift, end), source.view(offset, offset + shift), shift)
    array = DeviceNDArray(view.shape, view.strides, view.dtype, gpu_data=target.view(offset))
    return DeviceCopy(copy.home, memory, array)


def _offset(copy: DeviceCopy) -> int:
    if not copy.view.size:
        return 0
    return int(copy.view.device_ctypes_pointer.value) - int(copy.memory.device_ctypes_pointer.value)


@dataclass
class _Timing:
    """One timing under way: `calls` are the same function over each set of inputs."""

    calls: Sequence[Callable[[], object]]
    plan: Plan

    def measure(self) -> Measured:
        """Warm up, then time function and copy in turn."""
        from numba import cuda

        self._flush = _Flush()
        self._copy = _Copy(self.plan.copy_bytes) if self.plan.copy_bytes else None
        self._events = [(cuda.event(), cuda.event()) for _ in range(2)]
        self._host: list[float] = []
        warm_runs, slowest = self._warm()
        self._flush.cover(median(self._host[1:]))  # the first one compiled
        self._host.clear()
        yours: list[float] = []
        copies: list[float] = []
        start = time.perf_counter()
        for turn in range(self._runs(slowest)):
            call = self.calls[turn % len(self.calls)]
            pair = [(yours, call, True)] + ([(copies, self._copy.run, False)] if self._copy else [])
            self._turn(pair if turn % 2 == 0 else pair[::-1])
            if time.perf_counter() - start > self.plan.longest and turn + 1 >= FEWEST:
                break
        return Measured(yours, copies, warm_runs, self._flush.size * self._flush.times, len(self.calls),
                        median(self._host))

    def _warm(self) -> tuple[int, float]:
        """How many runs that took, and the seconds of one with its copy."""
        start = last = time.perf_counter()
        runs, slowest = 0, 0.0
        while runs < 2 or last - start < self.plan.warm:
            self._flush.run()
            self._ask(self.calls[runs % len(self.calls)])
            if self._copy:
                self._copy.run()
            wait()
            now = time.perf_counter()
            slowest = now - last  # of the latest: the first one compiles
            last, runs = now, runs + 1
        return runs, slowest

    def _ask(self, call: Callable[[], object]) -> None:
        """Ask for one run, and note the milliseconds that this took the host."""
        asked = time.perf_counter()
        call()
        self._host.append(1000 * (time.perf_counter() - asked))

    def _runs(self, slowest: float) -> int:
        within = int(self.plan.budget / max(slowest, 1e-6))
        return max(self.plan.least, min(self.plan.most, within))

    def _turn(self, pair: list[tuple[list[float], Callable[[], object], bool]]) -> None:
        """Ask for all of one round, then wait once: nothing of the host's lies between two events."""
        from numba import cuda

        for (_, call, is_yours), (begin, end) in zip(pair, self._events, strict=False):
            self._flush.run()
            begin.record()
            if is_yours:
                self._ask(call)
            else:
                call()
            end.record()
        self._events[len(pair) - 1][1].synchronize()
        for (times, _, _), (begin, end) in zip(pair, self._events, strict=False):
            times.append(float(cuda.event_elapsed_time(begin, end)))


class _Flush:
    """Writes over more memory than the L2 cache holds."""

    def __init__(self) -> None:
        from numba import cuda

        device, free = cuda.get_current_device(), cuda.current_context().get_memory_info()[0]
        wanted = max(LEAST_FLUSH, FLUSH_OF_L2 * int(getattr(device, "L2_CACHE_SIZE", 0) or 0))
        self.size = min(wanted, max(1 << 20, int(free) // 8))
        self._buffer = cuda.device_array(self.size, "uint8")
        self._value = 0
        self.times = 1
        """How often the buffer is written before each run."""

    def run(self) -> None:
        """Ask for it; the host does not wait."""
        from numba.cuda.cudadrv.driver import device_memset

        for _ in range(self.times):
            self._value = (self._value + 1) % 256
            device_memset(self._buffer.gpu_data, self._value, self.size)

    def cover(self, host: float) -> None:
        """Make it long enough for a launch that takes the host so many milliseconds."""
        from numba import cuda

        begin, end = cuda.event(), cuda.event()
        self.run()
        begin.record()
        self.run()
        end.record()
        end.synchronize()
        self.times = flushes(host, float(cuda.event_elapsed_time(begin, end)))


def flushes(host: float, one: float) -> int:
    """How many flushes of `one` millisecond each cover a launch that takes the host `host` milliseconds.

    A host function that launches for longer than many flushes is its own bottleneck, and shall be seen to be.
    """
    return max(1, min(MOST_FLUSHES, ceil(COVER * host / one) if one > 0 else MOST_FLUSHES))


class _Copy:
    """A copy within the device that reads and writes `total` bytes, both together."""

    def __init__(self, total: int) -> None:
        from numba import cuda

        free = int(cuda.current_context().get_memory_info()[0])
        self.size = max(1, min(total, free // 2) // 2)
        self._source, self._target = (cuda.device_array(self.size, "uint8") for _ in range(2))

    def run(self) -> None:
        from numba.cuda.cudadrv.driver import device_to_device

        device_to_device(self._target.gpu_data, self._source.gpu_data, self.size)
