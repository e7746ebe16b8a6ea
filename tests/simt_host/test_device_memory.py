"""The simulated device's address space."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpulab.engines.simt.host.memory import (
    ALIGNMENT,
    CHUNK,
    DeviceMemory,
    IllegalAddress,
    OutOfMemory,
)


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.complex64])
def test_fresh_memory_reads_as_nan(dtype):
    allocation = DeviceMemory(1 << 20).allocate(64)
    assert np.isnan(allocation.array(0, (4,), (np.dtype(dtype).itemsize,), np.dtype(dtype))).all()


def test_every_array_over_an_allocation_names_it_as_its_base():
    allocation = DeviceMemory(1 << 20).allocate(64)
    array = allocation.array(8, (2, 3), (12, 4), np.dtype(np.float32))
    assert array.base is allocation.data and array[1, ::2].base is allocation.data


@given(st.lists(st.integers(1, 5000), max_size=20), st.randoms())
def test_allocations_never_overlap_and_are_found_by_any_address_in_them(sizes, random):
    memory = DeviceMemory(1 << 20)
    living = [memory.allocate(size) for size in sizes]
    for allocation in random.sample(living, len(living) // 2):
        memory.free(allocation.address)
        living.remove(allocation)
    for allocation in living:
        size = allocation.data.size
        assert allocation.address % ALIGNMENT == 0
        assert memory.find(allocation.address + size - 1, 1) == (allocation, size - 1)
        with pytest.raises(IllegalAddress):
            memory.find(allocation.address, size + 1)
    assert memory.used == sum(allocation.data.size for allocation in living)


def test_a_freed_address_is_illegal():
    memory = DeviceMemory(1 << 20)
    address = memory.allocate(8).address
    memory.free(address)
    with pytest.raises(IllegalAddress):
        memory.find(address)
    with pytest.raises(IllegalAddress):
        memory.free(address)


def test_more_than_the_device_holds_is_refused():
    memory = DeviceMemory(1000)
    memory.allocate(600)
    with pytest.raises(OutOfMemory, match="500 bytes asked for, 400 of 1000 free"):
        memory.allocate(500)


@given(st.integers(1, 3 * CHUNK), st.data())
def test_a_changed_byte_is_seen_until_it_is_sealed(size, data):
    allocation = DeviceMemory(1 << 20).allocate(size)
    allocation.seal()
    assert allocation.changes() == []
    where = data.draw(st.integers(0, size - 1))
    allocation.data[where] ^= 1
    [(start, stop)] = allocation.changes()
    assert start <= where < stop
    allocation.seal(where, where + 1)
    assert allocation.changes() == []


def test_initialised_bytes_are_remembered_until_none_is_left():
    allocation = DeviceMemory(1 << 20).allocate(7)
    allocation.initialise(0, 4)
    assert allocation.uninitialised.tolist() == [False] * 4 + [True] * 3
    before = allocation.data.copy()
    allocation.data[4:7] = 0
    allocation.initialise_changed(before)
    assert allocation.uninitialised is None
