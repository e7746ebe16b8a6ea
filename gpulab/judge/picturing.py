"""Running one small case of a puzzle with every access kept. Runs in the judge process."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gpulab.catalog.errors import CatalogError
from gpulab.catalog.model import Puzzle
from gpulab.catalog.spec import Case, Launch, NumbaPuzzle, Spec
from gpulab.catalog.specs import expected_of, picture_of
from gpulab.judge import hunting, sentences
from gpulab.judge.drawing import Drawing
from gpulab.judge.entry import Source
from gpulab.judge.judging import Check
from gpulab.judge.session import CaseRun, Learner, Loaded, Started, Step
from gpulab.judge.trial import Court
from gpulab.trace.picture import WARP

if TYPE_CHECKING:
    from gpulab.judge.memory import Placed


def draw_numba(
    puzzle: Puzzle,
    file: Path,
    source: str,
    learner: Learner,
    *,
    seed: int,
    first_failure_only: bool = False,
    on_progress: Callable[[Step], None] | None = None,
) -> Drawing:
    """Run the picture case of `puzzle` on the learner's file. Raises nothing for what either of them does."""
    check = _Drawn(puzzle, str(file), Source(source), _Kept(learner), seed, True, on_progress or (lambda step: None))
    if puzzle.language == "triton":
        return Drawing(check.report(sentences.no_picture_yet()))
    try:
        report = check.veiled(check.run())
    except CatalogError as error:
        report = check.report(sentences.broken_puzzle(puzzle.id, error))
    if check.answer is not None and not check.answer.found:
        return Drawing(hunting.undrawn(report, check.answer))
    if not check.trials:
        return Drawing(report)
    trial = check.trials[0]
    return Drawing(report, list(trial.run.runs), dict(trial.case.sizes), trial.case.elements)


class _Drawn(Check):
    """A check of the picture case alone."""

    def _try_cases(self, spec: Spec, court: Court) -> None:
        case = picture_of(spec, self.puzzle.spec, self.seed)
        number = len(self.cases)
        if case is None:
            number = smallest_telling(spec.puzzle, self.cases)
            case = self.cases[number]
        self.tell(Step("running the case to draw", 0, 1))
        self.trials.append(court.finish(court.begin(number, case), expected_of(spec, self.puzzle.spec, case)))


class _Kept:
    """A learner of whose first run every access is kept, and counted in full: a check counts only its largest case so.
    """

    def __init__(self, learner: Learner) -> None:
        self._learner = learner
        self._first = True

    def load(self) -> Loaded:
        return self._learner.load()

    def start(self, function: str, arguments: Mapping[str, Placed | Any], launch: Launch | None,
              **options: Any) -> Started:
        if self._first:
            self._first = False
            options |= {"picture": True, "counters": True}
        return self._learner.start(function, arguments, launch, **options)

    def run(self, function: str, arguments: Mapping[str, Placed | Any], launch: Launch | None,
            **options: Any) -> CaseRun:
        return self.start(function, arguments, launch, **options).result()


def smallest_telling(puzzle: NumbaPuzzle, cases: list[Case]) -> int:
    """The number of the smallest case with several blocks; without one, of the smallest with the most warps.

    Of a host function, which chooses its launch itself, a tile's worth of outputs stands for a block. A case whose size
    is drawn is not taken: the same picture is to come each time.
    """
    fixed = [number for number, case in enumerate(cases) if not case.drawn] or list(range(len(cases)))

    def rank(number: int) -> tuple[int, int, int]:
        blocks, warps = _extent(puzzle, cases[number])
        return (-min(blocks, 2), -min(warps, 2), cases[number].elements + _inputs(cases[number]))

    return min(fixed, key=rank)


def _extent(puzzle: NumbaPuzzle, case: Case) -> tuple[int, int]:
    """Blocks, and warps of a block, of the case's launch."""
    launch = case.launch or (puzzle.launch(case.args) if puzzle.launch is not None else None)
    if launch is not None:
        return int(np.prod(launch.blocks)), -(-int(np.prod(launch.threads)) // WARP)
    tile = int(np.prod(puzzle.tile)) if puzzle.tile else 4 * WARP
    elements = max(case.elements, _inputs(case))
    return -(-elements // tile), -(-min(elements, tile) // WARP)


def _inputs(case: Case) -> int:
    """Elements of all input arrays."""
    return sum(value.size for value in case.inputs.values() if isinstance(value, np.ndarray))
