"""What an access is called: found in the learner's source for each step."""

from __future__ import annotations

import textwrap

import pytest

from gpulab.trace.picture import PictureArray, PictureStep
from gpulab.views.subscripts import operator_on, sent_home, subscript_of

TILE = PictureArray("tile", "shared", "float32", 4, (32, 8), (8, 1))
OUT = PictureArray("out", "global", "float32", 4, (64,), (1,))


def step(line: int, kind: str, array: int, cells: list[int], variables: dict[str, int] | None = None) -> PictureStep:
    whole = (*cells, *([None] * (32 - len(cells))))
    return PictureStep(line, kind, array, 0, 0, whole, whole, tuple((variables or {}).items()))


def called(source: str, steps: list[PictureStep], place: int, array: PictureArray,
           values: dict[str, int] | None = None) -> str:
    found = subscript_of(textwrap.dedent(source).strip(), steps, place, array)
    assert found is not None
    return found.text(values or {})


def test_a_load_and_a_store_of_one_line_are_told_apart() -> None:
    source = "out[i] = out[i + 1]"
    steps = [step(1, "load", 1, [1, 2]), step(1, "store", 1, [0, 1])]
    assert called(source, steps, 0, OUT) == "out[i + 1]"
    assert called(source, steps, 1, OUT) == "out[i]"


def test_several_loads_of_one_array_come_in_the_order_python_evaluates_them() -> None:
    source = "s = out[t] + out[t + 1] * out[t + 2]"
    steps = [step(1, "load", 1, [first]) for first in (0, 1, 2)] * 2
    assert [called(source, steps, place, OUT) for place in range(6)] == ["out[t]", "out[t + 1]", "out[t + 2]"] * 2


def test_an_update_in_place_loads_its_target_first() -> None:
    source = "out[t] += out[t + s]"
    steps = [step(1, "load", 1, [0]), step(1, "load", 1, [4]), step(1, "store", 1, [0])]
    assert [called(source, steps, place, OUT, {"s": 4}) for place in range(3)] == ["out[t]", "out[t + 4]", "out[t]"]
    assert operator_on(source, 1) == "add"


def test_constants_and_agreed_variables_tell_which_of_two_ran() -> None:
    source = "v = tile[t, 0] if flag else tile[t, 3]"
    assert called(source, [step(1, "load", 0, [3, 11])], 0, TILE) == "tile[t, 3]"
    source = "v = tile[t, k] if flag else tile[k, t]"
    assert called(source, [step(1, "load", 0, [8, 9], {"k": 1})], 0, TILE) == "tile[k, t]"


def test_loop_variables_are_replaced_by_their_values() -> None:
    assert called("s += tile[t, k]", [step(1, "load", 0, [2, 10], {"k": 2})], 0, TILE, {"k": 2}) == "tile[t, 2]"


def test_an_array_under_another_name_is_found_where_it_is_the_only_one() -> None:
    assert called("s += row[k]", [step(1, "load", 0, [2])], 0, TILE) == "row[k]"


def test_an_atomic_is_told_with_its_index_and_the_loads_within_come_first() -> None:
    source = "cuda.atomic.add(out, tile[t, 1], 1)"
    steps = [step(1, "load", 0, [1]), step(1, "atomic", 1, [5])]
    assert called(source, steps, 0, TILE) == "tile[t, 1]"
    assert called(source, steps, 1, OUT) == "out[tile[t, 1]]"


@pytest.mark.parametrize("source", ["out[i] = (", "", "out.fill(1)"])
def test_where_the_source_does_not_tell_there_is_no_name(source: str) -> None:
    assert subscript_of(source, [step(1, "store", 1, [0])], 0, OUT) is None


def test_the_nearest_if_says_who_was_sent_home() -> None:
    source = "if a:\n    if b:\n        out[i] = 1\n    out[j] = 2\nout[k] = 3\n"
    assert [sent_home(source, line) for line in (3, 4, 5)] == [2, 1, None]
