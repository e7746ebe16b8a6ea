"""The one way in: a puzzle and a file give a Report. CLI, app, verify and tests all come through here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gpulab.catalog.model import Puzzle
    from gpulab.judge.report import Report


@dataclass(frozen=True)
class Progress:
    """What the check is doing now: "starting", "compiling", "case 3 of 7", "finding another schedule"."""

    stage: str
    done: int = 0
    of: int = 0


class Cancelled(Exception):
    """The check was given up for a newer save, or by the learner."""


def check(
    puzzle: Puzzle,
    file: Path,
    *,
    engine: str = "auto",
    seed: int | None = None,
    first_failure_only: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
    cancel: Event | None = None,
) -> Report:
    """Check `file` against `puzzle` in a worker process. Blocks; raises only `Cancelled`.

    Whatever goes wrong is a Report: our own or the machine's fault has the verdict `environment`.
    """
    from gpulab.runner import run

    return run(puzzle, file, engine=engine, seed=seed, first_failure_only=first_failure_only,
               on_progress=on_progress, cancel=cancel)
