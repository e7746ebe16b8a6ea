"""On a real GPU: `make test-gpu`. Each test is a sentence of what the GPU engine promises; all run in real processes."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from gpulab import runner
from gpulab.catalog import load
from gpulab.catalog.finding import find
from gpulab.catalog.model import Puzzle
from gpulab.judge.report import Report
from gpulab.runner.pool import POOL
from tests.gpu.conftest import HOST, KERNEL, written
from tests.gpu.test_engine import FAR

pytestmark = pytest.mark.gpu

LIMIT = 60.0


def check(puzzle: Puzzle, folder: Path, text: str, engine: str = "gpu") -> Report:
    return runner.run(puzzle, written(folder / "work", text), engine=engine, seed=3, cards=folder / "cards")


def told(report: Report) -> str:
    return f"{report.verdict}: {report.diagnosis and report.diagnosis.message} {report.notes}"


def test_a_right_kernel_passes_and_the_card_is_named(puzzle: Puzzle, tmp_path: Path) -> None:
    report = check(puzzle, tmp_path, KERNEL, "auto")
    assert report.passed, told(report)
    device = report.engines["gpu"].device
    assert device is not None and device.memory > 1 << 30 and device.uuid.startswith("GPU-")


@pytest.mark.parametrize("id", ["threads/map", "threads/blocks-2d", "shared/block-sum", "shared/scan", "matmul/tiled",
                                "shared/histogram", "threads/choose-the-launch"])
def test_a_reference_passes_on_both_engines(id: str, tmp_path: Path) -> None:
    puzzle = find(load(), id)
    report = runner.run(puzzle, puzzle.reference, engine="auto", seed=3, cards=tmp_path / "cards")
    verdicts = {name: result.verdict for name, result in report.engines.items()}
    assert verdicts == {"sim": "passed", "gpu": "passed"}, told(report)


def test_an_illegal_address_is_a_verdict_and_the_next_check_works(puzzle: Puzzle, tmp_path: Path) -> None:
    report = check(puzzle, tmp_path, FAR)
    assert report.verdict == "out of bounds", told(report)
    assert check(puzzle, tmp_path, KERNEL).passed


def test_a_kernel_that_does_not_end_is_ended_and_the_next_check_works(puzzle: Puzzle, tmp_path: Path) -> None:
    endless = """
        from numba import cuda

        @cuda.jit
        def add_one(out, a, n):
            i = cuda.grid(1)
            while n > 0:
                out[i % n] = a[i % n] + 1
                cuda.threadfence()
    """
    begun = time.monotonic()
    report = check(puzzle, tmp_path, endless)
    assert report.verdict == "timed out", told(report)
    assert time.monotonic() - begun < LIMIT / 3
    assert check(puzzle, tmp_path, KERNEL).passed


def test_a_store_beside_an_array_is_seen_by_its_guard_band(puzzle: Puzzle, tmp_path: Path) -> None:
    report = check(puzzle, tmp_path, """
        from numba import cuda

        @cuda.jit
        def add_one(out, a, n):
            i = cuda.grid(1)
            if i < n:
                out[i] = a[i] + 1
            if i == 0:
                out[n + 1] = 7
    """)
    assert (report.verdict, report.diagnosis and report.diagnosis.array) == ("out of bounds", "out"), told(report)


def test_a_missing_store_is_seen_by_its_poison(puzzle: Puzzle, tmp_path: Path) -> None:
    report = check(puzzle, tmp_path, KERNEL.replace("i < n:", "i < n - 1:"))
    assert report.verdict == "not written", told(report)


def test_a_changed_input_is_seen(puzzle: Puzzle, tmp_path: Path) -> None:
    report = check(puzzle, tmp_path, KERNEL + "            a[i] = 0\n")
    assert report.verdict == "input modified", told(report)


def test_a_race_that_this_gpu_lets_pass_is_called_luck(puzzle: Puzzle, tmp_path: Path) -> None:
    report = check(puzzle, tmp_path, """
        from numba import cuda

        @cuda.jit
        def add_one(out, a, n):
            i = cuda.grid(1)
            if i < n:
                out[i] = a[i] + 1
            if i == 0:
                out[n - 1] = out[n - 1]
    """, "auto")
    assert report.verdict == "race", told(report)
    if report.engines["gpu"].verdict == "passed":
        assert any(note.message.startswith("Passes on this GPU by luck: race") for note in report.notes), told(report)


def test_host_functions_too_much_memory_and_leaving_in_the_middle(host_puzzle: Puzzle, tmp_path: Path) -> None:
    assert check(host_puzzle, tmp_path, HOST).passed
    assert check(host_puzzle, tmp_path, HOST + "        cuda.device_array(1 << 44)\n").verdict == "raised"
    assert check(host_puzzle, tmp_path, HOST + "        import sys; sys.exit(3)\n").verdict == "crashed"
    assert check(host_puzzle, tmp_path, HOST + "        import os; os._exit(3)\n").verdict == "crashed"
    assert check(host_puzzle, tmp_path, HOST).passed


def test_a_warm_check_takes_less_than_half_a_second(tmp_path: Path) -> None:
    """Saves 3 s apart: both spares are there again each time."""
    puzzle = find(load(), "threads/zip")
    took = []
    for _ in range(7):
        time.sleep(3)
        begun = time.monotonic()
        report = runner.run(puzzle, puzzle.reference, engine="auto", seed=3)
        took.append(time.monotonic() - begun)
        assert report.passed and len(report.engines) == 2, told(report)
    print("warm checks, seconds:", " ".join(f"{one:.3f}" for one in took))
    assert max(took[2:]) < 0.5  # the first two start the workers


def test_a_reference_is_timed_and_held_against_this_cards_own_limit(tmp_path: Path) -> None:
    puzzle = find(load(), "threads/blocks")
    report = runner.time_file(puzzle, puzzle.reference, seed=1, cards=tmp_path)
    timing = report.timing
    assert report.passed and timing is not None, told(report)
    assert timing["runs"] >= 20 and not timing["rejected"]
    assert 10 < float(str(timing["percent_of_limit"])) < 112
    card = timing["card"]
    assert isinstance(card, dict) and card["copy"] > 1e10 and card["fma"] > 1e11
    assert (tmp_path / "cards.json").is_file()


def test_nothing_is_left_on_the_card_when_all_is_over() -> None:
    runner.stop()
    assert not POOL._zygotes
