"""Code says the lines it is told to, in every version of Python, whatever the distance between them."""

from __future__ import annotations

import random
import traceback

import pytest

from gpulab.engines.simt.line_numbers import on_lines

TEXT = """def program(x):
    total = [k for k in range(3)]
    total = sum(total) if x else (
        5)
    if x > 1:
        total += x
    inner = lambda y: (
        y / 0)
    for _ in range(2):
        total += 1
    if x == 7: return 1 / 0
    if x == 8: return inner(1)
    return total
"""


def compiled(numbers: list[int]) -> dict[str, object]:
    names: dict[str, object] = {}
    exec(on_lines(compile(TEXT, "learner.py", "exec"), numbers), names)
    return names


def line_of_failure(program: object, x: int) -> tuple[str, int | None]:
    try:
        program(x)  # type: ignore[operator]
    except ZeroDivisionError as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        return frame.name, frame.lineno
    raise AssertionError("it should fail")


@pytest.mark.parametrize("seed", range(20))
def test_each_instruction_is_of_the_line_given_for_its_own(seed: int) -> None:
    count = TEXT.count("\n")
    spread = (1, 10, 200, 5000)[seed % 4]
    numbers = [random.Random(seed * 100 + k).randrange(1, spread * count) for k in range(count)]
    plain = compile(TEXT, "learner.py", "exec")
    code, other = plain.co_consts[0], on_lines(plain, numbers).co_consts[0]
    assert [(start, end, line and numbers[line - 1]) for start, end, line in code.co_lines()] == _split(
        list(other.co_lines()), list(code.co_lines()))
    program = compiled(numbers)["program"]
    assert program(2) == 7  # type: ignore[operator]
    assert line_of_failure(program, 7) == ("program", numbers[10])
    assert line_of_failure(program, 8) == ("<lambda>", numbers[7])


def _split(found: list[tuple[int, int, int | None]],
           like: list[tuple[int, int, int | None]]) -> list[tuple[int, int, int | None]]:
    """Neighbours of one line are one range in `found`: cut as in `like`."""
    return [(start, end, next(line for low, high, line in found if low <= start and end <= high))
            for start, end, _ in like]


def test_a_text_of_many_instructions_on_one_line() -> None:
    text = "x = [" + ", ".join(f"a + {k}" for k in range(400)) + "]\ny = 1 / 0\n"
    names: dict[str, object] = {"a": 1}
    with pytest.raises(ZeroDivisionError) as caught:
        exec(on_lines(compile(text, "learner.py", "exec"), [900, 3]), names)
    assert traceback.extract_tb(caught.value.__traceback__)[-1].lineno == 3
