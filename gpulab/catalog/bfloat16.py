"""bfloat16, which NumPy does not have: 16 bits whose dtype remembers what they are, and float32 to compute with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

BFLOAT16 = np.dtype(np.uint16, metadata={"kind": "bf16"})
"""Of an array that holds bfloat16. Copies, views of one's own making and pickles keep it; arithmetic would not."""


def is_bfloat16(dtype: np.dtype[Any]) -> bool:
    """Whether these 16 bits are a bfloat16."""
    told: Mapping[str, Any] = dtype.metadata or {}
    return dtype.itemsize == 2 and told.get("kind") == "bf16"


def bfloat16(values: Array) -> Array:
    """float32 values as bfloat16, rounded to nearest even."""
    wide = np.ascontiguousarray(values, np.float32)
    bits = wide.view(np.uint32)
    rounded = bits + (np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1)))
    kept = np.where(np.isnan(wide), bits | np.uint32(0x400000), rounded)
    return (kept >> np.uint32(16)).astype(np.uint16).view(BFLOAT16)


def widened(array: Array) -> Array:
    """bfloat16 as the float32 of the same value; any other array as it is."""
    if not is_bfloat16(array.dtype):
        return array
    return (array.astype(np.uint32) << np.uint32(16)).view(np.float32)
