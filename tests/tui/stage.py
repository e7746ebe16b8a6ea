"""The app on a stage: a catalogue and a check of our own, for Pilot, for snapshots and, run as a program, for a pty.

The check reads which report to give from the learner's file: `# plays: wrong_answer` gives `reports.wrong_answer()`,
`# plays: race after 0.5` takes half a second for it. A file without such a line was not written yet.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event

from gpulab.catalog.model import Catalog, Puzzle
from gpulab.check import Cancelled, Progress
from gpulab.judge.drawing import Drawing
from gpulab.judge.report import Report
from gpulab.tui.app import LabApp
from gpulab.tui.terminal import Terminal
from gpulab.tui.timing import Timer
from gpulab.workspace import Workspace
from tests.views import reports, timings
from tests.views.catalogs import catalog, write_texts

STARTER = reports.HEAD + "    # 1. copy a[i] into the tile\n"


class PlayedCheck:
    """Stands in for `gpulab.check.check`."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.cancelled = 0

    def __call__(self, puzzle: Puzzle, file: Path, *, on_progress: Callable[[Progress], None] | None = None,
                 cancel: Event | None = None, cards: Path | None = None) -> Report:
        text = file.read_text("utf-8")
        name, seconds = wanted(text)
        if not name:
            name = "passed" if file == puzzle.reference else "not_written"
        self.calls.append(name)
        self._wait(seconds, on_progress, cancel)
        made = reports.ALL[name]()
        source = text if wanted(text)[0] else made.source
        return replace(made, puzzle=puzzle.id, file=str(file), source=source)

    def _wait(self, seconds: float, on_progress: Callable[[Progress], None] | None, cancel: Event | None) -> None:
        stages = [Progress("starting"), Progress("compiling"), Progress("case", 3, 7)]
        until = time.monotonic() + seconds
        while True:
            if cancel is not None and cancel.is_set():
                self.cancelled += 1
                raise Cancelled
            if on_progress is not None and stages:
                on_progress(stages.pop(0))
            if time.monotonic() >= until:
                return
            time.sleep(min(0.05, seconds))


PLANNED = {"sizes": {"n": 1 << 26}, "bytes": 8 << 26, "flops": 0, "limit": "copy", "fast_asked": 0.15}


class PlayedTimer:
    """Stands in for what times files: pooling takes 0.634 ms, its reference 0.62, each after some seconds."""

    def __init__(self, after: float = 0.0) -> None:
        self.calls: list[str] = []
        self.asked = 0
        self._after = after

    def timer(self, *, gpu: bool) -> Timer:
        return Timer(self.time, self.plan, gpu)

    def time(self, puzzle: Puzzle, file: Path, *, on_progress: Callable[[Progress], None] | None = None,
             cancel: Event | None = None) -> Report:
        reference = file == puzzle.reference
        self.calls.append("reference" if reference else "yours")
        if on_progress is not None:
            on_progress(Progress("timing on the GPU", verdict="passed"))
        until = time.monotonic() + self._after
        while time.monotonic() < until:
            if cancel is not None and cancel.is_set():
                raise Cancelled
            time.sleep(0.02)
        found = timings.passed(0.62 if reference else 0.634, reference=None)
        return replace(found, puzzle=puzzle.id, file=str(file))

    def plan(self, puzzle: Puzzle, file: Path) -> Report:
        self.asked += 1
        return replace(reports.environment(), timing={"resources": None, "planned": PLANNED})


def wanted(text: str) -> tuple[str, float]:
    """(report, seconds) that a file asks for; "" where it asks for none."""
    said = re.search(r"# plays: (\w+)(?: after ([\d.]+))?", text)
    return (said[1], float(said[2] or 0)) if said else ("", 0.0)


def build(root: Path) -> tuple[Workspace, Catalog]:
    """A catalogue below `root/content` and a workspace in `root/gpulab-work`."""
    made = catalog(root / "content")
    write_texts(made, STARTER, reports.REFERENCE)
    return Workspace.open(root / "gpulab-work", made), made


def played(name: str, *, after: float = 0.0) -> str:
    """A learner's file that plays a report: its source, and behind the first line what is to be played."""
    said = f"  # plays: {name}" + (f" after {after}" if after else "")
    return reports.ALL[name]().source.replace("\n", f"{said}\n", 1)


if __name__ == "__main__":
    place = Path(sys.argv[1])
    workspace, puzzles = build(place)
    first = next((one for one in puzzles.puzzles if one.id in sys.argv[2:]), None)
    if "--real-terminal" in sys.argv:
        from gpulab.tui import app as app_module

        app_module.run_check = PlayedCheck()
        app_module.prepare = lambda: None  # no simulator plays here
        app_module.run_draw = lambda puzzle, file, **options: Drawing(reports.environment())
        app_module.timer_of = lambda cards: PlayedTimer().timer(gpu="--gpu" in sys.argv)
        sys.exit(app_module.open_app(workspace, puzzles, puzzle=first, ascii="--ascii" in sys.argv))
    lab = LabApp(workspace, puzzles, terminal=Terminal(), puzzle=first, check=PlayedCheck(), theme="gpulab-dark",
                 timer=PlayedTimer().timer(gpu=False))
    lab.run(mouse=False)
    sys.exit(lab.return_code or 0)
