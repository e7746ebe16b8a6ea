"""Arrays with guard bands in device memory: copied there as they lie, bands and gaps included, and home again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt


class Guarded(Protocol):
    """An array within its memory (`gpulab.judge.memory.Placed`): `memory` is [bytes] uint8, the rest in bytes."""

    @property
    def memory(self) -> npt.NDArray[np.uint8]: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def strides(self) -> tuple[int, ...]: ...
    @property
    def offset(self) -> int: ...


@dataclass(frozen=True)
class DeviceCopy:
    """One array on the device: `memory` all of its bytes there, `view` what a kernel is given."""

    home: npt.NDArray[np.uint8]
    memory: Any
    view: Any

    def bring_home(self) -> None:
        """Copy all bytes back to where they came from, guard bands included."""
        self.memory.copy_to_host(self.home)

    def renew(self) -> None:
        """Copy the bytes at home to the device again."""
        self.memory.copy_to_device(self.home)


def to_device(array: Guarded) -> DeviceCopy:
    """A copy of the array in device memory of its own (256-byte aligned, so the view keeps its alignment)."""
    from numba import cuda
    from numba.cuda.cudadrv.devicearray import DeviceNDArray

    memory = cuda.to_device(array.memory)
    view = DeviceNDArray(array.shape, array.strides, array.dtype, gpu_data=memory.gpu_data.view(array.offset))
    return DeviceCopy(array.memory, memory, view)


def is_array(value: Any) -> bool:
    """Whether an argument is an array with its memory, not a scalar."""
    return hasattr(value, "memory") and hasattr(value, "offset")
