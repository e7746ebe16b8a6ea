"""Arrays that a kernel makes: shared, local, constant."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba import cuda
from numba.cuda.core import ir as numba_ir

from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
from gpulab.engines.simt.spelling import Writer

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering


def _array_call(space: str) -> Writer:
    def write(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
        arguments = {"shape": value.args[0] if value.args else None}
        arguments.update(dict(value.kws))
        shape = low.static(arguments["shape"])
        if not isinstance(shape, (int, tuple)):
            raise Unsupported("an array whose shape is not a constant", low.line)
        extents = (shape,) if isinstance(shape, int) else tuple(int(extent) for extent in shape)
        dtype = low.bind(low.dtype(held.dtype))
        name = _array_name(low, target)
        _check_size(low, space, int(np.prod(extents)) * low.dtype(held.dtype).itemsize)
        if space == "shared" and extents == (0,):
            return f"ctx.dynamic_shared_array({name!r}, {dtype})"
        key = low.bind((low.function.py_func, target.name), "key")
        mask = ", m" if space == "local" else ""
        return f"ctx.{space}_array({key}, {name!r}, {extents!r}, {dtype}{mask})"

    return write


MOST_SHARED = 48 * 1024


MOST_LOCAL = 512 * 1024
"""Bytes of static shared memory of a block and of local memory of a thread.

CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
"""


def _check_size(low: Lowering, space: str, size: int) -> None:
    """Refuse what the GPU's assembler refuses: more memory than a block or a thread can have."""
    if space == "shared":
        low.shared_bytes += size
        size = low.shared_bytes + sum(callee.shared_bytes for callee in low.callees)
    most, owner = (MOST_SHARED, "a block's shared arrays") if space == "shared" else (MOST_LOCAL, "a local array")
    if size > most:
        raise DoesNotCompile(f"Too large: {owner} can have {most} bytes, this needs {size}.", low.line)


def _array_name(low: Lowering, target: Any) -> str:
    """The learner's variable an array is assigned to."""
    if not target.name.startswith("$"):
        return str(target.name).split(".")[0]
    for name, definition in low.definitions.items():
        if isinstance(definition, numba_ir.Var) and definition.name == target.name and not name.startswith("$"):
            return name.split(".")[0]
    return "array"


def _const_array(low: Lowering, target: Any, value: Any, held: Any, signature: Any) -> str:
    array = low.static(value.args[0])
    if not isinstance(array, np.ndarray):
        return low.name(value.args[0].name)
    return f"ctx.constant_array({_array_name(low, target)!r}, {low.bind(array)})"


CALLS: dict[Any, Writer] = {
    cuda.shared.array: _array_call("shared"),
    cuda.local.array: _array_call("local"),
    cuda.const.array_like: _const_array,
}
"""Function -> how a call of it is written."""
