"""The caller's door: run a check, or a case to be drawn."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from gpulab.engines.gpu.presence import looks_present
from gpulab.judge.together import alone, timed
from gpulab.runner import mishaps
from gpulab.runner.conversation import Conversation
from gpulab.runner.jobs import (
    DRAW,
    ENGINE,
    GPU_ENGINE,
    GPU_JUDGE,
    JUDGE,
    RESOURCES,
    TIMER,
    TRITON_ENGINE,
    Job,
    LearnerFile,
)
from gpulab.runner.limits import Limits, default_limits
from gpulab.runner.pair import Pair
from gpulab.runner.pool import POOL, warm
from gpulab.runner.progress import Cancelled, Progress
from gpulab.timing.cards import Cards
from gpulab.timing.worth import complete, device_of

if TYPE_CHECKING:
    from gpulab.catalog.model import Puzzle
    from gpulab.judge.drawing import Drawing
    from gpulab.judge.report import Report

_ENGINES = ("auto", "sim", "gpu")

TIMING = 240.0
"""Seconds that a timing may take, the making and checking of large arrays included."""


def run(
    puzzle: Puzzle,
    file: Path,
    *,
    engine: str = "auto",
    seed: int | None = None,
    first_failure_only: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
    cancel: Event | None = None,
    limits: Limits | None = None,
    judge: str = JUDGE,
    engine_module: str = ENGINE,
    gpu_family: str | None = None,
    cards: Path | None = None,
) -> Report:
    """Check `file` in processes of its own. Blocks; may be called from any thread. Raises only `Cancelled`.

    What is right on a GPU is timed there too, where the puzzle has a star for it; `cards` is the folder that keeps what
    the card was measured to do. `engine` is "sim", "gpu", or "auto": the simulator, and the GPU beside it where this
    machine has one. Nothing that the check started is left when this returns or raises. `judge`, `engine_module` and
    `gpu_family` are for tests.
    """
    job = _job(puzzle, file, seed, first_failure_only, limits, judge, engine_module)
    if engine not in _ENGINES:
        return mishaps.no_engine(job, engine)
    if engine == "gpu" and gpu_family is None and not looks_present():
        return mishaps.no_gpu(job)
    if job.family == "triton" and gpu_family is None:
        if engine == "gpu":
            return mishaps.only_interpreted(job)
        engine = "sim"
    try:
        job = _with_file(job)
    except OSError as error:
        return mishaps.no_file(job, error)
    tell, cancel = on_progress or _ignore, cancel or Event()
    family = gpu_family or ("cuda" if engine == "gpu" or (engine == "auto" and looks_present()) else None)
    if engine == "sim" or family is None:
        return Conversation(POOL, job, tell, cancel).run()
    on_gpu = replace(job, judge=GPU_JUDGE, engine=GPU_ENGINE, family=family)
    if engine == "gpu":
        report = alone(Conversation(POOL, on_gpu, tell, cancel).run())
    else:
        report = Pair(POOL, job, on_gpu, tell, cancel).run()
    if not (report.passed and "gpu" in report.engines and "fast" in puzzle.stars.names):
        return report
    tell(Progress("timing on the GPU", verdict="passed"))
    return timed(report, _time(on_gpu, tell, cancel, cards))


def time_file(
    puzzle: Puzzle,
    file: Path,
    *,
    seed: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    cancel: Event | None = None,
    cards: Path | None = None,
    gpu_family: str = "cuda",
) -> Report:
    """Time `file` on the GPU at the size of the puzzle's bench, and check it there. `Report.timing` is None where the
    puzzle has no bench or the file is not right. Blocks; raises only `Cancelled`."""
    job = replace(_job(puzzle, file, seed), engine=GPU_ENGINE, family=gpu_family)
    try:
        job = _with_file(job)
    except OSError as error:
        return mishaps.no_file(job, error)
    return _time(job, on_progress or _ignore, cancel or Event(), cards)


def resources_of(puzzle: Puzzle, file: Path, capability: tuple[int, int]) -> Report:
    """What the compiler tells of `file`'s kernel for such a GPU, in `Report.timing["resources"]`; no GPU is needed."""
    job = replace(_job(puzzle, file, capability[0] * 10 + capability[1]), judge=RESOURCES)
    try:
        return Conversation(POOL, _with_file(job), _ignore, Event()).run()
    except OSError as error:
        return mishaps.no_file(job, error)


def _time(on_gpu: Job, tell: Callable[[Progress], None], cancel: Event, folder: Path | None) -> Report:
    job = replace(on_gpu, judge=TIMER, limits=replace(on_gpu.limits, job=TIMING))
    report = Conversation(POOL, job, lambda progress: tell(replace(progress, verdict="passed")), cancel).run()
    if report.timing is None:
        return report
    device = device_of(report.timing)
    cards = Cards(folder)
    if cards.get(device.uuid, device.driver) is None:
        tell(Progress("measuring what this card can do, once", verdict="passed"))
    card = cards.of(device, cancel)
    if cancel.is_set():
        raise Cancelled
    return complete(report, card)


def draw(
    puzzle: Puzzle,
    file: Path,
    *,
    seed: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    cancel: Event | None = None,
) -> Drawing:
    """Run the puzzle's picture case on `file`, as `run` does its cases, and keep every access."""
    from gpulab.judge.drawing import Drawing

    job = _job(puzzle, file, seed, judge=DRAW)
    try:
        job = _with_file(job)
    except OSError as error:
        return Drawing(mishaps.no_file(job, error))
    conversation = Conversation(POOL, job, on_progress or _ignore, cancel or Event())
    report = conversation.run()
    return replace(conversation.drawing or Drawing(report), report=report)


def _job(puzzle: Puzzle, file: Path, seed: int | None, first_failure_only: bool = False, limits: Limits | None = None,
         judge: str = JUDGE, engine: str = ENGINE) -> Job:
    seed = secrets.randbelow(1_000_000) if seed is None else seed
    family = family_of(puzzle)
    if family == "triton" and engine == ENGINE:
        engine = TRITON_ENGINE
    return Job(puzzle, LearnerFile(file.absolute(), b""), seed, first_failure_only, limits or default_limits(), judge,
               engine, family)


def warm_for(puzzle: Puzzle) -> None:
    """Start the worker that checks this puzzle, in the background."""
    warm(family=family_of(puzzle))


def family_of(puzzle: Puzzle) -> str:
    """The family whose zygote runs the puzzle without a GPU."""
    return "triton" if puzzle.language == "triton" else "numba"


def _with_file(job: Job) -> Job:
    """The job with its file as it is now. Raises `OSError`."""
    return replace(job, file=LearnerFile(job.file.path, job.file.path.read_bytes()))


def _ignore(progress: Progress) -> None:
    pass
