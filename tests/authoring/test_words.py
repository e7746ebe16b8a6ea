"""What verify says of the words that a wrong file is told."""

from __future__ import annotations

import pytest

from gpulab.authoring.proof import _unfit
from gpulab.judge.report import Diagnosis, Report, Stars


def told(message: str, detail: str) -> str | None:
    return _unfit(Report("a/b", "f.py", "race", Stars(False), 1, diagnosis=Diagnosis("race", message, detail)))


@pytest.mark.parametrize("detail", ["", "They do not wait for each other.", "Which of the two?"])
def test_sentences_that_fit_their_rows_are_right(detail: str) -> None:
    assert told("Two threads meet in tile[3].", detail) is None


@pytest.mark.parametrize(("message", "detail"), [
    ("Two threads meet", ""), ("Two threads meet.", "and " * 30 + "end."), ("x" * 76 + ".", ""),
])
def test_others_are_named(message: str, detail: str) -> None:
    assert "no sentence of at most 76 characters" in (told(message, detail) or "")
