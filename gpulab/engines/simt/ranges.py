"""Iterating over lanes: `range`, tuples, arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpulab.engines.simt.lanes import Mask, RangeState, split
from gpulab.engines.simt.memory import ArrayView
from gpulab.engines.simt.views import subview, tuple_item


def next_in_range(state: RangeState) -> tuple[Any, Any, RangeState]:
    """The next value, whether there is one, and the state after it."""
    current, stop, step = state.current, state.stop, state.step
    if isinstance(step, np.ndarray):
        valid = np.where(step > 0, current < stop, current > stop) & (step != 0)
    elif step > 0:
        valid = current < stop
    else:
        valid = (current > stop) if step < 0 else np.bool_(False)
    following = (
        np.where(valid, current + step, current)
        if isinstance(valid, np.ndarray)
        else (current + step if valid else current)
    )
    return current, valid, RangeState(following, stop, step)


def over(container: Any) -> tuple[Any, RangeState]:
    """The state of a loop over a tuple or an array: the container, and the index to come."""
    length = container.shape[0] if isinstance(container, ArrayView) else np.int64(len(container))
    return container, RangeState(np.int64(0), length, np.int64(1))


def next_element(context: Any, state: tuple[Any, RangeState], mask: Mask, line: int) -> tuple[Any, Any, Any]:
    """The next element, whether there is one, and the state after it; only lanes that have one load it."""
    container, indices = state
    index, valid, following = next_in_range(indices)
    going = split(mask, valid)[0]
    if isinstance(container, tuple):
        last = np.int64(len(container) - 1)
        element = tuple_item(container, np.minimum(index, last), line) if container else np.int64(0)
    elif going is None:
        element = container.memory.cells.dtype.type(0) if len(container.shape) == 1 else container
    elif len(container.shape) == 1:
        element = context.load(container, (index,), going, line)
    else:
        element = subview(context, container, (index,), going, line)
    return element, valid, (container, following)
