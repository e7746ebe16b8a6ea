"""What a host program replaces in the simulator for a launch, and puts back after it, is found and named."""

from __future__ import annotations

import textwrap
import time
from pathlib import Path

import pytest

from gpulab.catalog import find, load
from gpulab.check import check
from gpulab.engines.simt.host import install
from gpulab.judge.report import Report
from gpulab.runner.tampering import Snapshot, _is_for_launches, line_that_reaches_in

COPY = """
    from numba import cuda
    from numba.cuda import dispatcher
    from gpulab.engines.simt import atomics, machine
    from gpulab.engines.simt.host import launch


    @cuda.jit
    def square(out, a, n):
        i = cuda.grid(1)
        if i < n:
            out[i] = a[i] {times}


    def put_square(out, a, n):
        if n:
            square[n // 64 + 1, 64](out, a, n)
"""


def checked(folder: Path, host: str, times: str = "", own: bool = False) -> Report:
    """What comes of a host program around a kernel that only copies, or multiplies by `times` too.

    With `own` the file imports nothing of gpulab.
    """
    file = folder / "solution.py"
    start = textwrap.dedent(COPY).format(times=times)
    start = "".join(line for line in start.splitlines(True) if not (own and line.startswith("from gpulab")))
    file.write_text(start + "\n\n" + textwrap.dedent(host))
    return check(find(load(), "threads/choose-the-launch"), file, seed=7)


FILL = """
    real = machine.run_lockstep
    def wrapped(prepared, state, order):
        real(prepared, state, order)
        out, a = prepared.views["out"], prepared.views["a"]
        values = a.memory.cells[a.base:a.base + a.shape[0]]
        out.memory.cells[out.base:out.base + len(values)] = values * values
    def square_all(out, a, n):
        machine.run_lockstep = wrapped
        put_square(out, a, n)
        machine.run_lockstep = real
"""


@pytest.mark.parametrize("swallow", ["", "except BaseException: pass"])
def test_a_part_of_the_simulator_that_is_put_back_after_the_launch_is_named(tmp_path: Path, swallow: str) -> None:
    host = FILL.replace("put_square(out, a, n)", "try: put_square(out, a, n)\n        finally: pass")
    if swallow:
        host = host.replace("finally: pass", swallow)
    report = checked(tmp_path, host)
    assert report.verdict == "not allowed"
    assert report.diagnosis is not None
    assert "replaced gpulab.engines.simt.machine.run_lockstep," in report.diagnosis.message
    assert report.diagnosis.line is not None
    line = (tmp_path / "solution.py").read_text().splitlines()[report.diagnosis.line - 1]
    assert line.strip() == "machine.run_lockstep = wrapped"


@pytest.mark.parametrize(("change", "back", "name"), [
    ("launch._run = print", "launch._run = real", "gpulab.engines.simt.host.launch._run"),
    ("dispatcher.CUDADispatcher.call = kept", "dispatcher.CUDADispatcher.call = call",
     "numba.cuda.dispatcher.CUDADispatcher.call"),
    ("atomics.UFUNCS['add'] = None", "atomics.UFUNCS['add'] = add", "gpulab.engines.simt.atomics.UFUNCS"),
    ("machine.len = min", "del machine.len", "gpulab.engines.simt.machine.len"),
    ("real.__code__ = other.__code__", "real.__code__ = code", "gpulab.engines.simt.host.launch._run"),
])
def test_whatever_way_it_is_replaced(tmp_path: Path, change: str, back: str, name: str) -> None:
    report = checked(tmp_path, f"""
        real, call, add = launch._run, dispatcher.CUDADispatcher.call, atomics.UFUNCS["add"]
        code = real.__code__
        def other(*args): pass
        def kept(self, *args): return call(self, *args)
        def square_all(out, a, n):
            {change}
            try: put_square(out, a, n)
            finally: {back}
    """)
    assert report.diagnosis is not None
    assert report.verdict == "not allowed"
    assert f"replaced {name}," in report.diagnosis.message


def test_a_host_program_that_replaces_things_of_its_own_passes(tmp_path: Path) -> None:
    report = checked(tmp_path, """
        def helper(n=0): return n
        def square_all(out, a, n):
            helper.__defaults__ = (n,)
            global put_square
            put_square = put_square
            put_square(out, a, n)
    """, times="* a[i]", own=True)
    assert report.verdict == "passed"


def test_what_a_launch_noted_is_out_of_reach(tmp_path: Path) -> None:
    """Nothing is replaced here while a launch begins: the wrapper puts the function back before it calls it."""
    report = checked(tmp_path, """
        real = launch.launch
        def wrapped(kernel, args, *rest):
            launch.launch = real
            real(kernel, args, *rest)
            out, n = args[0], args[2]
            for memory in install.current().session.memory:
                if memory.address == out.device_ctypes_pointer.value:
                    values = memory.data[:n * 4].view("float32")
                    values[...] = values * values
                    memory.seal()
        def square_all(out, a, n):
            if n: launch.launch = wrapped
            put_square(out, a, n)
        import sys
        install = sys.modules["gpulab.engines.simt.host.install"]
    """)
    assert report.diagnosis is not None
    assert report.verdict == "not allowed"
    assert report.diagnosis.message == "Your code reaches into gpulab, which is what checks it."


@pytest.mark.parametrize("text", [
    "from gpulab.engines.simt import machine", "import gpulab.runner", "from gpulab import engines",
    "import gpulab\ngpulab.engines", "import_module('gpulab.engines.simt.machine')", "sys.modules[type(k).__module__]",
    "sys.modules.get(name)", "type(kernel).launch.__globals__", "gc.get_objects()", "inspect.getmodule(kernel)",
    "for name in 'a':\n    function.__closure__[0].cell_contents = 1", "getattr(launch, '__globals__')",
])
def test_ways_into_the_simulator(text: str) -> None:
    assert line_that_reaches_in("x = 1\n" + text) in (2, 3)


@pytest.mark.parametrize("text", [
    '"""Solved with gpulab."""', "import gpulab\ngpulab.simulate(k, 1, 1)", "from gpulab import simulate, Run",
    "title = 'gpulab: mine'", "'torch' in sys.modules", "if __name__ == '__main__':\n    import gpulab.engines.simt",
    "modules = 3\nsettings.modules[0] = 1", "frame = sys._getframe().f_back.f_lineno",
])
def test_what_a_solution_may_well_have(text: str) -> None:
    assert line_that_reaches_in(text) is None


def test_a_changed_closure_is_seen_at_a_launch() -> None:
    installation = install()
    try:
        snapshot = Snapshot()
        snapshot.accept()
        function, *_, cells = next(parts for parts in snapshot._codes if parts[-1] and _is_for_launches(parts[0]))
        cell, content = cells[0]
        cell.cell_contents = print
        try:
            assert snapshot.replaced_at_launch() == f"{function.__module__}.{function.__qualname__}"
        finally:
            cell.cell_contents = content
        assert snapshot.replaced_at_launch() is None
    finally:
        installation.uninstall()


def test_the_look_takes_less_than_two_milliseconds() -> None:
    installation = install()
    try:
        snapshot = Snapshot()
        snapshot.accept()
        assert snapshot.replaced_at_launch() is None
        assert min(_seconds_of_looks(snapshot, 20) for _ in range(5)) < 2e-3  # 0.2 on a quiet machine
    finally:
        installation.uninstall()


def _seconds_of_looks(snapshot: Snapshot, count: int) -> float:
    before = time.process_time()
    for _ in range(count):
        snapshot.replaced_at_launch()
    return (time.process_time() - before) / count
