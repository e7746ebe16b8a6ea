"""Why a program stops before its end, or lets others go on."""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from gpulab.engines.simt.lanes import Mask


class TimeLimit(Exception):
    """The launch ran longer than it may; `line` is where it was."""

    def __init__(self, line: int) -> None:
        self.line = line
        super().__init__(f"time limit reached on line {line}")


@dataclass(frozen=True)
class Collective:
    """What a program that runs in steps stops for: a barrier or a warp-level call of the lanes of `mask`."""

    kind: str
    mask: Mask
    line: int
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Pause:
    """Where a program gives others a turn: a loop goes round. `frozen` says that nothing changed since it did
    so last."""

    line: int
    mask: Mask
    frozen: bool


class Stuck(Exception):
    """A loop whose state and memory no longer change, in lockstep. `lane` is in it."""

    def __init__(self, line: int, lane: int) -> None:
        self.line = line
        self.lane = lane
        super().__init__(f"stuck on line {line}")


def same(before: Any, now: Any) -> bool:
    """Equal bit for bit, through the containers a frame may hold."""
    if before is now:
        return True
    if isinstance(now, Mask):
        return isinstance(before, Mask) and same(before.bits, now.bits)
    if isinstance(now, (np.ndarray, np.generic)):
        return (
            isinstance(before, (np.ndarray, np.generic))
            and before.shape == now.shape
            and before.tobytes() == now.tobytes()
        )
    if isinstance(now, dict):
        return isinstance(before, dict) and before.keys() == now.keys() and all(same(before[k], now[k]) for k in now)
    if isinstance(now, tuple):
        return isinstance(before, tuple) and len(before) == len(now) and all(map(same, before, now))
    if is_dataclass(now):  # a view, or where a loop is in what it goes over
        return type(before) is type(now) and same(fields_of(before), fields_of(now))
    return bool(before == now)


def fields_of(value: Any) -> tuple[Any, ...]:
    return tuple(getattr(value, field.name) for field in fields(value))


class UnsupportedHere(Exception):
    """Raised where no line is at hand; the machine adds it."""
