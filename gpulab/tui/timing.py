"""The Timing tab: what it knows of one puzzle, and how a file is timed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any, Protocol

from textual.screen import Screen

from gpulab import check as lab
from gpulab.catalog.model import Puzzle
from gpulab.check import Progress
from gpulab.tui import clock
from gpulab.tui.messages import TimingPlanned
from gpulab.views.timing_data import Shown
from gpulab.workspace import Workspace
from gpulab.workspace.records import Timed

if TYPE_CHECKING:
    from gpulab.judge.report import Report
    from gpulab.tui.lab_state import LabState

FOR = (9, 0)
"""Where there is no GPU, the compiler is asked for this one: an H100's or H200's."""

NO_GPU = "There is no GPU on this machine to time on. d says what there is."
NOT_YET = "Only Numba's kernels are timed so far."
NOT_RIGHT = "Only what is right is timed: r checks the file."


class TimeFile(Protocol):
    """`gpulab.check.time_file`, or what stands in for it in a test."""

    def __call__(self, puzzle: Puzzle, file: Path, *, on_progress: Callable[[Progress], None] | None = None,
                 cancel: Event | None = None) -> Report: ...


@dataclass(frozen=True)
class Timer:
    """What times, what asks the compiler, and whether there is a GPU."""

    time: TimeFile
    plan: Callable[[Puzzle, Path], Report]
    gpu: bool

    @classmethod
    def of_this_machine(cls, cards: Path) -> Timer:
        """`cards` is the folder that keeps what the card was measured to do."""
        return cls(partial(lab.time_file, cards=cards), partial(lab.resources_of, capability=FOR), lab.has_gpu())


@dataclass
class TimingState:
    """What the tab knows beside the Lab's own state; read when the tab is opened."""

    workspace: Workspace
    puzzle: Puzzle
    timer: Timer
    attempts: list[Timed] = field(default_factory=list)
    others: dict[str, Timed] = field(default_factory=dict)
    planned: Mapping[str, Any] | None = None
    resources: Mapping[str, Any] | None = None
    asked: str | None = None
    """The source that the compiler was asked about."""
    asking: bool = False

    def refresh(self) -> None:
        """Read what was recorded."""
        self.attempts = self.workspace.progress.timings(self.puzzle)
        self.others = self.workspace.progress.timed_puzzles()

    def shown(self, state: LabState) -> Shown:
        """All that the page shows."""
        report = state.report
        timing = report.timing if report is not None and report.timing and "yours_ms" in report.timing else None
        older = next((one for one in reversed(self.attempts) if one.timing), None) if timing is None else None
        when = older.when if older is not None else None
        if timing is not None and state.stale and report is not None:
            when = self.attempts[-1].when if self.attempts else None
        timing = timing or (older.timing if older is not None else None)
        return Shown(
            self.puzzle, report, state.stale, timing, when, self.reference(timing), self.attempts,
            [one for id, one in self.others.items() if id != self.puzzle.id], self.planned, self.resources,
            self.asking, self.timer.gpu, clock.now().date(),
        )

    def reference(self, timing: Mapping[str, Any] | None = None) -> Mapping[str, Any] | None:
        """The reference's newest time; of the card that `timing` is of, where that is given."""
        for known in [timing, *(one.timing for one in reversed(self.attempts))]:
            found: Mapping[str, Any] | None = known.get("reference") if known else None
            if found and (timing is None or found.get("device") == timing.get("device")):
                return found
        return None

    def ask(self, screen: Screen[Any], file: Path, source: str | None) -> None:
        """Ask in a thread what would be timed and what the compiler tells; once for each source."""
        if source is None or self.asked == source:
            return
        self.asked, self.asking = source, True

        def work() -> None:
            screen.post_message(TimingPlanned(source, self.timer.plan(self.puzzle, file)))

        screen.run_worker(work, thread=True, group="plan", exclusive=True)

    def told(self, message: TimingPlanned) -> bool:
        """Take over the answer; False for one to an older question."""
        if message.source != self.asked:
            return False
        found = message.report.timing or {}
        self.asking = False
        self.planned = found.get("planned") or self.planned  # type: ignore[assignment]  # JSON's own types
        self.resources = found.get("resources")  # type: ignore[assignment]
        return True


def timing_of(timer: Timer, checked: Report, reference: Mapping[str, Any] | None) -> TimeFile:
    """What times a file that `checked` found right, and the reference beside it where its time is not known: the whole
    as one report, to be kept as a check is."""

    def work(puzzle: Puzzle, file: Path, *, on_progress: Callable[[Progress], None] | None = None,
             cancel: Event | None = None) -> Report:
        from gpulab.judge.together import timed

        mine = timer.time(puzzle, file, on_progress=on_progress, cancel=cancel)
        report = replace(timed(checked, mine), when=clock.now().astimezone().isoformat(timespec="seconds"))
        if mine.timing is None or not mine.passed:
            return report
        beside = reference if _same_card(reference, mine.timing) else None
        if beside is None:
            told = _of_the_reference(on_progress)
            beside = timer.time(puzzle, puzzle.reference, on_progress=told, cancel=cancel).timing
        return replace(report, timing={**mine.timing, **({"reference": dict(beside)} if beside else {})})

    return work


def _same_card(one: Mapping[str, Any] | None, other: Mapping[str, Any]) -> bool:
    return one is not None and one.get("device") == other.get("device")


def _of_the_reference(on_progress: Callable[[Progress], None] | None) -> Callable[[Progress], None] | None:
    if on_progress is None:
        return None
    return lambda progress: on_progress(replace(progress, stage=f"the reference: {progress.stage}"))
