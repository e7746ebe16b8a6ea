"""Random kernels give what the same program gives thread by thread on the CPU, bit for bit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from gpulab.engines.simt.context import LaunchState
from gpulab.engines.simt.findings import Findings
from gpulab.engines.simt.machine import _clocks, prepare
from gpulab.engines.simt.schedule import Schedule
from tests.sample import ALL
from tests.simt.both_ways import compare, copies, digest, for_the_simulator, in_the_simulator, texts
from tests.simt.fuzz import BLOCKS, outcome, smaller
from tests.simt.random_kernels import random_kernel

HERE = max(1, settings.default.max_examples // 25)
"""Kernels compiled for the CPU in one run: two seconds each, nearly all of it Numba and LLVM."""

RECORDED = json.loads((Path(__file__).parent / "random_kernels.json").read_text())
"""What the CPU gave for two hundred more, by `python -m tests.simt.fuzz --seed 20000 --count 200 --size 3 --record`.

Numba 0.68.1, Python 3.11, x86-64. A kernel is a fifth of a second then. Half of them are run, all when asked for.
"""


@pytest.mark.slow
@settings(max_examples=HERE, phases=[Phase.explicit, Phase.reuse, Phase.generate])
@given(st.integers(0, 2**32))
def test_random_kernels_agree_with_the_cpu(seed):
    kernel, threads = random_kernel(seed, size=3), BLOCKS[seed % len(BLOCKS)]
    result = outcome(kernel, threads)
    if result.failed:
        small = smaller(kernel, lambda attempt: outcome(attempt, threads).kind == result.kind)
        raise AssertionError(f"seed {seed}, blocks of {threads}: {result.words}\n{texts(small).gpu}")


@pytest.mark.slow
@pytest.mark.parametrize("share", range(10) if ALL else range(5))
def test_more_random_kernels_give_what_the_cpu_gave(share):
    seeds = list(RECORDED["digests"])[share::10]
    assert len(seeds) >= 19
    for seed in map(int, seeds):
        kernel, threads = random_kernel(seed, RECORDED["size"]), BLOCKS[seed % len(BLOCKS)]
        got, run = in_the_simulator(kernel, threads)
        assert run.findings == [], seed
        assert digest(got) == RECORDED["digests"][str(seed)], f"seed {seed}, blocks of {threads}"


@pytest.mark.parametrize("seed", range(4000, 4012))
def test_lockstep_warps_threads_and_fair_turns_agree(seed):
    """One program for any set of lanes: in whatever steps it runs, it computes the same."""
    kernel = random_kernel(seed, size=4)
    expected, run = in_the_simulator(kernel, 50, counters=False)
    assert run.findings == []
    for size, fair in ((1, False), (32, False), (32, True)):
        arrays = copies(kernel.arrays)
        prepared = prepare(for_the_simulator(kernel), -(-kernel.threads // 50), 50, (kernel.threads, *arrays.values()))
        grid, block = prepared.grid, prepared.block
        state = LaunchState(Findings(grid, block), None, _clocks(grid, block), check=False)
        Schedule(prepared, state, size, None if fair else lambda b, t: (-b, -t), fair=fair).run()
        compare(expected, arrays, f"groups of {size}")


def test_a_failing_kernel_is_made_small():
    """What a failing run shows: statements go as long as the failure stays."""
    kernel = random_kernel(7, size=4)
    small = smaller(kernel, lambda attempt: "counts" in attempt.text() or "p[i" in attempt.text())
    assert len(small.text().split("\n")) <= 4


def test_a_seed_names_one_kernel():
    assert random_kernel(11).text() == random_kernel(11).text() != random_kernel(12).text()
