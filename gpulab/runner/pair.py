"""One check on two engines at once: the simulator's in the caller's thread, the GPU's beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from threading import Event, Thread
from typing import TYPE_CHECKING

from gpulab.judge.together import both
from gpulab.runner.conversation import Conversation
from gpulab.runner.jobs import Job
from gpulab.runner.pool import Pool
from gpulab.runner.progress import Cancelled, Progress

if TYPE_CHECKING:
    from gpulab.judge.report import Report

_LOOK = 0.02
"""Seconds between looks at `cancel` while only the GPU still works."""

NEEDS_NO_GPU = ("timed out", "does not compile", "not allowed", "crashed", "raised")
"""Verdicts of the simulator after which the GPU's is not waited for: it would be the same, or take long."""


class Pair:
    """A check on both engines. Used once."""

    def __init__(self, pool: Pool, sim: Job, gpu: Job, on_progress: Callable[[Progress], None], cancel: Event) -> None:
        self._pool = pool
        self._sim, self._gpu = sim, gpu
        self._on_progress = on_progress
        self._cancel = cancel
        self._verdict = ""
        self._simulated = False
        self._found: Report | None = None

    def run(self) -> Report:
        """Both as one report. Raises `Cancelled`."""
        end_gpu = Event()
        thread = Thread(target=self._run_on_gpu, args=(end_gpu,), name="gpulab-gpu", daemon=True)
        thread.start()
        try:
            report = Conversation(self._pool, self._sim, self._tell_sim, self._cancel).run()
            self._simulated = True
            if report.verdict in NEEDS_NO_GPU:
                end_gpu.set()
            while thread.is_alive():
                thread.join(_LOOK)
                if self._cancel.is_set():
                    raise Cancelled
        except BaseException:
            end_gpu.set()
            thread.join()
            raise
        if self._found is None:
            return report
        total = max(report.seconds.get("total", 0.0), self._found.seconds.get("total", 0.0))
        merged = both(report, self._found)
        return replace(merged, seconds=merged.seconds | {"total": total})

    def _run_on_gpu(self, cancel: Event) -> None:
        try:
            self._found = Conversation(self._pool, self._gpu, self._tell_gpu, cancel).run()
        except Cancelled:
            return

    def _tell_sim(self, progress: Progress) -> None:
        self._verdict = progress.verdict
        self._on_progress(progress)

    def _tell_gpu(self, progress: Progress) -> None:
        """Only when the simulator has done: two threads telling two stories would be hard to follow."""
        if self._simulated:
            self._on_progress(replace(progress, verdict=self._verdict or progress.verdict))
