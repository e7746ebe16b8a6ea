"""Who wrote an element, what from, and the two answers of a race."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
from numba import cuda, float32

import gpulab
from tests.simt.marks import line, only

POOLING = Path(__file__).parents[2] / "puzzles" / "shared" / "pooling"


def pooling(name: str) -> Any:
    """The kernel of one of the puzzle's files."""
    spec = importlib.util.spec_from_file_location(f"pooling_{name.replace('/', '_')}", POOLING / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.pool


def pool(name: str, n: int) -> tuple[Any, np.ndarray, Any]:
    a, out = np.arange(1, n + 1, dtype=np.float32) ** 2, np.zeros(n, np.float32)
    kernel = pooling(name)
    run = gpulab.simulate(kernel, -(-n // 64), 64, out, a, n, values=True)
    return run, out, a


def test_a_wrong_element_is_traced_to_its_store_and_that_to_the_loads_it_was_made_of():
    """`halo_always_zero`: out[64] misses a[62] and a[63], since the second block wrote 0.0 into its halo."""
    run, out, a = pool("wrong/halo_always_zero", 130)
    assert out[64] == a[64] != a[62] + a[63] + a[64]
    write = run.values.writer("out", (64,))
    assert (write.value, write.block, write.thread) == (a[64], (1, 0, 0), (0, 0, 0))
    assert [(operand.array, operand.index, operand.value) for operand in write.operands] == [
        ("tile", (0,), 0.0), ("tile", (1,), 0.0), ("tile", (2,), a[64])]
    origins = [operand.written_by for operand in write.operands]
    assert [origin.thread for origin in origins] == [(0, 0, 0), (1, 0, 0), (0, 0, 0)]
    assert origins[0].line == origins[1].line < write.line
    assert [(operand.array, operand.index) for operand in origins[2].operands] == [("a", (64,))]


def test_a_right_kernel_s_elements_are_traced_as_well():
    run, out, a = pool("wrong/three_loads", 70)
    write = run.values.writer("out", (5,))
    assert write.value == out[5] == a[3] + a[4] + a[5]
    assert sorted(operand.index for operand in write.operands) == [(3,), (4,), (5,)]
    assert all(operand.written_by is None for operand in write.operands), "inputs of the launch"


def test_an_element_that_nobody_wrote():
    run, _, _ = pool("wrong/three_loads", 70)
    assert run.values.writer("out", (69,)) is not None
    assert run.values.writer("out", (70,)) is None


def test_an_element_written_twice_was_left_by_the_last():
    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        out[i] = 1
        out[i] = out[i] + 10  # <- second

    run = gpulab.simulate(kernel, 1, 4, np.zeros(4), values=True)
    write = run.values.writer("out", (2,))
    assert (write.value, write.line) == (11, line(kernel, "second"))
    assert [(operand.array, operand.value, operand.written_by.value) for operand in write.operands] == [("out", 1, 1)]


def test_a_race_shows_two_orders_that_leave_two_answers():
    """`missing_barrier`: a thread sums cells that its neighbour in another warp has not filled yet."""
    run, _, _ = pool("wrong/missing_barrier", 130)
    race = next(finding for finding in run.findings if finding.kind == "race" and finding.outcomes)
    one, other = race.outcomes
    assert one.value != other.value
    assert (one.array, one.index) == (other.array, other.index)
    assert one.array == "out"
    assert one.steps == other.steps[::-1]
    assert {step[2] for step in one.steps} == {race.line, race.other.line}
    assert one.order != other.order


def test_looking_for_two_answers_leaves_the_launch_s_own():
    _, out, a = pool("wrong/missing_barrier", 130)
    once, again = np.zeros(130, np.float32), pooling("wrong/missing_barrier")
    gpulab.simulate(again, 3, 64, once, a, 130)
    np.testing.assert_array_equal(out, once)


def test_a_race_whose_answer_is_always_the_same_shows_none():
    @cuda.jit
    def kernel(out):
        s = cuda.shared.array(64, float32)
        t = cuda.threadIdx.x
        s[t] = t  # <- write
        out[t] = s[(t + 32) % 64] * 0  # <- read

    race = gpulab.simulate(kernel, 1, 64, np.zeros(64, np.float32), values=True).findings[0]
    assert race.kind == "race"
    assert len(race.outcomes) in (0, 2)
    assert all(outcome.value != race.outcomes[0].value for outcome in race.outcomes[1:])


def test_two_lanes_of_one_store_have_two_answers():
    @cuda.jit
    def kernel(out):
        out[0] = cuda.threadIdx.x  # <- store

    race = only(gpulab.simulate(kernel, 1, 2, np.full(1, -1.0), values=True), "race")
    assert sorted(outcome.value for outcome in race.outcomes) == [0, 1]


def test_values_are_kept_on_request_only():
    @cuda.jit
    def kernel(out):
        out[cuda.grid(1)] = 1

    assert gpulab.simulate(kernel, 1, 4, np.zeros(4)).values is None
