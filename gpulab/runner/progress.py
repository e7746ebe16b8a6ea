"""What a caller hears while a check runs. `gpulab.check` is where callers import these from."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """What the check is doing now: "starting", "compiling", "case 3 of 7", "finding another schedule"."""

    stage: str
    done: int = 0
    of: int = 0
    verdict: str = ""
    """Of the first case that failed, as soon as it is known; the report may find a cause that comes before it."""

    @property
    def words(self) -> str:
        """`case 3 of 7`, and once it is known `race: case 3 of 7`."""
        stage = self.stage
        if self.of and str(self.of) not in stage:
            stage = f"{stage} {self.done} of {self.of}"
        return f"{self.verdict}: {stage}" if self.verdict else stage


class Cancelled(Exception):
    """The check was given up for a newer save, or by the learner."""
