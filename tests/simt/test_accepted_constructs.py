"""Python that Numba takes in a kernel: each gives what plain Python gives, thread by thread."""

from __future__ import annotations

import cmath
import textwrap
from collections import namedtuple
from typing import Any

import numpy as np
import pytest
from numba import cuda, float32, int32

import gpulab
from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
from tests.simt.marks import line

Point = namedtuple("Point", "x y")
THREADS = 8

BODIES = {
    "a loop over a tuple": "for d in (i, i + 16): r += d",
    "a loop over a tuple of loads": "for d in (a[i], a[i + 1]): r += d",
    "a loop over a tuple of tuples": "for p, q in ((1, 2), (i, 4)): r += p * q",
    "zip of tuples": "for p, q in zip((1, 2), (i, 4)): r += p * q",
    "zip of an array and a range": "for p, q in zip(a, range(i)): r += p * q",
    "zip of a shorter one first": "for p, q in zip(range(2), a): r += p * q",
    "zip of three": "for p, q, s in zip(a, range(9), (i, 2)): r += p * q + s",
    "zip of nothing": "for p in zip(): r += 1",
    "enumerate of an array": "for k, v in enumerate(a): r += k * v",
    "enumerate of a range from a start": "for k, v in enumerate(range(i), 3): r += k * v",
    "enumerate of a zip": "for k, (p, q) in enumerate(zip(a, a)): r += k * p * q",
    "a loop that some threads leave": textwrap.dedent("""
        for k, (p, q) in enumerate(zip(a, range(i, 99))):
            if p > i:
                break
            if k % 2:
                continue
            r += p * q"""),
    "a loop over rows": "for k, row in enumerate(b): r += k * row[0]",
    "iter": "for v in iter((1, i)): r += v",
    "sum of a tuple": "r = sum((i, 2, a[i]))",
    "sum of a tuple from a start": "r = sum((a[i], 1.0), 2.0)",
    "sum of an array": "r = sum(a)",
    "sum of a slice": "r = a[i:i + 3].sum()",
    "np.sum": "r = np.sum(b)",
    "fields of a named tuple": "p = Point(i, 2.0)\nr = p.x + p.y",
    "a named tuple by keywords": "p = Point(y=i, x=2.0)\nr = p[0] - p[1]",
    "a named tuple unpacked": "u, v = Point(i, 2.0)\nr = u - v",
    "a named tuple of the file": "r = ORIGIN.x + ORIGIN.y + i",
    "a loop over a named tuple": "for v in Point(i, 3): r += v",
    "conjugate": "z = complex(1.0, a[i]).conjugate()\nr = z.real + z.imag",
    "a complex number of an infinity": "z = complex(a[i] * float('inf'), i)\nr = z.imag",
    "functions of complex numbers": "z = cmath.exp(complex(0.5, a[i]))\nr = cmath.sqrt(z).imag + cmath.phase(z)",
    "conjugate of a float": "r = a[i].conjugate() + i.conjugate() + a[i].imag",
    "the bits of a number": "r = np.float32(a[i]).view(np.int32) + np.int32(i).view(np.float32)",
    "a reshaped array": "c = a.reshape(3, -1)\nr = c[i % 3, 2] + a.reshape((12, 1))[i, 0]",
    "a transposed array": "r = b.transpose()[1, i % 3]",
    "the length of a range": "r = len(range(2, i, 3)) + len(range(i, -i, -2))",
    "in a range": "r = (i in range(1, 7, 2)) + (i in range(7, -1, -3))",
    "attributes of a range": "s = range(1, i, 2)\nr = s.start + s.stop * s.step",
    "infinity": "r = 1.0 if a[i] < float('inf') and a[i] > float('-inf') else 0.0",
    "the length of a text": "r = len('abc')",
    "a tuple of a tuple": "r = tuple((i, 2))[0]",
    "in a tuple": "r = 1 if i in (1, 2, 5) else 0",
}
ORIGIN = Point(3, 4)


def run(body: str, **options: Any) -> tuple[np.ndarray, Any]:
    lines = textwrap.indent(body, "    ")
    source = (
        f"def k(out, a, b):\n    i = cuda.grid(1)\n    r = 0.0\n{lines}\n    out[i] = r\n"
        f"def one(i, a, b):\n    r = 0.0\n{lines}\n    return r\n"
    )
    names: dict[str, Any] = {"cuda": cuda, "np": np, "cmath": cmath, "Point": Point, "ORIGIN": ORIGIN}
    exec(compile(source, "<kernel>", "exec"), names)
    a = np.arange(1, 13, dtype=np.float32)
    b = np.arange(6, dtype=np.float32).reshape(3, 2)
    out = np.zeros(THREADS)
    result = gpulab.simulate(cuda.jit(names["k"]), 1, THREADS, out, a, b, **options)
    expected = [names["one"](np.int64(i), a, b) for i in range(THREADS)]
    np.testing.assert_allclose(out, np.array(expected, np.float64), rtol=1e-6)
    return out, result


@pytest.mark.parametrize("what", BODIES)
def test_what_numba_accepts_gives_what_python_gives(what):
    _, result = run(BODIES[what])
    assert result.findings == []


def test_zip_loads_nothing_of_an_array_once_another_part_has_ended():
    _, result = run("for p, q in zip(range(i), a): r += p * q")
    assert result.counters.totals["global_loads"] == sum(range(THREADS))


def test_a_sum_counts_its_loads_and_additions_on_the_learners_line():
    _, result = run("r = sum(a)")
    assert result.counters.lines[4]["global_loads"] == 12 * THREADS
    assert sum(line.get("flops_float32", 0) + line.get("flops_float64", 0)
               for line in result.counters.lines.values()) >= 12 * THREADS


@cuda.jit
def clears_its_own(out):
    acc = cuda.local.array((2, 3), float32)
    acc[:] = 0
    acc[1, 1:] = 2.5
    acc[0] = cuda.threadIdx.x
    out[cuda.threadIdx.x].fill(7)
    out[cuda.threadIdx.x, :2] = acc[1, 2] + acc[0, 0]


def test_a_number_fills_a_slice_a_row_and_an_array():
    out = np.zeros((4, 3), np.float32)
    assert gpulab.simulate(clears_its_own, 1, 4, out).findings == []
    np.testing.assert_array_equal(out, [[2.5 + t, 2.5 + t, 7] for t in range(4)])


@cuda.jit
def everyone_fills_everything(out):
    out[:] = cuda.threadIdx.x  # <- fill


def test_a_slice_that_two_threads_fill_is_a_race():
    out = np.zeros(4, np.int32)
    assert [finding.kind for finding in gpulab.simulate(everyone_fills_everything, 1, 2, out).findings] == ["race"]


UNSUPPORTED = {
    "the method .view() of an array": "c = a.view(np.int32)",
    "the call cuda.float32x4()": "v = cuda.float32x4(1.0, 2.0, 3.0, 4.0)",
    "`in` with an array": "r = 1.0 if a[i] in a else 0.0",
    "`is` between an array and an array": "r = 1.0 if a is out else 0.0",
    "assigning a tuple to a slice": "out[0:2] = (1.0, 2.0)",
    "the call np.ndenumerate()": "for k, v in np.ndenumerate(a): r += v",
    "unpacking an array": "u, v = a[:2]",
    "a call with *arguments": "r = max(*(i, 2))",
    "a reshape() of 12 elements": "r = a.reshape(5, 2)[0, 0]",
}


@pytest.mark.parametrize("construct", UNSUPPORTED)
def test_what_the_simulator_cannot_run_is_named_with_its_line(construct):
    with pytest.raises(Unsupported) as caught:
        run(UNSUPPORTED[construct])
    assert construct in caught.value.construct and caught.value.line == 4


REFUSED = {
    "a loop over a tuple of two types": ("for d in (int32(i), i + 16): r += d", "getiter"),
    "del": ("del i", "Numba cannot compile del"),
    "an array copied": ("c = a.copy()", "cannot make the array of .copy()"),
    "an array into a slice": ("out[:] = a", "cannot copy an array"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_numba_refuses_does_not_compile(what):
    body, words = REFUSED[what]
    source = f"def k(out, a):\n    i = cuda.grid(1)\n    r = 0.0\n    {body}\n    out[0] = r\n"
    names: dict[str, Any] = {"cuda": cuda, "int32": int32}
    exec(compile(source, "<kernel>", "exec"), names)
    with pytest.raises(DoesNotCompile) as caught:
        gpulab.simulate(cuda.jit(names["k"]), 1, 1, np.zeros(4), np.zeros(4))
    assert words in str(caught.value) and caught.value.line == 4


def test_a_fault_of_our_own_is_unsupported_with_its_line(monkeypatch):
    def fails(*_: Any) -> None:
        raise KeyError("no such thing")

    monkeypatch.setattr("gpulab.engines.simt.context.Context.store", fails)
    with pytest.raises(Unsupported) as caught:
        run("r = 1.0")
    assert "KeyError" in str(caught.value) and caught.value.line == 5


def test_a_slice_that_takes_for_ever_to_fill_has_a_time_limit():
    kernel = everyone_fills_everything
    run = gpulab.simulate(kernel, 1, 1, np.zeros(10**7, np.int32), time_limit=0.2)
    assert [(finding.kind, finding.line) for finding in run.findings] == [("timed out", line(kernel, "fill"))]
