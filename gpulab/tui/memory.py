"""What the Memory tab shows: one drawing, the view of it, and where one is in it. No widget, no thread."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gpulab.judge.drawing import Drawing
from gpulab.judge.report import Report
from gpulab.trace.picture import PictureStep
from gpulab.trace.traffic import bank_use
from gpulab.trace.walking import Position
from gpulab.views import instrument
from gpulab.views.finding import Fault, moved, number_of
from gpulab.views.grid import grid_of, is_telling
from gpulab.views.scene import Scene
from gpulab.views.time import time_of

VIEWS = ("memory", "banks", "barriers", "source", "finding")
"""Sectors or owners, banks, time, the counts of all lines, and a fault."""


@dataclass
class Memory:
    """The newest drawing of a file, and one step of it."""

    drawing: Drawing | None = None
    source: str | None = None
    """The file that was drawn."""
    launch: int = 0
    scene: Scene | None = None
    """None where there is nothing to step through."""
    what: str = ""
    """One of `VIEWS`; "" as long as no view was chosen."""
    cells: bool | None = None
    """Memory as cells by owner, or as sectors; None: as the array's shape asks for."""
    first_cell: int | None = None
    """Of time: the first cell drawn, where one has moved."""
    fault: Fault | None = None

    # ---- a drawing ---------------------------------------------------------------------------------------------------

    def take(self, drawing: Drawing, report: Report | None, *, at_fault: bool = False) -> None:
        """Show another drawing: at its fault where asked for, else where one was, else where it says most."""
        before, self.drawing, self.source = self.scene, drawing, drawing.report.source
        self.fault = None
        kept = [number for number, run in enumerate(drawing.launches) if run.picture is not None]
        if self.launch not in kept:
            self.launch = kept[0] if kept else 0
        if at_fault:
            self.launch = next((number for number in kept
                                if number_of(drawing.launches[number].findings, report) is not None), self.launch)
        self.scene = self._scene(self.launch) if kept else None
        if self.scene is None:
            return
        same = _same_place(before, self.scene)
        if same is not None:
            self.scene = self.scene.at(same)
        if self.what not in self.views:
            self.what = best_view(self.scene)
        if same is None:
            self.scene = self.scene.at(instrument.opening(self.what, self.scene))
        if at_fault or self.what == "finding":
            self.to_fault(report)

    def _scene(self, launch: int) -> Scene | None:
        """A launch from its start; None where it touches no memory and no finding is to be shown."""
        assert self.drawing is not None
        run = self.drawing.launches[launch]
        if run.picture is None or not any(warp.steps for warp in run.picture.warps):
            return None
        return Scene(run, self.drawing.report.source, elements=self.drawing.elements, report=self.drawing.report)

    @property
    def views(self) -> list[str]:
        """What can be drawn of this launch."""
        if self.scene is None:
            return []
        return [view for view in VIEWS if self.findings or view != "finding"
                if view == "finding" or instrument.missing(view, self.scene) is None]

    @property
    def findings(self) -> int:
        """How many the launch has."""
        return len(self.scene.findings) if self.scene is not None else 0

    @property
    def launches(self) -> int:
        """Launches that can be looked at."""
        return sum(run.picture is not None for run in self.drawing.launches) if self.drawing is not None else 0

    # ---- moving ------------------------------------------------------------------------------------------------------

    def view(self, what: str) -> None:
        """Another view of the same step; a fault's own step where one comes from it."""
        assert self.scene is not None
        if self.what == "finding" and what != "finding":
            self._to_side()
        elif what == "finding" and self.fault is None:
            self.to_fault(self.scene.report)
            return
        self.what, self.first_cell = what, None

    def step(self, by: int) -> None:
        """In time: the next step of the warp; of time the next interval, of faults the next one."""
        if self.scene is None:
            return
        if self.what == "finding" and self.fault is not None:
            self._to(moved(self.fault, by))
        elif self.what == "barriers":
            self._interval(by)
        else:
            self.scene = self.scene.at(self.scene.walk.along(self.scene.position, by))

    def line(self, by: int) -> None:
        """In the source: the next line that did something; of time other cells, of a fault its other thread."""
        if self.scene is None:
            return
        if self.what == "finding":
            self.thread(by)
        elif self.what == "barriers":
            self._cells(by)
        else:
            self.scene = self.scene.at(self.scene.walk.down(self.scene.position, by))

    def warp(self, by: int) -> None:
        """The next warp at the same moment; of time the next block."""
        if self.scene is None or self.what == "finding":
            return
        walk = self.scene.walk
        on = walk.next_block if self.what == "barriers" else walk.next_warp
        self.scene = self.scene.at(on(self.scene.position, by))

    def thread(self, by: int) -> None:
        """The next thread that takes part in the step; of a fault the other one."""
        if self.scene is None or self.what == "barriers":
            return
        if self.what == "finding" and self.fault is not None:
            if self.fault.sides:
                self._to(replace(self.fault, side=(self.fault.side + by) % len(self.fault.sides)))
            return
        if self.scene.warp.steps:
            shown = self.what == "memory" and self.shows_owners  # there the first thread is chosen from the start
            lane = _next_lane(self.scene, by, none_is_first=shown)
            self.scene = self.scene.at(replace(self.scene.position, lane=lane))

    def owners(self) -> bool:
        """Sectors instead of owners and back; False where this array is no grid to draw."""
        if self.scene is None or not self.scene.warp.steps:
            return False
        if not self.shows_owners and grid_of(self.scene) is None:
            return False
        self.cells = not self.shows_owners
        return True

    @property
    def shows_owners(self) -> bool:
        """Whether memory is drawn as cells by owner."""
        if self.scene is None or not self.scene.warp.steps:
            return False
        return is_telling(self.scene) if self.cells is None else self.cells

    def next_launch(self) -> None:
        """The next launch of a host function, round and round, where it says most."""
        if self.drawing is None:
            return
        count = len(self.drawing.launches)
        for by in range(1, count):
            number = (self.launch + by) % count
            scene = self._scene(number)
            if scene is not None:
                self.launch, self.scene, self.fault = number, scene, None
                if self.what not in self.views or self.what == "finding":
                    self.what = best_view(scene)
                self.scene = scene.at(instrument.opening(self.what, scene))
                return

    def to_line(self, line: int | None) -> None:
        """The first step on a line, where there is one."""
        if self.scene is not None and line is not None:
            start = self.scene.walk.start(wanted=lambda step: step.line == line)
            found = self.scene.picture.warps[start.warp].steps
            if found and found[start.step].line == line:
                self.scene = self.scene.at(start)

    # ---- faults ------------------------------------------------------------------------------------------------------

    def to_fault(self, report: Report | None) -> bool:
        """Show the finding that a report speaks of, else the first; False where this launch has none."""
        if self.scene is None or not self.scene.findings:
            return False
        number = number_of(self.scene.findings, report)
        fault = Fault(self.scene, number or 0)
        named = next((place for place, side in enumerate(fault.sides) if side.thread == fault.finding.thread), 0)
        self.what = "finding"
        self._to(replace(fault, side=named))
        return True

    def _to(self, fault: Fault) -> None:
        """This fault, and its step as the position that other views take up."""
        self.fault = fault
        self._to_side()

    def _to_side(self) -> None:
        if self.fault is not None and self.fault.chosen is not None and self.scene is not None:
            self.scene = self.scene.at(self.fault.chosen.position)

    # ---- time --------------------------------------------------------------------------------------------------------

    def _interval(self, by: int) -> None:
        """A step in the next interval in which the block does something: of this warp if it does, else of another."""
        assert self.scene is not None
        time = time_of(self.scene)
        number = time.chosen + by
        while 0 <= number < len(time.intervals):
            found = next(self._steps_in(number, time.array), None)
            if found is not None:
                self.scene = self.scene.at(found)
                return
            number += by

    def _steps_in(self, interval: int, array: int) -> Iterator[Position]:
        """Steps of the block in an interval: this warp's first, and those on the array before any other."""
        assert self.scene is not None
        here = self.scene.position.warp
        warps = [place for place, warp in enumerate(self.scene.picture.warps) if warp.block == self.scene.warp.block]

        def of(wanted: bool) -> Iterator[Position]:
            for place in sorted(warps, key=lambda place: place != here):
                for number, step in enumerate(self.scene.picture.warps[place].steps if self.scene else ()):
                    if step.interval == interval and (step.array == array or not wanted):
                        yield Position(place, number)

        yield from of(True)
        yield from of(False)

    def _cells(self, by: int) -> None:
        """The cells of the array below those that are drawn, or above."""
        assert self.scene is not None
        time = time_of(self.scene, first_cell=self.first_cell)
        touched, drawn = time.touched, time.drawn
        if drawn:
            place = touched.index(drawn[0]) + by * CELLS_AT_ONCE
            self.first_cell = touched[max(0, min(place, len(touched) - CELLS_AT_ONCE))]


CELLS_AT_ONCE = 8
"""By how many cells time moves; a row of it is a cell."""


def best_view(scene: Scene) -> str:
    """Where a picture begins: at banks where lanes queue, else at time where threads share, else at memory."""
    if instrument.missing("banks", scene) is not None:
        return "memory"
    if any(_queues(scene, step) for warp in scene.picture.warps for step in warp.steps):
        return "banks"
    shared = {place for place, array in enumerate(scene.picture.arrays) if array.space == "shared"}
    waits = len({step.interval for warp in scene.picture.warps for step in warp.steps if step.array in shared}) > 1
    return "barriers" if waits else "memory"


def _queues(scene: Scene, step: PictureStep) -> bool:
    array = scene.picture.arrays[step.array]
    counts = array.space == "shared" and step.kind != "atomic" and bool(step.lanes)
    return counts and bank_use(step, array).conflicts > 0


def _same_place(before: Scene | None, now: Scene) -> Position | None:
    """Where one was, if the same launch of the changed file does the same there: after a save one sees what changed."""
    if before is None or before.run.kernel != now.run.kernel or not before.warp.steps:
        return None
    place = before.position
    if place.warp >= len(now.picture.warps) or place.step >= len(now.picture.warps[place.warp].steps):
        return None
    then, step = before.step, now.picture.warps[place.warp].steps[place.step]
    array = now.picture.arrays[step.array]
    return place if (then.kind, before.array.name) == (step.kind, array.name) else None


def _next_lane(scene: Scene, by: int, *, none_is_first: bool) -> int:
    """The next lane that takes part, round and round; the first where none was chosen."""
    lanes = sorted({*scene.step.lanes, *(lane for lane, _ in scene.step.outside)}) or list(range(scene.warp.threads))
    here = lanes[0] if scene.position.lane is None and none_is_first else scene.position.lane
    if here is None:
        return lanes[0] if by > 0 else lanes[-1]
    later = [lane for lane in lanes if (lane > here if by > 0 else lane < here)]
    return (later or lanes)[0 if by > 0 else -1]
