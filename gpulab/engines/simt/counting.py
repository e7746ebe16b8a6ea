"""Counters per source line while a launch runs: as written, and as the compiler leaves them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

import numpy as np

from gpulab.engines.simt.arithmetic import BlockWork
from gpulab.engines.simt.geometry import Geometry
from gpulab.engines.simt.lanes import Mask
from gpulab.engines.simt.memory import ArrayView
from gpulab.engines.simt.rewrites import LoadSite
from gpulab.engines.simt.traffic import SECTOR, Global, Shared, in_global, in_shared, warps
from gpulab.trace import Counters
from gpulab.trace.counters import Count, counters_of

_REMEMBERED = 64


class Accesses:
    """Counts accesses of one batch of lanes.

    In a loop the same lanes index with the same arrays and another uniform number, and what the memory makes of that
    depends on the number only by where in a sector, or in a word, it falls: such counts are worth remembering.
    """

    def __init__(self, geometry: Geometry) -> None:
        self.geometry = geometry
        self._known: dict[tuple[Any, ...], tuple[Any, Any]] = {}

    def in_global(self, view: ArrayView, index: tuple[Any, ...], offset: Any, mask: Mask, width: int = 1) -> Global:
        """See `traffic.in_global`."""
        item = view.memory.cells.itemsize
        known: Global = self._once(in_global, view, index, offset, mask, width, SECTOR // min(SECTOR, item))
        return known

    def in_shared(self, view: ArrayView, index: tuple[Any, ...], offset: Any, mask: Mask, width: int = 1) -> Shared:
        """See `traffic.in_shared`."""
        item = view.memory.cells.itemsize
        period = 4 // item if item < 4 else width
        known: Shared = self._once(in_shared, view, index, offset, mask, width, period)
        return known

    def _once(
        self,
        count: Callable[..., Any],
        view: ArrayView,
        index: tuple[Any, ...],
        offset: Any,
        mask: Mask,
        width: int,
        period: int,
    ) -> Any:
        """`count(...)`, or what it gave for the same lanes and arrays and a uniform rest equal modulo `period`."""
        if not isinstance(offset, np.ndarray):
            return count(self.geometry, view, offset, mask, width)
        key: list[Any] = [count, width, period, id(mask), id(view.memory)]
        varying = [view.base] if isinstance(view.base, np.ndarray) else []
        rest = 0 if varying else view.base
        for position, stride in zip(index, view.strides, strict=True):
            if isinstance(position, np.ndarray):
                varying.append(position)
                key.append(stride)
            else:
                rest += int(position) * stride
        named = (*key, *map(id, varying), int(rest) % period)
        known = self._known.get(named)
        if known is None:
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            kept_alive = (mask, view.memory, varying)  # and so their ids
            known = self._known[named] = (count(self.geometry, view, offset, mask, width), kept_alive)
        return known[0]


class Tally:
    """Counts by source line while a launch runs."""

    of_memory = True
    """Whether it counts what the memory makes of an access too."""

    def __init__(self) -> None:
        self._lines: defaultdict[int, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
        self._changes: defaultdict[int, defaultdict[str, int]] = defaultdict(lambda: defaultdict(int))
        """Line -> counter -> how much the compiler adds or takes away."""
        self._why: defaultdict[int, dict[str, None]] = defaultdict(dict)
        self._blocks: dict[BlockWork, list[int]] = {}
        """Basic block -> executions by lanes and by warps."""

    def add(self, line: int, counter: str, count: int) -> None:
        self._lines[line][counter] += count

    def block(self, geometry: Geometry, work: BlockWork, mask: Mask) -> None:
        """A basic block runs for the lanes of `mask`."""
        known = self._blocks.get(work)
        if known is None:
            known = self._blocks[work] = [0, 0]
        known[0] += mask.count
        known[1] += warps(geometry, mask)

    def access(
        self,
        accesses: Accesses,
        line: int,
        kind: str,
        view: ArrayView,
        index: tuple[Any, ...],
        offset: Any,
        mask: Mask,
        site: LoadSite | None = None,
    ) -> None:
        """The lanes of `mask` execute a load or store ("load" or "store") of `view[index]`, at `offset`, once."""
        space = view.memory.space
        if space == "const":
            return
        counts = _access(accesses, space, kind, view, index, offset, mask, 1)
        _add(self._lines[line], counts, 1)
        rewrite = site.rewrite if site is not None else None
        if rewrite is None:
            return
        changes = self._changes[line]
        _add(changes, counts, -1)
        self._why[line][rewrite.why] = None
        if rewrite.width > 1 and _leads(view, offset, rewrite.width):
            _add(changes, _access(accesses, space, kind, view, index, offset, mask, rewrite.width), 1)

    def compiled(self, line: int, counts: dict[str, int], why: str) -> None:
        """The compiler adds these accesses to a line."""
        _add(self._changes[line], counts, 1)
        self._why[line][why] = None

    def result(self) -> Counters:
        lines: dict[int, dict[str, Count]] = {line: dict(counts) for line, counts in self._lines.items()}
        for work, (by_lanes, by_warps) in self._blocks.items():
            for line in work.begins:
                _count(lines, line, "executions", by_lanes)
                _count(lines, line, "warp_executions", by_warps)
            for (line, counter), count in work.operations.items():
                _count(lines, line, counter, count * by_lanes)
        compiled: dict[int, dict[str, Count]] = {}
        for line, changes in self._changes.items():
            compiled[line] = dict(lines.get(line, {}))
            for name, change in changes.items():
                _count(compiled, line, name, change)
        return counters_of(lines, compiled, {line: list(why) for line, why in self._why.items()})


class LaneTally(Tally):
    """Counts what lanes do (loads, stores, atomics, executions), not what the memory makes of it: half the time.

    Of bytes it counts those stored to global memory: the judge holds them against the bytes of the outputs.
    """

    of_memory = False

    def access(
        self,
        accesses: Accesses,
        line: int,
        kind: str,
        view: ArrayView,
        index: tuple[Any, ...],
        offset: Any,
        mask: Mask,
        site: LoadSite | None = None,
    ) -> None:
        """See `Tally.access`."""
        if view.memory.space != "const":
            self._lines[line][_NAMES[view.memory.space, kind][0]] += mask.count
            if kind == "store" and view.memory.space == "global":
                self._lines[line]["global_store_bytes_asked"] += mask.count * view.memory.cells.itemsize


def _access(
    accesses: Accesses,
    space: str,
    kind: str,
    view: ArrayView,
    index: tuple[Any, ...],
    offset: Any,
    mask: Mask,
    width: int,
) -> dict[str, int]:
    """What one execution adds to each counter."""
    traffic: Global | Shared | None = None
    if space == "global":
        traffic = accesses.in_global(view, index, offset, mask, width)
    elif space == "shared":
        traffic = accesses.in_shared(view, index, offset, mask, width)
    return figures(view, kind, mask.count, traffic, width)


def figures(view: ArrayView, kind: str, lanes: int, traffic: Global | Shared | None, width: int = 1) -> dict[str, int]:
    """Counter -> what an access of `lanes` lanes to `width` cells each, which makes this traffic, adds to it."""
    counts: tuple[int, ...] = (lanes,)
    if isinstance(traffic, Global):
        asked = lanes * view.memory.cells.itemsize * width
        moved = traffic.sectors * SECTOR
        counts = (lanes, traffic.requests, traffic.sectors, traffic.ideal, moved, asked)
    elif isinstance(traffic, Shared):
        counts = (lanes, traffic.requests, traffic.wavefronts, traffic.wavefronts - traffic.least)
    return dict(zip(_NAMES[view.memory.space, kind], counts, strict=True))


def _names(space: str, kind: str) -> tuple[str, ...]:
    parts = {
        "global": ("requests", "sectors", "sectors_ideal", "bytes", "bytes_asked"),
        "shared": ("requests", "wavefronts", "bank_conflicts"),
        "local": (),
    }[space]
    return (f"{space}_{kind}s", *(f"{space}_{kind}_{part}" for part in parts))


_NAMES = {(space, kind): _names(space, kind) for space in ("global", "shared", "local") for kind in ("load", "store")}
"""(Space, kind) -> the counters of one access, in the order of `figures`."""


def _add(to: defaultdict[str, int], counts: dict[str, int], sign: int) -> None:
    for name, count in counts.items():
        to[name] += sign * count


def _count(lines: dict[int, dict[str, Count]], line: int, counter: str, count: int) -> None:
    counts = lines.setdefault(line, {})
    counts[counter] = counts.get(counter, 0) + count


def _leads(view: ArrayView, offset: Any, width: int) -> bool:
    """Whether this is the access of its run of `width` neighbours that stands for all of them: the first."""
    first = (offset - view.slot) % width
    return bool(np.all(first == 0))
