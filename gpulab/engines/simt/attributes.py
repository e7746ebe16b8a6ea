"""How attributes are written: of arrays, numbers, ranges, named tuples and modules."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba.cuda import types

from gpulab.engines.simt.constants import literal
from gpulab.engines.simt.errors import Unsupported
from gpulab.engines.simt.frontend import plain
from gpulab.engines.simt.spelling import kind_in_words

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering


def attribute(low: Lowering, target: Any, value: Any, held: Any) -> str:
    """`x.name`."""
    owner = plain(low.type_of(value.value))
    name = value.attr
    if isinstance(owner, types.Module):
        return _module_attribute(low, owner, name, held)
    source = low.name(value.value.name)
    if str(owner) == "Dim3":
        return f"{source}.{name}"
    if isinstance(owner, types.Array):
        return _array_attribute(low, source, owner, name)
    if isinstance(owner, types.Complex) and name in ("real", "imag"):
        return f"{source}.{name}"
    if isinstance(owner, types.Number) and name == "real":
        return source
    if isinstance(owner, types.Number) and name == "imag":
        return low.constant(0, held)
    if isinstance(owner, (types.NamedTuple, types.NamedUniTuple)):
        return f"{source}[{owner.fields.index(name)}]"
    if isinstance(owner, types.RangeType) and name in _OF_RANGE:
        return f"{source}.{_OF_RANGE[name]}"
    raise Unsupported(f"the attribute '{name}' of {kind_in_words(owner)}", low.line)


_OF_RANGE = {"start": "current", "stop": "stop", "step": "step"}
"""Attributes of a range -> those of its `RangeState`."""


_DIM3 = {
    "threadIdx": "ctx.geometry.thread_index",
    "blockIdx": "ctx.geometry.block_index",
    "blockDim": "ctx.geometry.block_size",
    "gridDim": "ctx.geometry.grid_size",
}


def _module_attribute(low: Lowering, owner: Any, name: str, held: Any) -> str:
    if str(held) == "Dim3":
        return _DIM3[name]
    if name == "laneid":
        return "ctx.geometry.lane_id"
    if name == "warpsize":
        return low.bind_scalar(32, np.dtype(np.int32))
    return literal(low, getattr(owner.pymod, name), held, name)


def _array_attribute(low: Lowering, source: str, owner: Any, name: str) -> str:
    item = as_item_size(low, owner)
    texts = {
        "shape": f"{source}.shape",
        "size": f"{source}.size",
        "ndim": low.bind_scalar(owner.ndim, np.dtype(np.int64)),
        "T": f"transposed({source})",
        "itemsize": low.bind_scalar(item, np.dtype(np.int64)),
        "nbytes": f"{source}.size * {low.bind_scalar(item, np.dtype(np.int64))}",
        "strides": f"tuple(np.int64(s * {item}) for s in {source}.strides)",
    }
    if name not in texts:
        raise Unsupported(f"the attribute '{name}' of an array", low.line)
    return texts[name]


def as_item_size(low: Lowering, array: Any) -> int:
    """Bytes of an element."""
    return low.dtype(array.dtype).itemsize
