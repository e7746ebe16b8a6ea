"""A puzzle in a folder of its own, and a way to check a text against it in real processes."""

from __future__ import annotations

import textwrap
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from threading import get_ident
from typing import Any

import psutil
import pytest

from gpulab import runner
from gpulab.catalog.model import Puzzle, StarTexts
from gpulab.judge.report import Report
from gpulab.runner.limits import Limits, default_limits
from gpulab.runner.pool import POOL

DOUBLE = "tests.runner.double"
RIGHT = """
    def host(out, a, n):
        out[...] = a + 1
"""

Check = Callable[..., Report]


@pytest.fixture
def puzzle(tmp_path: Path) -> Puzzle:
    folder = tmp_path / "content" / "puzzles" / "track" / "puzzle"
    reference = tmp_path / "content" / "kernels" / "track" / "puzzle.py"
    (folder / "wrong").mkdir(parents=True)
    reference.parent.mkdir(parents=True)
    (folder / "spec.py").write_text("SECRET = 42\n")
    (folder / "starter.py").write_text("# write here\n")
    reference.write_text("SECRET = 43\n")
    return Puzzle("track/puzzle", "Puzzle", "Add one.", "numba", 5, "host(out, a, n)", "called", StarTexts("right"),
                  folder, reference)


@pytest.fixture
def limits() -> Limits:
    return replace(default_limits(), grace=0.2)


@pytest.fixture
def check(puzzle: Puzzle, limits: Limits, tmp_path: Path) -> Check:
    """Check a text; keywords as in `gpulab.runner.run`, `judge` being a name in the double."""
    work = tmp_path / "work"
    work.mkdir()

    def run(text: str, *, judge: str = "judge", encoding: str = "utf-8", **options: Any) -> Report:
        file = work / "solution.py"
        new = work / f"{get_ident()}.new"
        new.write_text(textwrap.dedent(text), encoding)
        new.replace(file)  # as editors do; several threads check at once
        return runner.run(puzzle, file, judge=f"{DOUBLE}:{judge}", engine_module=DOUBLE,
                          **{"limits": limits, **options})

    return run


@pytest.fixture(scope="session", autouse=True)
def no_zygote_after_the_tests() -> Iterator[None]:
    yield
    runner.stop()


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """After each test no process is left but the zygote, whatever session it is in."""
    yield
    deadline = time.monotonic() + 2
    while (left := workers_left()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not left


def zygote_pid() -> int:
    return POOL.get("numba").process.pid


def workers_left() -> list[psutil.Process]:
    """Processes that carry our mark or are a zygote's children, but no zygote and no spare, which run nobody's code."""
    zygotes = {zygote.process.pid for zygote in POOL._zygotes.values()}
    marks = {zygote.mark for zygote in POOL._zygotes.values()}
    found = []
    for process in psutil.process_iter():
        try:
            marked = process.environ().get("GPULAB_WORKER") in marks
            if (marked or process.ppid() in zygotes) and process.name() not in ("gpulab-zygote", "gpulab-spare"):
                found.append(process)
        except psutil.Error:
            continue
    return found
