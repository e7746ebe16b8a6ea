"""What a caller hears while a check runs. `gpulab.check` is where callers import these from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """What the check is doing now: "starting", "compiling", "case 3 of 7", "finding another schedule"."""

    stage: str
    done: int = 0
    of: int = 0


class Cancelled(Exception):
    """The check was given up for a newer save, or by the learner."""
