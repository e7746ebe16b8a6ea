"""From an index to a cell: bounds and offsets, with what is known of an index array remembered.

Kernels index with the same few arrays over and over (`threadIdx`, a row, a column). Values are never changed
in place, so the largest value of an index array and its products with strides are worth keeping.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.engines.simt.memory import ArrayView

_UNSIGNED = {4: np.uint32, 8: np.uint64}
_REMEMBERED = 48


class _Known:
    """One index array: its greatest value as an unsigned number (negatives are huge), and its products."""

    __slots__ = ("array", "greatest", "products", "unsigned")

    def __init__(self, array: npt.NDArray[Any]) -> None:
        self.array = array
        wide = array if array.dtype.itemsize >= 4 else array.astype(np.int64)
        self.unsigned = wide.view(_UNSIGNED[wide.dtype.itemsize]) if wide.dtype.kind == "i" else wide
        self.greatest = int(self.unsigned.max()) if len(array) else -1
        self.products: dict[int, npt.NDArray[np.int64]] = {}

    def times(self, stride: int) -> npt.NDArray[np.int64]:
        if stride not in self.products:
            wide = self.array.astype(np.int64, copy=False)
            self.products[stride] = wide if stride == 1 else wide * stride
        return self.products[stride]

    def outside(self, extent: int) -> npt.NDArray[np.bool_] | None:
        if self.greatest < extent:
            return None
        result: npt.NDArray[np.bool_] = self.unsigned >= self.unsigned.dtype.type(extent)
        return result


class Addresses:
    """Computes offsets for one batch of lanes."""

    def __init__(self) -> None:
        self._known: dict[int, _Known] = {}

    def _facts(self, array: npt.NDArray[Any]) -> _Known:
        known = self._known.get(id(array))
        if known is None or known.array is not array:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            known = self._known[id(array)] = _Known(array)
        return known

    def offsets(self, view: ArrayView, index: tuple[Any, ...]) -> tuple[Any, Any]:
        """The cells of `view[index]`, uniform or [lanes], and whose index is outside (None: nobody's)."""
        offset: Any = view.base
        outside: Any = None
        for position, extent, stride in zip(index, view.shape, view.strides, strict=True):
            if isinstance(position, np.ndarray):
                known = self._facts(position)
                offset = offset + known.times(stride)
                bad = _beyond(position, extent) if isinstance(extent, np.ndarray) else known.outside(int(extent))
            else:
                number = int(position)
                if number:
                    offset = offset + number * stride
                bad = _beyond(position, extent) if isinstance(extent, np.ndarray) else _alone(number, extent)
            if bad is not None:
                outside = bad if outside is None else outside | bad
        return offset, outside


def _alone(number: int, extent: Any) -> Any:
    return None if 0 <= number < extent else np.bool_(True)


def _beyond(position: Any, extent: Any) -> Any:
    bad = (position < 0) | (position >= extent)
    return bad if np.any(bad) else None
