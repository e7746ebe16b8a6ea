"""What kernels compute here is what they compute on a GPU: rounding, wrapping, casts, shapes, order of reductions."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from gpulab.engines.triton import numbers
from gpulab.engines.triton.launching import launch
from tests.triton import kernels

RNG = np.random.default_rng(7)


def normal(*shape: int) -> np.ndarray:
    return RNG.standard_normal(shape, np.float32)


def test_a_masked_sum_is_exact_at_any_size() -> None:
    for n in (1, 63, 64, 65, 200):
        x, y, out = normal(n), normal(n), np.full(n, np.nan, np.float32)
        run = launch(kernels.add, (-(-n // 64),), {"out": out, "x": x, "y": y, "n": n, "BLOCK": 64})
        assert np.array_equal(out, x + y) and not run.findings


def test_rows_of_softmax_agree_with_torch() -> None:
    x, out = normal(5, 100), np.zeros((5, 100), np.float32)
    run = launch(kernels.softmax, (5,), {"out": out, "x": x, "n": 100, "BLOCK": 128})
    assert np.allclose(out, torch.softmax(torch.from_numpy(x), 1).numpy(), rtol=1e-6, atol=1e-7)
    assert not run.findings


def test_bfloat16_rounds_to_nearest_even_after_each_operation_as_torch_does() -> None:
    x, y = normal(4096), normal(4096)
    given = {name: np.zeros(4096, np.float32) for name in ("total", "product", "quotient")}
    launch(kernels.bfloat16_steps, (1,), {**given, "x": x, "y": y, "BLOCK": 4096})
    a, b = torch.from_numpy(x).bfloat16(), torch.from_numpy(y).bfloat16()
    expected = {"total": a + b, "product": a * b - a, "quotient": a.float() / b.float()}  # which Triton widens
    for name, values in given.items():
        assert np.array_equal(values, expected[name].float().numpy()), name


def test_bfloat16_tensors_are_read_and_written_as_16_bits() -> None:
    x = torch.randn(100).bfloat16()
    y, out = torch.randn(100).bfloat16(), torch.zeros(100, dtype=torch.bfloat16)
    launch(kernels.add, (2,), {"out": out, "x": x, "y": y, "n": 100, "BLOCK": 64})
    assert torch.equal(out, x + y)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 3.4e38, 1e-45, -0.0])
def test_odd_numbers_become_the_bfloat16_that_torch_makes_of_them(value: float) -> None:
    ours = numbers.bits_of(numbers.bfloat16(np.array([value], np.float32)), "bf16")
    theirs = torch.tensor([value]).bfloat16().view(torch.int16).numpy().view(np.uint16)
    if np.isnan(value):
        assert np.isnan(numbers.from_bits(ours, "bf16")).all()
    else:
        assert ours == theirs


def test_integers_divide_toward_zero_and_wrap_around() -> None:
    x = np.array([7, -7, 7, -7, 2**31 - 1, -(2**31), 5, 0], np.int32)
    y = np.array([2, 2, -2, -2, 10, 7, 3, 9], np.int32)
    given = {name: np.zeros(8, np.int32) for name in ("quotient", "remainder", "shifted", "wrapped")}
    launch(kernels.integers, (1,), {**given, "x": x, "y": y, "BLOCK": 8})
    wide = x.astype(np.int64)
    assert np.array_equal(given["quotient"], np.trunc(wide / y).astype(np.int32))
    assert np.array_equal(given["remainder"], np.fmod(wide, y).astype(np.int32))
    assert np.array_equal(given["shifted"], x >> 3)
    assert np.array_equal(given["wrapped"], (wide * 65537 + 2147483647).astype(np.int32))


def test_a_float_out_of_range_becomes_the_nearest_integer_and_nan_0() -> None:
    x = np.array([1.9, -1.9, 3e9, -3e9, np.nan, np.inf, 65519, 65520], np.float32)
    whole, half = np.zeros(8, np.int32), np.zeros(8, np.float16)
    launch(kernels.casts, (1,), {"whole": whole, "half": half, "x": x, "BLOCK": 8})
    assert whole.tolist() == [1, -1, 2**31 - 1, -(2**31), 0, 2**31 - 1, 65519, 65520]
    with np.errstate(all="ignore"):
        assert np.array_equal(half, x.astype(np.float16), equal_nan=True)


@pytest.mark.parametrize("precision", ["ieee", "tf32"])
def test_a_product_of_odd_shape_is_right_and_tf32_drops_13_bits(precision: str) -> None:
    a, b, out = normal(37, 50), normal(50, 29), np.zeros((37, 29), np.float32)
    run = launch(kernels.matmul, (3, 2), {"out": out, "a": a, "b": b, "rows": 37, "columns": 29, "depth": 50,
                                          "TILE": 16, "PRECISION": precision})
    left, right = (numbers.tf32(a), numbers.tf32(b)) if precision == "tf32" else (a, b)
    exact = left.astype(np.float64) @ right.astype(np.float64)
    assert np.abs(out - exact).max() < 2e-5
    assert not run.findings
    if precision == "tf32":
        assert np.abs(out - a.astype(np.float64) @ b.astype(np.float64)).max() > 1e-4


def test_scans_transposes_joins_and_maxima_with_their_places() -> None:
    x, out = normal(32), np.zeros((4, 8), np.float32)
    launch(kernels.shapes, (1,), {"out": out, "x": x, "BLOCK": 32})
    square = x.reshape(8, 4).T
    running = np.cumsum(square.astype(np.float64), axis=1)
    expected = np.maximum(running, square) + square.max(1)[:, None] + square.argmax(1)[:, None]
    assert np.allclose(out, expected, atol=1e-5)


def test_a_reduction_by_the_learners_own_function() -> None:
    x, out = normal(64), np.zeros(1, np.int32)
    launch(kernels.widest, (1,), {"out": out, "x": x, "BLOCK": 64})
    assert out[0] == x.argmax()


def test_methods_of_a_block_and_what_it_prints(capsys: pytest.CaptureFixture[str]) -> None:
    x, out = normal(16), np.zeros(1, np.float32)
    launch(kernels.methods, (2,), {"out": out, "x": x, "BLOCK": 16})
    assert np.isclose(out[0], x.sum() + x.astype(np.int32).sum() + np.abs(x).max(), atol=1e-5)
    lines = capsys.readouterr().out.splitlines()
    assert [line[: line.index(":")] for line in lines] == ["program 0 largest", "program 1 largest", "program 0 sum",
                                                           "program 1 sum"]


def test_a_program_may_return_early() -> None:
    out = np.zeros(5, np.float32)
    launch(kernels.early, (5,), {"out": out, "n": 3})
    assert out.tolist() == [1, 2, 2, 0, 0]


def test_random_numbers_are_philoxs() -> None:
    out = np.zeros(4096, np.float32)
    launch(kernels.random, (1,), {"out": out, "seed": 42, "BLOCK": 4096})
    assert out.min() >= 0 and out.max() < 1 and abs(out.mean() - 0.5) < 0.02 and len(np.unique(out)) > 4000


def test_and_or_not_are_taken_lane_by_lane_and_scalars_by_program() -> None:
    x, out = normal(60), np.zeros(60, np.float32)
    run = launch(kernels.logic, (4,), {"out": out, "x": x, "n": 60, "BLOCK": 16})
    chosen = np.where(np.arange(60) // 16 > 1, 2.0, 1.0)
    assert np.array_equal(out, np.where(x > 0, x * chosen, -x).astype(np.float32)) and not run.findings


def test_programs_whose_loops_differ_in_length_run_on_apart() -> None:
    lengths = np.array([0, 3, 64, 65, 200, 7, 64], np.int32)
    x, out = normal(7, 200), np.full(7, np.nan, np.float32)
    run = launch(kernels.rows_of_own_length, (7,), {"out": out, "x": x, "lengths": lengths, "width": 200, "BLOCK": 64})
    expected = [x[row, :length].astype(np.float64).sum() for row, length in enumerate(lengths)]
    assert np.allclose(out, expected, atol=1e-4) and not run.findings
    assert run.counters.totals["global_loads"] == lengths.sum() + 7  # the attempts that were undone count nowhere


def test_atomics_hand_out_each_ticket_once() -> None:
    x = RNG.integers(0, 5, 96).astype(np.int32)
    totals, tickets = np.zeros(5, np.int32), np.zeros(96, np.int32)
    run = launch(kernels.counted, (6,), {"totals": totals, "tickets": tickets, "x": x, "BLOCK": 16})
    assert totals.tolist() == np.bincount(x, minlength=5).tolist() and not run.findings
    for value in range(5):
        assert sorted(tickets[x == value]) == list(range(totals[value]))


def test_strided_views_are_reached_by_their_own_elements() -> None:
    whole = normal(6, 8)
    out = np.zeros(3, np.float32)
    launch(kernels.columns_of, (3,), {"out": out, "x": whole[:, :3], "rows": 6, "width": 8, "ROWS": 8})
    assert np.allclose(out, whole[:, :3].sum(0), atol=1e-5)
