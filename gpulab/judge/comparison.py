"""Got against expected."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from gpulab.catalog.spec import Case, NumbaPuzzle, Tolerance

Array = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]

BY_TYPE: Mapping[str, Tolerance] = {
    "float16": Tolerance(2e-3, 1e-3),
    "float32": Tolerance(),
    "float64": Tolerance(1e-12, 1e-13),
}
"""Used where the puzzle sets none: some tens of units in the last place, a handful for float16."""


def tolerance_for(puzzle: NumbaPuzzle, case: Case, dtype: np.dtype[Any]) -> Tolerance:
    """The puzzle's tolerance for this case, or the one of the output's type."""
    if callable(puzzle.tolerance):
        return puzzle.tolerance(case.args)
    if puzzle.tolerance == Tolerance():
        return BY_TYPE.get(dtype.name, Tolerance())
    return puzzle.tolerance


def wrong_elements(got: Array, expected: Array, tolerance: Tolerance) -> Mask:
    """Where `got` is not what was expected. A NaN is always wrong; integers and booleans must be equal."""
    if got.dtype.kind in "iub":
        return np.asarray(got != expected)
    with np.errstate(all="ignore"):
        wide = np.complex128 if got.dtype.kind == "c" else np.float64
        exact = np.asarray(expected, wide)
        values = got.astype(wide)
        near = np.abs(values - exact) <= tolerance.absolute + tolerance.relative * np.abs(exact)
        return np.asarray(~(near & np.isfinite(exact) | (values == exact)))  # the distance to infinity says nothing


def differ(one: Array, other: Array, tolerance: Tolerance) -> Mask:
    """Where two runs disagree by more than the order of additions explains; two NaNs agree."""
    if one.dtype.kind in "iub":
        return np.asarray(one != other)
    return wrong_elements(one, other, tolerance) & ~(np.isnan(one) & np.isnan(other))
