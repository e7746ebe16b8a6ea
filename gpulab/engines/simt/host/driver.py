"""A CUDA driver in host memory: the `cu...` calls that numba-cuda makes, by their own names.

numba-cuda reaches the GPU through one object, `numba.cuda.cudadrv.driver.driver`, whose attributes are the calls of the
CUDA driver API. With these in their place, everything above it (contexts, device arrays, streams,
events) is numba-cuda's own code, and so are its errors. All work is done when it is asked for: streams only order it.

Names, arguments and errors: CUDA Driver API reference.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from gpulab.engines.simt.errors import Unsupported
from gpulab.engines.simt.host.device import ATTRIBUTES, DRIVER_VERSION
from gpulab.engines.simt.host.memory import Bytes, DeviceMemory, IllegalAddress, OutOfMemory

CONTEXT_HANDLE = 0x1000
FIRST_HANDLE = 0x5500_0000_0000
"""Of streams and events; like a driver's, they are addresses that mean nothing to the host."""

ATTRIBUTE_PREFIX = "CU_DEVICE_ATTRIBUTE_"
DISABLE_TIMING = 0x2
DEFAULT_STREAMS = (0, 1, 2)
"""The default stream, the legacy one and the one per thread."""

Moved = Callable[[str, int, int, int], None]
"""Called as `(kind, allocation address, start, stop)` after bytes moved; kinds in `session.Transfer`."""


@dataclass
class EventState:
    """What an event knows: when it was last recorded (seconds), and whether it keeps time."""

    timing: bool
    recorded: float | None = None


class SimulatedDriver:
    """The driver API over a `DeviceMemory`. Errors are numba-cuda's `CudaAPIError` with the driver's codes."""

    def __init__(self, memory: DeviceMemory, moved: Moved, note: Callable[[str, str], None]) -> None:
        self.memory = memory
        self._moved = moved
        self._note = note
        self._next_handle = FIRST_HANDLE
        self._registered: set[int] = set()
        self._streams: set[int] = set()
        self._events: dict[int, EventState] = {}
        self._contexts = threading.local()
        self._pid = os.getpid()

    def move_here(self) -> None:
        """Belong to this process, forked from the one that made it before anyone used it."""
        self._pid = os.getpid()

    def calls(self) -> dict[str, Callable[..., Any]]:
        """Name -> function, for every driver call there is."""
        return {name: self._guarded(name) for name in dir(self) if name.startswith("cu")}

    def unknown(self, name: str) -> NoReturn:
        """numba-cuda asked for a driver call that is not simulated."""
        raise Unsupported(f"the CUDA driver call {name}")

    def fail(self, call: str, code: str, why: str = "") -> NoReturn:
        """Raise the error that a GPU's driver gives, followed by why in plain words."""
        from cuda.bindings.driver import CUresult
        from numba.cuda.cudadrv.driver import CudaAPIError

        message = f"Call to {call} results in {code}"
        raise CudaAPIError(getattr(CUresult, code), f"{message}: {why}" if why else message)

    def _guarded(self, name: str) -> Callable[..., Any]:
        call = getattr(self, name)

        def guarded(*args: Any) -> Any:
            if os.getpid() != self._pid:
                self.fail(name, "CUDA_ERROR_NOT_INITIALIZED", "CUDA cannot be used in a process forked from one that "
                                                              "already used it")
            return call(*args)

        guarded.__name__ = name
        return guarded

    # -- the device and its context

    def cuInit(self, flags: int) -> None:
        """Nothing to do."""

    def cuDriverGetVersion(self) -> int:
        return DRIVER_VERSION

    def cuDeviceGetCount(self) -> int:
        return 1

    def cuDeviceGetAttribute(self, attribute: Any, device: int) -> int:
        name = attribute.name.removeprefix(ATTRIBUTE_PREFIX)
        if name not in ATTRIBUTES:
            raise Unsupported(f"the device attribute {name}")
        return ATTRIBUTES[name]

    def cuDeviceCanAccessPeer(self, device: int, peer: Any) -> int:
        return 0

    def cuDevicePrimaryCtxRelease(self, device: int) -> None:
        """Nothing to do."""

    def cuDevicePrimaryCtxReset(self, device: int) -> None:
        self.memory.clear()

    def primary_context(self) -> Any:
        """The handle of the device's only context."""
        from cuda.bindings.driver import CUcontext

        return CUcontext(CONTEXT_HANDLE)

    def cuCtxGetCurrent(self) -> Any:
        from cuda.bindings.driver import CUcontext

        return self.primary_context() if self._depth else CUcontext(0)

    def cuCtxGetDevice(self) -> int:
        return 0

    def cuCtxPushCurrent(self, context: Any) -> None:
        self._depth += 1

    def cuCtxPopCurrent(self) -> Any:
        current = self.cuCtxGetCurrent()
        if not self._depth:
            self.fail("cuCtxPopCurrent", "CUDA_ERROR_INVALID_CONTEXT")
        self._depth -= 1
        return current

    def cuCtxSynchronize(self) -> None:
        """All work is done when it is asked for."""

    def cuProfilerStart(self) -> None:
        """Nothing to do."""

    def cuProfilerStop(self) -> None:
        """Nothing to do."""

    @property
    def _depth(self) -> int:
        return getattr(self._contexts, "depth", 0)

    @_depth.setter
    def _depth(self, depth: int) -> None:
        self._contexts.depth = depth

    # -- memory

    def cuMemGetInfo(self) -> tuple[int, int]:
        return self.memory.free_bytes, self.memory.capacity

    def cuMemAlloc(self, size: int) -> Any:
        return self._pointer(self._allocate("cuMemAlloc", size, "device"))

    def cuMemAllocManaged(self, size: int, flags: int) -> Any:
        return self._pointer(self._allocate("cuMemAllocManaged", size, "managed"))

    def cuMemHostAlloc(self, size: int, flags: int) -> int:
        from cuda.bindings.driver import CU_MEMHOSTALLOC_DEVICEMAP

        if size == 0:
            return 0
        return self._allocate("cuMemHostAlloc", size, "mapped" if flags & CU_MEMHOSTALLOC_DEVICEMAP else "pinned")

    def cuMemHostRegister(self, pointer: int, size: int, flags: int) -> None:
        from cuda.bindings.driver import CU_MEMHOSTREGISTER_DEVICEMAP

        if size == 0:
            self.fail("cuMemHostRegister", "CUDA_ERROR_INVALID_VALUE", "an empty array cannot be pinned")
        if pointer in self._registered:
            self.fail("cuMemHostRegister", "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED", "this array is pinned already")
        self._registered.add(pointer)
        if flags & CU_MEMHOSTREGISTER_DEVICEMAP:
            self.memory.adopt(_host_bytes(pointer, size), "mapped")

    def cuMemHostUnregister(self, pointer: int) -> None:
        self._registered.discard(pointer)
        self._free(pointer)

    def cuMemHostGetDevicePointer(self, pointer: int, flags: int) -> Any:
        if not pointer:
            self.fail("cuMemHostGetDevicePointer", "CUDA_ERROR_INVALID_VALUE", "there is no memory in an empty array")
        return self._pointer(int(pointer))

    def cuMemFree(self, pointer: Any) -> None:
        self._free(int(pointer))

    def cuMemFreeHost(self, pointer: int) -> None:
        self._free(pointer)

    def cuMemGetAddressRange(self, pointer: Any) -> tuple[Any, int]:
        allocation = self._find("cuMemGetAddressRange", int(pointer), 0)[0]
        return self._pointer(allocation.address), allocation.data.size

    def cuPointerGetAttribute(self, attribute: Any, pointer: Any) -> Any:
        return pointer

    def cuMemcpyHtoD(self, target: Any, source: int, size: int) -> None:
        allocation, start = self._find("cuMemcpyHtoD", target, size)
        allocation.data[start:start + size] = _host_bytes(source, size)
        self._written("to device", allocation.address, start, size)

    def cuMemcpyDtoH(self, target: int, source: Any, size: int) -> None:
        allocation, start = self._find("cuMemcpyDtoH", source, size)
        _host_bytes(target, size)[:] = allocation.data[start:start + size]
        self._moved("to host", allocation.address, start, start + size)

    def cuMemcpyDtoD(self, target: Any, source: Any, size: int) -> None:
        allocation, start = self._find("cuMemcpyDtoD", target, size)
        origin, first = self._find("cuMemcpyDtoD", source, size)
        allocation.data[start:start + size] = origin.data[first:first + size]
        uninitialised = None if origin.uninitialised is None else origin.uninitialised[first:first + size].copy()
        self._written("within device", allocation.address, start, size)
        if uninitialised is not None and uninitialised.any() and allocation.uninitialised is not None:
            allocation.uninitialised[start:start + size] = uninitialised

    def cuMemsetD8(self, target: Any, value: int, size: int) -> None:
        allocation, start = self._find("cuMemsetD8", target, size)
        allocation.data[start:start + size] = value & 0xFF
        self._written("fill", allocation.address, start, size)

    def cuMemcpyHtoDAsync(self, target: Any, source: int, size: int, stream: int) -> None:
        self._check_stream("cuMemcpyHtoDAsync", stream)
        self.cuMemcpyHtoD(target, source, size)

    def cuMemcpyDtoHAsync(self, target: int, source: Any, size: int, stream: int) -> None:
        self._check_stream("cuMemcpyDtoHAsync", stream)
        self.cuMemcpyDtoH(target, source, size)

    def cuMemcpyDtoDAsync(self, target: Any, source: Any, size: int, stream: int) -> None:
        self._check_stream("cuMemcpyDtoDAsync", stream)
        self.cuMemcpyDtoD(target, source, size)

    def cuMemsetD8Async(self, target: Any, value: int, size: int, stream: int) -> None:
        self._check_stream("cuMemsetD8Async", stream)
        self.cuMemsetD8(target, value, size)

    def _allocate(self, call: str, size: int, kind: str) -> int:
        if size < 0:
            raise OverflowError("can't convert negative value to size_t")
        if size == 0:
            self.fail(call, "CUDA_ERROR_INVALID_VALUE", "an allocation needs at least one byte")
        try:
            allocation = self.memory.allocate(size) if kind == "device" else self.memory.allocate_host(size, kind)
        except OutOfMemory as error:
            self.fail(call, "CUDA_ERROR_OUT_OF_MEMORY", f"{error} (the simulator's device is small)")
        return allocation.address

    def _free(self, address: int) -> None:
        # After a reset of the context the driver's finalizers come late, and have nothing left to free.
        with contextlib.suppress(IllegalAddress):
            self.memory.free(address)

    def _find(self, call: str, pointer: Any, size: int) -> Any:
        try:
            return self.memory.find(int(pointer), size)
        except IllegalAddress as error:
            self.fail(call, "CUDA_ERROR_INVALID_VALUE", str(error))

    def _written(self, kind: str, address: int, start: int, size: int) -> None:
        allocation = self.memory.find(address)[0]
        allocation.initialise(start, start + size)
        allocation.seal(start, start + size)
        self._moved(kind, address, start, start + size)

    @staticmethod
    def _pointer(address: int) -> Any:
        from cuda.bindings.driver import CUdeviceptr

        return CUdeviceptr(address)

    # -- streams and events

    def cuStreamCreate(self, flags: int) -> Any:
        from cuda.bindings.driver import CUstream

        handle = self._new_handle()
        self._streams.add(handle)
        return CUstream(handle)

    def cuStreamDestroy(self, stream: Any) -> None:
        self._streams.discard(int(stream))

    def cuStreamSynchronize(self, stream: Any) -> None:
        self._check_stream("cuStreamSynchronize", stream)

    def cuStreamWaitEvent(self, stream: Any, event: Any, flags: int) -> None:
        self._check_stream("cuStreamWaitEvent", stream)
        self._event("cuStreamWaitEvent", event)

    def cuEventCreate(self, flags: int) -> Any:
        from cuda.bindings.driver import CUevent

        handle = self._new_handle()
        self._events[handle] = EventState(timing=not flags & DISABLE_TIMING)
        return CUevent(handle)

    def cuEventDestroy(self, event: Any) -> None:
        self._events.pop(int(event), None)

    def cuEventRecord(self, event: Any, stream: Any) -> None:
        self._check_stream("cuEventRecord", stream)
        self._event("cuEventRecord", event).recorded = time.perf_counter()

    def cuEventQuery(self, event: Any) -> None:
        self._event("cuEventQuery", event)

    def cuEventSynchronize(self, event: Any) -> None:
        self._event("cuEventSynchronize", event)

    def cuEventElapsedTime(self, start: Any, end: Any) -> float:
        """Milliseconds of the host's clock between two recorded events: the simulator's time, not a GPU's."""
        call = "cuEventElapsedTime"
        first, last = self._event(call, start), self._event(call, end)
        if not (first.timing and last.timing):
            self.fail(call, "CUDA_ERROR_INVALID_HANDLE", "an event made with timing=False keeps no time")
        if first.recorded is None or last.recorded is None:
            self.fail(call, "CUDA_ERROR_INVALID_HANDLE", "record() both events before asking for the time between them")
        self._note("simulated time", "The time between two events is the simulator's here, and says nothing of a GPU.")
        return float(np.float32((last.recorded - first.recorded) * 1e3))

    def _new_handle(self) -> int:
        self._next_handle += 0x10
        return self._next_handle

    def _check_stream(self, call: str, stream: Any) -> None:
        if int(stream) not in DEFAULT_STREAMS and int(stream) not in self._streams:
            self.fail(call, "CUDA_ERROR_INVALID_HANDLE", "no such stream")

    def _event(self, call: str, event: Any) -> EventState:
        state = self._events.get(int(event))
        if state is None:
            self.fail(call, "CUDA_ERROR_INVALID_HANDLE", "no such event")
        return state


def _host_bytes(pointer: int, size: int) -> Bytes:
    """Host memory as bytes; valid for as long as its owner lives."""
    return np.frombuffer(memoryview((ctypes.c_uint8 * size).from_address(int(pointer))).cast("B"), np.uint8)
