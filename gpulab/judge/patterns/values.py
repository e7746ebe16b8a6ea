"""What the wrong elements hold: the right values elsewhere, one factor, one amount, one value."""

from __future__ import annotations

import numpy as np

from gpulab.judge.patterns.model import ENOUGH, Array, Pattern, Wrong


def _same(a: Array, b: Array) -> bool:
    return bool(a.size) and bool(np.allclose(a, b, rtol=1e-4, atol=1e-6))


def _varied(values: Array) -> bool:
    """Whether agreement is no chance: few or equal values agree easily."""
    return np.unique(values).size >= ENOUGH


def left_alone(found: Wrong) -> Pattern | None:
    """An output that should have been updated and was not."""
    if found.initial is None or not np.array_equal(found.got[found.wrong], found.initial[found.wrong]):
        return None
    return Pattern(f"{found.every} still holds what it held before the launch.", "Which thread should update it?")


def wrapped(found: Wrong) -> Pattern | None:
    """Whole numbers that lost their upper bits on the way: each is off by a multiple of 2^32 (or 2^16)."""
    if found.got.dtype.kind not in "iu":
        return None
    off = found.got[found.wrong].astype(np.int64) - found.expected[found.wrong].astype(np.int64)
    for bits in (32, 16):
        if found.got.dtype.itemsize * 8 > bits and not (off % (1 << bits)).any():
            return Pattern(f"{found.every} is off by a multiple of 2^{bits}.",
                           f"Which number on the way is only {bits} bits wide?")
    return None


def moved(found: Wrong) -> Pattern | None:
    """The right values in the wrong places: transposed, reversed, shifted."""
    if found.many < ENOUGH or not _varied(found.values):
        return None
    return _transposed(found) or _reversed(found) or _shifted(found)


def _transposed(found: Wrong) -> Pattern | None:
    if found.wrong.ndim != 2 or min(found.wrong.shape) < 2:
        return None
    name, got, expected = found.name, found.got, found.expected
    rows, columns = got.shape
    look = "Which of x and y runs along the columns?"
    if rows == columns and _same(got[found.wrong], expected.T[found.wrong]):
        return Pattern(f"{name} is transposed: {name}[i, j] holds what belongs in {name}[j, i].", look)
    if _same(got.ravel(), expected.T.ravel()):
        return Pattern(f"{name} is transposed: it holds the columns where its rows belong.", look)
    return None


def _reversed(found: Wrong) -> Pattern | None:
    if found.wrong.ndim == 1 and _same(found.got, found.expected[::-1]):
        return Pattern(f"{found.name} is back to front.", "Which element does the first thread write?")
    return None


def _shifted(found: Wrong) -> Pattern | None:
    letters = "ijk"[: found.wrong.ndim]
    for axis in range(found.wrong.ndim):
        for by in (1, -1, 2, -2, 3, -3):
            if not _holds_neighbour(found, axis, by):
                continue
            moved = f"{letters[axis]} {'-' if by > 0 else '+'} {abs(by)}"
            there = ", ".join(moved if place == axis else letter for place, letter in enumerate(letters))
            start = "" if found.many > found.wrong.size // 2 else "Where it is wrong, "
            return Pattern(f"{start}{found.name}[{', '.join(letters)}] holds what belongs in {found.name}[{there}].",
                           "Take one thread: which element does it read, and which does it write?")
    return None


def _holds_neighbour(found: Wrong, axis: int, by: int) -> bool:
    """Whether wrong elements hold what belongs `by` places earlier along `axis`, all of them that have such a place."""
    length = found.wrong.shape[axis]
    if length <= abs(by):
        return False
    here = [slice(None)] * found.wrong.ndim
    there = list(here)
    here[axis] = slice(max(by, 0), length + min(by, 0))
    there[axis] = slice(max(-by, 0), length - max(by, 0))
    wrong = found.wrong[tuple(here)]
    if np.count_nonzero(wrong) < found.many / 2 or not _varied(found.got[tuple(here)][wrong]):
        return False
    return _same(found.got[tuple(here)][wrong], found.expected[tuple(there)][wrong])


def copied(found: Wrong) -> Pattern | None:
    """An input, unchanged, or once too often or too seldom."""
    if found.many < ENOUGH or not _varied(found.values):
        return None
    at = ", ".join("ijk"[: found.wrong.ndim])
    for name, array in found.inputs.items():
        if array.shape != found.wrong.shape:
            continue
        own = np.asarray(array[found.wrong], np.float64)
        if _same(found.values, own):
            return Pattern(f"{found.every} is a plain copy of {name}[{at}].",
                           "What should happen to the value on its way?")
        for sign, words in ((1, "too large"), (-1, "too small")):
            if np.ptp(own) and _same(found.values, found.exact + sign * own):
                return Pattern(f"{found.every} is {words} by {name}[{at}].", f"How often does {name}[{at}] count?")
    return None


def scaled(found: Wrong) -> Pattern | None:
    """Off by one factor or by one amount."""
    if found.many < ENOUGH or not np.isfinite(found.values).all():
        return None
    return _factor(found) or _offset(found) or _offset_by_block(found)


def _factor(found: Wrong) -> Pattern | None:
    if (found.exact == 0).any() or np.ptp(found.exact) == 0:
        return None
    ratios = found.values / found.exact
    ratio = float(np.median(ratios))
    if ratio == 0 or not _same(ratios, np.full_like(ratios, ratio)):
        return None
    look = "What is counted too often, or left out?"
    if abs(ratio + 1) < 1e-4:
        return Pattern(f"{found.every} has the wrong sign.", "Which operand comes first?")
    if abs(ratio - 0.5) < 1e-4:
        return Pattern(f"{found.every} is half of what it should be.", look)
    return Pattern(f"{found.every} is {ratio:.4g} times what it should be.", look)


def _offset(found: Wrong) -> Pattern | None:
    by = found.values - found.exact
    if np.ptp(found.exact) == 0 or not _same(by, np.full_like(by, by[0])):
        return None
    way = "large" if by[0] > 0 else "small"
    return Pattern(f"{found.every} is too {way} by {abs(float(by[0])):.4g}.",
                   "What is added once too often, or left out?")


def _offset_by_block(found: Wrong) -> Pattern | None:
    """One amount in each block: what a block should have got from those before it."""
    if found.wrong.ndim != 1 or not found.row or found.wrong.size <= found.row or found.row < ENOUGH:
        return None
    by = np.asarray(found.got, np.float64) - np.asarray(found.expected, np.float64)
    starts = range(0, by.size, found.row)
    for start in starts:
        wrong = found.wrong[start:start + found.row]
        inside = by[start:start + found.row][wrong]
        if wrong.any() and not (wrong.all() and np.allclose(inside, inside[0], rtol=1e-3, atol=1e-4)):
            return None
    return Pattern("Within a block, every element is off by one and the same amount.",
                   "What does a block need to know of the blocks before it?")


def alike(found: Wrong) -> Pattern | None:
    """One value in all of them."""
    look = "Follow one of these elements: which store should fill it?"
    if np.isnan(found.values).all():
        return Pattern(f"{found.every} is nan.", "Which value is not a number, and where does it come in?")
    if np.isinf(found.values).all():
        return Pattern(f"{found.every} is infinite.", "Which value is divided by 0, or grows beyond its type?")
    if found.many >= ENOUGH and np.ptp(found.values) == 0 and np.ptp(found.exact) > 0:
        return Pattern(f"{found.every} is {found.values[0] + 0.0:.4g}.", look)
    return None


def close(found: Wrong) -> Pattern | None:
    """Nearly right: an error of arithmetic, not of place."""
    size = float(np.max(np.abs(found.exact), initial=0.0))
    error = float(np.max(np.abs(found.values - found.exact), initial=0.0))
    if found.many < ENOUGH or found.got.dtype.kind != "f" or not size or not error < 0.01 * size:
        return None
    return Pattern(f"The wrong elements are close: off by at most {100 * error / size:.2g} %.",
                   "Is something rounded on the way, or one small term missing?")
