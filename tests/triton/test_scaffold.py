"""`gpulab new` in a track of Triton puzzles writes one."""

from __future__ import annotations

import shutil
from pathlib import Path

from gpulab.authoring.scaffold import scaffold
from gpulab.catalog.loading import load
from gpulab.catalog.root import content_root
from gpulab.runner import interpreter
from tests.judge.local import LocalLearner


def test_a_new_puzzle_of_a_triton_track_is_a_triton_puzzle_whose_reference_passes(tmp_path: Path) -> None:
    from gpulab.judge.judging import judge_numba

    shutil.copytree(content_root() / "puzzles" / "triton" / "add", tmp_path / "puzzles" / "triton" / "add")
    (tmp_path / "kernels" / "triton").mkdir(parents=True)
    shutil.copy(content_root() / "kernels" / "triton" / "add.py", tmp_path / "kernels" / "triton")
    (tmp_path / "tracks.yaml").write_text("format_version: 1\ntracks:\n  - id: triton\n    title: T\n    summary: S\n"
                                          "    tags: t\n    puzzles: [add]\n")
    scaffold(load(tmp_path), "triton/copy-all")
    puzzle = load(tmp_path).puzzles[-1]
    assert (puzzle.id, puzzle.language, puzzle.write) == ("triton/copy-all", "triton", "copy_all(out, a, n, BLOCK)")
    file = puzzle.reference
    report = judge_numba(puzzle, file, file.read_text(), LocalLearner(file, interpreter), seed=1)
    assert report.passed
