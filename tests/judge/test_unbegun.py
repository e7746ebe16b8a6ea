"""Whoever checks the starter as it came is told to begin, and where."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpulab.catalog import find, load
from gpulab.judge.judging import judge_numba
from gpulab.judge.report import Report
from gpulab.views.band import of_report
from gpulab.views.look import DARK
from tests.judge.local import LocalLearner


def report_of(folder: Path, identity: str, text: str | None = None) -> Report:
    puzzle = find(load(), identity)
    source = puzzle.starter.read_text(encoding="utf-8") if text is None else text
    file = folder / "solution.py"
    file.write_text(source)
    return judge_numba(puzzle, file, source, LocalLearner(file), seed=7)


@pytest.mark.parametrize(("identity", "line", "write"), [
    ("threads/map", 9, "negate(out, a)"), ("shared/pooling", 15, "pool(out, a, n)"),
    ("threads/grid-stride", 13, "saxpy(y, alpha, x, n)"), ("threads/choose-the-launch", 17, "square_all(out, a, n)"),
])
def test_the_untouched_starter_is_not_begun(tmp_path: Path, identity: str, line: int, write: str) -> None:
    report = report_of(tmp_path, identity)
    assert report.diagnosis is not None and not report.begun
    assert report.diagnosis.message == "You have not begun: this is the starter, as it came."
    assert report.diagnosis.next == f"Write {write}. Line {line} says what belongs there."
    assert report.diagnosis.line == line
    assert "NOT BEGUN" in of_report(report, 80, DARK).rows[0].plain


def test_spaces_alone_are_no_beginning(tmp_path: Path) -> None:
    starter = find(load(), "threads/map").starter.read_text(encoding="utf-8")
    assert not report_of(tmp_path, "threads/map", starter.replace("\n", "\r\n") + "\n\n").begun


@pytest.mark.parametrize("identity", ["matmul/coalesced", "bughunt/missing-guard"])
def test_a_starter_that_is_to_be_changed_is_judged_like_any_file(tmp_path: Path, identity: str) -> None:
    assert report_of(tmp_path, identity).begun


def test_a_line_more_is_a_beginning(tmp_path: Path) -> None:
    starter = find(load(), "threads/map").starter.read_text(encoding="utf-8")
    report = report_of(tmp_path, "threads/map", starter + "    a[i] + 1\n")
    assert report.begun and report.verdict == "not written"
