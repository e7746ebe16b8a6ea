"""What the Lab does while its Memory tab is open: the drawing is made, and walked through."""

from __future__ import annotations

from gpulab.tui.drawing import Drawings
from gpulab.tui.lab_state import LabState
from gpulab.tui.memory import Memory
from gpulab.tui.messages import DrawCancelled, DrawEnded, DrawMoved, DrawStarted
from gpulab.tui.screens.framed import Framed
from gpulab.views.scene import Scene

WITH_STEPS = ("race", "out of bounds", "uninitialised read", "barrier divergence")
"""Verdicts with a fault that can be gone to."""

NO_FAULT = "The small case that is drawn here does not show it: it takes more elements. Here is the line."
NO_GRID = "This step is no grid that could be drawn by owner: it stays with sectors."
ON_ITS_WAY = "The picture is being made."
NOT_HERE = {
    "banks": "This kernel has no shared memory, so there are no banks to draw.",
    "barriers": "This kernel has no shared memory: a has its steps, one after another.",
    "memory": "There is no step to draw yet.",
    "source": "There is no step to draw yet.",
    "finding": "No fault was found in the small case that is drawn here.",
}


class MemoryTab(Framed[None]):
    """The part of the Lab that is about Memory; `LabScreen` is the rest."""

    state: LabState
    drawings: Drawings

    @property
    def memory(self) -> Memory:
        """What the tab shows."""
        return self.state.memory

    @property
    def in_memory(self) -> bool:
        """Whether the tab is open."""
        return self.state.tab == "memory"

    def action_tab(self, tab: str) -> None:
        """Open a tab."""
        raise NotImplementedError

    # The drawing

    def draw_file(self, *, at_fault: bool = False) -> None:
        """Make the picture of the file as it is, unless it is there or on its way."""
        self._at_fault = at_fault
        state = self.state
        if state.source is None:
            return
        if self.memory.drawing is not None and self.memory.source == state.source:
            if at_fault:
                self._show_fault()
            return
        if self.drawings.running is None or self._drawing_of != state.source:
            self._drawing_of = state.source
            self.drawings.start(state.puzzle, state.file, state.report.seed if state.report is not None else None)

    _at_fault = False
    _drawing_of: str | None = None

    def on_draw_started(self, message: DrawStarted) -> None:
        self.watch_work()

    def on_draw_moved(self, message: DrawMoved) -> None:
        self.drawings.moved(message)

    def on_draw_cancelled(self, message: DrawCancelled) -> None:
        self.rest()
        if self.in_memory:
            self.redraw()

    def on_draw_ended(self, message: DrawEnded) -> None:
        """The picture; what it is of is kept until the file changes."""
        if not self.drawings.ended(message.number):
            return
        self.rest()
        self.memory.take(message.drawing, self.state.report, at_fault=self._at_fault)
        self.memory.source = self._drawing_of
        if self.in_memory:
            self.redraw(0)
            if self._at_fault:
                self._show_fault()

    def watch_work(self) -> None:
        """Say twice a second what is being done."""
        raise NotImplementedError

    def rest(self) -> None:
        """Nothing is being done any more, unless something else is."""
        raise NotImplementedError

    # Keys

    def action_memory(self) -> None:
        """Memory, at the fault of the result where it has one; there, the fault again."""
        report = self.state.report
        faulty = report is not None and report.verdict in WITH_STEPS and not self.state.stale
        if self.in_memory and self.memory.drawing is not None and self.memory.source == self.state.source:
            self._look("finding")
            return
        self._at_fault = faulty
        self.action_tab("memory")

    def _show_fault(self) -> None:
        """The finding that the result speaks of, or its line where this case does not show it."""
        self._at_fault = False
        if self.memory.scene is None:
            return
        if not self.memory.to_fault(self.state.report):
            diagnosis = self.state.report.diagnosis if self.state.report is not None else None
            self.memory.to_line(diagnosis.line if diagnosis is not None else None)
            self.tell(NO_FAULT)
        self.redraw(0)

    def action_look(self, what: str) -> None:
        """Another view of the same step."""
        if self.in_memory:
            self._look(what)

    def _look(self, what: str) -> None:
        if self.memory.scene is None and self.drawings.running is not None:
            self.tell(ON_ITS_WAY, 2.0)
            return
        if what not in self.memory.views:
            self.tell(NOT_HERE[what])
            return
        self.memory.view(what)
        self.redraw(0)

    def action_warp(self, by: int) -> None:
        """The next warp, or of time the next block."""
        if self.in_memory:
            self.memory.warp(by)
            self.redraw()

    def action_thread(self, by: int) -> None:
        """The next thread of the step, or of a fault the other one."""
        if self.in_memory:
            self.memory.thread(by)
            self.redraw()

    def action_owner(self) -> None:
        """Owners of cells instead of sectors, and back."""
        if not self.in_memory or self.memory.what != "memory":
            return
        if self.memory.owners():
            self.redraw(0)
        else:
            self.tell(NO_GRID)

    def action_launch(self) -> None:
        """The next launch of a host function."""
        if self.in_memory:
            self.memory.next_launch()
            self.redraw(0)

    def step(self, by: int) -> None:
        """To the right or left: in time."""
        self.memory.step(by)
        self.redraw()

    def line(self, by: int) -> None:
        """Down or up: in the source."""
        self.memory.line(by)
        self.redraw()

    def first_or_last(self, by: int) -> None:
        """Home and end: the first step and the last."""
        scene = self.memory.scene
        if scene is not None and self.memory.what in ("memory", "banks", "source"):
            self.memory.step(by * len(scene.warp.steps))
            self.redraw()

    def memory_keys(self) -> dict[str, str | None]:
        """The keys of the tab that work now, most likely first."""
        return keys_of(self.memory)


def keys_of(memory: Memory) -> dict[str, str | None]:
    """The keys that work in a view, each with its word."""
    scene = memory.scene
    if scene is None:
        return {}
    fault = memory.fault if memory.what == "finding" else None
    keys: dict[str, str | None] = {}
    if fault is not None:
        keys |= {"pan": "fault"} if len(scene.findings) > 1 else {}
        keys |= {"thread": "other thread"} if len(fault.sides) > 1 else {}
    elif memory.what == "barriers":
        keys |= {"pan": "interval", "scroll": "cells"}
    else:
        keys |= {"pan": "step", "scroll": "line"}
    keys |= _on(memory, scene)
    keys |= {f"look('{view}')": "its step" if view == "memory" and fault is not None else word
             for view, word in VIEW_WORDS.items() if view in memory.views and view != memory.what}
    if memory.findings and fault is None:
        keys["memory"] = "fault"
    if memory.what in ("memory", "banks"):
        keys["thread"] = "thread"
    if memory.what == "memory":
        keys["owner"] = "sectors" if memory.shows_owners else "owners"
    if memory.launches > 1:
        keys["launch"] = "launch"
    return keys


VIEW_WORDS = {"memory": "sectors", "banks": "banks", "barriers": "time", "source": "counts"}


def _on(memory: Memory, scene: Scene) -> dict[str, str | None]:
    """`w`, where there is another warp or block to go to."""
    blocks = len(scene.picture.warps) // scene.picture.warps_per_block
    if memory.what == "finding" or len(scene.picture.warps) < 2 or (memory.what == "barriers" and blocks < 2):
        return {}
    return {"warp": "block" if memory.what == "barriers" or scene.picture.warps_per_block == 1 else "warp"}
