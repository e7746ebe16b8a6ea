"""Whatever a learner's file does to its process is a verdict with a line, in bounded time, and nothing is left."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from gpulab.judge.report import Diagnosis, Report
from gpulab.runner.limits import MB, Limits
from tests.runner.conftest import RIGHT, Check

SHORT = 1.0
BOUND = 12.0
"""Seconds; a quiet machine takes two at most."""


def diagnosis(report: Report) -> Diagnosis:
    assert report.diagnosis is not None
    return report.diagnosis


def test_a_right_host_function_passes(check: Check) -> None:
    report = check(RIGHT, seed=7)
    assert (report.verdict, report.seed) == ("passed", 7)
    assert report.source.strip().startswith("def host")
    assert report.seconds["total"] > 0
    assert report.when


def test_a_kernel_is_told_from_functions_and_its_run_comes_back(check: Check) -> None:
    report = check("""
        from numba import cuda
        from math import sqrt

        def plain(x): return x

        @cuda.jit(device=True)
        def half(x): return x / 2

        @cuda.jit
        def kernel(out, a, n):
            out[...] = a + 1
    """)
    assert report.verdict == "passed"
    told = [note.message for note in report.notes if note.kind == "parameters"]
    assert told == ["plain function x", "half device function x", "kernel kernel out a n"]
    assert [(note.message, note.line) for note in report.notes if note.kind == "finding"] == [("seen", 3)] * 2


def test_a_wrong_value_comes_back_as_it_is(check: Check) -> None:
    assert diagnosis(check("def host(out, a, n): out[...] = a + n")).message.startswith("got [[3.0")


def test_a_syntax_error_is_named_with_its_line(check: Check) -> None:
    found = diagnosis(check("x = 1\ndef host(out, a, n:\n    pass\n"))
    assert (found.kind, found.line) == ("does not compile", 2)
    assert "SyntaxError" in found.message


@pytest.mark.parametrize("content", [b"x = '\xff'\n", b"x = 1\0\n"], ids=["not UTF-8", "a null byte"])
def test_bytes_that_are_no_python_do_not_compile(check: Check, content: bytes) -> None:
    assert check(content.decode("latin-1"), encoding="latin-1").verdict == "does not compile"


def test_an_exception_while_loading_shows_the_learners_frames_only(check: Check) -> None:
    found = diagnosis(check("""
        def broken():
            return {}["key"]

        broken()
    """))
    assert (found.kind, found.message, found.line) == ("raised", "KeyError: 'key'", 3)
    assert "in broken" in found.traceback
    assert "gpulab" not in found.traceback


def test_an_exception_in_a_host_function_names_the_line(check: Check) -> None:
    found = diagnosis(check("def host(out, a, n):\n    import json\n    json.loads('no')\n"))
    assert (found.kind, found.line) == ("raised", 3)
    assert found.message.startswith("json.decoder.JSONDecodeError")


@pytest.mark.parametrize(("text", "line", "words"), [
    ("import sys\nsys.exit(3)\n", 2, "sys.exit(3)"),
    ("import sys\ndef host(out, a, n):\n    sys.exit('done')\n", 3, "sys.exit('done')"),
    ("import os\nx = 1\nos._exit(3)\n", 3, "exit status 3"),
    ("import os\ndef host(out, a, n):\n    os._exit(0)\n", 3, "exit status 0"),
    ("import ctypes\ndef host(out, a, n):\n    ctypes.string_at(8)\n", 3, "segmentation fault"),
    ("import os\nos.abort()\n", 2, "SIGABRT"),
    ("import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", None, "SIGKILL"),
    ("import os\nos.setsid\nos.killpg(0, 15)\n", None, "SIGTERM"),
], ids=["sys.exit", "sys.exit in host", "os._exit", "os._exit in host", "segfault", "abort", "kill -9", "kill group"])
def test_an_ended_process_is_crashed_and_says_how_and_where(check: Check, text: str, line: int | None,
                                                            words: str) -> None:
    found = diagnosis(check(text))
    assert (found.kind, found.line) == ("crashed", line)
    assert words in found.message
    assert check(RIGHT).verdict == "passed"


@pytest.mark.parametrize(("text", "line"), [
    ("x = 0\nwhile True:\n    x += 1\n", (2, 3)),
    ("def host(out, a, n):\n    while True:\n        pass\n", (2, 3)),
    ("import time\ndef wait():\n    time.sleep(99)\nwait()\n", (3,)),
    ("import signal\nfor n in (1, 2, 15): signal.signal(n, signal.SIG_IGN)\nwhile True: pass\n", (3,)),
], ids=["import", "host", "sleep", "signals ignored"])
def test_an_endless_loop_is_timed_out_with_its_line(check: Check, limits: Limits, text: str,
                                                    line: tuple[int, ...]) -> None:
    assert check(RIGHT).verdict == "passed"  # so that the time of a cold start is not counted
    start = time.monotonic()
    found = diagnosis(check(text, limits=replace(limits, load=SHORT)))
    assert found.kind == "timed out"
    assert found.line in line
    assert "1 s" in found.message
    assert time.monotonic() - start < BOUND


def test_a_flood_of_prints_neither_blocks_nor_fills_memory(check: Check) -> None:
    assert check(RIGHT).verdict == "passed"  # so that the time of a cold start is not counted
    start = time.monotonic()
    report = check("""
        def host(out, a, n):
            for _ in range(5):
                for _ in range(1000):
                    print("x" * 9999)
            out[...] = a + 1
    """)
    assert report.verdict == "passed"
    assert report.output.startswith("xxxx")
    assert "100,000,000 bytes were printed, the first 65,536 are kept" in report.output[-120:]
    assert time.monotonic() - start < BOUND


def test_short_lines_in_a_flood_cost_little(check: Check) -> None:
    report = check("for i in range(1_000_000): print(i)\n" + "def host(out, a, n): out[...] = a + 1\n")
    assert report.verdict == "passed"
    assert report.output.startswith("0\n1\n2\n")


def test_a_flood_without_end_is_ended(check: Check, limits: Limits) -> None:
    found = diagnosis(check("import os\nwhile True:\n    os.write(1, b'x' * 60000)\n",
                            limits=replace(limits, output_most=64 * MB)))
    assert (found.kind, found.line) == ("crashed", 3)
    assert "printed more than 64 MB" in found.message


@pytest.mark.parametrize("act", ["sys.stdout.close()", "sys.stdout.detach()", "sys.stderr = sys.stdout = None",
                                 "os.close(1); os.close(2)"])
def test_whoever_closes_the_standard_streams_is_checked_all_the_same(check: Check, act: str) -> None:
    report = check(f"import os, sys\nprint('before')\n{act}\ndef host(out, a, n): out[...] = a + 1\n")
    assert (report.verdict, report.output) == ("passed", "before\n")


def test_what_was_printed_before_a_crash_is_kept(check: Check) -> None:
    report = check("import os, sys\nprint('before')\nprint('error', file=sys.stderr)\nos._exit(1)\n")
    assert report.output == "before\nerror\n"


def test_output_of_c_code_and_of_children_is_kept_too(check: Check) -> None:
    report = check("import os\nif not os.fork(): os.write(1, b'child\\n'); os._exit(0)\nos.wait()\n"
                   "def host(out, a, n): out[...] = a + 1\n")
    assert (report.verdict, report.output) == ("passed", "child\n")


def test_memory_that_is_touched_is_counted_and_ended(check: Check, limits: Limits) -> None:
    assert check(RIGHT).verdict == "passed"  # so that the time of a cold start is not counted
    start = time.monotonic()
    found = diagnosis(check("import numpy as np\na = np.empty(3 << 30, np.uint8)\na[:] = 1\n",
                            limits=replace(limits, memory=400 * MB)))
    assert (found.kind, "400 MB of memory" in found.message) == ("crashed", True)
    assert time.monotonic() - start < BOUND


def test_memory_of_children_counts(check: Check, limits: Limits) -> None:
    found = diagnosis(check("""
        import os, time
        for _ in range(4):
            if not os.fork():
                hold = bytearray(b"x") * (150 << 20)
                time.sleep(60)
        time.sleep(60)
    """, limits=replace(limits, memory=400 * MB)))
    assert (found.kind, "400 MB of memory" in found.message) == ("crashed", True)


def test_memory_that_is_only_asked_for_is_pythons_affair(check: Check) -> None:
    report = check("""
        import numpy as np

        def host(out, a, n):
            np.ones(64 << 30, np.uint8)
    """)
    found = diagnosis(report)
    assert (found.kind, found.line) in {("raised", 5), ("crashed", None)}
    assert "64.0 GiB" in found.message or "of memory" in found.message


def test_a_fork_bomb_is_ended(check: Check) -> None:
    found = diagnosis(check("""
        import os, time
        for _ in range(7):
            os.fork()
        time.sleep(60)
    """))
    assert (found.kind, "more than 64 others" in found.message) == ("crashed", True)
    assert check(RIGHT).verdict == "passed"


def test_a_forked_child_cannot_answer_for_its_parent(check: Check) -> None:
    report = check("""
        import os
        child = os.fork() == 0

        def host(out, a, n):
            child = os.fork() == 0
            out[...] = a + (99 if child else 1)
            if not child:
                os.wait()
    """)
    assert report.verdict == "passed"


def test_a_child_that_ends_itself_does_not_confuse_the_line_of_a_crash(check: Check) -> None:
    found = diagnosis(check("""
        import ctypes, os
        if os.fork() == 0:
            os._exit(0)
        os.wait()

        def host(out, a, n):
            ctypes.string_at(8)
    """))
    assert (found.kind, found.line) == ("crashed", 8)


def test_objects_that_answer_to_every_name_are_no_functions(check: Check) -> None:
    report = check("""
        class Eager:
            def __getattr__(self, name):
                raise RuntimeError(name)

        eager = Eager()

        def host(out, a, n):
            out[...] = a + 1
    """)
    assert report.verdict == "passed"


def test_children_in_sessions_of_their_own_are_ended(check: Check, tmp_path: object) -> None:
    report = check("""
        import os
        from multiprocessing.util import spawnv_passfds

        os.environ.clear()
        spawnv_passfds(b"/bin/sleep", ["sleep", "77"], [])
        if os.fork() == 0:
            os.setsid()
            spawnv_passfds(b"/bin/sleep", ["sleep", "78"], [])
            os._exit(0)
        os.wait()

        def host(out, a, n):
            out[...] = a + 1
    """)
    assert report.verdict == "passed"
    assert_no_process_called("sleep 77", "sleep 78")


def assert_no_process_called(*names: str) -> None:
    import psutil

    deadline = time.monotonic() + 2
    while time.monotonic() < deadline:
        left = [process.info["cmdline"] for process in psutil.process_iter(["cmdline"])
                if " ".join(process.info["cmdline"] or ()) in names]
        if not left:
            return
        time.sleep(0.01)
    raise AssertionError(left)


def test_threads_left_running_end_with_the_job(check: Check) -> None:
    report = check("""
        import threading, time

        def spin():
            while True:
                time.sleep(0.001)

        for _ in range(8):
            threading.Thread(target=spin).start()

        def host(out, a, n):
            out[...] = a + 1
    """)
    assert report.verdict == "passed"


def test_time_for_all_cases_together_is_limited(check: Check, limits: Limits) -> None:
    report = check("""
        import time

        def host(out, a, n):
            end = time.process_time() + 0.3
            while time.process_time() < end:
                pass
            out[...] = a + 1
    """, judge="judge_of_eight_runs", limits=replace(limits, cases=1.0))
    found = diagnosis(report)
    assert (found.kind, found.line in (6, 7)) == ("timed out", True)
    assert "all cases together took more than 1 s of processor time" in found.message


def test_a_child_that_writes_into_every_descriptor_is_not_believed(check: Check) -> None:
    report = check("""
        import os

        def host(out, a, n):
            for descriptor in range(3, 64):
                try:
                    os.write(descriptor, b"nonsense" * 9)
                except OSError:
                    pass
            out[...] = a + 1
    """)
    assert diagnosis(report).kind == "not allowed"
    assert "line between" in diagnosis(report).message


def test_no_import_finds_the_workspace_or_the_puzzles(check: Check) -> None:
    report = check("""
        import sys
        import importlib.util
        for name in ("solution", "puzzles", "kernels"):
            assert importlib.util.find_spec(name) is None, (name, sys.path)
        assert __name__ not in ("__main__", "solution")
        assert sys.stdin.read() == ""
        import gpulab.trace, numpy, numba

        def host(out, a, n):
            out[...] = a + 1
    """)
    assert report.verdict == "passed", diagnosis(report).traceback
