"""Registers, spills, shared memory and occupancy, without a GPU: by the compiler where its libraries are found."""

from __future__ import annotations

from typing import Any

import pytest

from gpulab.timing.occupancy import occupancy
from gpulab.timing.resources import NoCompiler, compiled

FIXED = [  # (capability, threads, registers, shared) -> blocks; by NVIDIA's occupancy calculator
    ((9, 0), 256, 32, 0, 8), ((9, 0), 256, 64, 0, 4), ((9, 0), 256, 255, 0, 1), ((9, 0), 1024, 64, 0, 1),
    ((9, 0), 32, 16, 0, 32), ((9, 0), 128, 32, 48 << 10, 4), ((8, 0), 256, 40, 0, 6), ((8, 6), 256, 32, 0, 6),
    ((8, 6), 64, 32, 0, 16), ((7, 5), 256, 64, 32 << 10, 2),
]


@pytest.mark.parametrize(("capability", "threads", "registers", "shared", "blocks"), FIXED)
def test_blocks_that_fit(capability: tuple[int, int], threads: int, registers: int, shared: int, blocks: int) -> None:
    found = occupancy(capability, threads, registers, shared)
    assert found is not None and found.blocks == blocks


def test_what_is_used_up_first_is_named() -> None:
    found = occupancy((9, 0), 256, 128, 0)
    assert found is not None and (found.limited_by, found.part) == (("registers",), 0.25)


def test_an_unknown_card_has_no_answer() -> None:
    assert occupancy((99, 0), 256, 32, 0) is None


@pytest.fixture(scope="module")
def kernel() -> Any:
    from numba import cuda, float32

    @cuda.jit
    def shared(out, a, n):  # type: ignore[no-untyped-def]
        tile = cuda.shared.array((16, 17), float32)
        i = cuda.grid(1)
        tile[i % 16, i % 17] = a[i]
        cuda.syncthreads()
        if i < n:
            out[i] = tile[(i + 3) % 16, i % 17]

    return shared


@pytest.fixture(scope="module")
def spilling() -> Any:
    from numba import cuda, float32

    @cuda.jit(max_registers=24)
    def spills(out, a, n):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        kept = cuda.local.array(64, float32)
        for j in range(64):
            kept[j] = a[i * 64 + j]
        for j in range(64):
            out[(i * 64 + int(kept[j])) % n] = kept[63 - j]

    return spills


def told(kernel: Any, **options: Any) -> Any:
    from numba.cuda import types

    array = types.Array(types.float32, 1, "C")
    try:
        return compiled(kernel, (array, array, types.int64), (9, 0), **options)
    except NoCompiler as missing:
        pytest.skip(f"no compiler here: {missing}")


def test_the_compiler_tells_registers_and_shared_memory(kernel: Any) -> None:
    found = told(kernel, threads=256)
    assert 8 <= found.registers <= 64
    assert (found.shared, found.frame, found.spill_loads) == (16 * 17 * 4, 0, 0)
    assert found.occupancy.blocks == 8


def test_too_few_registers_are_spills(spilling: Any) -> None:
    found = told(spilling)
    assert found.registers <= 24
    assert found.frame > 0 and found.spill_stores > 0 and found.spill_loads > 0
