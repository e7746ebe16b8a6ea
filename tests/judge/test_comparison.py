"""Poison, tolerance and equality."""

from __future__ import annotations

import numpy as np
import pytest

from gpulab.catalog.spec import Tolerance
from gpulab.judge import poison
from gpulab.judge.comparison import BY_TYPE, differ, wrong_elements

TYPES = ["float16", "float32", "float64", "int8", "uint8", "int32", "uint32", "int64", "bool"]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("order", ["C", "F"])
def test_only_unwritten_elements_hold_both_poisons(dtype: str, order: str) -> None:
    first, second = np.empty((4, 6), dtype, order), np.empty((4, 6), dtype, order)
    poison.fill(first, 0)
    poison.fill(second, 1)
    first[1], second[1] = 1, 1
    first[2, 3], second[2, 3] = 0, 0
    written = np.zeros((4, 6), bool)
    written[1], written[2, 3] = True, True
    np.testing.assert_array_equal(poison.untouched(first, 0) & poison.untouched(second, 1), ~written)


def test_strided_outputs_are_poisoned_element_by_element() -> None:
    base = np.zeros((6, 8), np.float32)
    poison.fill(base[::2, 1::3], 0)
    assert np.isnan(base).sum() == base[::2, 1::3].size
    assert poison.untouched(base[::2, 1::3], 0).all()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("which", [0, 1])
def test_a_value_computed_from_poison_is_neither_untouched_nor_innocent(dtype: str, which: int) -> None:
    out = np.empty(5, dtype)
    poison.fill(out, which)
    with np.errstate(all="ignore"):
        out[0] = out[0] + np.dtype(dtype).type(1)
        out[1] = -(out[1] * np.dtype(dtype).type(3))
    out[2], out[3] = np.nan, 7
    assert poison.untouched(out, which).tolist() == [False, False, False, False, True]
    assert poison.derived(out, which).tolist() == [True, True, False, False, False]


def test_poison_survives_a_detour_through_float64() -> None:
    out = np.empty(1, np.float32)
    poison.fill(out, 0)
    with np.errstate(all="ignore"):
        back = (out.astype(np.float64) + 1.0).astype(np.float32)
    assert poison.derived(back, 0).all()


def test_nan_never_equals_and_equal_infinities_do() -> None:
    got = np.array([np.nan, np.inf, -np.inf, np.inf, 1], np.float32)
    expected = np.array([np.nan, np.inf, np.inf, 1, 1 + 5e-6])
    assert wrong_elements(got, expected, Tolerance()).tolist() == [True, False, True, True, False]


def test_integers_must_be_equal_whatever_the_tolerance() -> None:
    got = np.array([100, 101], np.int32)
    assert wrong_elements(got, np.array([100, 100]), Tolerance(1.0, 1.0)).tolist() == [False, True]
    large = np.array([2**63 + 1], np.uint64)
    assert wrong_elements(large, np.array([2**63], np.uint64), Tolerance()).tolist() == [True]


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_the_tolerance_of_a_type_allows_its_rounding_and_little_more(dtype: str) -> None:
    exact = np.linspace(-3, 3, 101)
    rounded = exact.astype(dtype)
    assert not wrong_elements(rounded, exact, BY_TYPE[dtype]).any()
    assert wrong_elements(exact * 1.01 + 0.01, exact, BY_TYPE[dtype]).sum() >= 90


def test_complex_numbers_are_compared_in_both_parts() -> None:
    got = np.array([1 + 2j, 1 + 2j, np.nan], np.complex64)
    assert wrong_elements(got, np.array([1 + 2j, 1 + 3j, 0]), Tolerance()).tolist() == [False, True, True]


def test_two_runs_agree_on_nan() -> None:
    one = np.array([np.nan, 1, 2], np.float32)
    other = np.array([np.nan, np.nan, 2.00001], np.float32)
    assert differ(one, other, Tolerance()).tolist() == [False, True, False]
