"""What a picture keeps: every access, by warp, in order, with values, intervals and variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numba import cuda, float32

import gpulab
from gpulab.engines.simt import picturing
from gpulab.trace.picture import Picture
from gpulab.trace.traffic import bank_use, traffic


@cuda.jit
def shift(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i + 1]


@cuda.jit
def columns(out, a):
    row = a[cuda.threadIdx.x]
    total = float32(0)
    for k in range(row.shape[0]):
        total += row[k]
    out[cuda.threadIdx.x] = total


@cuda.jit
def count(bins, a):
    cuda.atomic.add(bins, a[cuda.threadIdx.x], 1)


@cuda.jit
def turn(out, a):
    x, y = cuda.grid(2)
    tile = cuda.shared.array((8, 8), float32)
    tile[cuda.threadIdx.y, cuda.threadIdx.x] = a[y, x]
    cuda.syncthreads()
    out[x, y] = tile[cuda.threadIdx.y, cuda.threadIdx.x]


@cuda.jit
def wait(flag, out):
    if cuda.grid(1) == 0:
        while cuda.atomic.add(flag, 0, 0) == 0:
            pass
        out[0] = 1
    elif cuda.grid(1) == 32:
        cuda.atomic.add(flag, 0, 1)
    cuda.syncthreads()


def drawn(kernel: Any, blocks: Any, threads: Any, *arguments: Any) -> Picture:
    picture = gpulab.simulate(kernel, blocks, threads, *arguments, picture=True).picture
    assert picture is not None
    return picture


def plain(value: object) -> bool:
    """Whether nothing of NumPy is in it."""
    if isinstance(value, (list, tuple)):
        return all(map(plain, value))
    if hasattr(value, "__dataclass_fields__"):
        return all(plain(getattr(value, name)) for name in value.__dataclass_fields__)
    return type(value).__module__ == "builtins"


class TestSteps:
    def test_nothing_is_kept_unless_it_is_asked_for(self) -> None:
        assert gpulab.simulate(shift, 1, 4, np.zeros(4), np.zeros(5), 4).picture is None

    def test_a_picture_is_plain_data(self) -> None:
        assert plain(drawn(shift, 2, 48, np.zeros(90), np.zeros(91), 90))

    def test_a_step_has_the_cells_and_values_of_its_lanes_and_none_of_the_others(self) -> None:
        a = np.arange(7, dtype=np.float32)
        step = drawn(shift, 1, 32, np.zeros(6, np.float32), a, 6).warps[0].steps[0]
        assert (step.kind, step.lanes) == ("load", [0, 1, 2, 3, 4, 5])
        assert step.cells[:7] == (1, 2, 3, 4, 5, 6, None)
        assert step.values[:7] == (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, None)

    def test_a_last_warp_has_only_its_threads(self) -> None:
        picture = drawn(shift, 2, 40, np.zeros(80), np.zeros(81), 80)
        assert [(warp.block, warp.number, warp.threads) for warp in picture.warps] == [
            (0, 0, 32), (0, 1, 8), (1, 0, 32), (1, 1, 8)]

    def test_a_row_taken_of_an_array_is_told_as_the_array_and_its_index(self) -> None:
        picture = drawn(columns, 1, 4, np.zeros(4, np.float32), np.ones((4, 3), np.float32))
        loads = [step for step in picture.warps[0].steps if step.kind == "load"]
        assert [picture.arrays[step.array].name for step in loads] == ["a"] * 3
        assert picture.arrays[loads[2].array].index(loads[2].cells[3] or 0) == (3, 2)

    def test_the_variables_of_an_index_that_all_lanes_agree_on_are_told(self) -> None:
        picture = drawn(columns, 1, 4, np.zeros(4, np.float32), np.ones((4, 3), np.float32))
        loads = [step for step in picture.warps[0].steps if step.kind == "load"]
        assert [dict(step.variables).get("k") for step in loads] == [0, 1, 2]

    def test_an_atomic_is_neither_load_nor_store_and_tells_what_is_left(self) -> None:
        picture = drawn(count, 1, 4, np.zeros(2, np.int32), np.array([0, 1, 1, 1]))
        step = picture.warps[0].steps[-1]
        assert (step.kind, step.cells[:4], step.values[:4]) == ("atomic", (0, 1, 1, 1), (1, 3, 3, 3))

    def test_a_lane_that_leaves_the_array_is_told_in_the_step_of_the_others(self) -> None:
        step = drawn(shift, 1, 32, np.zeros(6), np.zeros(6), 6).warps[0].steps[0]
        assert step.outside == ((5, (6,)),)
        assert step.lanes == [0, 1, 2, 3, 4]

    def test_a_step_of_which_every_lane_leaves_the_array_is_there_too(self) -> None:
        steps = drawn(shift, 1, 2, np.zeros(2), np.zeros(0), 2).warps[0].steps
        assert [(step.kind, step.lanes, len(step.outside)) for step in steps] == [("load", [], 2), ("store", [0, 1], 0)]

    @pytest.mark.parametrize("lay", [
        lambda a: np.asfortranarray(a), lambda a: np.repeat(a, 2, axis=1)[:, ::2], lambda a: a[::-1],
        lambda a: np.pad(a, 3)[3:-3, 3:-3],
    ], ids=["Fortran order", "every other column", "rows reversed", "a window"])
    def test_indices_come_back_from_any_layout(self, lay: Callable[[Any], Any]) -> None:
        a = lay(np.arange(64, dtype=np.float32).reshape(8, 8))
        picture = drawn(turn, 1, (8, 8), np.zeros((8, 8), np.float32), a)
        for warp in picture.warps:
            for step in warp.steps:
                array = picture.arrays[step.array]
                for lane in step.lanes if array.name == "a" else []:
                    x, y, _ = picture.thread_at(warp, lane)
                    assert array.index(step.cells[lane] or 0) == (y, x)


class TestIntervals:
    def test_a_step_knows_how_many_barriers_its_block_had_passed(self) -> None:
        picture = drawn(turn, (2, 1), (8, 8), np.zeros((16, 16), np.float32), np.zeros((16, 16), np.float32))
        steps = [step for warp in picture.warps for step in warp.steps]
        assert {(step.kind, picture.arrays[step.array].space): step.interval for step in steps} == {
            ("load", "global"): 0, ("store", "shared"): 0, ("load", "shared"): 1, ("store", "global"): 1}
        assert [(barrier.block, barrier.threads) for barrier in picture.barriers] == [(0, 64), (1, 64)]

    def test_barriers_are_counted_too_where_warps_take_fair_turns(self) -> None:
        picture = drawn(wait, 1, 64, np.zeros(1, np.int32), np.zeros(1, np.int32))
        assert [(barrier.block, barrier.threads) for barrier in picture.barriers] == [(0, 64)]
        assert picture.warps[0].steps[-1].kind == "store"


class TestExtent:
    def test_of_a_large_launch_the_first_blocks_are_whole(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(picturing, "MOST_DRAWN", 300)
        picture = drawn(shift, 10, 64, np.zeros(640), np.zeros(641), 640)
        assert (len(picture.warps), picture.left_out) == (4, 8)
        assert all(len(warp.steps) == 2 for warp in picture.warps)

    def test_one_block_is_drawn_however_large_it_is(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(picturing, "MOST_DRAWN", 10)
        assert drawn(shift, 2, 64, np.zeros(128), np.zeros(129), 128).left_out == 1


class TestTraffic:
    """Two accounts of one launch, step by step here and vectorised over warps in the engine, agree."""

    @pytest.mark.parametrize("stride", [1, 2, 3, 8, 33])
    @pytest.mark.parametrize("kind", ["u1", "i2", "f4", "f8", "c16"])
    def test_the_picture_and_the_counters_agree(self, stride: int, kind: str) -> None:
        size = 96 * stride
        a = np.ones(size + 1, kind)[1:] if kind == "f4" else np.ones(size, kind)
        out = np.ones(size, kind)
        run = gpulab.simulate(COPIES[kind], 3, 32, out, a, stride, picture=True)
        assert run.picture is not None and not run.findings
        totals = counted(run.picture)
        for name, figure in totals.items():
            assert run.counters.totals[name] == figure, name


def counted(picture: Picture) -> dict[str, int]:
    """The counters of a picture, from its steps alone."""
    totals: dict[str, int] = {}

    def add(name: str, figure: int) -> None:
        totals[name] = totals.get(name, 0) + figure

    for warp in picture.warps:
        for step in warp.steps:
            array = picture.arrays[step.array]
            if step.kind == "atomic" or array.space not in ("global", "shared"):
                continue
            name = f"{array.space}_{step.kind}"
            add(f"{name}_requests", bool(step.lanes))
            add(f"{name}s", len(step.lanes))
            if array.space == "global":
                moves = traffic(step, array)
                add(f"{name}_sectors", len(moves.sectors))
                add(f"{name}_sectors_ideal", moves.best)
                add(f"{name}_bytes_asked", moves.asked)
            else:
                use = bank_use(step, array)
                add(f"{name}_wavefronts", use.wavefronts)
                add(f"{name}_bank_conflicts", use.conflicts)
    return totals


def copy_of(kind: str) -> Any:
    """A kernel that takes elements of this type through shared memory."""
    from numba.cuda.np.numpy_support import from_dtype

    element = from_dtype(np.dtype(kind))

    @cuda.jit
    def copy(out, a, stride):
        tile = cuda.shared.array(1056, element)
        t = cuda.threadIdx.x
        i = cuda.grid(1)
        tile[t * stride] = a[i * stride]
        cuda.syncthreads()
        out[i * stride] = tile[t // 2 * stride]

    return copy


COPIES = {kind: copy_of(kind) for kind in ("u1", "i2", "f4", "f8", "c16")}
