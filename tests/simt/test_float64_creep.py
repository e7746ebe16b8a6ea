"""float64 that slips into a float32 kernel is pointed out, with the literal that did it and its line."""

from __future__ import annotations

import numpy as np
import pytest
from numba import cuda, float32, float64

import gpulab
from tests.simt.marks import line


def notes(kernel, dtype=np.float32, n=8):
    """The float64 notes of a run, and its flops."""
    run = gpulab.simulate(kernel, 1, n, np.zeros(n, dtype), np.ones(n, dtype))
    assert run.findings == []
    return [(note.line, note.message) for note in run.notes if note.kind == "float64"], run.counters.totals


@cuda.jit
def scaled(out, a):
    i = cuda.grid(1)
    out[i] = a[i] * 0.5  # <- half


@cuda.jit
def scaled_rightly(out, a):
    i = cuda.grid(1)
    out[i] = a[i] * float32(0.5)


def test_a_literal_that_widens_a_product_is_named_with_its_cure():
    found, totals = notes(scaled)
    assert found == [(line(scaled, "half"), "The literal 0.5 is a float64 and makes this line compute in float64. "
                                            "Write float32(0.5) to stay in float32.")]
    assert (totals["flops_float32"], totals["flops_float64"]) == (0, 8)


def test_with_the_cure_there_is_no_note_and_no_float64():
    found, totals = notes(scaled_rightly)
    assert found == []
    assert (totals["flops_float32"], totals["flops_float64"]) == (8, 0)


def test_where_the_arrays_are_float64_it_is_meant():
    assert notes(scaled, np.float64)[0] == []


@cuda.jit
def accumulated(out, a):
    i = cuda.grid(1)
    s = 0.0  # <- zero
    for k in range(4):
        s += a[i] * a[k]  # <- sum
    out[i] = s


def test_an_accumulator_that_begins_as_a_float64_is_named_where_it_begins():
    found, totals = notes(accumulated)
    there, here = line(accumulated, "zero"), line(accumulated, "sum")
    assert found == [(there, f"The literal 0.0 is a float64 and makes line {here} compute in float64. "
                             "Write float32(0.0) to stay in float32.")]
    assert (totals["flops_float32"], totals["flops_float64"]) == (32, 32)


@cuda.jit
def only_stored(out, a):
    out[cuda.grid(1)] = 0.0


@cuda.jit
def compared(out, a):
    i = cuda.grid(1)
    if a[i] > 0.5:  # <- test
        out[i] = 1


@cuda.jit
def at_least_zero(out, a):
    i = cuda.grid(1)
    out[i] = max(a[i], 0.0)  # <- max


@cuda.jit
def chosen(out, a):
    i = cuda.grid(1)
    out[i] = a[i - 2] if i >= 2 else 0.0  # <- choice


@cuda.jit
def added_up(out, a):
    cuda.atomic.add(out, 0, a[cuda.grid(1)] * 2.0)  # <- atomic


@cuda.jit
def with_an_index(out, a):
    i = cuda.grid(1)
    out[i] = a[i] * i  # <- index


@cuda.jit
def of_integers(out, a):
    i = cuda.grid(1)
    out[i] = i / 3  # <- quotient


@cuda.jit
def meant(out, a):
    i = cuda.grid(1)
    out[i] = float32(float64(a[i]) * float64(a[i]))


@pytest.mark.parametrize(("kernel", "mark", "begins"), [
    (compared, "test", "The literal 0.5 is a float64 and makes this line compute in float64."),
    (at_least_zero, "max", "The literal 0.0 is a float64 and makes this line convert to float64."),
    (chosen, "choice", "The literal 0.0 is a float64 and makes this line convert to float64."),
    (added_up, "atomic", "The literal 2.0 is a float64 and makes this line compute in float64."),
    (with_an_index, "index", "An integer and a float32 make a float64. Write float32(...) around the integer."),
    (of_integers, "quotient", "`/` of two integers gives a float64"),
])
def test_other_ways_in_are_named_too(kernel, mark, begins):
    ((at, message),) = notes(kernel)[0]
    assert at == line(kernel, mark) and message.startswith(begins)


@pytest.mark.parametrize("kernel", [only_stored, meant])
def test_a_stored_constant_and_float64_on_purpose_are_not_noted(kernel):
    assert notes(kernel)[0] == []
