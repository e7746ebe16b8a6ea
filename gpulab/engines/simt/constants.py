"""Numbers, tuples and arrays that are known when a program is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numba.cuda import types

from gpulab.engines.simt.errors import Unsupported
from gpulab.engines.simt.frontend import plain
from gpulab.engines.simt.spelling import tuple_of

if TYPE_CHECKING:
    from gpulab.engines.simt.lower import Lowering


def literal(low: Lowering, value: Any, held: Any, name: str) -> str:
    """A constant: a number, a tuple of constants or a module-level array."""
    if isinstance(held, (types.Number, types.Boolean)):
        return low.constant(value, held)
    if isinstance(held, types.Array):
        if not isinstance(value, np.ndarray):
            raise Unsupported(f"'{name}', an array on the device, used without being an argument", low.line)
        return f"ctx.constant_array({name!r}, {low.bind(value.copy())})"  # what is changed later, the kernel never sees
    if isinstance(held, types.BaseTuple):
        items = [literal(low, item, plain(kind), name) for item, kind in zip(value, held, strict=True)]
        return tuple_of(items)
    if isinstance(held, types.EllipsisType):
        return "Ellipsis"
    raise Unsupported(f"'{name}', a value of type {held}", low.line)
