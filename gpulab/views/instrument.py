"""The four views of what a launch did to memory, and where each begins."""

from __future__ import annotations

from dataclasses import replace

from gpulab.trace.picture import WARP, PictureStep
from gpulab.trace.traffic import bank_use, traffic
from gpulab.trace.walking import NotThere, Position
from gpulab.views import banks, barriers, gutter, lines, memory
from gpulab.views.look import Look
from gpulab.views.page import Page
from gpulab.views.rows import Row, padded, paragraph, row
from gpulab.views.scene import Scene
from gpulab.views.time import time_of

WHAT = ("source", "memory", "banks", "barriers")


def missing(what: str, scene: Scene) -> str | None:
    """Why a view has nothing to show of this launch; None where it has."""
    spaces = {array.space for array in scene.picture.arrays}
    if what in ("banks", "barriers") and "shared" not in spaces:
        return f"{scene.run.kernel} uses no shared memory, so there are no {what} to draw: try --what memory."
    if not any(warp.steps for warp in scene.picture.warps) and what != "source":
        return f"{scene.run.kernel} touches no memory, so there is nothing to draw: try --what source."
    return None


def opening(what: str, scene: Scene, block: int | None = None) -> Position:
    """Where a view begins: at the step that says most. Raises `NotThere` for a block that is not in the picture."""
    start = scene.walk.start(block)
    wanted = {"memory": _wasteful, "banks": _crowded}.get(what)
    if what == "barriers":
        return _busy(scene, scene.walk.start(block, wanted=lambda step: _space(scene, step) == "shared"))
    if wanted is None:
        return start
    steps = [(wanted(scene, step), -warp, -number) for warp, found in enumerate(scene.picture.warps)
             if block is None or found.block == block for number, step in enumerate(found.steps)]
    best = max(steps, default=(0.0, -start.warp, -start.step))
    return Position(-best[1], -best[2])


def _space(scene: Scene, step: PictureStep) -> str:
    return scene.picture.arrays[step.array].space


def _wasteful(scene: Scene, step: PictureStep) -> float:
    """Sectors beyond the best; before all others a step that leaves the array, last those on other memory."""
    array = scene.picture.arrays[step.array]
    if step.outside:
        return 1e9
    if array.space != "global":
        return -2
    if step.kind == "atomic" or not step.lanes:
        return -1
    moves = traffic(step, array)
    return len(moves.sectors) - moves.best


def _crowded(scene: Scene, step: PictureStep) -> float:
    """Bank conflicts; steps on other memory last."""
    array = scene.picture.arrays[step.array]
    if array.space != "shared" or not step.lanes:
        return -1
    return 0 if step.kind == "atomic" else bank_use(step, array).conflicts


def _busy(scene: Scene, start: Position) -> Position:
    """The first interval in which a thread reads what another wrote, with arrows to draw if there are any."""
    time = time_of(scene.at(start))
    told = ([found.number for found in time.intervals if barriers.fits(time, found)]
            or [found.number for found in time.intervals if found.foreign])
    if not told:
        return start
    steps = scene.picture.warps[start.warp].steps
    place = next((number for number, step in enumerate(steps)
                  if step.interval == told[0] and step.array == time.array), None)
    return start if place is None else replace(start, step=place)


def positioned(what: str, scene: Scene, warp: int | None = None, step: int | None = None,
               thread: int | None = None) -> Position:
    """The scene's position moved to a warp, step (from 1) and thread of its block. Raises `NotThere`.

    Of barriers a step is an interval.
    """
    picture, position = scene.picture, scene.position
    if thread is not None:
        if not 0 <= thread < picture.block_size:
            raise NotThere(f"There is no thread {thread}: a block has {picture.block_size}, so choose 0 to "
                           f"{picture.block_size - 1}.")
        warp = thread // WARP if warp is None else warp
    if warp is not None:
        position = _of_warp(scene, warp, position)
    if step is not None:
        position = _of_step(what, scene.at(position), step)
    return position if thread is None else replace(position, lane=thread % WARP)


def _of_warp(scene: Scene, warp: int, position: Position) -> Position:
    picture = scene.picture
    if not 0 <= warp < picture.warps_per_block:
        raise NotThere(f"There is no warp {warp}: a block has {picture.warps_per_block}, so choose 0 to "
                       f"{picture.warps_per_block - 1}." if picture.warps_per_block > 1
                       else f"There is no warp {warp}: a block has one, warp 0.")
    place = scene.warp.block * picture.warps_per_block + warp
    return scene.walk.next_warp(position, place - position.warp)


def _of_step(what: str, scene: Scene, step: int) -> Position:
    steps = scene.warp.steps
    if what != "barriers":
        if not 1 <= step <= len(steps):
            made = len(steps)
            raise NotThere(f"There is no step {step}: this warp makes {made or 'none'}"
                           + (f", so choose 1 to {made}." if made else "."))
        return replace(scene.position, step=step - 1)
    time = time_of(scene)
    count = len(time.intervals)
    if not 1 <= step <= count:
        raise NotThere(f"There is no interval {step}: this block has {count}, so choose 1 to {count}.")
    place = next((number for number, found in enumerate(steps)
                  if found.interval == step - 1 and found.array == time.array), None)
    if place is None:
        place = next((number for number, found in enumerate(steps) if found.interval >= step - 1), len(steps) - 1)
    return replace(scene.position, step=place)


def _idle(scene: Scene, width: int, look: Look) -> list[Row]:
    """Of a warp that touches no memory."""
    shown = gutter.kernel_lines(scene.counts, scene.findings, scene.source)
    said = f"Warp {scene.warp.number} of block {scene.warp.block} touches no memory: its threads have no work to do."
    return [*gutter.table(scene.source, shown, [], width, look), row(),
            *paragraph(said, width, look, style=look.strong)]


def page(what: str, scene: Scene, width: int, look: Look, *, cells: bool | None = None,
         first_cell: int | None = None, height: int | None = None) -> Page:
    """The view `what` of the scene: of memory as `cells` or as sectors, of barriers from `first_cell` on.

    In `height` rows explanations give way first, then second pictures; what cannot give way is longer. No row is
    wider than `width`; below 80 columns pictures are cut rather than left out.
    """
    if what != "source" and not scene.warp.steps:
        return Page(_idle(scene, width, look)).finished(look)
    pages = {
        "source": lambda: lines.page(scene, width, look),
        "memory": lambda: memory.page(scene, width, look, cells=cells, height=height),
        "banks": lambda: banks.page(scene, width, look, height=height),
        "barriers": lambda: barriers.page(scene, width, look, first_cell=first_cell, height=height),
    }
    drawn = pages[what]()
    return Page([line if line.cell_len <= width else padded(line, width) for line in drawn.rows]).finished(look)
