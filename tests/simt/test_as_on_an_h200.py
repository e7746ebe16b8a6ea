"""Operators, casts and intrinsics at the edges of their types give, bit for bit, what an H200 gave.

`gpu_answers` holds the questions, `h200.npz` the answers (numba-cuda 0.30.4, driver 580).
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import gpulab
from tests.simt.both_ways import different
from tests.simt.gpu_answers import EXPERIMENTS, read

GPU = read(str(Path(__file__).parent / "h200.npz"))

LAST_BIT = re.compile(
    r"^(exp|expm1|log|log2|log10|log1p|sin|cos|tan|asin|acos|atan|sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|gamma|lgamma"
    r"|atan2|hypot|pow|radians|degrees|cbrt)\(|\*\* float"
)
"""Functions whose last bits are the library's own: compared within a few units in the last place."""

OTHERWISE = {
    "-int16": "the compiler negates the least int16 in 32 bits",
    "atomic nanmax of float32: new": "which zero it is",
    "atomic nanmax of float64: new": "which zero it is",
    "atomic nanmin of float32: new": "which zero it is",
    "atomic nanmin of float64: new": "which zero it is",
    "atomic max of float32: new": "which zero it is",
    "atomic max of float64: new": "which zero it is",
    "atomic min of float32: new": "which zero it is",
    "atomic min of float64: new": "which zero it is",
}
"""Answers that may differ, and in what."""


def simulate(kernel, blocks, threads, *arrays):
    gpulab.simulate(kernel, blocks, threads, *arrays)


@pytest.mark.parametrize("name", EXPERIMENTS)
def test_the_simulator_answers_as_the_gpu(name):
    answers = EXPERIMENTS[name](simulate)
    assert answers.keys() == GPU[name].keys()
    wrong = {}
    for label, got in answers.items():
        expected = GPU[name][label]
        assert got.dtype == expected.dtype, label
        differs = different(expected, got)
        if got.dtype.kind == "f" and (LAST_BIT.search(label) or "zero" in OTHERWISE.get(label, "")):
            differs &= ~close(expected, got)
        if label == "-int16":
            differs[expected == 32768] = False
        if differs.any():
            at = tuple(np.argwhere(differs)[0])
            wrong[label] = f"{got[at]} for {expected[at]} at {at}, {int(differs.sum())} in all"
    assert not wrong


def close(expected: np.ndarray, got: np.ndarray) -> np.ndarray:
    """Within eight units in the last place, or nearer than a last bit of 2.0."""
    with np.errstate(all="ignore"):
        spacing = np.maximum(8 * np.spacing(np.abs(expected)), np.finfo(expected.dtype).eps * 2)
        result: np.ndarray = np.abs(expected - got) <= spacing
    return result
