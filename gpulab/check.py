"""The one way in: a puzzle and a file give a Report, or a Drawing. CLI, app, verify and tests all come through here."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

from gpulab.runner.progress import Cancelled, Progress

if TYPE_CHECKING:
    from gpulab.catalog.model import Puzzle
    from gpulab.judge.drawing import Drawing
    from gpulab.judge.report import Report


__all__ = ["Cancelled", "Progress", "check", "draw", "has_gpu", "resources_of", "time_file"]


def has_gpu() -> bool:
    """Whether this machine seems to have an NVIDIA GPU; nothing is asked of its driver."""
    from gpulab.engines.gpu.presence import looks_present

    return looks_present()


def check(
    puzzle: Puzzle,
    file: Path,
    *,
    engine: str = "auto",
    seed: int | None = None,
    first_failure_only: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
    cancel: Event | None = None,
    cards: Path | None = None,
) -> Report:
    """Check `file` against `puzzle` in a worker process, and on a GPU beside it. Blocks; raises only `Cancelled`.

    `engine` is "auto", "sim" or "gpu"; `cards` is the folder that keeps this card's measured limits.

    Whatever goes wrong is a Report: our own or the machine's fault has the verdict `environment`.
    """
    from gpulab.runner import run

    return run(puzzle, file, engine=engine, seed=seed, first_failure_only=first_failure_only,
               on_progress=on_progress, cancel=cancel, cards=cards)


def time_file(puzzle: Puzzle, file: Path, *, seed: int | None = None,
              on_progress: Callable[[Progress], None] | None = None, cancel: Event | None = None,
              cards: Path | None = None) -> Report:
    """Time `file` on the GPU and check what was timed; see `Report.timing`. Blocks; raises only `Cancelled`."""
    from gpulab.runner import time_file

    return time_file(puzzle, file, seed=seed, on_progress=on_progress, cancel=cancel, cards=cards)


def resources_of(puzzle: Puzzle, file: Path, capability: tuple[int, int]) -> Report:
    """What the compiler tells of `file`'s kernel for a GPU of this compute capability, and what a timing would measure:
    `Report.timing["resources"]` and `["planned"]`. No GPU is needed."""
    from gpulab.runner import resources_of

    return resources_of(puzzle, file, capability)


def draw(
    puzzle: Puzzle,
    file: Path,
    *,
    seed: int | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    cancel: Event | None = None,
) -> Drawing:
    """Run the puzzle's picture case on `file` and keep every access, to be drawn. Blocks; raises only `Cancelled`.

    Where there is nothing to draw (the file does not compile, is never run, the machine cannot) its `report` says why.
    """
    from gpulab.runner import draw

    return draw(puzzle, file, seed=seed, on_progress=on_progress, cancel=cancel)
