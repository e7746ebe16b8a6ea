"""The app's way to a time, over the double of a card: timed, the reference beside it, kept, and drawn."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path

from gpulab import runner
from gpulab.catalog.model import Puzzle
from gpulab.check import Progress
from gpulab.tui.timing import Timer, timing_of
from gpulab.views import timing_page
from gpulab.views.look import look
from gpulab.views.timing_data import Shown
from gpulab.workspace import Workspace
from tests.gpu.conftest import DOUBLE, KERNEL, written
from tests.sample import thorough
from tests.views import reports


@thorough
def test_a_file_is_timed_with_its_reference_kept_and_drawn(puzzle: Puzzle, tmp_path: Path) -> None:
    timer = Timer(partial(runner.time_file, gpu_family=DOUBLE, cards=tmp_path), lambda *_: reports.passed(), True)
    checked = replace(reports.passed(), puzzle=puzzle.id)
    told: list[Progress] = []
    report = timing_of(timer, checked, None)(puzzle, written(tmp_path / "work", KERNEL), on_progress=told.append)
    assert report.passed and report.timing is not None
    assert {"yours_ms", "reference"} <= report.timing.keys()
    assert any(progress.stage.startswith("the reference: ") for progress in told)
    workspace = Workspace.open(tmp_path / "gpulab-work")
    workspace.progress.record(report)
    kept = workspace.progress.timings(puzzle)[-1].timing
    assert kept is not None
    assert kept["reference"]["yours_ms"] == report.timing["reference"]["yours_ms"]  # type: ignore[index]
    shown = Shown(puzzle, report, timing=kept, reference=kept["reference"], attempts=workspace.progress.timings(puzzle),
                  gpu=True, today=date(2026, 11, 30))
    words = "\n".join(row.plain for row in timing_page.page(shown, 80, 21, look()).rows)
    assert "  yours      ━" in words and "  reference  ━" in words
