"""`syncwarp` with a mask orders the lanes it names and no others."""

from __future__ import annotations

import numpy as np
import pytest
from numba import cuda, float32

import gpulab
from tests.simt.marks import line, lines, only


def numbers(count):
    return np.arange(1, count + 1, dtype=np.float32)


def findings(kernel, threads=32, cells=64):
    return gpulab.simulate(kernel, 1, threads, np.zeros(cells, np.float32), numbers(cells)).findings


@cuda.jit
def halves(out, a):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    if t < 16:
        cuda.syncwarp(0x0000FFFF)
    else:
        cuda.syncwarp(0xFFFF0000)
    out[t] = s[t ^ 15]


@cuda.jit
def groups_of_eight_by_a_computed_mask(out, a):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    cuda.syncwarp(0xFF << (t // 8 * 8))
    out[t] = s[t ^ 7]


@cuda.jit
def one_after_another(out, a):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    if t == 0:
        s[0] = a[0]
    if t < 8:
        cuda.syncwarp(0xFF)
    if t >= 4 and t < 12:
        cuda.syncwarp(0xFF0)
    if t == 11:
        out[t] = s[0]


@cuda.jit
def sync_of(mask):
    cuda.syncwarp(mask)


@cuda.jit
def in_a_device_function(out, a):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    if t < 16:
        sync_of(0xFFFF)
        out[t] = s[15 - t]


@cuda.jit
def all_lanes_after_a_part(out, a):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    if t < 16:
        cuda.syncwarp(0xFFFF)
    cuda.syncwarp()
    out[t] = s[31 - t]


@cuda.jit
def the_lanes_there_are(out, a):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    cuda.syncwarp((1 << cuda.blockDim.x) - 1)
    out[t] = s[cuda.blockDim.x - 1 - t]


@pytest.mark.parametrize(
    "kernel",
    [halves, groups_of_eight_by_a_computed_mask, one_after_another, in_a_device_function, all_lanes_after_a_part],
)
def test_lanes_that_the_mask_names_are_ordered(kernel):
    assert findings(kernel) == []


def test_a_short_warp_is_whole_when_the_mask_names_all_its_lanes():
    assert findings(the_lanes_there_are, threads=20) == []


@cuda.jit
def across_the_halves(out, a):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]  # <- write
    if t < 16:
        cuda.syncwarp(0x0000FFFF)
    else:
        cuda.syncwarp(0xFFFF0000)
    out[t] = s[31 - t]  # <- read


@cuda.jit
def a_lane_outside(out, a):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]  # <- write
    if t < 16:
        cuda.syncwarp(0xFFFF)
        out[t] = s[31 - t]  # <- read


@cuda.jit
def by_a_device_function(out, a):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]  # <- write
    if t < 16:
        sync_of(0xFFFF)
        out[t] = s[31 - t]  # <- read


@cuda.jit
def the_wrong_way_round(out, a):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    if t == 0:
        s[0] = a[0]  # <- write
    if t >= 4 and t < 12:
        cuda.syncwarp(0xFF0)
    if t < 8:
        cuda.syncwarp(0xFF)
    if t == 11:
        out[t] = s[0]  # <- read


@cuda.jit
def a_shuffle_between(out, a):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]  # <- write
    cuda.syncwarp(1 << t)
    out[t] = cuda.shfl_sync(0xFFFFFFFF, a[t], 0)
    if cuda.all_sync(0xFFFFFFFF, t < 99):
        out[t] += s[31 - t]  # <- read


@pytest.mark.parametrize(
    "kernel", [across_the_halves, a_lane_outside, by_a_device_function, the_wrong_way_round, a_shuffle_between]
)
def test_lanes_outside_the_mask_are_not_ordered(kernel):
    run = gpulab.simulate(kernel, 1, 32, np.zeros(64, np.float32), numbers(64))
    assert lines(only(run, "race")) == {line(kernel, "write"), line(kernel, "read")}


@cuda.jit
def a_reader_between_those_that_met(out, a):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    cuda.syncwarp()
    out[t] = s[2]  # <- read
    if t % 2 == 0 or t == 31:
        cuda.syncwarp(0xD5555555)
    if t == 2:
        s[2] = 0.0  # <- write


def test_every_reader_counts_not_only_the_first_and_the_last():
    run = gpulab.simulate(a_reader_between_those_that_met, 1, 32, np.zeros(64, np.float32), numbers(64))
    race = only(run, "race")
    kernel = a_reader_between_those_that_met
    assert lines(race) == {line(kernel, "write"), line(kernel, "read")}
    assert race.other.thread[0] % 2 == 1


@cuda.jit
def one_lane_reads_again(out, a):
    s = cuda.shared.array(32, float32)
    t = cuda.threadIdx.x
    s[t] = a[t]
    cuda.syncwarp()
    out[t] = s[0]
    cuda.syncwarp()
    if t == 4:
        out[t] += s[0]  # <- read
    if t == 0:
        s[0] = -1.0  # <- write


def test_a_read_after_the_sync_counts_beside_all_those_before_it():
    run = gpulab.simulate(one_lane_reads_again, 1, 32, np.zeros(64, np.float32), numbers(64))
    assert lines(only(run, "race")) == {line(one_lane_reads_again, "write"), line(one_lane_reads_again, "read")}
