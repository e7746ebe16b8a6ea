"""What Numba's CUDA target answers for every operator, cast and intrinsic: asked of a GPU once, and by the tests.

    python -m tests.simt.gpu_answers tests/simt/h200.npz       # on a machine with a GPU

An experiment launches kernels and returns named arrays. Its kernels are written as text from tables, since the
type of every result is Numba's own.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import Any

import numpy as np

from tests.simt.expressions import SCALARS

Arrays = dict[str, np.ndarray]
Launch = Callable[..., None]
"""(kernel, blocks, threads, *arrays): runs the kernel and updates the arrays."""

EXPERIMENTS: dict[str, Callable[[Launch], Arrays]] = {}

FLOATS = [np.nan, -np.inf, np.inf, -0.0, 0.0, 0.5, -2.5, 3.0, 1e10, -7.75]
BINARY = ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=")
UNARY = ("-{}", "+{}", "~{}", "not {}", "abs({})", "bool({})", "int({})", "float({})", "round({})")
CASTS = [-1e30, -1e19, -9.3e18, -3e9, -2147483649.0, -2147483648.0, -70000.0, -40000.0, -32769.0, -300.0, -129.0,
         -128.6, -1.5, -0.5, -0.0, 0.49, 0.99, 1.5, 127.6, 128.0, 255.9, 256.0, 300.0, 32768.0, 65535.5, 70000.0,
         2147483648.0, 3e9, 4294967296.0, 1e10, 9.3e18, 1.9e19, 1e30, np.inf, -np.inf, np.nan]


def experiment(function: Callable[[Launch], Arrays]) -> Callable[[Launch], Arrays]:
    EXPERIMENTS[function.__name__] = function
    return function


def edges(name: str) -> np.ndarray:
    """Ten values of a type: its ends, and what is near zero (two for bool)."""
    if name == "bool":
        return np.array([False, True])
    dtype = np.dtype(name)
    if dtype.kind == "f":
        return np.array(FLOATS, dtype)
    limits = np.iinfo(dtype)
    if dtype.kind == "u":
        return np.array([0, 1, 2, 3, 7, 100, limits.max // 2, limits.max // 2 + 1, limits.max - 1, limits.max], dtype)
    return np.array([limits.min, -7, -3, -1, 0, 1, 2, 7, 100, limits.max], dtype)


def compiled(text: str) -> Any:
    """The kernel that source text defines, named `kernel`."""
    from numba import cuda, types

    scalars = {name: getattr(types, name) for name in SCALARS if name != "bool"}
    names: dict[str, Any] = {"cuda": cuda, "np": np, "math": __import__("math"), **scalars, "bool": bool}
    exec(compile(text, "<gpu answers>", "exec"), names)
    return names["kernel"]


class Table:
    """Many expressions of a few arguments in one kernel, each stored in a row of the array of its own type."""

    def __init__(self, arguments: dict[str, str]) -> None:
        self.arguments = arguments
        """Variable -> expression it is loaded by; parameters are the names in `inputs`."""
        self.inputs: Arrays = {}
        self.rows: dict[str, list[str]] = {}
        self.lines: list[str] = []

    def add(self, label: str, expression: str, dtype: str) -> None:
        rows = self.rows.setdefault(dtype, [])
        self.lines.append(f"    out_{dtype}[{len(rows)}, i] = {expression}")
        rows.append(label)

    def run(self, launch: Launch, count: int) -> Arrays:
        """Label -> [count] results."""
        outputs = {f"out_{dtype}": np.zeros((len(rows), count), dtype) for dtype, rows in self.rows.items()}
        head = f"@cuda.jit\ndef kernel({', '.join([*outputs, *self.inputs])}):\n    i = cuda.grid(1)\n"
        head += f"    if i >= {count}:\n        return\n"
        head += "".join(f"    {name} = {text}\n" for name, text in self.arguments.items())
        launch(compiled(head + "\n".join(self.lines) + "\n"), -(-count // 64), 64, *outputs.values(),
               *self.inputs.values())
        return {label: outputs[f"out_{dtype}"][row]
                for dtype, rows in self.rows.items() for row, label in enumerate(rows)}


def result_type(function: Any, *operands: str) -> str | None:
    """The type Numba's CUDA target gives `function` of these, or None where it refuses."""
    from numba import types
    from numba.cuda.descriptor import cuda_target

    from gpulab.engines.simt.frontend import operator_signature

    cuda_target.typing_context.refresh()
    kinds = tuple(types.boolean if name == "bool" else getattr(types, name) for name in operands)
    try:
        signature = operator_signature(function, kinds)
    except Exception:
        return None
    return None if signature is None else str(signature.return_type)


# ---- operators ------------------------------------------------------------------------------------------------------


def _operators(left: str, launch: Launch) -> Arrays:
    """`left <operator> right` for every operator and right type, and the unary ones.

    The first of the right values is left out: to the power of the least int64 numba-cuda raises OverflowError, which
    ends the thread.
    """
    import operator as o

    binary = dict(zip(BINARY, (o.add, o.sub, o.mul, o.truediv, o.floordiv, o.mod, o.pow, o.and_, o.or_, o.xor, o.lshift,
                               o.rshift, o.lt, o.le, o.gt, o.ge, o.eq, o.ne), strict=True))
    unary = dict(zip(UNARY, (o.neg, o.pos, o.invert, o.not_, abs, bool, int, float, round), strict=True))
    values = edges(left)
    table = Table({"x": f"left[i // 9 % {len(values)}]"})
    table.inputs["left"] = values
    for right in SCALARS:
        table.arguments[f"y_{right}"] = f"right_{right}[(i % 9 + 1) % {len(edges(right))}]"
        table.inputs[f"right_{right}"] = edges(right)
        for sign, function in binary.items():
            kind = result_type(function, left, right)
            if kind is not None:
                table.add(f"{left} {sign} {right}", f"x {sign} y_{right}", kind)
    for form, function in unary.items():
        kind = result_type(function, left)
        if kind is not None and kind in SCALARS:
            table.add(f"{form.format(left)}", form.format("x"), kind)
    if left != "bool":
        for exponent in (-2, -1, 0, 1, 2, 3, 8):
            kind = result_type(o.pow, left, "int64")
            assert kind is not None
            table.add(f"{left} ** literal {exponent}", f"x ** {exponent}", kind)
    return table.run(launch, 90)


for _left in SCALARS:
    EXPERIMENTS[f"operators of {_left}"] = partial(_operators, _left)


@experiment
def casts(launch: Launch) -> Arrays:
    """Every type to every other, by a call and by a store; floats far out of range among them."""
    found = {}
    for source in SCALARS:
        wide = np.array(CASTS, source) if source.startswith("float") else edges(source)
        table = Table({"x": "values[i]"})
        table.inputs["values"] = wide
        for target in SCALARS:
            table.add(f"{target}({source})", f"{target}(x)", target)
            table.add(f"{target} array = {source}", "x", target)
        found.update(table.run(launch, len(wide)))
    return found


@experiment
def extremes(launch: Launch) -> Arrays:
    """`min` and `max` of two and three values of mixed types."""
    from numba import types

    from tests.simt.expressions import name_of, unified

    table = Table({})
    kinds = ("int32", "int64", "uint8", "uint64", "float32", "float64")
    for kind in kinds:
        table.inputs[f"a_{kind}"] = edges(kind)
        table.arguments[f"x_{kind}"] = f"a_{kind}[i // 10]"
        table.arguments[f"y_{kind}"] = f"a_{kind}[i % 10]"
    for name in ("min", "max"):
        for left in kinds:
            for right in kinds:
                kind = name_of(unified(getattr(types, left), getattr(types, right)))
                table.add(f"{name}({left}, {right})", f"{name}(x_{left}, y_{right})", kind)
        for kind in ("int32", "float32", "float64"):
            table.add(f"{name}({kind}, {kind}, {kind})", f"{name}(x_{kind}, y_{kind}, {kind}(1))", kind)
            table.add(f"{name}(tuple of {kind})", f"{name}((x_{kind}, y_{kind}))", kind)
    return table.run(launch, 100)


@experiment
def rounding(launch: Launch) -> Arrays:
    """`round` to digits, and the functions that give whole numbers."""
    values = np.array([0.5, 1.5, 2.5, -0.5, -1.5, 2.675, 1.005, 123.456, -987.654321, 1e15 + 0.3, 0.05, 4.35, 1e-7,
                       np.inf, np.nan, -0.0, 12345678.9])
    table = Table({"x": "doubles[i]", "y": "singles[i]"})
    table.inputs.update(doubles=values, singles=values.astype(np.float32))
    for digits in (-2, -1, 0, 1, 2, 5):
        table.add(f"round(float64, {digits})", f"round(x, {digits})", "float64")
        table.add(f"round(float32, {digits})", f"round(y, {digits})", "float32")
    table.add("round(float64, i % 4)", "round(x, i % 4)", "float64")
    for name in ("floor", "ceil", "trunc"):
        table.add(f"{name}(float64)", f"math.{name}(x)", "float64")
        table.add(f"{name}(float32)", f"math.{name}(y)", "float32")
    return table.run(launch, len(values))


MATH = ("sqrt", "exp", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
        "cosh", "tanh", "asinh", "acosh", "atanh", "fabs", "radians", "degrees", "erf", "erfc", "gamma", "lgamma",
        "isnan", "isinf", "isfinite")
MATH_OF_TWO = ("atan2", "copysign", "fmod", "hypot", "pow", "remainder", "nextafter")


@experiment
def mathematics(launch: Launch) -> Arrays:
    """`math.*` of both floats and of int64."""
    values = np.array([-3.5, -1.0, -0.75, -0.0, 0.0, 0.1, 0.5, 0.75, 1.0, 1.5, 2.0, 3.25, 10.0, 50.0, np.inf, np.nan])
    table = Table({"x": "doubles[i]", "y": "singles[i]", "k": "integers[i]", "z": "others[i]"})
    table.inputs.update(doubles=values, singles=values.astype(np.float32), integers=np.arange(-2, 14),
                        others=np.roll(values, 5))
    for name in MATH:
        answer = "bool" if name.startswith("is") else ""
        table.add(f"{name}(float64)", f"math.{name}(x)", answer or "float64")
        table.add(f"{name}(float32)", f"math.{name}(y)", answer or "float32")
        if not answer and name not in ("fabs", "radians", "degrees"):
            table.add(f"{name}(int64)", f"math.{name}(k)", "float64")
    for name in MATH_OF_TWO:
        table.add(f"{name}(float64, float64)", f"math.{name}(x, z)", "float64")
        table.add(f"{name}(float32, float32)", f"math.{name}(y, float32(z))", "float32")
    table.add("ldexp(float64)", "math.ldexp(x, int32(3))", "float64")
    table.add("frexp(float64)", "math.frexp(x)[0]", "float64")
    table.add("frexp(float64)[1]", "math.frexp(x)[1] if x - x == 0.0 else 0", "int32")
    table.add("modf(float64)", "math.modf(x)[0]", "float64")
    table.add("modf(float32)[1]", "math.modf(y)[1]", "float32")
    table.add("cbrt(float64)", "cuda.cbrt(x)", "float64")
    table.add("cbrt(float32)", "cuda.cbrt(y)", "float32")
    table.add("fma(float64)", "cuda.fma(x, z, x)", "float64")
    table.add("fma(float32)", "cuda.fma(y, y, y)", "float32")
    table.add("selp(float64)", "cuda.selp(i % 2 == 0, x, z)", "float64")
    return table.run(launch, len(values))


@experiment
def bits(launch: Launch) -> Arrays:
    """`popc`, `clz`, `ffs`, `brev` of every width that Numba takes."""
    found = {}
    for kind in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
        table = Table({"x": "values[i]"})
        table.inputs["values"] = edges(kind)
        names = ("popc", "clz", *(("ffs",) if "32" in kind or "64" in kind else ()),
                 *(("brev",) if kind in ("uint32", "uint64") else ()))
        for name in names:
            table.add(f"{name}({kind})", f"cuda.{name}(x)", "int64")
        found.update(table.run(launch, len(edges(kind))))
    return found


@experiment
def tuples(launch: Launch) -> Arrays:
    """`divmod`, `pow`, tuples compared and indexed, `and`/`or` as values."""
    table = Table({"x": "left[i // 10]", "y": "right[i % 10]", "f": "floats[i // 10]", "g": "floats[i % 10]"})
    table.inputs.update(left=edges("int64"), right=edges("int32"), floats=edges("float64"))
    for position in (0, 1):
        table.add(f"divmod(int64, int32)[{position}]", f"divmod(x, y)[{position}]", "int64")
        table.add(f"divmod(float64, float64)[{position}]", f"divmod(f, g)[{position}]", "float64")
    table.add("pow(int64, int64)", "pow(x, int64(y) & 7)", "int64")
    table.add("pow(float64, int64)", "pow(f, i % 5)", "float64")
    table.add("tuple ==", "(x, f) == (int64(y), g)", "bool")
    table.add("tuple !=", "(x, y) != (int64(y), y)", "bool")
    table.add("tuple <", "(x, y) < (int64(y), int32(3))", "bool")
    table.add("in tuple", "y in (1, 2, 7)", "bool")
    table.add("tuple[i]", "(x, int64(y), 5)[i % 3]", "int64")
    table.add("or", "x or y", "int64")
    table.add("and", "f and g", "float64")
    table.add("chain", "-3 <= x < y", "bool")
    return table.run(launch, 100)


# ---- warps, blocks, atomics -----------------------------------------------------------------------------------------

WARP_KERNEL = """
@cuda.jit
def kernel(values, out):
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    x = values[i]
    full = 0xffffffff
    out[0, i] = cuda.shfl_sync(full, x, (t * 7 + 3) % 32)
    out[1, i] = cuda.shfl_sync(full, x, t + 40)
    out[2, i] = cuda.shfl_up_sync(full, x, 5)
    out[3, i] = cuda.shfl_down_sync(full, x, 5)
    out[4, i] = cuda.shfl_xor_sync(full, x, 12)
    out[5, i] = cuda.shfl_up_sync(full, x, t % 4)
    out[6, i] = cuda.shfl_down_sync(full, x, 31)
    out[7, i] = cuda.shfl_xor_sync(full, x, t % 32)
    if t % 32 < 16:
        out[8, i] = cuda.shfl_sync(0xffff, x, 3)
"""

VOTE_KERNEL = """
@cuda.jit
def kernel(values, out):
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    x = values[i]
    full = 0xffffffff
    out[0, i] = cuda.all_sync(full, x < 50)
    out[1, i] = cuda.any_sync(full, x < 5)
    out[2, i] = cuda.eq_sync(full, x < 50)
    out[3, i] = cuda.ballot_sync(full, x % 3 == 0)
    out[4, i] = cuda.match_any_sync(full, x % 4)
    mask, same = cuda.match_all_sync(full, x // 1000)
    out[5, i] = mask
    out[6, i] = same
    out[7, i] = cuda.lanemask_lt()
    out[8, i] = cuda.laneid
    out[9, i] = cuda.activemask()
    if t % 32 < 20:
        out[10, i] = cuda.activemask()
        out[11, i] = cuda.ballot_sync(0xfffff, x > 3)
    cuda.syncwarp()
    out[12, i] = cuda.syncthreads_count(x % 2)
    out[13, i] = cuda.syncthreads_and(x)
    out[14, i] = cuda.syncthreads_or(x - t)
    out[15, i] = cuda.popc(cuda.ballot_sync(full, x > 20) & cuda.lanemask_lt())
    out[16, i] = cuda.warpsize
"""


@experiment
def warps(launch: Launch) -> Arrays:
    """Shuffles of every type they take, votes, matches, counting barriers."""
    found = {}
    random = np.random.default_rng(5)
    for kind in ("int32", "int64", "float32", "float64"):
        out = np.zeros((9, 96), kind)
        launch(compiled(WARP_KERNEL), 1, 96, (random.standard_normal(96) * 1000).astype(kind), out)
        found[f"shuffles of {kind}"] = out
    for threads in (64, 32):
        out = np.zeros((17, 128), np.int64)
        launch(compiled(VOTE_KERNEL), 128 // threads, threads, random.integers(0, 64, 128).astype(np.int32), out)
        found[f"votes in blocks of {threads}"] = out
    return found


ATOMICS = {
    "add": ("int32", "uint32", "int64", "uint64", "float32", "float64"),
    "sub": ("int32", "uint32", "float32", "float64"),
    "max": ("int32", "uint32", "int64", "uint64", "float32", "float64"),
    "min": ("int32", "uint32", "int64", "uint64", "float32", "float64"),
    "nanmax": ("int32", "float32", "float64"),
    "nanmin": ("int32", "float32", "float64"),
    "and_": ("int32", "uint32", "uint64"),
    "or_": ("int32", "uint32", "uint64"),
    "xor": ("int32", "uint32", "uint64"),
    "inc": ("uint32", "uint64"),
    "dec": ("uint32", "uint64"),
    "exch": ("int32", "uint32", "uint64"),
}


@experiment
def atomics(launch: Launch) -> Arrays:
    """Old and new value of each atomic on one cell per thread, at the edges of its type."""
    found = {}
    for name, kinds in ATOMICS.items():
        for kind in kinds:
            cells, values = np.repeat(edges(kind), 10), np.tile(edges(kind), 10)
            old = np.zeros(100, kind)
            text = ("@cuda.jit\ndef kernel(cells, values, old):\n    i = cuda.grid(1)\n    if i < cells.size:\n"
                    f"        old[i] = cuda.atomic.{name}(cells, i, values[i])\n")
            launch(compiled(text), 2, 64, cells, values, old)
            found[f"atomic {name} of {kind}: old"], found[f"atomic {name} of {kind}: new"] = old, cells
    for kind in ("int32", "uint32", "int64", "uint64"):
        cells, compare, values = np.repeat(edges(kind), 10), np.tile(edges(kind), 10), np.arange(100).astype(kind)
        old = np.zeros(100, kind)
        text = ("@cuda.jit\ndef kernel(cells, compare, values, old):\n    i = cuda.grid(1)\n    if i < cells.size:\n"
                "        old[i] = cuda.atomic.cas(cells, i, compare[i], values[i])\n")
        launch(compiled(text), 2, 64, cells, compare, values, old)
        found[f"atomic cas of {kind}: old"], found[f"atomic cas of {kind}: new"] = old, cells
    return found


# ---- asking ---------------------------------------------------------------------------------------------------------


def on_the_gpu(kernel: Any, blocks: int, threads: int, *arrays: np.ndarray) -> None:
    """Launch for real."""
    kernel[blocks, threads](*arrays)


def _ask(name: str) -> tuple[str, Arrays, str]:
    try:
        return name, EXPERIMENTS[name](on_the_gpu), ""
    except Exception as error:
        return name, {}, f"{type(error).__name__}: {str(error)[:500]}"


def ask_all() -> dict[str, Arrays]:
    """Every experiment's answers, each experiment in a process of its own."""
    found = {}
    with ProcessPoolExecutor(12, mp_context=get_context("spawn")) as pool:
        for name, arrays, error in pool.map(_ask, EXPERIMENTS):
            print(name, len(arrays), error, flush=True)
            found[name] = arrays
    return found


def save(path: str, answers: dict[str, Arrays]) -> None:
    """One array per experiment and dtype, and a table of what lies where: thousands of small ones would be large."""
    stacked, table = {}, {}
    for name, arrays in answers.items():
        for dtype in sorted({str(array.dtype) for array in arrays.values()}):
            group = {label: array for label, array in arrays.items() if str(array.dtype) == dtype}
            key = f"{len(stacked)}"
            stacked[key] = np.concatenate([array.ravel() for array in group.values()])
            table[key] = [name, [[label, list(array.shape)] for label, array in group.items()]]
    np.savez_compressed(path, table=np.array(json.dumps(table)), **stacked)


def read(path: str) -> dict[str, Arrays]:
    """What `save` wrote."""
    with np.load(path) as file:
        answers: dict[str, Arrays] = {}
        for key, (name, group) in json.loads(str(file["table"])).items():
            cells, start = file[key], 0
            for label, shape in group:
                size = int(np.prod(shape))
                answers.setdefault(name, {})[label] = cells[start : start + size].reshape(shape)
                start += size
    return answers


if __name__ == "__main__":
    save(sys.argv[1], ask_all())
