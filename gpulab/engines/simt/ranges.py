"""`range` over lanes."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpulab.engines.simt.lanes import RangeState


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
