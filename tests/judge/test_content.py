"""The shipped wrong files, one of each puzzle: the diagnosis fits its rows and is what the first line promises.

`gpulab verify` asks it of all of them.
"""

from __future__ import annotations

import pytest

from gpulab.authoring.proof import expectation_of, files_in
from gpulab.catalog import Puzzle, load
from gpulab.judge.judging import judge_numba
from gpulab.judge.wording import WIDTH
from gpulab.runner import interpreter, simulator
from tests.judge.local import LocalLearner
from tests.sample import first

PUZZLES = load().puzzles
ENGINES = {"numba": simulator, "triton": interpreter}


@pytest.mark.parametrize("puzzle", PUZZLES, ids=[puzzle.id for puzzle in PUZZLES])
def test_a_wrong_file_is_told_in_sentences_that_fit(puzzle: Puzzle) -> None:
    for file in first(files_in(puzzle, "wrong"), 1):
        learner = LocalLearner(file, ENGINES[puzzle.language])
        report = judge_numba(puzzle, file, file.read_text(), learner, seed=71)
        found = report.diagnosis
        expected = expectation_of(file)
        assert not isinstance(expected, str) and expected.met_by(report), (file, report.verdict)
        assert found is not None
        for text in (found.message, found.detail):
            assert text.endswith((".", "?")) and len(text) <= WIDTH, (file, text)
        assert found.next.endswith((".", "?")), (file, found.next)
        if found.kind in ("race", "out of bounds", "barrier divergence", "uninitialised read"):
            assert found.line is not None and found.array in (None, *_words(found.message)), (file, found.message)


def _words(message: str) -> list[str]:
    return [part.rstrip(".,") for part in message.replace("[", " ").split()]
