"""In a kernel puzzle the kernel's own stores fill the outputs: an element that became right was stored by a thread."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gpulab.judge.comparison import Mask
from gpulab.judge.faults import Fault
from gpulab.judge.memory import Placed
from gpulab.judge.session import CaseRun
from gpulab.judge.wording import count

_STORES = ("global_stores", "atomics")
"""Each is counted once for every thread that does it, and changes one element at most."""


def filled_otherwise(sent: Mapping[str, Placed], run: CaseRun, wrong: Mapping[str, Mask]) -> Fault | None:
    """The fault that more elements became right than the kernel stored; `wrong` masks each output."""
    if not run.runs or any(not one.counters.totals for one in run.runs):
        return None
    became = {name: int(np.count_nonzero(_differ(run.arrays[name], sent[name]) & ~mask))
              for name, mask in wrong.items() if run.arrays[name] is not sent[name]}
    stores = sum(int(one.counters.totals.get(name, 0)) for one in run.runs for name in _STORES)
    if sum(became.values()) <= stores:
        return None
    name = max(became, key=lambda name: became[name])
    message = (f"{count(became[name], 'element')} of {name} became right, but your kernel stored only "
               f"{count(stores, 'value')}.")
    return Fault("not allowed", words=(message, f"Something other than the kernel's stores filled {name}.",
                                       f"Let the threads of your kernel write every element of {name}."))


def _differ(now: Placed, before: Placed) -> Mask:
    """Element by element and bit by bit, NaN included."""
    one, other = np.ascontiguousarray(now.view()), np.ascontiguousarray(before.view())
    bits = one.reshape(-1).view(np.uint8) != other.reshape(-1).view(np.uint8)
    return np.asarray(bits.reshape(-1, one.dtype.itemsize).any(axis=1).reshape(now.shape))
