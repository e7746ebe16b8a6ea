"""Iterating over lanes: `range`, tuples, arrays, `zip`, `enumerate`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gpulab.engines.simt.lanes import UNDEFINED, Mask, RangeState, merge, split
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


def range_length(of: RangeState) -> Any:
    """`len(range(...))`, int64."""
    span = np.asarray(of.stop, np.int64) - np.asarray(of.current, np.int64)
    step = np.asarray(of.step, np.int64)
    return np.maximum(0, (span + step - np.sign(step)) // np.where(step == 0, 1, step))[()]


def in_range(of: RangeState, value: Any) -> Any:
    """`value in range(...)`."""
    position = value - of.current
    step = np.where(np.asarray(of.step) == 0, 1, of.step)
    return ((position % step == 0) & (position // step >= 0) & (position // step < range_length(of)))[()]


@dataclass(frozen=True)
class Zipped:
    """The state of a loop over `zip(...)`: the state of each of its parts."""

    parts: tuple[Any, ...]

    def merged(self, mask: Mask, other: Any) -> Zipped:
        return self if other is UNDEFINED else Zipped(merge(mask, self.parts, other.parts))


@dataclass(frozen=True)
class Enumerated:
    """The state of a loop over `enumerate(...)`: the count to come, int64, and the state of what is counted."""

    count: Any
    part: Any

    def merged(self, mask: Mask, other: Any) -> Enumerated:
        if other is UNDEFINED:
            return self
        return Enumerated(merge(mask, self.count, other.count), merge(mask, self.part, other.part))


def over(container: Any) -> Any:
    """The state of a loop over a tuple or an array: the container, and the index to come; a range is its own."""
    if isinstance(container, (RangeState, Zipped, Enumerated)):
        return container
    length = container.shape[0] if isinstance(container, ArrayView) else np.int64(len(container))
    return container, RangeState(np.int64(0), length, np.int64(1))


def next_element(context: Any, state: Any, mask: Mask | None, line: int) -> tuple[Any, Any, Any]:
    """The next element, whether there is one, and the state after it; only lanes that have one load it.

    With no lanes at all (None) nothing is loaded.
    """
    if isinstance(state, RangeState):
        return next_in_range(state)
    if isinstance(state, Zipped):
        return _next_of_all(context, state, mask, line)
    if isinstance(state, Enumerated):
        element, valid, following = next_element(context, state.part, mask, line)
        count = np.where(valid, state.count + 1, state.count)[()]
        return (state.count, element), valid, Enumerated(count, following)
    container, indices = state
    index, valid, following = next_in_range(indices)
    going = None if mask is None else split(mask, valid)[0]
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


def _next_of_all(context: Any, state: Zipped, mask: Mask | None, line: int) -> tuple[Any, Any, Any]:
    """An element of each part, for the lanes in which no part before has come to its end."""
    elements, followings = [], []
    valid: Any = np.bool_(True)
    for part in state.parts:
        element, more, following = next_element(context, part, mask, line)
        elements.append(element)
        followings.append(following)
        valid = valid & more
        mask = None if mask is None else split(mask, more)[0]
    return tuple(elements), valid, Zipped(tuple(followings))
