"""A compiled function."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from gpulab.engines.simt.frontend import TypedFunction
from gpulab.engines.simt.guesses import ThroughCall
from gpulab.trace import Note


@dataclass(frozen=True)
class LaneProgram:
    """A compiled function. `run(context, mask, *arguments)` is a generator whose return value is the function's."""

    function: TypedFunction
    run: Callable[..., Any]
    source: str
    notes: list[Note]
    stores_to: frozenset[int] | None
    """Positions of the parameters the function may write to; None where that cannot be told."""
    waits: bool
    """Whether it syncs warps or blocks."""
    feeds: dict[int, frozenset[int]] = field(default_factory=dict)
    """Line of a store -> lines of the loads its value is made of."""
    shared_bytes: int = 0
    """Static shared memory of a block, that of the functions it calls included."""
    spins: bool = False
    """Whether it has a loop that only memory or luck may end: any loop but `for ... in range`."""
    parts_warps: bool = False
    """Whether some `syncwarp` may name a part of the warp only."""
    through: ThroughCall = field(default_factory=ThroughCall)
