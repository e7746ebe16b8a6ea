"""A check on both engines: verdicts, what they disagree about, and that the next check works whatever the last one did.

The card is a double (`tests/gpu/double.py`); the engine, its processes and numba-cuda are the real ones.
"""

from __future__ import annotations

import pytest

from gpulab.catalog.model import Puzzle
from gpulab.judge.report import Diagnosis, Report
from tests.gpu.conftest import HOST, KERNEL, Check


def diagnosis(report: Report) -> Diagnosis:
    assert report.diagnosis is not None
    return report.diagnosis


def gpu_notes(report: Report) -> list[str]:
    return [note.message for note in report.notes if note.kind == "gpu"]


def test_a_right_kernel_passes_on_both_engines(check: Check) -> None:
    report = check(KERNEL)
    assert report.passed
    assert {name: result.verdict for name, result in report.engines.items()} == {"sim": "passed", "gpu": "passed"}
    assert report.stars.correct is True
    assert not gpu_notes(report)


def test_the_report_names_the_card_and_what_it_is(check: Check) -> None:
    device = check(KERNEL).engines["gpu"].device
    assert device is not None
    assert device.name == "gpulab simulator"
    assert (device.capability, device.multiprocessors, device.l2) == ((9, 0), 132, 62914560)


def test_the_gpu_runs_a_larger_case_too(check: Check) -> None:
    report = check(KERNEL)
    sim, gpu = report.engines["sim"].cases, report.engines["gpu"].cases
    assert len(gpu) == len(sim) + 1
    assert (gpu[-1].tags, gpu[-1].of) == ("larger", 4093)


def test_a_race_that_a_gpu_lets_pass_is_called_luck_with_its_line(check: Check) -> None:
    report = check("""
        from numba import cuda

        @cuda.jit
        def add_one(out, a, n):
            i = cuda.grid(1)
            if i < n:
                out[i] = a[i] + 1
            if i == 0:
                out[n - 1] = out[n - 1]
    """)
    assert report.verdict == "race", diagnosis(report)
    assert report.engines["gpu"].verdict == "passed"
    assert gpu_notes(report) == ["Passes on this GPU by luck: race on line 10; no thread came at the wrong moment."]


def test_a_stray_read_that_does_no_harm_is_luck_too(check: Check) -> None:
    report = check("""
        from numba import cuda

        @cuda.jit
        def add_one(out, a, n):
            i = cuda.grid(1)
            x = a[i]
            if i < n:
                out[i] = x + 1
    """)
    assert (report.verdict, report.engines["gpu"].verdict) == ("out of bounds", "passed")
    assert gpu_notes(report)[0].startswith("Passes on this GPU by luck: out of bounds on line 7;")


FAR = """
    from numba import cuda

    @cuda.jit
    def add_one(out, a, n):
        i = cuda.grid(1)
        if i < n:
            out[i] = a[i] + 1
        if i == 0:
            out[i + 2000000000] = 1
"""


def test_an_illegal_address_is_a_verdict_and_the_next_check_works(check: Check) -> None:
    report = check(FAR, engine="gpu")
    assert report.verdict == "out of bounds"
    assert "CUDA_ERROR_ILLEGAL_ADDRESS" in diagnosis(report).message
    assert diagnosis(report).engine == "gpu"
    assert [case.verdict for case in report.engines["gpu"].cases][:2] == ["out of bounds", "not run"]
    assert check(KERNEL, engine="gpu").passed


def test_with_both_engines_it_is_the_simulator_that_says_where(check: Check) -> None:
    report = check(FAR)
    assert (report.verdict, diagnosis(report).engine, diagnosis(report).line) == ("out of bounds", "sim", 10)
    assert report.engines["gpu"].verdict == "out of bounds"


def test_a_kernel_that_does_not_end_is_ended_and_the_next_check_works(check: Check) -> None:
    endless = """
        from numba import cuda

        @cuda.jit
        def add_one(out, a, n):
            i = cuda.grid(1)
            while n > 0:
                out[i] = a[i] + 1
    """
    report = check(endless, engine="gpu")
    assert (report.verdict, report.engines["gpu"].verdict) == ("timed out", "timed out")
    assert check(KERNEL, engine="gpu").passed


def test_what_was_wrong_on_the_gpu_alone_is_the_gpus_verdict(check: Check) -> None:
    """The simulator never ran so many elements: the larger case is the GPU's."""
    report = check("""
        from numba import cuda

        @cuda.jit
        def add_one(out, a, n):
            i = cuda.grid(1)
            if i < n:
                out[i] = a[i] + (1 if n < 1000 else 2)
    """)
    assert (report.engines["sim"].verdict, report.engines["gpu"].verdict) == ("passed", "wrong answer")
    assert (report.verdict, diagnosis(report).engine, report.stars.correct) == ("wrong answer", "gpu", False)
    assert gpu_notes(report) == ["Right in the simulator at its sizes; wrong answer on this GPU in a larger case."]


def test_an_output_that_nobody_wrote_is_seen_by_its_poison(check: Check) -> None:
    report = check("""
        from numba import cuda

        @cuda.jit
        def add_one(out, a, n):
            i = cuda.grid(1)
            if i < n - 1:
                out[i] = a[i] + 1
    """, engine="gpu")
    assert (report.verdict, diagnosis(report).index) == ("not written", (30,))


def test_a_changed_input_is_seen(check: Check) -> None:
    report = check("""
        from numba import cuda

        @cuda.jit
        def add_one(out, a, n):
            i = cuda.grid(1)
            if i < n:
                out[i] = a[i] + 1
                a[i] = 0
    """, engine="gpu")
    assert (report.verdict, diagnosis(report).array) == ("input modified", "a")


def test_a_write_into_the_guard_band_is_seen(check: Check, host_puzzle: Puzzle) -> None:
    """By the host, who can reach it: the double's kernels never store outside an array."""
    report = check(HOST + """
        from numba.cuda.cudadrv.driver import device_memset
        beside = out.gpu_data.view(0)
        beside.device_pointer
        pointer = out.device_ctypes_pointer.value + 4 * n
        from numba.cuda.cudadrv.driver import driver
        driver.cuMemsetD8(pointer, 7, 4)
    """, host_puzzle, engine="gpu")
    assert (report.verdict, diagnosis(report).array) == ("out of bounds", "out")


def test_a_host_function_passes_and_its_launches_are_seen(check: Check, host_puzzle: Puzzle) -> None:
    assert check(HOST, host_puzzle, engine="gpu").passed
    without = check("""
        def add_one(out, a, n):
            out.copy_to_device(a.copy_to_host() + 1)
    """, host_puzzle, engine="gpu")
    assert without.verdict == "not allowed"


def test_a_host_function_that_leaves_in_the_middle_is_a_verdict(check: Check, host_puzzle: Puzzle) -> None:
    for text, verdict in (("import sys; sys.exit(3)", "crashed"), ("import os; os._exit(3)", "crashed"),
                          ("raise ValueError('no')", "raised")):
        report = check(HOST + f"        {text}\n", host_puzzle, engine="gpu")
        assert (report.verdict, diagnosis(report).line) == (verdict, 12), text
    assert check(HOST, host_puzzle, engine="gpu").passed


def test_too_much_memory_is_the_learners_own_exception(check: Check, host_puzzle: Puzzle) -> None:
    report = check(HOST + "        cuda.device_array(1 << 40)\n", host_puzzle, engine="gpu")
    assert (report.verdict, diagnosis(report).line) == ("raised", 12)
    assert "OUT_OF_MEMORY" in report.diagnosis.traceback if report.diagnosis else False


def test_a_kernel_that_numba_refuses_does_not_compile_on_the_gpu_either(check: Check) -> None:
    report = check("""
        from numba import cuda

        @cuda.jit
        def add_one(out, a, n):
            i = cuda.grid(1)
            out[i] = "text"
    """, engine="gpu")
    assert (report.verdict, diagnosis(report).line) == ("does not compile", 7)


def test_without_a_card_the_simulators_verdict_stands_and_the_reason_is_told(
        check: Check, monkeypatch: pytest.MonkeyPatch) -> None:
    from gpulab.runner.pool import POOL

    POOL.stop()
    monkeypatch.setenv("GPULAB_TEST_NO_GPU", "1")
    try:
        report = check(KERNEL)
        alone = check(KERNEL, engine="gpu")
    finally:
        POOL.stop()
    assert report.passed and list(report.engines) == ["sim"], report.diagnosis
    assert gpu_notes(report) == ["Judged in the simulator alone; the GPU was not used: CUDA sees no GPU "
                                 "(CUDA_ERROR_NO_DEVICE)."]
    assert (alone.verdict, alone.stars.correct) == ("environment", None)
    assert diagnosis(alone).message == "The GPU could not be used: CUDA sees no GPU (CUDA_ERROR_NO_DEVICE)."


def test_what_only_the_gpu_ran_earns_no_star(check: Check) -> None:
    report = check(KERNEL, engine="gpu")
    assert (report.verdict, report.stars.correct) == ("passed", None), report.diagnosis
    assert gpu_notes(report)[0].startswith("Only the GPU ran this")
