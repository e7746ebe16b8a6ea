"""Ways to have Python of one's own called while a kernel runs, to fill its outputs from there: none passes."""

from __future__ import annotations

import resource
import textwrap
from pathlib import Path

import pytest

from gpulab.catalog import find, load
from gpulab.check import check
from gpulab.runner.surroundings import Surroundings

KERNEL = """
    @cuda.jit
    def negate(out, a):
        i = cuda.threadIdx.x
        out[i] = -a[i] if i == 0 else a[i]
"""
"""Right for one element only: as many stores as elements, and the first case passes."""

FILL = """
    def fill():
        frame = sys._getframe()
        while frame is not None:
            found = frame.f_locals.get("arguments")
            if isinstance(found, list) and len(found) == 2:
                found[0][...] = -found[1]
            frame = frame.f_back
"""

PATCH = """
    def patch():
        from gpulab.runner import simulator
        stock = simulator.launch
        def launch(kernel, launch, arguments, options):
            run = stock(kernel, launch, arguments, options)
            arguments[0][...] = -arguments[1]
            return run
        simulator.launch = launch
"""

WAYS = {
    "the finalizer of a cycle": """
    class Cycle:
        def __init__(self): self.me = self
        def __del__(self):
            fill()
            Cycle()
    Cycle()
    gc.set_threshold(5, 1, 1)
    """,
    "the type of a global": """
    class Typed:
        __int__ = lambda self: 0
        @property
        def _numba_type_(self):
            patch()
            return types.int32
    typed = Typed()

    @cuda.jit
    def negate(out, a):
        i = cuda.threadIdx.x
        out[i] = -a[i] if i == 0 else a[i]
        typed
    """,
    "a pass of Numba's that is replaced": """
    from numba.cuda.core.bytecode import ByteCode
    stock = ByteCode.__init__
    def init(self, *given, **named):
        patch()
        stock(self, *given, **named)
    ByteCode.__init__ = init
    """,
    "another type of arrays": """
    from numba.cuda.typing.typeof import typeof_impl
    stock = typeof_impl.dispatch(np.ndarray)
    seen = []
    @typeof_impl.register(np.ndarray)
    def typed(array, context):
        seen.append(array)
        if len(seen) % 2 == 0:
            seen[-2][1:] = -seen[-1][1:]
        return stock(array, context)

    @cuda.jit
    def negate(out, a):
        out[0] = -a[0]
    """,
    "the end of a with": """
    stock = contextlib._GeneratorContextManager.__exit__
    def leave(self, *given):
        fill()
        return stock(self, *given)
    contextlib._GeneratorContextManager.__exit__ = leave
    """,
    "a mapping of the standard library": """
    from weakref import WeakKeyDictionary
    stock = WeakKeyDictionary.setdefault
    def setdefault(self, *given):
        fill()
        return stock(self, *given)
    WeakKeyDictionary.setdefault = setdefault

    @cuda.jit
    def negate(out, a):
        out[0] = -a[0]
    """,
}


@pytest.mark.parametrize("way", WAYS)
def test_no_python_beside_a_kernel_fills_its_outputs(tmp_path: Path, way: str) -> None:
    start = "import contextlib, gc, sys\nimport numpy as np\nfrom numba import cuda, types\n"
    parts = (FILL, PATCH, KERNEL, WAYS[way])
    file = tmp_path / "solution.py"
    file.write_text(start + "".join(textwrap.dedent(part) for part in parts))
    report = check(find(load(), "threads/map"), file, seed=7)
    assert report.verdict in ("not allowed", "wrong answer", "not written"), report


def test_looking_for_the_arrays_while_a_kernel_is_typed_is_named(tmp_path: Path) -> None:
    text = ("import sys\nfrom numba import cuda, types\n"
            "class Typed:\n    @property\n    def _numba_type_(self):\n        sys._getframe()\n"
            "        return types.int32\ntyped = Typed()\n"
            "@cuda.jit\ndef negate(out, a):\n    i = cuda.threadIdx.x\n    out[i] = -a[i]\n    typed\n")
    file = tmp_path / "solution.py"
    file.write_text(text)
    report = check(find(load(), "threads/map"), file, seed=7)
    assert report.diagnosis is not None
    assert (report.verdict, report.diagnosis.line) == ("not allowed", 6)
    assert "while its kernel did" in report.diagnosis.message


def test_a_kernel_that_looks_at_no_frames_may_have_the_same_classes(tmp_path: Path) -> None:
    file = tmp_path / "solution.py"
    file.write_text("import gc, sys\nfrom numba import cuda\n\n\nclass Cycle:\n    def __init__(self): self.me = self\n"
                    "    def __del__(self): sys._getframe()\n\n\nCycle()\nhere = sys._getframe()\n\n\n"
                    "@cuda.jit\ndef negate(out, a):\n    i = cuda.threadIdx.x\n    out[i] = -a[i]\n")
    assert check(find(load(), "threads/map"), file, seed=7).verdict == "passed"


def test_all_that_runs_a_kernel_is_there_and_watched_before_the_learners_file(tmp_path: Path) -> None:
    file = tmp_path / "solution.py"
    file.write_text("import sys\nfrom numba import cuda\nbefore = {*sys.modules}\n\n\n"
                    "@cuda.jit\ndef square(out, a, n):\n    i = cuda.grid(1)\n    if i < n:\n"
                    "        value = a[i]\n        out[i] = value * value\n\n\n"
                    "def square_all(out, a, n):\n    if n:\n        square[n // 64 + 1, 64](out, a, n)\n"
                    "    print(*(name for name in sys.modules if name not in before and 'gpulab' in name))\n")
    report = check(find(load(), "threads/choose-the-launch"), file, seed=7)
    assert (report.verdict, report.output.split()) == ("passed", [])


@pytest.mark.parametrize("act", ["context.np = None", "machine.launch.__kwdefaults__ = {'order': 1}",
                                 "atomics.UFUNCS['add'] = None", "lower.Lowering.value = print"])
def test_no_part_of_the_simulator_is_replaced(tmp_path: Path, act: str) -> None:
    file = tmp_path / "solution.py"
    file.write_text("from numba import cuda\nfrom gpulab.engines.simt import atomics, context, lower, machine\n"
                    f"{act}\n@cuda.jit\ndef negate(out, a):\n    i = cuda.threadIdx.x\n    out[i] = -a[i]\n")
    report = check(find(load(), "threads/map"), file, seed=7)
    assert report.verdict == "not allowed"


@pytest.mark.parametrize(("act", "outcomes"), [
    ("sys.meta_path.clear(); sys.path_hooks.clear()", [("passed", None)]),
    ("resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))", [("not allowed", 2), ("passed", None)]),  # needed or not
    ("sys.setrecursionlimit(30)", [("raised", 3)]),
])
def test_what_a_file_does_to_its_own_process_is_no_fault_of_the_machine(tmp_path: Path, act: str,
                                                                        outcomes: list[object]) -> None:
    file = tmp_path / "solution.py"
    file.write_text(f"import resource, sys; from numba import cuda\n{act}\n"
                    "@cuda.jit\ndef negate(out, a):\n    i = cuda.threadIdx.x\n    out[i] = -a[i]\n")
    report = check(find(load(), "threads/map"), file, seed=7)
    assert (report.verdict, report.diagnosis and report.diagnosis.line) in outcomes


def test_a_limit_that_stays_too_low_is_named() -> None:
    surroundings = Surroundings()
    assert surroundings.restore() is None
    limits = {number: limit for _, number, limit in surroundings._limits} | {resource.RLIMIT_NOFILE: (0, 0)}
    surroundings._functions = (limits.__getitem__, lambda number, limit: None)
    assert surroundings.restore() == "RLIMIT_NOFILE"
    surroundings._functions = (limits.__getitem__, limits.__setitem__)
    assert surroundings.restore() is None
    assert limits[resource.RLIMIT_NOFILE] == resource.getrlimit(resource.RLIMIT_NOFILE)
