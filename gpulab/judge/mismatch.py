"""A wrong answer in detail: the window around the first wrong element, the pattern, and who wrote it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpulab.catalog.spec import Launch
from gpulab.judge.comparison import Array
from gpulab.judge.patterns import Pattern, Wrong, find_pattern
from gpulab.judge.report import Cell, Mismatch
from gpulab.judge.trial import Trial
from gpulab.judge.wording import plain
from gpulab.trace.model import Coordinates, Run
from gpulab.trace.values import ValueTrace

MOST_CELLS = 4096
AROUND = 3
"""Elements shown on each side of the wrong one."""


@dataclass(frozen=True)
class Ownership:
    """Which block owns which element, where the launch gives each thread one element.

    `extent` is the number of elements a block owns along each axis of the array, the first axis first.
    """

    extent: tuple[int, ...] | None = None

    def block(self, index: tuple[int, ...]) -> Coordinates | None:
        """The block that owns the element."""
        if self.extent is None:
            return None
        at = [place // per for place, per in zip(index, self.extent, strict=True)][::-1]
        x, y, z = (*at, 0, 0)[:3]
        return x, y, z

    @property
    def row(self) -> int | None:
        """Elements per block of an array of one dimension."""
        return self.extent[0] if self.extent and len(self.extent) == 1 else None

    @property
    def tile(self) -> tuple[int, int] | None:
        """(rows, columns) per block of an array of two dimensions."""
        return (self.extent[0], self.extent[1]) if self.extent and len(self.extent) == 2 else None


def ownership(shape: tuple[int, ...], launch: Launch | None, runs: list[Run]) -> Ownership:
    """Read from the launch: just enough blocks of threads to give each element one thread, x along the last axis."""
    launches = [(launch.blocks, launch.threads)] if launch else [(run.blocks, run.threads) for run in reversed(runs)]
    for blocks, threads in launches:
        grid, block = _padded(blocks), _padded(threads)
        lengths = (*shape[::-1], 1, 1)[:3]
        fits = all(count == max(1, -(-length // per)) for count, length, per in zip(grid, lengths, block, strict=True))
        if fits and max(grid) > 1 and len(shape) <= 3:
            return Ownership(block[: len(shape)][::-1])
    return Ownership()


def _padded(extent: tuple[int, ...]) -> Coordinates:
    x, y, z = (*extent, 1, 1)[:3]
    return x, y, z


def pattern_of(trial: Trial, name: str, unwritten: bool = False) -> Pattern | None:
    """The pattern in the wrong (or the unwritten) elements of one output."""
    return find_pattern(as_wrong(trial, name, unwritten))


def as_wrong(trial: Trial, name: str, unwritten: bool = False) -> Wrong:
    """One output of a trial, as the pattern finders take it."""
    got = trial.got[name]
    owner = ownership(got.shape, trial.launch, trial.run.runs)
    inputs = {key: value for key, value in trial.case.inputs.items() if isinstance(value, np.ndarray)}
    mask, word = (trial.unwritten[name], "unwritten") if unwritten else (trial.wrong[name], "wrong")
    initial = trial.case.outputs[name].initial
    return Wrong(mask, got, trial.expected[name], name, owner.row, owner.tile, inputs, initial, word)


def describe(trial: Trial, name: str, index: tuple[int, ...], pattern: Pattern | None,
             values: ValueTrace | None) -> Mismatch:
    """The mismatch of output `name`, shown around `index`."""
    got, expected, wrong = _shown(trial, name), trial.expected[name], trial.wrong[name]
    owner = ownership(got.shape, trial.launch, trial.run.runs)
    cells = [_cell(trial, name, at, got, expected, owner, values) for at in window(index, got.shape)]
    return Mismatch(
        array=name, shape=got.shape, index=index, expected=plain(expected[index]),
        got=_value(trial, name, index, got), window=cells, wrong=int(np.count_nonzero(wrong)),
        wrong_cells=[int(at) for at in np.flatnonzero(wrong)[:MOST_CELLS]], row=owner.row,
        pattern=pattern.sentence if pattern else None, write=values.writer(name, index) if values else None,
        also=[other for other, mask in trial.wrong.items() if other != name and mask.any()],
    )


def _shown(trial: Trial, name: str) -> Array:
    """The run that is wrong: the second, where only another order of blocks shows it."""
    fault = trial.faults.first
    if fault is not None and fault.other_order and name in trial.shuffled:
        return trial.shuffled[name]
    return trial.got[name]


def _value(trial: Trial, name: str, index: tuple[int, ...], got: Array) -> Any:
    return "not written" if trial.unwritten[name][index] else plain(got[index])


def _cell(trial: Trial, name: str, index: tuple[int, ...], got: Array, expected: Array, owner: Ownership,
          values: ValueTrace | None) -> Cell:
    write = values.writer(name, index) if values else None
    block = owner.block(index) or (write.block if write else None)
    return Cell(index, plain(expected[index]), _value(trial, name, index, got), bool(trial.wrong[name][index]), block)


def window(index: tuple[int, ...], shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Seven elements along the last axis, and three rows of them where there are two axes or more."""
    if not index:
        yield ()
        return
    columns = _span(index[-1], AROUND, shape[-1])
    rows = _span(index[-2], 1, shape[-2]) if len(index) > 1 else range(1)
    for row in rows:
        for column in columns:
            yield (*index[:-2], row, column) if len(index) > 1 else (column,)


def _span(at: int, around: int, length: int) -> range:
    """`2 * around + 1` places around `at`, moved inward at an end."""
    wide = min(length, 2 * around + 1)
    start = min(max(0, at - around), length - wide)
    return range(start, start + wide)

