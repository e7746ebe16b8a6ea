"""The threads of a finding are found in the picture: at the steps that touch its element."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gpulab.trace.meeting import linear, sides
from gpulab.trace.model import Finding
from gpulab.trace.picture import WARP
from gpulab.views.finding import number_of
from tests.tui.drawings import drawing_of


@pytest.fixture(scope="module")
def race():
    return drawing_of("race")


def test_both_threads_of_a_race_are_at_its_cell(race):
    run = race.launches[0]
    finding = run.findings[0]
    found = sides(run.picture, finding)
    assert [side.thread for side in found] == [finding.thread, finding.other.thread]
    kinds = []
    for side in found:
        warp = run.picture.warps[side.position.warp]
        step = warp.steps[side.position.step]
        assert (step.line, warp.number) == (side.line, side.thread[0] // WARP)
        assert run.picture.arrays[step.array].index(step.cells[side.position.lane]) == finding.index
        kinds.append(step.kind)
    assert sorted(kinds) == ["load", "store"]


def test_a_lane_that_was_turned_away_is_found_at_the_step_that_asked():
    run = drawing_of("out_of_bounds").launches[0]
    (side,) = sides(run.picture, run.findings[0])
    step = run.picture.warps[side.position.warp].steps[side.position.step]
    assert (side.position.lane, run.findings[0].index) in step.outside


def test_a_barrier_that_some_miss_is_no_access(race):
    missed = Finding("barrier divergence", "Thread 40 does not come.", 14, (0, 0, 0), (40, 0, 0))
    assert sides(race.launches[0].picture, missed) == []


def test_a_thread_whose_block_is_left_out_is_not_found(race):
    run = race.launches[0]
    assert sides(run.picture, replace(run.findings[0], block=(7, 0, 0))) == []


def test_the_finding_that_a_report_speaks_of_comes_first(race):
    found = race.launches[0].findings
    told = race.report.diagnosis
    others = [replace(found[0], line=3), replace(found[0], kind="out of bounds"), found[0]]
    assert number_of(others, race.report) == 2
    assert number_of([replace(found[0], kind="raised")], race.report) is None
    assert told is not None and number_of([], race.report) is None


def test_threads_and_blocks_count_from_x_to_z():
    assert linear((3, 2, 1), (8, 4, 2)) == 3 + 8 * (2 + 4 * 1)
