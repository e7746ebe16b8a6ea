"""Drawings for the app's tests: the launches behind the drawn screens, and one that races."""

from __future__ import annotations

import importlib.util
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Event
from types import ModuleType

import numpy as np

import gpulab
from gpulab.catalog.model import Puzzle
from gpulab.catalog.spec import Answer
from gpulab.check import Cancelled, Progress
from gpulab.judge.drawing import Drawing
from gpulab.judge.hunting import Judged, undrawn, veiled
from gpulab.judge.report import Report
from gpulab.trace.model import Run
from tests.pictures import launches
from tests.tui.stage import wanted
from tests.views import reports


@cache
def of_screen(name: str) -> Drawing:
    """`coalescing`, `grid`, `banks` or `barriers`: what the screen of that name draws."""
    launches.rng = np.random.default_rng(71)  # whichever is drawn first, the numbers are the same
    scene = getattr(launches, name)()
    report = replace(reports.passed(), source=scene.source)
    return Drawing(report, [scene.run], {"n": 128}, scene.elements)


@cache
def pooling(name: str) -> Drawing:
    """The pooling kernel of a report, with 129 elements, as the simulator runs it."""
    report = reports.ALL[name]()
    a, out = np.arange(129, dtype=np.float32), np.zeros(129, np.float32)
    run = gpulab.simulate(_module(report.source).pool, 3, 64, out, a, 129, picture=True)
    return Drawing(report, [run], {"n": 129}, 129)


def _module(source: str) -> ModuleType:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pooling.py"
        file.write_text(source, "utf-8")
        spec = importlib.util.spec_from_file_location("pooling_to_draw", file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


def untouched() -> Drawing:
    """A kernel that ran and touched no memory."""
    picture = replace(of_screen("coalescing").launches[0].picture, warps=(), arrays=())
    return Drawing(reports.not_written(), [Run("pool", (1, 1, 1), (64, 1, 1), picture=picture)])


def hunted() -> Drawing:
    """What comes of a bug hunt whose ANSWER is not set."""
    answer = Judged(Answer(lines=(17,), kind="race"), "missing", "ANSWER is not set")
    return Drawing(undrawn(veiled(reports.race(), answer), answer))


def drawing_of(name: str) -> Drawing:
    """By the name of a report or of a screen."""
    if name == "hunted":
        return hunted()
    if name in ("coalescing", "grid", "banks", "barriers"):
        return of_screen(name)
    if name in ("race", "uninitialised", "out_of_bounds", "passed", "wrong_answer"):
        return pooling(name)
    return untouched() if name == "not_written" else Drawing(reports.ALL[name]())


class PlayedDraw:
    """Stands in for `gpulab.check.draw`: what it draws stands in the learner's file, as what a check plays does."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, int | None]] = []
        self.cancelled = 0

    def __call__(self, puzzle: Puzzle, file: Path, *, seed: int | None = None,
                 on_progress: Callable[[Progress], None] | None = None, cancel: Event | None = None) -> Drawing:
        text = file.read_text("utf-8")
        plays, seconds = wanted(text)
        name = next((line.split("# draws: ")[1].strip() for line in text.splitlines() if "# draws: " in line), plays)
        self.calls.append((name, seed))
        if on_progress is not None:
            on_progress(Progress("compiling"))
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if cancel is not None and cancel.is_set():
                self.cancelled += 1
                raise Cancelled
            time.sleep(0.02)
        return drawing_of(name)


def report_of(name: str) -> Report:
    """The report that comes with a drawing."""
    return drawing_of(name).report
