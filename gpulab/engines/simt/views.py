"""Views of arrays inside a kernel: rows, slices, transposes."""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any

import numpy as np

from gpulab.engines.simt import arithmetic
from gpulab.engines.simt.context import Context
from gpulab.engines.simt.errors import Unsupported
from gpulab.engines.simt.lanes import Mask, merge, split
from gpulab.engines.simt.memory import ArrayView
from gpulab.engines.simt.operators import cast


def subview(context: Context, view: ArrayView, index: tuple[Any, ...], mask: Mask, line: int) -> ArrayView:
    """`view[index]` where at least one axis stays: ints pick, slices cut, `...` fills up, None adds an axis.

    An int outside the array is reported where the view is made; for those lanes the view is empty.
    """
    index = _expanded(index, len(view.shape))
    base: Any = view.base
    shape: list[Any] = []
    strides: list[int] = []
    outside: Any = None
    axis = 0
    for item in index:
        if item is None:
            shape.append(np.int64(1))
            strides.append(0)
            continue
        extent, stride = view.shape[axis], view.strides[axis]
        if isinstance(item, slice):
            start, length, step = _cut(item, extent, line)
            base = base + start * stride
            shape.append(length)
            strides.append(stride * step)
        else:
            bad = (item < 0) | (item >= extent)
            outside = bad if outside is None else outside | bad
            base = base + _int64(item) * stride
        axis += 1
    if outside is not None and np.any(outside):
        shape = _emptied(context, view, index, mask, line, outside, shape)
    return ArrayView(view.memory, base, tuple(shape), tuple(strides), view.name, view.slot)


def _emptied(
    context: Context, view: ArrayView, index: Any, mask: Mask, line: int, outside: Any, shape: list[Any]
) -> list[Any]:
    keep = ~np.broadcast_to(np.asarray(outside), (context.geometry.count,))
    bad = ~keep if mask.bits is None else ~keep & mask.bits
    if bad.any() and context.state.check:
        numbers = tuple(item for item in index if item is not None and not isinstance(item, slice))
        context._report_outside(line, "takes", view, numbers, mask, keep)
    return [np.where(keep, extent, 0) for extent in shape]


def _expanded(index: tuple[Any, ...], axes: int) -> tuple[Any, ...]:
    real = sum(1 for item in index if item is not None and item is not Ellipsis)
    missing = (slice(None),) * (axes - real)
    if Ellipsis in [item for item in index if item is Ellipsis]:
        where = next(i for i, item in enumerate(index) if item is Ellipsis)
        return index[:where] + missing + index[where + 1 :]
    return index + missing


def _int64(value: Any) -> Any:
    return value.astype(np.int64) if isinstance(value, np.ndarray) else np.int64(value)


def _cut(item: slice, extent: Any, line: int) -> tuple[Any, Any, int]:
    """Start, length and step of a slice of an axis, with Python's clipping."""
    step = 1 if item.step is None else item.step
    if isinstance(step, np.ndarray):
        raise Unsupported("a slice whose step differs between threads", line)
    step = int(step)
    if step == 0:
        raise Unsupported("a slice with step 0", line)
    extent = _int64(extent)
    low, high = (np.int64(0), extent) if step > 0 else (np.int64(-1), extent - 1)
    start = (low if step > 0 else high) if item.start is None else _clipped(item.start, extent, low, high)
    stop = (high if step > 0 else low) if item.stop is None else _clipped(item.stop, extent, low, high)
    length = np.maximum(0, (stop - start + step - (1 if step > 0 else -1)) // step)
    return start, length, step


def _clipped(value: Any, extent: Any, low: Any, high: Any) -> Any:
    value = _int64(value)
    value = np.where(value < 0, value + extent, value)
    clipped = np.minimum(np.maximum(value, low), high)
    return clipped if isinstance(clipped, np.ndarray) and clipped.ndim else np.int64(clipped)


def transposed(view: ArrayView) -> ArrayView:
    return ArrayView(view.memory, view.base, view.shape[::-1], view.strides[::-1], view.name, view.slot)


def reshaped(view: ArrayView, shape: tuple[Any, ...], line: int) -> ArrayView:
    """`view.reshape(shape)` of a C-contiguous array; one extent may be -1."""
    extents = [int(extent) for extent in shape if not isinstance(extent, np.ndarray)]
    if len(extents) < len(shape) or isinstance(view.size, np.ndarray):
        raise Unsupported("a reshape() whose shape differs between threads", line)
    known = int(np.prod([extent for extent in extents if extent != -1]))
    if -1 in extents:
        extents[extents.index(-1)] = int(view.size) // max(1, known)
    if int(np.prod(extents)) != int(view.size):
        raise Unsupported(f"a reshape() of {int(view.size)} elements to {tuple(shape)}", line)
    strides = [int(np.prod(extents[axis + 1:])) for axis in range(len(extents))]
    return ArrayView(
        view.memory, view.base, tuple(np.int64(extent) for extent in extents), tuple(strides), view.name, view.slot
    )


def elements(context: Context, view: ArrayView, mask: Mask, line: int) -> Iterator[tuple[tuple[Any, ...], Mask]]:
    """Every index of a view, in C order, with the lanes for which the view has it: extents may differ per lane."""
    for index in np.ndindex(*(int(np.max(extent)) for extent in view.shape)):
        inside: Any = np.bool_(True)
        for position, extent in zip(index, view.shape, strict=True):
            inside = inside & (position < extent)
        going = split(mask, inside)[0]
        if going is not None:
            context.look_at_clock(line)
            yield tuple(np.int64(position) for position in index), going


def fill(context: Context, view: ArrayView, value: Any, mask: Mask, line: int) -> None:
    """`view[...] = value`: each lane stores one value into all elements that it sees."""
    for index, going in elements(context, view, mask, line):
        context.store(view, index, value, going, line)


def total(context: Context, view: ArrayView, start: Any, mask: Mask, line: int) -> Any:
    """The sum of a view's elements, in the type of `start`."""
    dtype = start.dtype
    work = arithmetic.of_operator(operator.add, dtype)
    result = start
    for index, going in elements(context, view, mask, line):
        value = result + cast(context.load(view, index, going, line), dtype)
        result = merge(going, value, result)
        if context.state.tally is not None and work is not None:
            context.state.tally.add(line, work[0], work[1] * going.count)
    return result


def tuple_item(items: tuple[Any, ...], index: Any, line: int) -> Any:
    """`items[index]` with an index known only at run time, uniform or per lane."""
    if not isinstance(index, np.ndarray):
        return items[int(index)]
    result = items[-1]
    for position, item in enumerate(items):
        result = np.where((index == position) | (index == position - len(items)), item, result)
    return result
