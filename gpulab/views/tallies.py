"""Sums over a picture's steps: what a line of one warp, or a whole launch, asks of memory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gpulab.trace.picture import Picture, PictureStep
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


def by_line(picture: Picture, steps: Iterable[PictureStep]) -> dict[int, Tally]:
    """Line -> what these steps do there."""
    lines: dict[int, Tally] = {}
    for step in steps:
        lines.setdefault(step.line, Tally()).add(step, picture)
    return lines


def whole(picture: Picture) -> Tally:
    """What all warps of the picture do."""
    tally = Tally()
    for warp in picture.warps:
        for step in warp.steps:
            tally.add(step, picture)
    return tally


def bytes_each(sectors: int, elements: int) -> float:
    """Bytes moved for each output."""
    return sectors * SECTOR / elements
