"""What counts as arithmetic, expression by expression, and how often lines run."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numba import cuda, float32, int32

import gpulab
from tests.simt.marks import line

NAMES = {"cuda": cuda, "math": math, "float32": float32, "int32": int32, "np": np}
KERNEL = """
@cuda.jit
def kernel(out, x, y, d, n):
    t = cuda.threadIdx.x
    a, b, c, i = x[t], y[t], d[t], n[t]
    {statement}
"""


def counted(statement: str, lanes: int = 5) -> tuple[float, float, float]:
    """Flops in float32 and float64 and integer operations of a statement, for each lane."""
    names = dict(NAMES)
    exec(KERNEL.format(statement=statement), names)
    x, y, d, n = (np.full(lanes, 2, dtype) for dtype in (np.float32, np.float32, np.float64, np.int32))
    totals = gpulab.simulate(names["kernel"], 1, lanes, np.zeros(lanes), x, y, d, n).counters.totals
    return tuple(totals[name] / lanes for name in ("flops_float32", "flops_float64", "integer_ops"))  # type: ignore[return-value]


@pytest.mark.parametrize(("statement", "expected"), [
    ("out[t] = a", (0, 0, 0)),
    ("out[t] = a + b", (1, 0, 0)),
    ("out[t] = a * b - a / b", (3, 0, 0)),
    ("out[t] = a // b + a % b", (3, 0, 0)),
    ("out[t] = a ** b", (1, 0, 0)),
    ("out[t] = a * c", (0, 1, 0)),
    ("out[t] = a * 2.0", (0, 1, 0)),
    ("out[t] = cuda.fma(a, b, a)", (2, 0, 0)),
    ("out[t] = cuda.fma(c, c, c)", (0, 2, 0)),
    ("out[t] = math.sqrt(a) + math.exp(c)", (1, 2, 0)),
    ("out[t] = -a", (0, 0, 0)),
    ("out[t] = max(a, b)", (0, 0, 0)),
    ("out[t] = abs(a)", (0, 0, 0)),
    ("out[t] = math.floor(a)", (0, 0, 0)),
    ("out[t] = a if a > b else b", (0, 0, 0)),
    ("out[t] = float32(i)", (0, 0, 0)),
    ("out[t] = i * 3 + 1", (0, 0, 2)),
    ("out[t] = i // 2 + i % 2", (0, 0, 3)),
    ("out[t] = (i & 1) | (i ^ 3)", (0, 0, 3)),
    ("out[t] = (i << 2) >> 1", (0, 0, 2)),
    ("out[t] = -i + ~i", (0, 0, 3)),
    ("out[t] = cuda.popc(i) + cuda.clz(i)", (0, 0, 3)),
    ("out[t] = divmod(i, 2)[0]", (0, 0, 2)),
    ("out[t] = i / 2", (0, 1, 0)),
    ("out[t] = 2.0 * 3.0 + c", (0, 1, 0)),
    ("out[(t * 2) // 2] = a", (0, 0, 2)),
    ("out[t] = x[t + 1 - 1]", (0, 0, 2)),
    ("for k in range(3): out[t] += a", (0, 3, 0)),
    ("cuda.atomic.add(out, 0, c)", (0, 0, 0)),
    ("out[t] = (a + 1j * b).real", (0, 8, 0)),
])
def test_an_operation_counts_where_and_as_it_is_written(statement, expected):
    assert counted(statement) == expected


@cuda.jit
def loops(out, n):
    t = cuda.threadIdx.x
    s = 0
    for k in range(n[t]):  # <- for
        s += k  # <- body
    while s > 100:  # <- while
        s -= 50
    if s > 3:  # <- if
        s = 3  # <- then
    out[t] = s


def test_a_for_line_runs_once_a_round_and_once_at_the_end():
    n = np.array([0, 1, 2, 5])
    lines = gpulab.simulate(loops, 1, 4, np.zeros(4, np.int64), n).counters.lines
    head, body = lines[line(loops, "for")], lines[line(loops, "body")]
    assert (body["executions"], body["warp_executions"]) == (8, 5)
    assert (head["executions"], head["warp_executions"]) == (8 + 4, 6)
    assert body["active_lanes_percent"] == 100 * 8 / (5 * 32)
    assert lines[line(loops, "if")]["executions"] == 4 and lines[line(loops, "then")]["executions"] == 1
    assert lines[line(loops, "while")]["executions"] == 4


@cuda.jit(device=True)
def squared(x):
    return x * x  # <- square


@cuda.jit
def sums_squares(out, a):
    i = cuda.grid(1)
    out[i] = squared(a[i]) + squared(a[i])  # <- sum


def test_arithmetic_of_a_device_function_stands_on_its_own_line():
    lines = gpulab.simulate(sums_squares, 1, 8, np.zeros(8, np.float32), np.ones(8, np.float32)).counters.lines
    assert lines[line(squared, "square")]["flops_float32"] == 16
    assert lines[line(squared, "square")]["executions"] == 16
    assert lines[line(sums_squares, "sum")]["flops_float32"] == 8
