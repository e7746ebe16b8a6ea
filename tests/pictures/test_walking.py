"""The ways through a picture: time, source, warps, blocks, threads."""

from __future__ import annotations

import pytest

from gpulab.trace.walking import NotThere, Position, Walk, varying
from tests.pictures import launches


@pytest.fixture(scope="module")
def walk() -> Walk:
    """Four blocks of one warp with 25 steps: eight loads and stores, eight loads, a store."""
    return Walk(launches.banks().picture)


@pytest.fixture(scope="module")
def flat() -> Walk:
    """One block of four warps with three steps."""
    return Walk(launches.coalescing().picture)


def test_time_goes_step_by_step_and_stops_at_both_ends(walk: Walk) -> None:
    assert walk.along(Position(0, 3)) == Position(0, 4)
    assert walk.along(Position(0, 24)) == Position(0, 24)
    assert walk.along(Position(0, 0), -1) == Position(0, 0)


def test_the_next_line_is_the_next_that_did_something(walk: Walk) -> None:
    first = walk.step(Position(0, 2))
    down = walk.down(Position(0, 2))
    there, last = walk.step(down), walk.step(walk.down(down))
    assert first and there and last
    assert (first.line, there.line, last.line) == (11, 15, 16)
    assert walk.down(walk.down(down)) == walk.down(down)
    assert walk.step(walk.down(down, -1)) is not None and walk.down(down, -1).step == 0


def test_another_warp_is_entered_at_the_same_moment(flat: Walk) -> None:
    assert flat.next_warp(Position(0, 2)) == Position(1, 2)
    assert flat.next_warp(Position(3, 1)) == Position(0, 1)
    assert flat.next_warp(Position(0, 1), -1) == Position(3, 1)


def test_another_block_is_entered_at_its_first_warp(walk: Walk, flat: Walk) -> None:
    assert walk.next_block(Position(3, 7)) == Position(0, 7)
    assert flat.next_block(Position(2, 1)) == Position(0, 1)


def test_threads_go_round_and_the_first_is_chosen_first(flat: Walk) -> None:
    chosen = flat.next_thread(Position(1, 2))
    assert chosen == Position(1, 2, 0)
    assert flat.next_thread(chosen, -1) == Position(1, 2, 31)


def test_a_view_may_begin_at_the_first_step_it_can_show(walk: Walk) -> None:
    shared = walk.start(wanted=lambda step: walk.array(step).space == "shared")
    assert (shared, walk.start(2)) == (Position(0, 1), Position(2, 0))


@pytest.mark.parametrize(("block", "message"), [
    (4, "There is no block 4: the launch has 4, so choose 0 to 3."), (-1, "There is no block -1"),
])
def test_a_block_that_is_not_there_is_said_with_those_that_are(walk: Walk, block: int, message: str) -> None:
    with pytest.raises(NotThere, match=message):
        walk.start(block)


def test_variables_that_count_a_loop_are_told_from_those_that_stand_still(walk: Walk) -> None:
    steps = walk.warp(Position(1)).steps
    assert dict(varying(steps, steps[18])) == {"k": 2 - 1 + (18 - 17)}
