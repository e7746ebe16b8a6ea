"""What Numba refuses on a GPU is refused here: with its message, on the learner's line, and never with a value."""

from __future__ import annotations

import math
import tempfile
import textwrap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import cuda, float32, int32

import gpulab
from gpulab.engines.simt.errors import DoesNotCompile, Unsupported


def refused(source: str, *args: Any) -> tuple[Exception, str]:
    """The error of simulating the kernel `k` of a file, and the text of the line that it names."""
    source = textwrap.dedent(source).strip() + "\n"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.py"
        file.write_text(source)
        names: dict[str, Any] = {"cuda": cuda, "float32": float32, "int32": int32, "math": math, "np": np}
        exec(compile(source, str(file), "exec"), names)
        out = np.full(4, -7, np.float32)
        with pytest.raises((DoesNotCompile, Unsupported)) as caught:
            gpulab.simulate(names["k"], 1, 4, out, *args)
    assert (out == -7).all(), "nothing may be computed by a kernel that cannot run"
    assert caught.value.line is not None
    return caught.value, source.split("\n")[caught.value.line - 1].strip()


NUMBA_REFUSES = {
    "an undefined name": ("out[i] = undefined", "name 'undefined' is not defined"),
    "a missing attribute": ("out[i] = cuda.threadIdx.w", "Unknown attribute 'w' of type Dim3"),
    "a misspelt function of cuda": ("cuda.syncthread()", "module 'numba.cuda' has no attribute 'syncthread'"),
    "a misspelt function of math": ("out[i] = math.cosine(i)", "module 'math' has no attribute 'cosine'"),
    "text plus a number": ('x = "a" + i', "add(Literal[str](a), int64)"),
    "a float as an index": ("out[i / 2] = 1", "float64"),
    "too many indices": ("out[i, 0] = 1", "setitem(array(float32, 1d"),
    "a matrix product of numbers": ("out[i] = out[i] @ out[i]", "matmul(float32, float32)"),
    "a variable of two types": ("x = 1 if i else (1, 2)", "Cannot unify"),
    "a shape from an argument": ("s = cuda.shared.array(i, float32)", "array(int64, class(float32))"),
    "a type that is none": ('s = cuda.shared.array(4, "flot32")', "flot32"),
    "a plain Python function": ("out[i] = plain(i)", "Untyped global name 'plain'"),
    "an atomic without its value": ("cuda.atomic.add(out, 0)", "not enough values to unpack"),
    "a bool for a counting barrier": ("out[i] = cuda.syncthreads_count(i < 3)", "syncthreads_count(bool)"),
    "a context manager": ('with open("x") as f: pass', "with (context manager) as (variable)"),
    "a generator": ("x = yield i", "cannot yield"),
    "a list": ("x = [1, 2, 3]", "cannot make a list"),
    "/= between integers": ("i /= 2", "cannot compile /= between two integers"),
    "f-strings": ('print(f"{out[0]} is")', ""),
}


@pytest.mark.parametrize("what", NUMBA_REFUSES)
def test_numba_refuses(what):
    statement, words = NUMBA_REFUSES[what]
    error, line = refused(f"""
        def plain(x):
            return x

        @cuda.jit
        def k(out):
            i = cuda.grid(1)
            {statement}
            out[0] = 1
    """)
    assert isinstance(error, DoesNotCompile)
    assert words in str(error)
    assert line == statement


def test_a_fault_in_a_device_function_is_named_there():
    error, line = refused("""
        @cuda.jit(device=True)
        def square(x):
            y = x * x
            return y + oops

        @cuda.jit
        def k(out):
            out[0] = square(2)
    """)
    assert isinstance(error, DoesNotCompile)
    assert line == "return y + oops"


def test_a_device_function_called_with_too_few_arguments_is_named_at_the_call():
    error, line = refused("""
        @cuda.jit(device=True)
        def both(x, y):
            return x + y

        @cuda.jit
        def k(out):
            z = 1
            out[0] = both(z)
    """)
    assert isinstance(error, DoesNotCompile)
    assert line == "out[0] = both(z)"
    assert "missing a required argument: 'y'" in str(error)


def test_a_kernel_that_returns_something():
    error, line = refused("""
        @cuda.jit
        def k(out):
            if cuda.grid(1) == 0:
                return
            return 5
    """)
    assert isinstance(error, DoesNotCompile)
    assert line == "return 5"


def test_a_shape_by_expression_is_refused_as_numba_cuda_refuses_it():
    error, line = refused("""
        TPB = 32

        @cuda.jit
        def k(out):
            s = cuda.shared.array(TPB + 2, float32)
            out[0] = s[0]
    """)
    assert isinstance(error, DoesNotCompile)
    assert line == "s = cuda.shared.array(TPB + 2, float32)"


def test_a_shape_from_a_module_constant_is_fine():
    cells = 32 + 2

    @cuda.jit
    def kernel(out):
        s = cuda.shared.array(cells, float32)
        s[cuda.threadIdx.x] = 1
        out[0] = s.size

    out = np.zeros(1)
    assert gpulab.simulate(kernel, 1, 4, out).findings == []
    assert out[0] == 34


def test_numba_s_boilerplate_is_left_out():
    error, _ = refused("""
        @cuda.jit
        def k(out):
            out[0] = cuda.threadIdx.q
    """)
    for words in ("Failed in", "pipeline", "During:", "\x1b", "File ", "gpulab"):
        assert words not in str(error)


UNSUPPORTED = {
    "a list of numbers into a slice": "out[:2] = (1.0, 2.0)",
    "another type over the same bytes": "x = out.view(np.int32)",
    "an index of all axes": "for k, v in np.ndenumerate(out): out[0] = v",
    "a number or None": "x = i if i < 2 else None",
}


@pytest.mark.parametrize("what", UNSUPPORTED)
def test_what_only_the_simulator_cannot_do_says_so_with_its_line(what):
    error, line = refused(f"""
        @cuda.jit
        def k(out):
            i = cuda.grid(1)
            {UNSUPPORTED[what]}
            out[0] = 1
    """)
    assert isinstance(error, Unsupported), error
    assert error.construct
    assert str(error).startswith("the simulator does not support ")
    assert line in UNSUPPORTED[what]


def test_recursion():
    error, line = refused("""
        @cuda.jit(device=True)
        def factorial(n):
            if n < 2:
                return 1
            return n * factorial(n - 1)

        @cuda.jit
        def k(out):
            out[0] = factorial(5)
    """)
    assert "recursion" in str(error) or "itself" in str(error) or "re-entrant" in str(error)
    assert line


def test_record_arrays():
    @cuda.jit
    def kernel(out, points):
        out[0] = points[0].x

    points = np.zeros(3, [("x", np.float32), ("y", np.float32)])
    with pytest.raises(Unsupported) as caught:
        gpulab.simulate(kernel, 1, 1, np.zeros(1), points)
    assert caught.value.construct == "arrays of records"


def test_an_array_chosen_per_thread():
    @cuda.jit
    def kernel(out, a, b):
        i = cuda.grid(1)
        source = a if i % 2 == 0 else b
        out[i] = source[i]

    with pytest.raises(Unsupported, match="one array in some threads and another in others"):
        gpulab.simulate(kernel, 1, 4, np.zeros(4), np.ones(4), np.zeros(4))


def test_an_array_chosen_alike_by_all_threads():
    @cuda.jit
    def kernel(out, a, b, which):
        i = cuda.grid(1)
        source = a if which else b
        out[i] = source[i]

    out = np.zeros(4)
    gpulab.simulate(kernel, 1, 4, out, np.ones(4), np.zeros(4), True)
    assert (out == 1).all()


LAUNCHES = {
    "no blocks": (lambda k: gpulab.simulate(k, 0, 4, np.zeros(4)), ValueError, "at least 1"),
    "too many threads": (lambda k: gpulab.simulate(k, 1, 1025, np.zeros(4)), ValueError, "1024"),
    "four dimensions": (lambda k: gpulab.simulate(k, (1, 1, 1, 1), 4, np.zeros(4)), ValueError, "three dimensions"),
    "too few arguments": (lambda k: gpulab.simulate(k, 1, 4), TypeError, "takes 1 argument"),
    "a list for an array": (lambda k: gpulab.simulate(k, 1, 4, [1, 2]), TypeError, "list"),
    "no kernel": (lambda k: gpulab.simulate(k.py_func, 1, 4, np.zeros(4)), TypeError, "@cuda.jit"),
}


@pytest.mark.parametrize("what", LAUNCHES)
def test_launches_that_no_gpu_would_take(what):
    launch, kind, words = LAUNCHES[what]

    @cuda.jit
    def kernel(out):
        out[cuda.grid(1)] = 1

    with pytest.raises(kind, match=words):
        launch(kernel)


def test_a_tuple_spread_over_arguments_is_refused_by_name():
    error, at = refused("""
        @cuda.jit(device=True)
        def added(x, y):
            return x + y

        @cuda.jit
        def k(out):
            i = cuda.grid(1)
            out[i] = added(*(i, 1))
        """)
    assert isinstance(error, Unsupported)
    assert "a call with *arguments" in str(error)
    assert at == "out[i] = added(*(i, 1))"
