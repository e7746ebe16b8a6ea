"""A puzzle of its own with a small bench, and a way to check a text against it on the double of a card."""

from __future__ import annotations

import os
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from gpulab import runner
from gpulab.catalog.model import Puzzle, StarTexts
from gpulab.engines.gpu.presence import looks_present
from gpulab.judge.report import Report

DOUBLE = "cuda:tests.gpu.double"

SPEC = """
import numpy as np
from gpulab.catalog.spec import Bench, Budget, Case, NumbaPuzzle, empty, normal, one_thread_per

def make(rng, n):
    return Case(a=normal(rng, n), out=empty(n), n=n)

def cases(rng):
    for n in (1, 31, 32, 33, 100):
        yield make(rng, n)

def reference(a, n):
    return a.astype(np.float64) + 1

PUZZLE = NumbaPuzzle(
    kernel="add_one", args="out a n", launch=one_thread_per("out", 32), time_limit=3.0,
    bench=Bench(sizes={"n": 4096}, make=make, bytes_moved=lambda n: 8 * n, limit="copy", fast=0.5),
)
"""

HOST_SPEC = SPEC.replace('kernel="add_one", args="out a n", launch=one_thread_per("out", 32)',
                         'host="add_one", args="out a n", tile=32')

KERNEL = """
    from numba import cuda

    @cuda.jit
    def add_one(out, a, n):
        i = cuda.grid(1)
        if i < n:
            out[i] = a[i] + 1
"""

HOST = """
    from numba import cuda

    @cuda.jit
    def kernel(out, a, n):
        i = cuda.grid(1)
        if i < n:
            out[i] = a[i] + 1

    def add_one(out, a, n):
        kernel[(n + 31) // 32, 32](out, a, n)
"""

Check = Callable[..., Report]


def make_puzzle(folder: Path, spec: str) -> Puzzle:
    """A puzzle of this spec, in a folder that looks like the catalogue's."""
    puzzle, reference = folder / "content" / "puzzles" / "track" / "puzzle", folder / "content" / "kernels" / "p.py"
    puzzle.mkdir(parents=True)
    reference.parent.mkdir(parents=True)
    (puzzle / "spec.py").write_text(spec)
    (puzzle / "starter.py").write_text("# write here\n")
    reference.write_text(textwrap.dedent(KERNEL))
    return Puzzle("track/puzzle", "Puzzle", "Add one.", "numba", 5, "add_one(out, a, n)", "launched",
                  StarTexts("right", None, "half of a copy"), puzzle, reference)


@pytest.fixture
def puzzle(tmp_path: Path) -> Puzzle:
    """Without a third star: what is right is not timed, which takes ten seconds."""
    made = make_puzzle(tmp_path, SPEC)
    return replace(made, stars=replace(made.stars, fast=None))


@pytest.fixture
def timed_puzzle(tmp_path: Path) -> Puzzle:
    return make_puzzle(tmp_path / "timed", SPEC)


@pytest.fixture
def host_puzzle(tmp_path: Path) -> Puzzle:
    made = make_puzzle(tmp_path / "host", HOST_SPEC)
    return replace(made, stars=replace(made.stars, fast=None))


def written(folder: Path, text: str) -> Path:
    """The text as a learner's file."""
    folder.mkdir(exist_ok=True)
    file = folder / "solution.py"
    file.write_text(textwrap.dedent(text))
    return file


@pytest.fixture
def check(puzzle: Puzzle, tmp_path: Path) -> Check:
    """Check a text on the double; keywords as in `gpulab.runner.run`."""
    def run(text: str, of: Puzzle = puzzle, **options: object) -> Report:
        file = written(tmp_path / "work", text)
        chosen = {"engine": "auto", "seed": 3, "gpu_family": DOUBLE, "cards": tmp_path / "cards", **options}
        return runner.run(of, file, **chosen)  # type: ignore[arg-type]

    return run


@pytest.fixture(scope="session", autouse=True)
def no_zygote_after_the_tests() -> Iterator[None]:
    yield
    runner.stop()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need a card say so where there is none."""
    if looks_present() and not os.environ.get("GPULAB_TEST_WITHOUT_GPU"):
        return
    for item in items:
        if item.get_closest_marker("gpu"):
            item.add_marker(pytest.mark.skip(reason="this machine has no NVIDIA GPU"))
