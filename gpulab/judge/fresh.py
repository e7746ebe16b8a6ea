"""One of a host function's cases once more, with other values: an answer kept from an earlier call shows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from gpulab.catalog.spec import Case, Spec
from gpulab.catalog.specs import cases_of
from gpulab.judge import sentences
from gpulab.judge.comparison import tolerance_for, wrong_elements
from gpulab.judge.faults import Fault
from gpulab.judge.trial import Trial

ANOTHER = 7919
"""Added to a check's seed for values that none of its other cases has."""

TELLING = 8
"""Elements from which no two answers are the same by chance."""


@dataclass(frozen=True)
class Again:
    """A case of the sizes of case `first`, with other values."""

    case: Case
    first: int
    spec: Spec

    def replayed(self, trial: Trial, earlier: Sequence[Trial]) -> Iterator[Fault]:
        """The fault where this trial's output is the answer of the earlier one."""
        for name, got in trial.got.items():
            tolerance = tolerance_for(self.spec.puzzle, trial.case, got.dtype)
            before = earlier[self.first].expected[name]
            if trial.wrong[name].any() and not wrong_elements(got, before, tolerance).any():
                yield Fault("not allowed", words=sentences.replayed(name), array=name)


def once_more(spec: Spec, path: Path, cases: Sequence[Case], seed: int) -> Again | None:
    """One of `cases`, as the seed picks it, with fresh values; None where all are too small."""
    others = list(cases_of(spec, path, seed + ANOTHER))
    alike = [number for number, (case, other) in enumerate(zip(cases, others, strict=False))
             if case.sizes == other.sizes and case.elements >= TELLING]
    if not alike:
        return None
    first = alike[int(np.random.default_rng(seed).integers(len(alike)))]
    case = others[first]
    case.tags = f"{case.tags}, again" if case.tags else "again, with other values"
    return Again(case, first, spec)
