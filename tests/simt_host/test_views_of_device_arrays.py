"""Slices, assignments and copies of device arrays do what NumPy's do, and keep track of what was written."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numba import cuda

from gpulab.engines.simt import host

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module", autouse=True)
def device():
    installation = host.install()
    yield installation
    installation.uninstall()


@st.composite
def keys(draw, shape):
    """A basic index with positive steps, as a tuple of integers and slices."""
    key = []
    for length in shape[:draw(st.integers(0, len(shape)))]:
        if draw(st.booleans()):
            key.append(draw(st.integers(-length, length - 1)))
        else:
            start = draw(st.integers(0, length))
            key.append(slice(start, draw(st.integers(start, length)), draw(st.integers(1, 3))))
    return tuple(key)


@st.composite
def writes(draw):
    """A shape, and assignments to parts of an array of that shape."""
    shape = tuple(draw(st.lists(st.integers(1, 5), min_size=1, max_size=3)))
    dtype = draw(st.sampled_from([np.float32, np.int16, np.float64, np.uint8]))
    return shape, np.dtype(dtype), draw(st.lists(st.tuples(keys(shape), st.integers(0, 100)), max_size=6))


def quickly(function):
    return settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])(function)


@quickly
@given(writes())
def test_assignments_reach_the_same_elements_as_numpys(case):
    shape, dtype, assignments = case
    expected = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    d = cuda.to_device(expected)
    for key, value in assignments:
        part = expected[key]
        values = np.full(np.shape(part), value, dtype) if np.ndim(part) and part.size else value
        d[key] = values
        expected[key] = values
    np.testing.assert_array_equal(d.copy_to_host(), expected)


@quickly
@given(writes())
def test_what_was_not_assigned_stays_unwritten(case):
    shape, dtype, assignments = case
    d = cuda.device_array(shape, dtype)
    unwritten = np.ones(shape, np.bool_)
    for key, value in assignments:
        d[key] = value
        unwritten[key] = False
    with host.session() as session:
        allocation = session.memory.find(d.device_ctypes_pointer.value)[0]
        mask = allocation.mask(0, d.shape, d.strides, dtype.itemsize)
        d.copy_to_host()
    np.testing.assert_array_equal(mask.all(axis=-1), unwritten)
    np.testing.assert_array_equal(mask.any(axis=-1), unwritten)
    assert session.transfers[0].uninitialised == unwritten.sum() * dtype.itemsize


@quickly
@given(st.data())
def test_slices_of_slices_hold_what_numpys_hold(data):
    shape = tuple(data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=3)))
    expected = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    d = cuda.to_device(expected)
    for _ in range(2):
        key = data.draw(keys(expected.shape))
        d, expected = d[key], expected[key]
        if not np.ndim(expected) or not expected.size:
            break
    got = d.copy_to_host() if np.ndim(expected) else d
    np.testing.assert_array_equal(got, expected)


@quickly
@given(st.integers(1, 6), st.integers(1, 6), st.sampled_from("CF"))
def test_a_transposed_copy_is_numpys(rows, columns, order):
    a = np.asarray(np.random.default_rng(0).random((rows, columns)), order=order)
    d = cuda.to_device(a)
    np.testing.assert_array_equal(d.T.copy_to_host(), a.T)
    np.testing.assert_array_equal(d.copy_to_host(), a)
