"""Guarded memory: what a kernel is given looks exactly like what the author made, and leaks are seen."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from gpulab.judge.memory import GUARD, place, place_empty

BASE = np.arange(120, dtype=np.float32).reshape(10, 12)


@pytest.mark.parametrize("array", [
    BASE, BASE[0], np.asfortranarray(BASE), BASE.T, BASE[::2, 1::3], BASE[:, ::-1], np.broadcast_to(BASE[0], (4, 12)),
    BASE[:0], np.float64(3.0).reshape(()), BASE.astype(bool), np.zeros((0, 3), np.int64),
], ids=lambda array: f"{array.shape}{array.strides}")
def test_shape_strides_and_values_are_kept_through_a_pipe(array: np.ndarray) -> None:
    placed = place(array)
    view = pickle.loads(pickle.dumps(placed)).view()
    assert (view.shape, view.strides, view.dtype) == (array.shape, array.strides, array.dtype)
    np.testing.assert_array_equal(view, array)
    assert not np.shares_memory(placed.view(), array)


@pytest.mark.parametrize("order", ["C", "F"])
def test_an_empty_output_has_the_layout_asked_for(order: str) -> None:
    view = place_empty((3, 5), np.dtype(np.float32), order).view()
    assert view.strides == np.empty((3, 5), np.float32, order).strides


@pytest.mark.parametrize("array", [BASE, BASE[::2, 1::3], np.asfortranarray(BASE)])
def test_writing_elements_is_no_leak(array: np.ndarray) -> None:
    before = place(array)
    now = before.copy()
    now.view()[...] = 7
    assert not now.outside_changed(before)


@pytest.mark.parametrize("where", [0, GUARD - 1, -1])
def test_a_byte_beside_the_array_is_a_leak(where: int) -> None:
    before = place(BASE[1])
    now = before.copy()
    now.memory[where] ^= 1
    assert now.outside_changed(before)


def test_a_byte_between_strided_elements_is_a_leak() -> None:
    before = place(BASE[::2, 1::3])
    now = before.copy()
    now.memory[now.offset + 4] ^= 1
    assert now.outside_changed(before)
