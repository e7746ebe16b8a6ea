"""What a step costs, by hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from gpulab.trace.picture import WARP, PictureArray, PictureStep
from gpulab.trace.traffic import bank_use, padded, traffic

Cells = list[int | None]
lanes = st.lists(st.none() | st.integers(0, 4000), min_size=WARP, max_size=WARP)
sizes = st.sampled_from([1, 2, 4, 8, 16])


def step(cells: Cells) -> PictureStep:
    whole = (*cells, *([None] * (WARP - len(cells))))
    return PictureStep(1, "load", 0, 0, 0, whole, whole)


def array(size: int, space: str = "shared", shape: tuple[int, ...] = (4096,), first: int = 0) -> PictureArray:
    strides = (shape[1], 1) if len(shape) == 2 else (1,)
    return PictureArray("a", space, f"bytes{size}", size, shape, strides, first)


def test_one_element_for_all_is_one_sector_of_which_an_eighth_is_used() -> None:
    moves = traffic(step([5] * 32), array(4, "global"))
    assert (moves.asked, moves.different, moves.sectors, moves.best, moves.used) == (128, 4, (0,), 1, 12.5)


def test_a_row_that_begins_within_a_sector_takes_one_more() -> None:
    assert len(traffic(step(list(range(32))), array(4, "global", first=4)).sectors) == 5


def test_lanes_that_want_one_word_are_served_at_once() -> None:
    use = bank_use(step([7] * 32), array(4))
    assert (use.wavefronts, use.conflicts, use.per_bank[7]) == (1, 0, 32)


def test_a_column_of_32_words_a_row_is_served_lane_by_lane() -> None:
    use = bank_use(step([32 * lane for lane in range(32)]), array(4))
    assert (use.wavefronts, use.conflicts, use.waves[5]) == (32, 31, (5,))


def test_elements_of_eight_bytes_go_half_a_warp_at_a_time() -> None:
    use = bank_use(step(list(range(32))), array(8))
    assert (use.wavefronts, use.least, use.waves) == (2, 2, (tuple(range(16)), tuple(range(16, 32))))


def test_bytes_of_one_word_do_not_queue() -> None:
    assert bank_use(step(list(range(32))), array(1)).wavefronts == 1


def test_only_an_array_with_rows_can_be_padded() -> None:
    assert padded(step([0]), array(4)) is None
    wider = padded(step([8, 9]), array(4, shape=(32, 8)))
    assert wider is not None and wider[0].cells[:2] == (9, 10) and wider[1].shape == (32, 9)


@given(lanes, sizes)
def test_every_lane_is_served_in_exactly_one_wavefront(cells: Cells, size: int) -> None:
    use = bank_use(step(cells), array(size))
    served = [lane for wave in use.waves for lane in wave]
    assert sorted(served) == [lane for lane, cell in enumerate(cells) if cell is not None]


@given(lanes, sizes)
def test_no_wavefront_takes_two_words_of_one_bank(cells: Cells, size: int) -> None:
    use = bank_use(step(cells), array(size))
    wanted: dict[int, set[int]] = {}
    for word, who in use.words.items():
        for lane in who:
            wanted.setdefault(lane, set()).add(word)
    for wave in use.waves:
        words = {word for lane in wave for word in wanted[lane]}
        if size <= 4:
            assert len({word % 32 for word in words}) == len(words)


@given(lanes, sizes, st.integers(0, 31))
def test_sectors_are_at_least_the_best_and_cover_what_is_asked(cells: Cells, size: int, first: int) -> None:
    moves = traffic(step(cells), array(size, "global", first=first // size * size))
    assert len(moves.sectors) >= moves.best
    assert moves.different <= moves.moved and moves.different <= moves.asked
