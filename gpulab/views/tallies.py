"""Sums over a picture's steps: what a line of one warp, or a whole launch, asks of memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from gpulab.trace.picture import Picture, PictureStep, PictureWarp
from gpulab.trace.traffic import SECTOR, bank_use, traffic


@dataclass
class Tally:
    """Requests and what they cost. Of global memory sectors, of shared memory wavefronts."""

    global_loads: int = 0
    global_stores: int = 0
    shared_loads: int = 0
    shared_stores: int = 0
    atomics: int = 0
    load_sectors: int = 0
    store_sectors: int = 0
    best_load_sectors: int = 0
    best_store_sectors: int = 0
    asked: int = 0
    """Bytes of global memory, each lane its own."""
    wavefronts: int = 0
    least_wavefronts: int = 0
    lanes: int = 0
    """Of the step with the most."""
    warps: int = 0
    """How many warps were added up."""

    @property
    def sectors(self) -> int:
        return self.load_sectors + self.store_sectors

    @property
    def best_sectors(self) -> int:
        return self.best_load_sectors + self.best_store_sectors

    @property
    def global_requests(self) -> int:
        return self.global_loads + self.global_stores

    @property
    def shared_requests(self) -> int:
        return self.shared_loads + self.shared_stores

    def add(self, step: PictureStep, picture: Picture) -> None:
        """Count one step."""
        array = picture.arrays[step.array]
        lanes = len(step.lanes)
        self.lanes = max(self.lanes, lanes)
        if not lanes:
            return
        if step.kind == "atomic":
            self.atomics += 1
        elif array.space == "global":
            moves = traffic(step, array)
            self.asked += moves.asked
            if step.kind == "load":
                self.global_loads += 1
                self.load_sectors += len(moves.sectors)
                self.best_load_sectors += moves.best
            else:
                self.global_stores += 1
                self.store_sectors += len(moves.sectors)
                self.best_store_sectors += moves.best
        elif array.space == "shared":
            use = bank_use(step, array)
            self.shared_loads += step.kind == "load"
            self.shared_stores += step.kind == "store"
            self.wavefronts += use.wavefronts
            self.least_wavefronts += use.least


@lru_cache(maxsize=64)
def of_warp(picture: Picture, warp: PictureWarp) -> dict[int, Tally]:
    """Line -> what the warp does there."""
    lines: dict[int, Tally] = {}
    for step in warp.steps:
        lines.setdefault(step.line, Tally()).add(step, picture)
    return lines


@lru_cache(maxsize=64)
def of_block(picture: Picture, block: int) -> dict[int, Tally]:
    """Line -> what the block's warps do there."""
    return _together(of_warp(picture, warp) for warp in picture.warps if warp.block == block)


@lru_cache(maxsize=8)
def of_all(picture: Picture) -> dict[int, Tally]:
    """Line -> what all warps of the picture do there."""
    return _together(of_warp(picture, warp) for warp in picture.warps)


def whole(picture: Picture) -> Tally:
    """What all warps of the picture do."""
    return sum_of(of_all(picture).values())


def sum_of(tallies: Iterable[Tally]) -> Tally:
    """All of these together; of lanes and warps as each says."""
    total = Tally()
    for tally in tallies:
        for name, count in vars(tally).items():
            here = getattr(total, name)
            setattr(total, name, max(here, count) if name == "lanes" else here + count)
    return total


def _together(warps: Iterable[dict[int, Tally]]) -> dict[int, Tally]:
    lines: dict[int, list[Tally]] = {}
    for tallies in warps:
        for line, tally in tallies.items():
            lines.setdefault(line, []).append(tally)
    return {line: sum_of([*tallies, Tally(warps=len(tallies))]) for line, tallies in lines.items()}


def bytes_each(sectors: int, elements: int) -> float:
    """Bytes moved for each output."""
    return sectors * SECTOR / elements
