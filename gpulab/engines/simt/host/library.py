"""Work that numba-cuda does with kernels of its own, done with NumPy: `d[1:5] = x` and `d.T`.

On a GPU these are launches, but not the learner's; here they are transfers of the kind "library".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.host.arguments import Arguments, extent
from gpulab.engines.simt.host.memory import Allocation

if TYPE_CHECKING:
    from gpulab.engines.simt.host.install import Installation


class AssignKernel:
    """Stands in for `devicearray._assign_kernel(ndim)`: `kernel.forall(n, stream=s)(lhs, rhs)` copies, broadcasting."""

    def __init__(self, installation: Installation) -> None:
        self._installation = installation

    def forall(self, tasks: int, stream: Any = 0) -> Any:
        return self

    def __call__(self, lhs: Any, rhs: Any) -> None:
        _check_assignable(lhs.dtype, rhs.dtype)
        if not lhs.size:
            return
        target, allocation = view(self._installation, lhs)
        source, _ = view(self._installation, rhs)
        with np.errstate(all="ignore"):
            target[...] = _as_device_casts(source, target.dtype)
        _written(self._installation, allocation, target)


def transpose(installation: Installation, a: Any, b: Any = None) -> Any:
    """Stands in for `numba.cuda.kernels.transpose.transpose`: a new C-contiguous array, or `b`."""
    from numba.cuda.cudadrv.devicearray import DeviceNDArray

    if b is None:
        columns, rows = a.shape
        b = DeviceNDArray((rows, columns), (a.dtype.itemsize * columns, a.dtype.itemsize), dtype=a.dtype,
                          stream=getattr(a, "stream", 0))
    if a.size:
        source, _ = view(installation, a)
        target, allocation = view(installation, b)
        target[...] = source.T
        _written(installation, allocation, target)
    return b


def view(installation: Installation, device_array: Any) -> tuple[npt.NDArray[Any], Allocation]:
    """A device array's elements as a NumPy array over device memory, and the allocation they lie in."""
    arguments = Arguments(installation.session, installation.driver, 0)
    array = arguments.convert(device_array._numba_type_, device_array)
    return array, arguments.given[0][1]


def _check_assignable(target: np.dtype[Any], source: np.dtype[Any]) -> None:
    """Numba types the assignment: complex does not become real, and objects and text are no numbers."""
    from numba.cuda.core.errors import TypingError

    if source.kind not in "biufcmMV" or (source.kind == "c" and target.kind != "c"):
        raise TypingError(f"cannot store {source} into an array of {target}")


def _as_device_casts(source: npt.NDArray[Any], target: np.dtype[Any]) -> npt.NDArray[Any]:
    """Floats become 64-bit integers first, as in the kernel: 2**31 + 5.0 wraps in an int32."""
    if source.dtype.kind == "f" and target.kind in "iu":
        return source.astype(np.int64)
    return source


def _written(installation: Installation, allocation: Allocation, target: npt.NDArray[Any]) -> None:
    """Remember that the host changed these elements, and none between them."""
    start = target.ctypes.data - allocation.data.ctypes.data
    allocation.mask(start, target.shape, target.strides, target.itemsize)[...] = False
    allocation.initialise(0, 0)
    low, high = extent(target.shape, target.strides, target.itemsize)
    allocation.seal(start + low, start + high)
    installation.session.record("library", target.nbytes)
