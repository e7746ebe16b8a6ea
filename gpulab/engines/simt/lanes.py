"""Lanes, masks and merging: a value is one NumPy scalar for all lanes, or one array with an element per lane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Bits = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]

WARP = 32


class Mask:
    """A set of active lanes. `bits` is None where all lanes of the batch are active.

    The second half of a split computes its bits only when asked, and the two halves of a split join back to
    the very mask they came from, so that a guard costs nothing after its `if`.
    """

    __slots__ = ("_bits", "count", "parent", "sibling", "warps")

    def __init__(self, bits: Bits | None, count: int, parent: Mask | None = None) -> None:
        self._bits = bits
        self.count = count
        self.parent = parent
        self.sibling: Mask | None = None
        self.warps: int | None = None
        """How many warps have a lane in it, once somebody has counted."""

    @property
    def full(self) -> bool:
        return self._bits is None and self.parent is None

    @property
    def bits(self) -> Bits | None:
        if self._bits is None and self.parent is not None:
            assert self.sibling is not None and self.sibling._bits is not None
            taken, whole = self.sibling._bits, self.parent.bits
            self._bits = ~taken if whole is None else whole & ~taken
        return self._bits

    def lanes(self, total: int) -> Ints:
        """Indices of the active lanes, ascending."""
        bits = self.bits
        return np.arange(total) if bits is None else np.flatnonzero(bits)


def split(mask: Mask, condition: Any) -> tuple[Mask | None, Mask | None]:
    """The lanes of `mask` where `condition` holds, and the others; None for an empty half."""
    if not isinstance(condition, np.ndarray):
        return (mask, None) if condition else (None, mask)
    whole = mask.bits
    bits = condition if whole is None else condition & whole
    count = int(np.count_nonzero(bits))
    if count == mask.count:
        return mask, None
    if count == 0:
        return None, mask
    yes, no = Mask(bits, count, mask), Mask(None, mask.count - count, mask)
    yes.sibling, no.sibling = no, yes
    return yes, no


def join(one: Mask, two: Mask, everyone: Mask) -> Mask:
    """The union of two disjoint masks."""
    if one.sibling is two and one.parent is not None:
        return one.parent
    count = one.count + two.count
    if count == everyone.count:
        return everyone
    first, second = one.bits, two.bits
    assert first is not None and second is not None
    return Mask(first | second, count)


def narrow(mask: Mask, keep: Bits) -> Mask | None:
    """The lanes of `mask` that are also in `keep`; None if there is none."""
    return split(mask, keep)[0]


@dataclass(frozen=True)
class RangeState:
    """A `range` being iterated: next value, end and step, each uniform or per lane."""

    current: Any
    stop: Any
    step: Any


class Undefined:
    """A variable no lane has assigned yet."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "undefined"


UNDEFINED = Undefined()


def merge(mask: Mask, new: Any, old: Any) -> Any:
    """`new` for the lanes of `mask`, `old` for all others."""
    if old is UNDEFINED or old is new or mask.full:
        return new
    if isinstance(new, (np.ndarray, np.generic)):
        if not isinstance(new, np.ndarray) and not isinstance(old, np.ndarray) and new.tobytes() == old.tobytes():
            return new
        return np.where(mask.bits, new, old)  # type: ignore[arg-type]
    if isinstance(new, tuple):
        return tuple(merge(mask, a, b) for a, b in zip(new, old, strict=True))
    if isinstance(new, RangeState):
        return RangeState(
            merge(mask, new.current, old.current), merge(mask, new.stop, old.stop), merge(mask, new.step, old.step)
        )
    if hasattr(new, "merged"):
        return new.merged(mask, old)
    return new


@dataclass(frozen=True)
class Index3:
    """`threadIdx`, `blockIdx`, `blockDim` or `gridDim`: three int32 values, uniform or per lane."""

    x: Any
    y: Any
    z: Any
