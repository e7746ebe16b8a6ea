"""One check, as it travels from the caller to the zygote and the judge."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib.util import decode_source
from pathlib import Path

from gpulab.catalog.model import Puzzle
from gpulab.catalog.root import content_root
from gpulab.runner.limits import Limits

JUDGE = "gpulab.judge:judge_numba"
DRAW = "gpulab.judge.picturing:draw_numba"
ENGINE = "gpulab.runner.simulator"
TRITON_ENGINE = "gpulab.runner.interpreter"
GPU_JUDGE = "gpulab.judge.on_gpu:judge_on_gpu"
GPU_ENGINE = "gpulab.runner.gpu"
TIMER = "gpulab.judge.timing:time_on_gpu"
RESOURCES = "gpulab.judge.timing:resources_for"


@dataclass(frozen=True)
class LearnerFile:
    """The file to check, as it was when the check began."""

    path: Path
    content: bytes

    @property
    def source(self) -> str:
        """The text, by its own coding line; what cannot be decoded is replaced."""
        try:
            return decode_source(self.content)
        except (SyntaxError, UnicodeDecodeError, LookupError):
            return self.content.decode("utf-8", "replace")


@dataclass(frozen=True)
class Job:
    """A puzzle and a file to check against it. It is pickled: its sender is trusted, and is no learner's process."""

    puzzle: Puzzle
    file: LearnerFile
    seed: int
    first_failure_only: bool = False
    limits: Limits = field(default_factory=Limits)
    judge: str = JUDGE
    """`module:function`: what judges, in the judge process."""
    engine: str = ENGINE
    """The module that runs kernels in the learner's process (see `gpulab.runner.simulator`)."""
    family: str = "numba"
    """Which zygote takes it (see `gpulab.runner.families`)."""

    @property
    def places(self) -> tuple[Path, ...]:
        """Folders that learner's code may not import from."""
        return content_root(), self.puzzle.folder, self.puzzle.reference.parent, self.file.path.parent
