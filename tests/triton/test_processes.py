"""Triton puzzles in real processes: a zygote of their own, whatever the environment, and old releases said."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from gpulab import runner
from gpulab.catalog.loading import load
from gpulab.catalog.model import Puzzle
from gpulab.check import check, draw
from gpulab.judge.report import Diagnosis, Report


@pytest.fixture(scope="module")
def puzzle() -> Iterator[Puzzle]:
    yield next(puzzle for puzzle in load().puzzles if puzzle.id == "triton/any-size")
    runner.stop()


def diagnosis(report: Report) -> Diagnosis:
    assert report.diagnosis is not None
    return report.diagnosis


def kernel(body: str, head: str = "") -> str:
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    return (f"import triton\nimport triton.language as tl\n{head}\n\n@triton.jit\n"
            f"def axpy(out, x, y, a, n, BLOCK: tl.constexpr):\n{lines}\n")


def checked(puzzle: Puzzle, folder: Path, text: str) -> Report:
    file = folder / "solution.py"
    file.write_text(text)
    return check(puzzle, file, engine="sim", seed=5)


def test_the_reference_passes_though_the_learners_shell_asks_for_tritons_interpreter(
        puzzle: Puzzle, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRITON_INTERPRET", "1")
    report = check(puzzle, puzzle.reference, engine="sim", seed=5)
    assert report.passed and report.stars.efficient


def test_a_fault_comes_back_with_program_and_line(puzzle: Puzzle) -> None:
    report = check(puzzle, puzzle.folder / "wrong" / "no_mask.py", engine="sim", seed=5)
    found = diagnosis(report)
    assert (report.verdict, found.line, found.block) == ("out of bounds", 9, (0, 0, 0))
    assert found.message == "Program 0 reads x[1], but x has 1 element."


def test_a_host_call_in_the_file_is_refused_while_it_loads(puzzle: Puzzle, tmp_path: Path) -> None:
    report = checked(puzzle, tmp_path, kernel("pass") + "\naxpy[(1,)](1, 2, 3, 4, 5, BLOCK=16)\n")
    assert report.verdict == "raised" and "launched while the file is imported" in diagnosis(report).detail


def test_a_kernel_that_changes_triton_is_caught_and_the_next_check_is_sound(puzzle: Puzzle, tmp_path: Path) -> None:
    report = checked(puzzle, tmp_path, kernel("pass", "import gpulab.engines.triton.machine as machine\n"
                                                      "machine.Machine.store = lambda *given: None"))
    assert report.verdict == "not allowed" and "gpulab.engines.triton.machine" in diagnosis(report).message
    assert check(puzzle, puzzle.reference, engine="sim").passed


def test_there_is_no_picture_yet_and_that_is_said(puzzle: Puzzle) -> None:
    drawing = draw(puzzle, puzzle.reference, seed=5)
    assert not drawing.drawn and diagnosis(drawing.report).message.endswith("is not drawn yet.")


@pytest.mark.parametrize(("content", "message"), [
    ("__version__ = '3.2.0'", "Triton 3.2.0 is too old: gpulab needs 3.3, which comes with torch 2.7."),
    ("raise ImportError('libtriton.so is missing')", "Triton cannot be imported: libtriton.so is missing."),
], ids=["old", "broken"])
def test_a_triton_that_cannot_be_used_is_named_with_the_cure(puzzle: Puzzle, tmp_path: Path, content: str, message: str,
                                                             monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "triton.py").write_text(content)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    runner.stop()
    found = diagnosis(check(puzzle, puzzle.reference, engine="sim"))
    assert (found.kind, found.message) == ("environment", message)
    assert "gpulab doctor" in found.next
    runner.stop()
