"""One program run twice: thread by thread on the CPU, compiled by Numba's `njit`, and as a kernel in the simulator.

Both have Numba's typing and, for all but a few operations, the same lowering, so results must be equal bit for bit
(NaN payloads and signs aside). Where CPU and GPU are known to differ the generator writes something else:

- a float out of an integer's range, cast to it: undefined on a CPU, saturates on a GPU (`tame` keeps it in range);
- `//` and `%` of floats with an infinite or huge quotient: a GPU's remainder is not exact;
- `x /= y` of integers: numba-cuda 0.30 cannot compile it;
- integers that overflow: undefined for LLVM, which is told so here (`_as_written`);
- shifts by the width or more: undefined on a CPU, 0 (or the sign) on a GPU;
- `min` and `max` of two floats: Python's rule on a CPU, NaN ignored on a GPU (only without NaN here);
- `math.floor`, `ceil` and `trunc` of a float: an integer on a CPU, a float on a GPU (cast to float64 here);
- `math.exp`, `sin` and the like, and `**` with a float exponent: the last bit is each library's own;
- `a * b + c`: a GPU may fuse the two (so no such bit is anybody's promise); neither the CPU nor the simulator does.

What only a GPU can tell was recorded on one, see `test_as_on_an_h200`.
"""

from __future__ import annotations

import contextlib
import hashlib
import linecache
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import cuda, njit
from numba import types as numba_types
from numba.core import config as numba_config
from numba.core.config import _OptLevel
from numba.cpython import numbers

from gpulab.engines.simt.errors import DoesNotCompile, Unsupported
from gpulab.engines.simt.machine import launch
from gpulab.trace import Run
from tests.simt.expressions import SCALARS
from tests.simt.random_kernels import RandomKernel

Arrays = dict[str, np.ndarray]


class Differs(AssertionError):
    """The simulator's answer is not the CPU's."""


class Refused(Exception):
    """Numba does not compile the program, on the CPU and in the simulator alike."""


@dataclass(frozen=True)
class Texts:
    """The program as each side compiles it."""

    cpu: str
    gpu: str


def texts(kernel: RandomKernel) -> Texts:
    names = ", ".join(kernel.arrays)
    body = kernel.text()
    cpu = (f"{kernel.prelude}\n@device\ndef thread(i, {names}):\n{body}\n\n"
           f"@entry\ndef everyone(n, {names}):\n    for i in range(n):\n        thread(i, {names})\n")
    gpu = (f"{kernel.prelude}\n@cuda.jit\ndef kernel(n, {names}):\n    i = cuda.grid(1)\n    if i >= n:\n"
           f"        return\n{body}\n")
    cpu = re.sub(r"local_array\((\d+), (\w+)\)", r"np.zeros(\1, np.\2)", cpu)
    gpu = re.sub(r"local_array\((\d+), (\w+)\)", r"cuda.local.array(\1, \2)", gpu)
    return Texts(cpu, gpu.replace("atomic_add(", "cuda.atomic.add("))


_on_cpu = njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)
_on_gpu = cuda.jit(device=True)


def _tame(x):
    return x if -1000.0 < x < 1000.0 else 0.5


def _divisor(x):
    return x if 0.01 < abs(x) < 1000.0 else 0.0


def _row_sum(row, start):
    total = 0.0
    for k in range(start, len(row)):
        total += row[k]
    return total


def _atomic_add(array, index, value):
    array[index] += value


_SHARED = {"tame": _tame, "divisor": _divisor, "row_sum": _row_sum}
_SHARED_ON_CPU = {name: _on_cpu(function) for name, function in {**_SHARED, "atomic_add": _atomic_add}.items()}
_SHARED_ON_GPU = {name: _on_gpu(function) for name, function in _SHARED.items()}
"""Functions that all programs call: compiled once, as compiling is most of the time."""


def _scalar_types() -> dict[str, Any]:
    names = {name: getattr(numba_types, name) for name in SCALARS if name != "bool"}
    return {**names, "bool": bool, "math": math, "np": np}


def load(text: str, names: dict[str, Any], file: str) -> dict[str, Any]:
    """Execute source text as a module whose lines tracebacks can show."""
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), names)
    return names


def on_the_cpu(kernel: RandomKernel) -> Arrays:
    """Results of the CPU's threads. Raises `Refused`."""
    arrays = copies(kernel.arrays)
    try:
        with _as_written(numbers), _set(numba_config, "OPT", _OptLevel(0)):  # compiling is most of the time
            _everyone(kernel)(kernel.threads, *arrays.values())
    except Exception as error:
        raise Refused(str(error)) from error
    return arrays


def _everyone(kernel: RandomKernel) -> Any:
    names = {**_scalar_types(), **kernel.constants, **_SHARED_ON_CPU, "device": _on_cpu,
             "entry": njit(error_model="numpy")}
    return load(texts(kernel).cpu, names, f"<cpu {kernel.seed}>")["everyone"]


@contextlib.contextmanager
def _set(owner: Any, name: str, value: Any) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def _as_written(lowering: Any) -> contextlib.AbstractContextManager[None]:
    """Integers that overflow wrap around. Numba tells LLVM that they never do, so that `x * x` counts as positive."""
    return _set(lowering, "_int_arith_flags", lambda kind: [])


def for_the_simulator(kernel: RandomKernel) -> Any:
    """The kernel, decorated."""
    names = {**_scalar_types(), **kernel.constants, **_SHARED_ON_GPU, "cuda": cuda, "device": _on_gpu}
    return load(texts(kernel).gpu, names, f"<gpu {kernel.seed}>")["kernel"]


def in_the_simulator(kernel: RandomKernel, threads: int, **options: Any) -> tuple[Arrays, Run]:
    """Results of one launch in blocks of `threads`. Raises `Refused`."""
    arrays = copies(kernel.arrays)
    blocks = -(-kernel.threads // threads)
    try:
        run = launch(for_the_simulator(kernel), blocks, threads, (kernel.threads, *arrays.values()), **options)
    except (DoesNotCompile, Unsupported) as error:
        raise Refused(f"{type(error).__name__}: {error}") from error
    return arrays, run


def on_the_gpu(kernel: RandomKernel) -> Arrays:
    """Results on a real GPU, which here must not fuse `a * b + c`: neither do the others."""
    from numba.cuda.cpython import numbers as cuda_numbers
    from numba.cuda.cudadrv import nvvm

    arrays = {name: np.array(array, order="C") for name, array in kernel.arrays.items()}
    stock = nvvm.compile_ir
    fused = _set(nvvm, "compile_ir", lambda llvmir, **options: stock(llvmir, **{**options, "fma": False}))
    with fused, _as_written(cuda_numbers):
        for_the_simulator(kernel)[-(-kernel.threads // 64), 64](kernel.threads, *arrays.values())
    return arrays


def copies(arrays: Arrays) -> Arrays:
    """Copies with the strides of the originals."""
    return {name: same_layout(array) for name, array in arrays.items()}


def same_layout(array: np.ndarray) -> np.ndarray:
    base = array
    while base.base is not None and isinstance(base.base, np.ndarray):
        base = base.base
    memory = base.copy(order="K")
    offset = array.__array_interface__["data"][0] - base.__array_interface__["data"][0]
    return np.ndarray(array.shape, array.dtype, memory.data if memory.flags.c_contiguous else memory.T.data, offset,
                      array.strides)


def compare(expected: Arrays, got: Arrays, how: str) -> None:
    """Raises `Differs` where any bit differs that is not a NaN's."""
    for name, array in expected.items():
        differs = different(array, got[name])
        if differs.any():
            index = tuple(int(k) for k in np.argwhere(differs)[0])
            raise Differs(f"{how}: {name}{list(index)} is {got[name][index]!r}, should be {array[index]!r} "
                          f"({int(differs.sum())} of {array.size} differ)")


def different(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Where two arrays differ in a bit. Any NaN equals any other."""
    if one.dtype.kind == "f":
        bits = f"u{one.itemsize}"
        same = np.ascontiguousarray(one).view(bits) == np.ascontiguousarray(other).view(bits)
        result: np.ndarray = ~(same | (np.isnan(one) & np.isnan(other)))
        return result
    return np.asarray(one != other)


def digest(arrays: Arrays) -> str:
    """A short name for the contents of arrays, the same for any NaN."""
    found = hashlib.sha256()
    for array in arrays.values():
        plain = np.ascontiguousarray(array)
        found.update(np.where(np.isnan(plain), np.array(np.nan, plain.dtype), plain).tobytes()
                     if plain.dtype.kind == "f" else plain.tobytes())
    return found.hexdigest()[:12]


def check(kernel: RandomKernel, threads: int, also: Callable[[RandomKernel, Arrays], None] | None = None) -> Arrays:
    """The two ways agree, and the simulator finds no fault: the results. Raises `Differs` or `Refused`."""
    refused = None
    try:
        expected = on_the_cpu(kernel)
    except Refused as error:
        refused = error
    try:
        got, run = in_the_simulator(kernel, threads)
    except Refused as error:
        if refused is None:
            raise Differs(f"the simulator refuses what the CPU runs: {error}") from error
        raise
    if refused is not None:
        raise Differs(f"the simulator runs what the CPU refuses: {refused}") from refused
    compare(expected, got, f"blocks of {threads}")
    if run.findings:
        raise Differs(f"a finding in a kernel without fault: {run.findings[0]}")
    if also is not None:
        also(kernel, expected)
    return expected
