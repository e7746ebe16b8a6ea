"""In a kernel puzzle, elements that became right without a store of the kernel are somebody else's work."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gpulab.runner import simulator
from tests.judge import specs
from tests.judge.local import judge, puzzle_of

STORES_LITTLE = """\
from numba import cuda

@cuda.jit
def f(out, a, {names}):
    i = cuda.grid(1)
"""


@pytest.mark.parametrize(("spec", "names", "work"), [
    (specs.MATRIX, "rows, columns", lambda out, a: a * 2),
    (specs.COUNT, "n", lambda out, a: [(a == k).sum() for k in range(4)]),
])
def test_outputs_that_something_else_filled_are_not_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spec: str,
                                                            names: str, work: Any) -> None:
    real = simulator.launch

    def launch(kernel: Any, launch: Any, arguments: list[Any], options: Any) -> Any:
        run = real(kernel, launch, arguments, options)
        arguments[0][...] = work(*arguments[:2])
        return run

    monkeypatch.setattr(simulator, "launch", launch)
    report = judge(puzzle_of(tmp_path, spec), STORES_LITTLE.format(names=names))
    assert report.verdict == "not allowed"
    assert report.diagnosis is not None
    assert "became right, but your kernel stored only 0 values" in report.diagnosis.message


def test_atomics_count_as_stores(tmp_path: Path) -> None:
    kernel = "@cuda.jit\ndef f(out, a, n):\n    i = cuda.grid(1)\n    if i < n: cuda.atomic.add(out, a[i], 1)\n"
    assert judge(puzzle_of(tmp_path, specs.COUNT), f"from numba import cuda\n\n{kernel}").verdict == "passed"
