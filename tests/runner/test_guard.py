"""What would show a solution the answer, or lie to its own check, is refused and named; honest code is left alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gpulab.catalog.model import Puzzle
from tests.runner.conftest import RIGHT, Check
from tests.runner.test_verdicts import diagnosis

SWALLOWED = """
try:
    {act}
except BaseException:
    pass
def host(out, a, n): out[...] = a + 1
"""


@pytest.mark.parametrize(("act", "words"), [
    ("open('{spec}').read()", "opened spec.py of the puzzle"),
    ("open('{reference}').read()", "opened puzzle.py of the puzzle"),
    ("__import__('runpy').run_path('{spec}')", "opened spec.py"),
    ("__import__('numpy').fromfile('{spec}')", "opened spec.py"),
    ("__import__('os').open('{folder}/../puzzle/spec.py', 0)", "opened spec.py"),
    ("__import__('os').symlink('{spec}', 'mine.py') or open('mine.py')", "opened mine.py"),
    ("__import__('os').link('{spec}', 'linked.py')", "opened spec.py"),
    ("open('/proc/self/root{spec}')", "opened spec.py"),
    ("__import__('shutil').copy('{spec}', 'copy.py')", "opened spec.py"),
    ("__import__('os').system('cat {spec}')", "ran a program on the puzzle's own files"),
    ("__import__('subprocess').run(['cat', '{spec}'])", "ran a program on the puzzle's own files"),
    ("__import__('subprocess').run('cat /et?/pass*', shell=True)", "started another program"),
    ("__import__('os').system('true')", "started another program"),
    ("__import__('os').popen('true')", "started another program"),
    ("__import__('os').posix_spawn('/bin/true', ['true'], {{}})", "started another program"),
    ("__import__('os').execv('/bin/true', ['true'])", "started another program"),
    ("exec('import subprocess; subprocess.run([1])'.replace('1', repr('true')))", "started another program"),
    ("__import__('ctypes').CDLL(None).system", "asked for system"),
    ("__import__('sys').addaudithook(print)", "added an audit hook"),
    ("open(f'/proc/{{__import__(\"os\").getppid()}}/mem', 'rb')", "memory and files of another process"),
    ("__import__('ctypes').CDLL(None).ptrace", "asked for ptrace"),
    ("__import__('ctypes').CDLL(None).process_vm_readv", "asked for process_vm_readv"),
    ("__import__('os').kill(__import__('os').getppid(), 9)", "which it did not start"),
    ("__import__('os').kill(-1, 9)", "which it did not start"),
])
def test_a_forbidden_act_is_told_even_if_its_error_is_swallowed(check: Check, puzzle: Puzzle, act: str,
                                                                words: str) -> None:
    act = act.format(spec=puzzle.spec, reference=puzzle.reference, folder=puzzle.folder)
    found = diagnosis(check(SWALLOWED.format(act=act)))
    assert (found.kind, found.line) == ("not allowed", 3)
    assert words in found.message


def test_the_act_itself_does_not_happen(check: Check, puzzle: Puzzle) -> None:
    report = check(f"try:\n    text = open({str(puzzle.spec)!r}).read()\n"
                   "except PermissionError as error:\n    text = str(error)\nprint(text)\n")
    assert "SECRET" not in report.output
    assert "spec.py" in report.output


@pytest.mark.parametrize(("act", "name", "line"), [
    ("import time\ntime.perf_counter = lambda: 0.0", "time.perf_counter", 2),
    ("import numpy\nnumpy.array_equal = lambda *args: True", "numpy.array_equal", 2),
    ("import numpy as np\nsetattr(np, 'take', None)", "numpy.take", 2),
    ("import numpy\ndel numpy.add", "numpy.add", None),
    ("import builtins\nbuiltins.sum = max", "builtins.sum", 2),
    ("import gpulab.judge.memory as m\nm.place = None",
     "gpulab.judge.memory.place", 2),
    ("from gpulab.runner import wire\nwire.Wire.send = print", "gpulab.runner.wire.Wire.send", 2),
    ("from gpulab.judge import memory\ndef f(array): pass\nmemory.place.__code__ = f.__code__",
     "gpulab.judge.memory.place", 3),
    ("from numba.cuda import dispatcher\ndispatcher.CUDADispatcher.__getitem__ = None",
     "numba.cuda.dispatcher.CUDADispatcher.__getitem__", 2),
    ("import sys\nsys.modules['numpy'] = sys", "numpy", None),
    ("import gpulab\ngpulab.simulate = None", "gpulab.simulate", 2),
    ("import gpulab.engines.simt.context as c\nc.np = None", "gpulab.engines.simt.context.np", 2),
    ("import gpulab.runner as r\nclass Other(type(r)): pass\nr.__class__ = Other", "gpulab.runner", None),
    ("from gpulab.runner.wire import Wire\nWire.__getattribute__ = None",
     "gpulab.runner.wire.Wire.__getattribute__", 2),
    ("from gpulab.engines.simt.findings import Findings\n"
     "Findings.out_of_bounds.__kwdefaults__ = {'other': 1}", "gpulab.engines.simt.findings.Findings.out_of_bounds", 2),
    ("from gpulab.engines.simt import atomics\natomics.UFUNCS['add'] = None", "gpulab.engines.simt.atomics.UFUNCS",
     2),
    ("import pickle\npickle.loads = None", "pickle.loads", 2),
    ("import sys\nframe = sys._getframe()\nwhile 'learner' not in frame.f_locals: frame = frame.f_back\n"
     "frame.f_locals['learner'].engine = None", "gpulab.runner.inside._Learner.engine", 4),
])
def test_replacing_what_the_check_relies_on_is_named(check: Check, act: str, name: str, line: int | None) -> None:
    found = diagnosis(check(f"{act}\ndef host(out, a, n): out[...] = a + 1\n"))
    assert (found.kind, found.line) == ("not allowed", line)
    assert f"replaced {name}," in found.message


@pytest.mark.parametrize(("act", "words"), [
    ("import sys\nsys.settrace(hook)", "a trace function"),
    ("import sys\nsys.setprofile(hook)", "a profile function"),
    ("import signal\nsignal.setitimer(signal.ITIMER_VIRTUAL, 5)", "a timer running"),
    ("import signal\nsignal.alarm(5)", "a timer running"),
    ("import gc\ngc.callbacks.append(hook)", "a callback of the garbage collector"),
    pytest.param("import sys\nsys.monitoring.use_tool_id(4, 'mine')", "a tool of sys.monitoring",
                 marks=pytest.mark.skipif(sys.version_info < (3, 12), reason="new in Python 3.12")),
])
def test_a_hook_that_would_run_during_the_check_is_named_and_taken_away(check: Check, act: str, words: str) -> None:
    found = diagnosis(check(f"def hook(*args): pass\n{act}\ndef host(out, a, n): out[...] = a + 1\n"))
    assert (found.kind, found.line) == ("not allowed", 3)
    assert f"left {words}" in found.message


def test_a_default_that_claims_to_be_equal_is_another_one(check: Check) -> None:
    found = diagnosis(check("""
        import dataclasses
        class Equal:
            def __eq__(self, other): return True
        dataclasses.field.__kwdefaults__["init"] = Equal()
        def host(out, a, n): out[...] = a + 1
    """))
    assert found.kind == "not allowed"
    assert "replaced dataclasses.field," in found.message


def test_a_hook_that_a_run_leaves_is_found_too(check: Check) -> None:
    found = diagnosis(check("import sys\ndef host(out, a, n):\n    sys.setprofile(print)\n    out[...] = a + 1\n"))
    assert (found.kind, found.line) == ("not allowed", 3)


@pytest.mark.parametrize("start", ["threading.Thread(target=time.sleep, args=(9,), daemon=True).start()",
                                   "_thread.start_new_thread(time.sleep, (9,))",
                                   "ThreadPoolExecutor(1).submit(time.sleep, 9)"])
def test_a_thread_left_beside_a_kernel_is_named(check: Check, start: str) -> None:
    text = ("import threading, _thread, time\nfrom concurrent.futures import ThreadPoolExecutor\n"
            f"from numba import cuda\n{start}\n@cuda.jit\ndef kernel(out, a, n):\n    out[...] = a + 1\n")
    found = diagnosis(check(text))
    assert (found.kind, found.line) == ("not allowed", 4)
    assert "left a thread running" in found.message


def test_what_holds_the_process_together_is_not_among_all_objects(check: Check) -> None:
    report = check("import gc\nfrom numba import cuda\n"
                   "print(any(type(one).__name__ in ('_Learner', 'Snapshot', 'Hooks') for one in gc.get_objects()))\n"
                   "def host(out, a, n): out[...] = a + 1\n")
    assert report.verdict == "passed"
    assert report.output == "False\n"


def test_replacing_it_during_a_run_is_found_too(check: Check) -> None:
    found = diagnosis(check("import time\ndef host(out, a, n):\n    time.time = None\n    out[...] = a + 1\n"))
    assert (found.kind, found.line) == ("not allowed", 3)


def test_the_hook_that_sees_this_sees_nothing_else(check: Check, tmp_path: Path) -> None:
    (tmp_path / "work" / "data.txt").write_text("mine")
    report = check("""
        import json, os, sys, tempfile, threading, multiprocessing, ctypes.util, platform, random, signal
        import numpy as np
        from numba import cuda, njit

        assert open("data.txt").read() == "mine"
        assert open(__file__).read()
        with tempfile.NamedTemporaryFile("w") as file:
            file.write("x")
        open("own.txt", "w").close()
        os.listdir("/proc")
        open("/proc/self/status").read()
        ctypes.CDLL(None).getpid()
        child = os.fork()
        if not child:
            signal.pause()
        os.kill(child, signal.SIGTERM)
        os.waitpid(child, 0)
        platform.platform()
        ctypes.util.find_library("m")
        with multiprocessing.get_context("fork").Pool(2) as pool:
            assert pool.map(abs, [-1, -2]) == [1, 2]
        np.set_printoptions(precision=3)
        np.random.seed(1)

        @njit
        def twice(x):
            return 2 * x

        assert twice(2) == 4

        def host(out, a, n):
            out[...] = a + 1
    """)
    assert report.verdict == "passed", diagnosis(report)


@pytest.mark.slow
def test_importing_torch_is_no_tampering(check: Check) -> None:
    pytest.importorskip("torch")
    assert check("import torch\ntorch.ones(3) + 1\n" + "def host(out, a, n): out[...] = a + 1\n").verdict == "passed"


def test_a_check_of_the_puzzles_own_files_is_no_offence(check: Check, puzzle: Puzzle) -> None:
    from gpulab import runner
    from tests.runner.conftest import DOUBLE

    text = "import inspect, sys\nassert inspect.getsource(sys.modules[__name__])\nopen(__file__).close()\n"
    for file in (puzzle.reference, puzzle.folder / "wrong" / "one.py"):
        file.write_text(text + "def host(out, a, n): out[...] = a + 1\n")
        report = runner.run(puzzle, file, judge=f"{DOUBLE}:judge", engine_module=DOUBLE)
        assert report.verdict == "passed", diagnosis(report)


def test_a_check_after_an_offence_starts_clean(check: Check) -> None:
    assert check("import time\ntime.time = None\n").verdict == "not allowed"
    assert check(RIGHT).verdict == "passed"
