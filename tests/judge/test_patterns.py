"""The sentence for each pattern of wrong elements, and that it is true."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpulab.judge.patterns import Wrong, find_pattern, over_cases, share
from gpulab.judge.wording import WIDTH

RNG = np.random.default_rng(3)
Spoil = Callable[[np.ndarray], object]


def found(expected: np.ndarray, got: np.ndarray, row: int | None = None, tile: tuple[int, int] | None = None,
          inputs: dict[str, np.ndarray] | None = None, word: str = "wrong",
          initial: np.ndarray | None = None) -> Wrong:
    return Wrong(~np.isclose(got, expected, rtol=1e-5), got, expected, "out", row, tile, inputs or {}, initial, word)


def sentence(*args: object, **options: object) -> str | None:
    pattern = find_pattern(found(*args, **options))  # type: ignore[arg-type]
    if pattern is not None:
        assert pattern.sentence.endswith(".") and len(pattern.sentence) <= WIDTH
        assert pattern.next[-1] in ".?" and len(pattern.next) <= WIDTH
    return pattern.sentence if pattern else None


def spoiled(n: int, spoil: Spoil) -> tuple[np.ndarray, np.ndarray]:
    """Expected values, and a copy in which the places that `spoil` marks hold unrelated numbers."""
    expected = RNG.standard_normal(n)
    places = np.zeros(n, bool)
    spoil(places)
    return expected, np.where(places, RNG.uniform(5, 9, n), expected)


def mark(*slices: slice | int) -> Spoil:
    def spoil(places: np.ndarray) -> None:
        for chosen in slices:
            places[chosen] = True
    return spoil


def each_block(first: int, row: int, *at: int, skip_last: bool = False) -> Spoil:
    def spoil(places: np.ndarray) -> None:
        for start in range(first * row, len(places) - row * skip_last, row):
            for offset in at:
                if start + offset < len(places):
                    places[start + offset] = True
    return spoil


@pytest.mark.parametrize(("n", "row", "spoil", "said"), [
    (129, 64, mark(slice(None)), "Every element is wrong."),
    (129, 64, each_block(1, 64, 0, 1), "The first two elements of every block are wrong, except in block 0."),
    (256, 64, each_block(0, 64, 0, 1), "The first two elements of every block are wrong."),
    (256, 64, each_block(0, 64, 63), "The last element of every block is wrong."),
    (256, 64, each_block(0, 64, 62, 63, skip_last=True),
     "The last two elements of every block are wrong, except in the last."),
    (200, 64, each_block(0, 64, 5), "Element 5 of every block is wrong."),
    (200, 64, each_block(0, 64, 5, 6, 7), "Elements 5 to 7 of every block are wrong."),
    (200, 64, each_block(0, 64, 0, 7, 9), "The same three elements of every block are wrong."),
    (128, 64, mark(slice(1, None, 2)), "Every other element is wrong, from out[1] on."),
    (129, None, mark(slice(0, None, 2)), "Every other element is wrong, from out[0] on."),
    (129, None, mark(slice(31, None, 32)), "Every 32nd element is wrong, from out[31] on."),
    (200, 64, mark(slice(64, None)), "Block 0 is fine, every later block is wrong."),
    (200, 64, mark(slice(192, None)), "Only the last block is wrong, the one that is not full."),
    (192, 64, mark(slice(128, None)), "Only the last block is wrong."),
    (200, 64, mark(slice(64, 128)), "Only block 1 is wrong."),
    (200, 64, mark(slice(0, 64)), "Only block 0 is wrong."),
    (200, 64, mark(slice(197, None)), "Only the last three elements are wrong."),
    (200, 64, mark(slice(0, 5)), "Only the first five elements are wrong."),
    (200, 64, mark(slice(100, 170)), "Only elements 100 to 169 are wrong."),
    (200, None, mark(slice(90, None)), "Everything from out[90] on is wrong."),
    (200, 64, mark(70, 81, 83, 150, 199), "Block 0 is fine, the faults are in later blocks."),
    (300, 64, mark(170, 181, 183, 250, 299), "The first two blocks are fine, the faults come later."),
    (200, 64, mark(3, 81, 83, 150, 199), None),
    (200, 64, mark(7), None),
])
def test_places_in_a_line(n: int, row: int | None, spoil: Spoil, said: str | None) -> None:
    assert sentence(*spoiled(n, spoil), row) == said


@pytest.mark.parametrize(("places", "said"), [
    (np.s_[-1, :], "Only the last row is wrong."),
    (np.s_[0, :], "Only the first row is wrong."),
    (np.s_[:, -1], "Only the last column is wrong."),
    (np.s_[:, 4], "Only column 4 is wrong."),
    (np.s_[16:, :], "All rows from row 16 on are wrong."),
    (np.s_[:, :3], "Only the first three columns are wrong."),
    (np.s_[:, 3:6], "Only columns 3 to 5 are wrong."),
    (np.s_[::2, :], "Every other row is wrong."),
    (np.s_[:, :], "Every element is wrong."),
])
def test_places_in_a_matrix(places: object, said: str) -> None:
    expected = RNG.standard_normal((21, 19))
    got = expected.copy()
    got[places] = RNG.uniform(5, 9, got[places].shape)
    assert sentence(expected, got, tile=(16, 16)) == said


@pytest.mark.parametrize(("where", "said"), [
    (lambda i, j: (i == 20) | (j == 18), "Only the last row and the last column are wrong."),
    (lambda i, j: (i >= 16) & (j % 3 == 0) | (j >= 16), "Only tiles at the edge are wrong, those that are not full."),
    (lambda i, j: (i >= 16) | (j >= 16), "Only tiles at the edge are wrong, those that are not full."),
    (lambda i, j: i == j, "Only the diagonal is wrong."),
    (lambda i, j: i != j, "All but the diagonal is wrong."),
    (lambda i, j: j > i, "Only elements above the diagonal are wrong."),
    (lambda i, j: j < i, "Only elements below the diagonal are wrong."),
])
def test_regions_of_a_matrix(where: Callable[..., np.ndarray], said: str) -> None:
    expected = RNG.standard_normal((21, 19))
    got = np.where(where(*np.indices((21, 19))), RNG.uniform(5, 9, (21, 19)), expected)
    assert sentence(expected, got, tile=(16, 16)) == said


def test_all_but_the_first_tile() -> None:
    expected = RNG.standard_normal((32, 48))
    got = RNG.uniform(5, 9, (32, 48))
    got[:16, :16] = expected[:16, :16]
    assert sentence(expected, got, tile=(16, 16)) == "Block (0, 0) is fine, every other block is wrong."


def test_transposed() -> None:
    square, wide = RNG.standard_normal((9, 9)), RNG.standard_normal((5, 7))
    assert sentence(square, square.T) == "out is transposed: out[i, j] holds what belongs in out[j, i]."
    assert sentence(wide, wide.T.reshape(5, 7)) == "out is transposed: it holds the columns where its rows belong."


def test_back_to_front() -> None:
    line = RNG.standard_normal(9)
    assert sentence(line, line[::-1]) == "out is back to front."


@pytest.mark.parametrize(("by", "said"), [
    (1, "out[i] holds what belongs in out[i - 1]."), (-1, "out[i] holds what belongs in out[i + 1]."),
    (3, "out[i] holds what belongs in out[i - 3]."),
])
def test_shifted(by: int, said: str) -> None:
    line = RNG.standard_normal(40)
    assert sentence(line, np.roll(line, by)) == said


def test_an_exclusive_scan_in_place_of_an_inclusive_one_is_a_shift() -> None:
    scan = np.cumsum(RNG.integers(1, 9, 50))
    assert sentence(scan, np.concatenate([[0], scan[:-1]])) == "out[i] holds what belongs in out[i - 1]."


def test_shifted_within_one_axis_and_in_a_part_only() -> None:
    matrix = RNG.standard_normal((8, 9))
    assert sentence(matrix, np.roll(matrix, 1, 1)) == "out[i, j] holds what belongs in out[i, j - 1]."
    line = RNG.standard_normal(100)
    got = line.copy()
    got[60:90] = line[59:89]
    assert sentence(line, got) == "Where it is wrong, out[i] holds what belongs in out[i - 1]."


@pytest.mark.parametrize(("change", "said"), [
    (lambda x: 2 * x, "Every element is 2 times what it should be."),
    (lambda x: x / 2, "Every element is half of what it should be."),
    (lambda x: -x, "Every element has the wrong sign."),
    (lambda x: x + 10, "Every element is too large by 10."),
    (lambda x: x - 0.25, "Every element is too small by 0.25."),
    (lambda x: 0 * x, "Every element is 0."),
    (lambda x: np.nan * x, "Every element is nan."),
    (lambda x: np.inf * x, "Every element is infinite."),
    (lambda x: x * (1 + 1e-3 * np.sin(x)), "The wrong elements are close: off by at most"),
])
def test_values(change: Callable[[np.ndarray], np.ndarray], said: str) -> None:
    line = RNG.standard_normal(40) + 0.01
    assert (sentence(line, change(line)) or "").startswith(said)
    scattered = line.copy()
    scattered[[3, 9, 20, 33]] = change(line)[[3, 9, 20, 33]]
    assert (sentence(line, scattered) or "").startswith(said.replace("Every element", "Every wrong element"))


def test_a_copy_of_an_input() -> None:
    a = RNG.standard_normal(40)
    assert sentence(a ** 2 + 1, a, inputs={"a": a}) == "Every element is a plain copy of a[i]."


def test_an_update_that_did_not_happen() -> None:
    before = RNG.standard_normal(40)
    expected, got = before + 1, before.copy()
    assert sentence(expected, got, initial=before) == "Every element still holds what it held before the launch."
    got[:30] = expected[:30]
    assert sentence(expected, got, initial=before) == "Every wrong element still holds what it held before the launch."


def test_an_input_that_counts_twice_or_not_at_all() -> None:
    a = RNG.standard_normal(40)
    assert sentence(a + 10, 2 * a + 10, inputs={"a": a}) == "Every element is too large by a[i]."
    assert sentence(3 * a + 1, 2 * a + 1, inputs={"a": a}) == "Every element is too small by a[i]."


def test_blocks_that_know_nothing_of_those_before_them() -> None:
    values = RNG.standard_normal(200)
    expected = np.cumsum(values)
    got = np.concatenate([np.cumsum(values[k:k + 64]) for k in range(0, 200, 64)])
    assert sentence(expected, got, 64) == "Within a block, every element is off by one and the same amount."


def test_unwritten_elements_have_places_only() -> None:
    expected = RNG.standard_normal(129)
    got = expected.copy()
    got[[64, 65, 128]] = np.nan
    assert sentence(expected, got, 64, word="unwritten") == (
        "The first two elements of every block are unwritten, except in block 0.")
    assert sentence(expected, np.full(129, np.nan), 64, word="unwritten") == "Every element is unwritten."


def test_without_a_pattern_the_share_is_said() -> None:
    expected, got = spoiled(200, mark(3, 81, 83))
    assert share(found(expected, got)) == "3 of 200 elements are wrong."
    assert share(found(*spoiled(200, mark(7)))) == "It is the only wrong one of 200 elements."
    assert share(found(*spoiled(1, mark(0)))) == ""


@pytest.mark.parametrize(("n", "row", "at", "said", "vague"), [
    (5, None, 4, "Only the last element is wrong.", 0), (5, None, 0, "Only the first element is wrong.", 0),
    (2, None, 1, "Only the last element is wrong.", 1), (65, 64, 64, "Only the last element is wrong.", 1),
    (66, 64, 65, "Only the last element is wrong.", 0),
])
def test_one_wrong_element_at_an_end(n: int, row: int | None, at: int, said: str, vague: int) -> None:
    pattern = find_pattern(found(*spoiled(n, mark(at)), row))
    assert pattern is not None
    assert (pattern.sentence, pattern.vague) == (said, vague)


@given(st.integers(2, 200), st.integers(2, 70), st.integers(0, 2**32 - 1))
@settings(max_examples=150, deadline=None)
def test_what_is_said_of_every_block_is_true(n: int, row: int, seed: int) -> None:
    """Whatever the sentence says about places is checked against the places."""
    rng = np.random.default_rng(seed)
    expected = rng.standard_normal(n)
    places = rng.random(n) < rng.choice([0.02, 0.5, 0.98])
    got = np.where(places, rng.uniform(5, 9, n), expected)
    said = sentence(expected, got, row)
    if not places.any() or said is None:
        return
    if said.startswith("Block 0 is fine"):
        assert not places[:row].any() and places[row:].any()
    if "every later block is wrong" in said:
        assert places[row:].all()
    if said.startswith("Only the last"):
        first = int(np.flatnonzero(places)[0])
        assert places[first:].all()
    if said.startswith("Every element"):
        assert places.all()
    if "except" not in said and "of every block" in said:
        assert all(places[k:k + row].any() for k in range(0, n - row + 1, row))


SIZES = (1, 2, 3, 63, 64, 65, 129, 1000)


@pytest.mark.parametrize(("right", "said"), [
    (lambda n: n <= 64, "Right in all cases up to n = 64, wrong in all with a larger n."),
    (lambda n: n % 64 == 0 or n == 128, None),  # one right case proves no multiple
    (lambda n: n != 65, None),
    (lambda n: n < 1000, None),  # one wrong case proves no limit
    (lambda n: False, None),
])
def test_what_parts_right_cases_from_wrong_ones(right: Callable[[int], bool], said: str | None) -> None:
    pattern = over_cases([({"n": n}, right(n)) for n in SIZES], [64, 1])
    assert (pattern.sentence if pattern else None) == said


def test_multiples_of_a_block_are_told_apart() -> None:
    pattern = over_cases([({"n": n}, n % 64 == 0) for n in (*SIZES, 128, 192)], [64, 1])
    assert pattern is not None and len(pattern.sentence) <= WIDTH
    assert pattern.sentence == "Right where n is a multiple of 64, wrong in all other cases."


def test_two_sizes_that_both_would_do_say_nothing() -> None:
    assert over_cases([({"m": n, "n": n + 1}, n <= 64) for n in SIZES], [64]) is None
    pattern = over_cases([({"m": 1000 - n, "n": n}, n <= 64) for n in SIZES], [64])
    assert pattern is not None and "n = 64" in pattern.sentence


@pytest.mark.parametrize(("dtype", "width", "said"), [
    (np.int64, np.int32, "Every wrong element is off by a multiple of 2^32."),
    (np.int64, np.uint32, "Every wrong element is off by a multiple of 2^32."),
    (np.int32, np.int16, "Every wrong element is off by a multiple of 2^16."),
])
def test_whole_numbers_that_ran_over_are_told_by_their_width(dtype: type, width: type, said: str) -> None:
    large = (70_000, 33_000) if width is np.int16 else (2**40 + 9, 3 * 2**33)
    expected = np.array([5, 3, large[0], 8, large[1]])
    assert sentence(expected.astype(dtype), expected.astype(width).astype(dtype)) == said


def test_numbers_that_are_off_by_anything_else_did_not_run_over() -> None:
    expected = np.arange(2**40, 2**40 + 9)
    assert "2^" not in (sentence(expected, np.where(expected % 3 == 0, expected - 2**16 + 1, expected)) or "")
    assert "2^" not in (sentence(expected.astype(float), expected.astype(float) - 2**32) or "")
