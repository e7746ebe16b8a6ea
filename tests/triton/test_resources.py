"""What a kernel needs on a GPU is told by Triton's own compiler, where there is no GPU."""

from __future__ import annotations

import os

import numpy as np
import pytest

from gpulab.engines.triton.compiling import compile_for
from gpulab.timing.resources import NoCompiler, of_report
from tests.triton import course, kernels


def test_registers_shared_memory_and_spills_of_a_product_for_a_gpu_that_is_named() -> None:
    before = os.environ.get("TRITON_CACHE_DIR")
    half = np.zeros((64, 64), np.float16)
    arguments = {"out": half, "a": half, "b": half, "rows": 64, "columns": 64, "depth": 64, "stride_am": 64,
                 "stride_bk": 64, "M": 64, "N": 64, "K": 32, "GROUP": 2}
    done = compile_for(course.grouped_matmul, arguments)
    told = of_report(done.said, (9, 0), threads=32 * done.warps, shared=done.shared)
    assert told.registers >= 32 and told.shared >= 2 * 64 * 32 * 2 and told.spill_stores == 0
    assert told.threads == 128 and told.occupancy is not None and told.occupancy.blocks >= 1
    assert os.environ.get("TRITON_CACHE_DIR") == before


def test_a_capability_is_the_one_compiled_for() -> None:
    x = np.zeros(64, np.float32)
    assert "sm_80" in compile_for(kernels.same_value, {"out": x, "BLOCK": 64}, 80).said


def test_an_assembler_that_says_nothing_is_no_compiler() -> None:
    with pytest.raises(NoCompiler):
        of_report("", (9, 0), threads=128, shared=0)
