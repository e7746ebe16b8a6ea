"""On a real GPU: `make test-gpu`. Each test is a sentence of what the GPU engine promises; processes are real ones."""

from __future__ import annotations

import subprocess
import sys
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
    cards = folder.parent / "cards"  # of all tests together: measuring a card takes some seconds
    return runner.run(puzzle, written(folder / "work", text), engine=engine, seed=3, cards=cards)


def told(report: Report) -> str:
    return f"{report.verdict}: {report.diagnosis and report.diagnosis.message} {report.notes}"


def test_a_right_kernel_passes_and_the_card_is_named(puzzle: Puzzle, tmp_path: Path) -> None:
    report = check(puzzle, tmp_path, KERNEL, "auto")
    assert report.passed, told(report)
    device = report.engines["gpu"].device
    assert device is not None and device.memory > 1 << 30 and device.uuid.startswith("GPU-")


@pytest.mark.parametrize("id", ["threads/map", "threads/choose-the-launch", "shared/scan", "matmul/tiled"])
def test_a_reference_passes_on_both_engines(id: str, tmp_path: Path) -> None:
    puzzle = find(load(), id)
    report = runner.run(puzzle, puzzle.reference, engine="auto", seed=3, cards=tmp_path.parent / "cards")
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
    for _ in range(6):
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


def test_what_the_compiler_tells_of_resources_is_what_the_driver_tells() -> None:
    """In a process of its own: this one shall not hold a context."""
    program = """
import numpy as np
from math import prod
from numba import cuda, float32
from gpulab.timing.resources import of_kernel

@cuda.jit
def plain(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i] + 1

@cuda.jit
def shared(out, a, n):
    tile = cuda.shared.array((32, 33), float32)
    wide = cuda.shared.array(4096, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    tile[t % 32, t % 33] = a[i % n]
    wide[t] = a[i % n]
    cuda.syncthreads()
    out[i % n] = tile[(t + 1) % 32, t % 33] + wide[(t * 7) % 4096]

@cuda.jit(max_registers=24)
def spilling(out, a, n):
    i = cuda.grid(1)
    kept = cuda.local.array(64, float32)
    for j in range(64):
        kept[j] = a[(i * 64 + j) % n]
    for j in range(64):
        out[(i * 64 + int(kept[j])) % n] = kept[63 - j]

a, out = cuda.to_device(np.ones(4096, np.float32)), cuda.device_array(4096, np.float32)
context = cuda.current_context()
for kernel in (plain, shared, spilling):
    for threads in (32, 96, 256, 1000):
        kernel[1, threads](out, a, 4096)
        cuda.synchronize()
        told = of_kernel(kernel, threads)
        (overload,) = kernel.overloads.values()
        assert told.registers == overload.regs_per_thread, (kernel, told, overload.regs_per_thread)
        assert told.shared == overload.shared_mem_per_block, (kernel, told, overload.shared_mem_per_block)
        assert told.frame == overload.local_mem_per_thread, (kernel, told, overload.local_mem_per_thread)
        function = overload._codelibrary.get_cufunc()
        fit = function.kernel.occupancy.max_active_blocks_per_multiprocessor(threads, 0)
        assert told.occupancy is None or told.occupancy.blocks == fit, (kernel, threads, told, fit)
        print(kernel.py_func.__name__, threads, told)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=LIMIT, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    print(ran.stdout)


def test_nothing_is_left_on_the_card_when_all_is_over() -> None:
    runner.stop()
    assert not POOL._zygotes
