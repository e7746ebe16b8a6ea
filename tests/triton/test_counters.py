"""Counters of a Triton launch, against counts by hand."""

from __future__ import annotations

import numpy as np
import pytest

from gpulab.catalog.budgets import BudgetName
from gpulab.engines.triton.launching import launch
from tests.triton import kernels
from tests.triton.test_findings import line_of


def aligned(count: int) -> np.ndarray:
    """float32 that begins on a multiple of 256 bytes, as cudaMalloc's memory does."""
    memory = np.zeros(count + 64, np.float32)
    start = -memory.__array_interface__["data"][0] % 256 // 4
    return memory[start:start + count]


def test_elements_bytes_and_sectors_of_a_masked_sum() -> None:
    totals = launch(kernels.add, (2,), {"out": aligned(100), "x": aligned(100), "y": aligned(100), "n": 100,
                                        "BLOCK": 64}).counters.totals
    assert (totals["global_loads"], totals["global_stores"]) == (200, 100)
    assert totals["masked_lanes"] == 3 * 28
    assert totals["global_load_bytes_asked"] == totals["global_load_bytes_least"] == 800
    assert totals["global_load_sectors"] == 2 * 13  # 64 elements are 8 sectors, 36 are 4 and a half
    assert (totals["global_load_requests"], totals["global_store_requests"]) == (4, 2)
    assert totals["global_load_rereads"] == 0


def test_loads_of_an_element_that_was_loaded_before_are_rereads() -> None:
    counters = launch(kernels.neighbours, (4,), {"out": aligned(64), "x": aligned(64), "n": 64, "BLOCK": 16}).counters
    assert counters.totals["global_loads"] == 64 + 63
    assert counters.totals["global_load_rereads"] == 63
    assert counters.totals["global_load_bytes_least"] == 256
    line = counters.lines[line_of(kernels.neighbours, "+ 1, mask")]
    assert line["global_load_rereads"] == 63
    assert line["global_load_sectors"] == 4 * 3 - 1  # shifted by one, each program but the last begins a third sector


def test_a_column_of_a_matrix_takes_a_sector_for_each_element() -> None:
    counters = launch(kernels.columns_of, (3,), {"out": aligned(3), "x": aligned(48).reshape(6, 8), "rows": 6,
                                                 "width": 8, "ROWS": 8}).counters.totals
    assert (counters["global_load_sectors"], counters["global_load_sectors_ideal"]) == (18, 3)
    assert counters["global_load_bytes"] == 18 * 32


def test_a_product_counts_its_multiplications_and_rounds() -> None:
    arguments = {"out": aligned(1024).reshape(32, 32), "a": aligned(1536).reshape(32, 48),
                 "b": aligned(1536).reshape(48, 32), "rows": 32, "columns": 32, "depth": 48, "TILE": 16,
                 "PRECISION": "ieee"}
    totals = launch(kernels.matmul, (2, 2), arguments).counters.totals
    assert totals["dot_flops"] == 2 * 32 * 32 * 48
    assert totals["loop_trips"] == 4 * 3
    assert totals["global_load_rereads"] == totals["global_loads"] // 2  # two programs load each tile


def test_a_load_that_all_programs_share_counts_for_each_of_them() -> None:
    totals = launch(kernels.lost_update, (3,), {"out": aligned(1), "x": aligned(48), "BLOCK": 16}).counters.totals
    assert totals["global_loads"] == 48 + 3 and totals["global_load_requests"] == 6


def test_only_what_lanes_do_is_counted_when_no_more_is_asked_for() -> None:
    arguments = {"out": aligned(100), "x": aligned(100), "y": aligned(100), "n": 100, "BLOCK": 64}
    totals = launch(kernels.add, (2,), arguments, counters="lanes").counters.totals
    assert totals["global_loads"] == 200 and totals["global_load_sectors"] == 0
    assert launch(kernels.add, (2,), arguments, counters=False).counters.totals == {}


@pytest.mark.parametrize("name", ["global_load_rereads", "masked_lanes_per_program", "dot_flops_per_output",
                                  "loop_trips_per_program", "global_load_bytes_least"])
def test_budgets_can_name_what_only_triton_counts(name: str) -> None:
    assert BudgetName.parse(name).words
