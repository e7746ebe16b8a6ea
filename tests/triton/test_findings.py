"""Faults are found whatever the numbers are, and named by program, element and line."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
import pytest

from gpulab.engines.triton.launching import launch
from gpulab.trace import Finding
from gpulab.trace.coordinates import NO_THREAD
from tests.triton import kernels


def line_of(kernel: Any, text: str) -> int:
    """The line of the kernel's file on which it has this text."""
    lines, start = inspect.getsourcelines(kernel.fn)
    return start + next(number for number, line in enumerate(lines) if text in line)


def floats(*shape: int) -> np.ndarray:
    return np.arange(np.prod(shape), dtype=np.float32).reshape(shape) + 1


def only(kernel: Any, grid: tuple[int, ...], **arguments: Any) -> Finding:
    run = launch(kernel, grid, arguments)
    assert len(run.findings) == 1, run.findings
    return run.findings[0]


def test_a_load_beyond_the_end_is_named_with_its_lanes_though_all_tensors_are_as_long() -> None:
    run = launch(kernels.add, (2,), {"out": floats(100), "x": floats(100), "y": floats(100), "n": 128, "BLOCK": 64})
    found = run.findings[0]
    assert (found.kind, found.array, found.index, found.access) == ("out of bounds", "x", (100,), "reads")
    assert (found.block, found.thread, found.count, found.masked) == ((1, 0, 0), NO_THREAD, 28, True)
    assert found.line == line_of(kernels.add, "tl.store")
    assert found.message == "Program 1 reads x[100], but x has 100 elements."
    assert {one.array for one in run.findings} == {"x", "y", "out"}


def test_a_negative_index_is_out_of_bounds() -> None:
    found = only(kernels.negative, (1,), out=floats(8), x=floats(8), n=8, BLOCK=8)
    assert (found.kind, found.index, found.count) == ("out of bounds", (-1,), 1)
    assert "in front of x" in found.message


def test_what_lies_between_the_elements_of_a_view_is_out_of_bounds() -> None:
    found = only(kernels.columns_of, (4,), out=floats(4), x=floats(6, 8)[:, :3], rows=6, width=8, ROWS=8)
    assert (found.kind, found.array, found.block) == ("out of bounds", "x", (3, 0, 0))


def test_memory_beyond_a_tensor_is_left_alone() -> None:
    whole = np.zeros(64, np.float32)
    out = whole[:10]
    launch(kernels.same_value, (1,), {"out": out, "BLOCK": 16})
    assert (whole[:10] == 7).all() and (whole[10:] == 0).all()


def test_two_programs_that_store_different_values_in_one_place_race() -> None:
    found = only(kernels.one_place, (3,), out=floats(16), x=floats(48), BLOCK=16)
    assert (found.kind, found.access, found.other_access) == ("race", "writes", "writes")
    assert found.other is not None and found.other.block != found.block
    assert found.line == found.other.line == line_of(kernels.one_place, "tl.store")


def test_two_programs_that_store_the_same_value_do_not() -> None:
    assert not launch(kernels.same_value, (4,), {"out": floats(16), "BLOCK": 16}).findings


def test_a_lost_update_is_a_race_between_its_two_lines() -> None:
    found = launch(kernels.lost_update, (3,), {"out": np.zeros(1, np.float32), "x": floats(48), "BLOCK": 16}).findings
    assert {one.kind for one in found} == {"race"} and found[0].other is not None
    assert (found[0].line, found[0].other.line) == (line_of(kernels.lost_update, "tl.store"),
                                                    line_of(kernels.lost_update, "before = "))


def test_a_lost_update_of_one_program_alone_is_none() -> None:
    run = launch(kernels.lost_update, (1,), {"out": np.zeros(1, np.float32), "x": floats(16), "BLOCK": 16})
    assert not run.findings


def test_two_lanes_of_one_store_race_too() -> None:
    found = only(kernels.scattered, (1,), out=floats(8), x=floats(16), BLOCK=16)
    assert (found.kind, found.count) == ("race", 8)
    assert found.message.startswith("Two lanes of program 0 write out[0]")


@pytest.mark.parametrize("waits", [True, False])
def test_what_others_left_may_be_added_up_by_the_last_one_if_they_waited_before_they_said_so(waits: bool) -> None:
    x, out = floats(64), np.zeros(1, np.float32)
    arguments = {"out": out, "parts": floats(4), "tickets": np.zeros(1, np.int32), "x": x, "BLOCK": 16, "COUNT": 4,
                 "WAITS": waits}
    found = launch(kernels.last_one_adds_up, (4,), arguments).findings
    assert out[0] == x.sum()
    assert {(one.kind, one.array) for one in found} == (set() if waits else {("race", "parts")})


def test_a_lock_keeps_programs_apart() -> None:
    x, out = floats(64), np.zeros(16, np.float32)
    run = launch(kernels.one_at_a_time, (4,), {"out": out, "lock": np.zeros(1, np.int32), "x": x, "BLOCK": 16})
    assert not run.findings and np.array_equal(out, x.reshape(4, 16).sum(0))


@pytest.mark.parametrize("waits", [True, False])
def test_a_reload_by_another_lane_without_a_barrier_is_a_note(waits: bool) -> None:
    run = launch(kernels.turned_around, (1,), {"out": floats(16), "x": floats(16), "BLOCK": 16, "WAITS": waits})
    assert not run.findings
    assert [(note.kind, note.line) for note in run.notes] == ([] if waits else [
        ("order", line_of(kernels.turned_around, "turned = "))])


def test_a_lane_without_other_that_counts_is_told_with_the_load_and_the_store() -> None:
    found = only(kernels.softmax_without_other, (2,), out=floats(2, 5), x=floats(2, 5), n=5, BLOCK=8)
    assert found.kind == "uninitialised read" and found.other is not None
    assert found.line == line_of(kernels.softmax_without_other, "tl.load")
    assert found.other.line == line_of(kernels.softmax_without_other, "tl.store")
    assert "out[0, 0]" in found.message


@pytest.mark.parametrize("sign", [1, -1])
def test_a_maximum_that_hides_zero_or_nan_is_found_by_another_fill(sign: int) -> None:
    found = only(kernels.maximum_without_other, (1,), out=floats(1), x=sign * floats(5), n=5, BLOCK=8)
    assert found.kind == "uninitialised read"


def test_lanes_that_are_chosen_away_or_not_stored_are_no_fault() -> None:
    assert not launch(kernels.sum_of_chosen, (1,), {"out": floats(1), "x": floats(5), "n": 5, "BLOCK": 8}).findings
    arguments = {"out": floats(5), "x": floats(5), "y": floats(5), "n": 5, "BLOCK": 8}
    assert not launch(kernels.add, (1,), arguments).findings


def test_the_runs_that_look_behind_masks_leave_no_trace() -> None:
    out = np.zeros((2, 5), np.float32)
    launch(kernels.softmax_without_other, (2,), {"out": out, "x": floats(2, 5), "n": 5, "BLOCK": 8})
    row = np.exp(np.append(floats(5), [0, 0, 0]) - 5)  # as a GPU has it: 0 in those lanes
    assert np.allclose(out[0], row[:5] / row.sum(), atol=1e-6)


def test_a_fault_in_a_helper_is_on_the_helpers_line() -> None:
    found = only(kernels.of_a_helper, (1,), out=floats(8), x=floats(5), n=8, BLOCK=8)
    assert found.line == line_of(kernels._loaded, "return tl.load")


def test_a_loop_that_never_ends_is_stopped_and_its_line_told() -> None:
    run = launch(kernels.for_ever, (1,), {"out": np.zeros(1, np.int32), "n": 3}, time_limit=0.2)
    assert [found.kind for found in run.findings] == ["timed out"]
    assert run.findings[0].line == line_of(kernels.for_ever, "while")


def test_another_order_of_programs_gives_another_winner() -> None:
    results = set()
    for order in range(8):
        out = np.zeros(16, np.float32)
        launch(kernels.one_place, (3,), {"out": out, "x": floats(48), "BLOCK": 16}, order=order, findings=False)
        results.add(float(out[0]))
    assert len(results) > 1


def test_who_stored_an_element_is_told_when_asked_for() -> None:
    out = np.zeros(48, np.float32)
    run = launch(kernels.add, (3,), {"out": out, "x": floats(48), "y": floats(48), "n": 48, "BLOCK": 16},
                 values=[("out", (20,))])
    assert run.values is not None
    write = run.values.writer("out", (20,))
    assert write is not None and write.block == (1, 0, 0) and write.value == 42.0
