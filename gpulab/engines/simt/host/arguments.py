"""A launch's arguments as the simulator takes them: arrays over device memory and typed NumPy scalars.

Follows numba-cuda's `_Kernel._prepare_args` and `args.py`: device arrays are used in place; each NumPy array is
copied to a buffer of its own and copied back after the launch, in the order of the arguments.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.errors import Unsupported
from gpulab.engines.simt.host.driver import SimulatedDriver
from gpulab.engines.simt.host.memory import Allocation, IllegalAddress
from gpulab.engines.simt.host.session import Session

_COPY_ADVICE = ("Numba copies a NumPy array to the GPU as one block of memory: pass np.ascontiguousarray(...) or slice "
                "a device array instead")


class Arguments:
    """Converts arguments for one launch on `stream`; `write_back` copies host arrays home afterwards."""

    def __init__(self, session: Session, driver: SimulatedDriver, stream: int) -> None:
        self._session = session
        self._driver = driver
        self._stream = stream
        self._kept: list[Any] = []
        self._homeward: list[Callable[[], None]] = []
        self.given: list[tuple[npt.NDArray[Any], Allocation]] = []
        """Each array the kernel is given, and the memory it lies in."""

    def convert(self, type_: Any, value: Any) -> Any:
        """`value` as the Numba type of its parameter says. Raises what `_prepare_args` raises."""
        from numba.cuda import types

        if isinstance(type_, types.Array):
            return _as_declared(self._array(type_, value), type_.dtype)
        if isinstance(type_, types.Record):
            return self._array(type_, value)[()]
        if isinstance(type_, types.BaseTuple):
            parts = [self.convert(part, item) for part, item in zip(type_, value, strict=True)]
            return type(value)._make(parts) if hasattr(value, "_make") else tuple(parts)
        return scalar(type_, value)

    def unwritten(self) -> list[npt.NDArray[Any]]:
        """The arrays of which nobody has written a single element, nor of another array over the same memory."""
        touched = {allocation.address for array, allocation in self.given if not _untouched(array, allocation)}
        return [array for array, allocation in self.given if allocation.address not in touched]

    def write_back(self) -> None:
        """Copy host arrays home, in the order of the arguments: of one array passed twice the later copy stays."""
        for copy_home in self._homeward:
            copy_home()

    def _array(self, type_: Any, value: Any) -> npt.NDArray[Any]:
        from numba.cuda.args import ArgHint, Out
        from numba.cuda.cudadrv.driver import is_device_memory

        if isinstance(value, ArgHint):
            copy_in, copy_out, value = getattr(value, "copy_input", True), isinstance(value, Out), value.value
        else:
            copy_in = copy_out = True
        if is_device_memory(value):
            return self._numbas_own(value)
        if isinstance(value, (np.ndarray, np.generic)) or not _is_foreign(value):
            return self._copied(type_, np.asanyarray(value), copy_in, copy_out)
        return self._foreign(value)

    def _numbas_own(self, value: Any) -> npt.NDArray[Any]:
        address = value.device_ctypes_pointer.value
        if address is None:
            raise TypeError("the argument is of unsupported type: <class 'NoneType'> (a slice of a mapped or managed "
                            "array has lost its device address: pass the whole array)")
        return self._device_array(address, value.shape, value.strides, value.dtype)

    def _foreign(self, value: Any) -> npt.NDArray[Any]:
        """An array of another library: by its CUDA array interface, or not at all."""
        description: dict[str, Any] | None = getattr(value, "__cuda_array_interface__", None)
        if description is None:
            self._driver.fail("cuLaunchKernel", "CUDA_ERROR_ILLEGAL_ADDRESS",
                              f"this {type(value).__name__} is in host memory, and Numba does not copy it; pass "
                              "cuda.to_device(...) of its values")
        _wait_for(description.get("stream"))
        dtype, shape = np.dtype(description["typestr"]), tuple(description["shape"])
        strides = description.get("strides") or _c_strides(shape, dtype)
        return self._device_array(description["data"][0], shape, strides, dtype)

    def _device_array(self, address: int, shape: tuple[int, ...], strides: tuple[int, ...],
                      dtype: np.dtype[Any]) -> npt.NDArray[Any]:
        if not all(shape):
            return np.empty(shape, dtype)
        low, high = extent(shape, strides, dtype.itemsize)
        try:
            allocation, offset = self._session.memory.find(address + low, high - low)
        except IllegalAddress:
            self._driver.fail("cuLaunchKernel", "CUDA_ERROR_ILLEGAL_ADDRESS", "an array's memory is not on the device")
        array = allocation.array(offset - low, shape, strides, dtype)
        self.given.append((array, allocation))
        return array

    def _copied(self, type_: Any, host: npt.NDArray[Any], copy_in: bool, copy_out: bool) -> npt.NDArray[Any]:
        """A device copy of a host array, with the same shape and strides."""
        if self._stream:
            raise RuntimeError("NumPy only supports stream=None. (A NumPy array can only be passed to a kernel on the "
                               "default stream: copy it with cuda.to_device(a, stream) first)")
        _check_one_block(host)
        if not host.size:
            return np.empty(host.shape, host.dtype)
        from numba.cuda.cudadrv.devices import get_context

        memory = get_context().memalloc(host.nbytes)
        self._kept.append(memory)
        address = int(memory.device_pointer)
        if copy_in:
            self._driver.cuMemcpyHtoD(address, host.ctypes.data, host.nbytes)
        if copy_out and getattr(type_, "mutable", True):
            self._homeward.append(lambda: self._driver.cuMemcpyDtoH(host.ctypes.data, address, host.nbytes))
        array = self._device_array(address, host.shape, host.strides, host.dtype)
        array.flags.writeable = bool(getattr(type_, "mutable", True))
        return array


def _as_declared(array: npt.NDArray[Any], element: Any) -> npt.NDArray[Any]:
    """Unsigned integers as signed ones, or the other way round, where the kernel was compiled for those."""
    from numba.cuda import types
    from numba.cuda.np.numpy_support import as_dtype

    if isinstance(element, types.Integer) and (dtype := as_dtype(element)) != array.dtype:
        return array.view(dtype)
    return array


def _untouched(array: npt.NDArray[Any], allocation: Allocation) -> bool:
    if allocation.uninitialised is None:
        return False
    start = array.ctypes.data - allocation.data.ctypes.data
    return bool(allocation.mask(start, array.shape, array.strides, array.itemsize).all())


def scalar(type_: Any, value: Any) -> Any:
    """A number as the parameter's type holds it: integers wrap as in C, and a float is no integer.

    Raises `TypeError` as `ctypes` does, and `NotImplementedError` for what no kernel can take.
    """
    from numba.cuda import types
    from numba.cuda.np.numpy_support import as_dtype

    if isinstance(type_, types.EnumMember):
        return value
    if isinstance(type_, types.CPointer):
        raise Unsupported("a pointer as an argument")
    if isinstance(type_, types.Integer):
        return as_dtype(type_).type(getattr(ctypes, f"c_{type_}")(value).value)
    if isinstance(type_, types.Float):
        return as_dtype(type_).type(ctypes.c_double(value).value)
    if isinstance(type_, types.Boolean):
        return np.bool_(value)
    if isinstance(type_, types.Complex):
        return as_dtype(type_).type(complex(value.real, value.imag))
    if isinstance(type_, (types.NPDatetime, types.NPTimedelta)):
        return value
    raise NotImplementedError(type_, value)


def extent(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int) -> tuple[int, int]:
    """Lowest and highest (exclusive) byte of an array's elements, relative to its first element."""
    steps = [(length - 1) * stride for length, stride in zip(shape, strides, strict=True)]
    return sum(step for step in steps if step < 0), sum(step for step in steps if step > 0) + itemsize


def _is_foreign(value: Any) -> bool:
    return hasattr(value, "__dlpack__") or hasattr(value, "__cuda_array_interface__")


def _wait_for(stream: int | None) -> None:
    """Synchronize the stream on which another library filled an array, as numba-cuda does."""
    from numba.cuda.core import config
    from numba.cuda.cudadrv.devices import get_context

    if stream is not None and config.CUDA_ARRAY_INTERFACE_SYNC:
        get_context().create_external_stream(stream).synchronize()


def _c_strides(shape: tuple[int, ...], dtype: np.dtype[Any]) -> tuple[int, ...]:
    strides = [dtype.itemsize]
    for length in shape[:0:-1]:
        strides.insert(0, strides[0] * length)
    return tuple(strides[:len(shape)])


def _check_one_block(host: npt.NDArray[Any]) -> None:
    """Refuse what cuda-core refuses: an array whose elements do not fit in a block of its own size."""
    if not host.size:
        return
    low, high = extent(host.shape, host.strides, host.itemsize)
    if low < 0:
        raise ValueError("Allocation size for a layout that maps elements to negative memory offsets is ambiguous. The "
                         f"layout's min_offset is {low // host.itemsize}. ({_COPY_ADVICE})")
    if high > host.nbytes:
        raise ValueError(f"Buffer size is too small for the layout. Expected at least {high} bytes, got {host.nbytes} "
                         f"bytes. ({_COPY_ADVICE})")
