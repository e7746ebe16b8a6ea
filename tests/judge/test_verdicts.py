"""Each verdict word that the judge can give, reached by a learner's file in the real simulator."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gpulab.judge.report import Report, Stars
from gpulab.judge.wording import WIDTH
from tests.judge import specs
from tests.judge.local import judge, puzzle_of

HEAD = "from numba import cuda, float32\n\nTPB = 64\nCELLS = TPB + 2\n\n\n"
KERNEL = HEAD + "@cuda.jit\ndef f(out, a, n):\n    i = cuda.grid(1)\n"  # the body begins on line 10

TILED = HEAD + """\
@cuda.jit
def f(out, a, n):
    tile = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < n:
        tile[t + 2] = a[i]
    if t < 2 and i - 2 < n:
        tile[t] = a[i - 2] if i >= 2 else float32(0)
    cuda.syncthreads()
    if i < n:
        out[i] = tile[t] + tile[t + 1] + tile[t + 2]
"""
PLAIN = KERNEL + """\
    if i < n:
        total = a[i]
        if i >= 1:
            total += a[i - 1]
        if i >= 2:
            total += a[i - 2]
        out[i] = total
"""


def judged(folder: Path, source: str, spec: str = specs.STENCIL, **options: object) -> Report:
    """The report, after checks that hold for every report."""
    report = judge(puzzle_of(folder, spec), source, **options)  # type: ignore[arg-type]
    found = report.diagnosis
    assert (found is None) == report.passed
    if found is not None:
        assert found.kind == report.verdict
        for text in (found.message, found.detail, found.next):
            assert text[0].isupper() or text.startswith(("out", "a[", "f ", "go ", "print "))
            assert text.endswith((".", "?")), text
            assert len(text) <= WIDTH, text
    return report


def changed(source: str, old: str, new: str) -> str:
    assert old in source
    return source.replace(old, new, 1)


def said(report: Report) -> str:
    assert report.diagnosis is not None
    return report.diagnosis.message


def test_passed(tmp_path: Path) -> None:
    report = judged(tmp_path, TILED)
    assert report.verdict == "passed"
    assert report.stars == Stars(correct=True, efficient=True)
    sim = report.engines["sim"]
    assert [case.verdict for case in sim.cases] == ["passed"] * 9
    loads, shared = sim.budget
    assert (loads.name, loads.line) == ("global_loads_per_output", 13)
    assert loads.figure == pytest.approx((1000 + 2 * 15) / 1000)
    assert shared.kept and shared.figure == 1
    assert sim.counters["totals"]["barriers"] == 16
    assert set(sim.counters) > {"totals", "13", "18"}


def test_race_names_both_lines_and_both_threads(tmp_path: Path) -> None:
    report = judged(tmp_path, changed(TILED, "    cuda.syncthreads()\n", ""))
    found = report.diagnosis
    assert found is not None
    assert (report.verdict, found.line) == ("race", 17)
    assert found.other is not None and found.other.line in (13, 15)
    other = found.other.line
    assert re.fullmatch(r"Thread \d+ reads tile\[\d+\] while thread \d+ may still write it\.", said(report))
    assert found.detail.startswith(f"Nothing makes line 17 wait for line {other}")
    assert found.next == "Make every thread wait between line 15 and line 17."  # below both lines that fill the tile
    assert report.engines["sim"].cases[-1].wrong == 0  # right, by luck of order
    assert report.stars.correct is False


def test_a_race_on_one_line_says_that_others_come_in_between(tmp_path: Path) -> None:
    report = judged(tmp_path, KERNEL + "    if i < n:\n        out[a[i]] += 1\n", specs.COUNT)
    assert report.verdict == "race"
    assert report.diagnosis is not None
    assert report.diagnosis.detail == "Line 11 reads and writes in separate steps, others come in between."


def test_a_race_over_the_end_of_a_loop_speaks_of_the_next_round(tmp_path: Path) -> None:
    body = """\
    tile = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    total = float32(0)
    for k in range(3):
        tile[t] = a[i - k] if k <= i < n + k else float32(0)
        cuda.syncthreads()
        total += tile[TPB - 1 - t]
    if i < n:
        out[i] = total
"""
    report = judged(tmp_path, KERNEL + body)
    found = report.diagnosis
    assert report.verdict == "race" and found is not None
    assert (found.line, found.other and found.other.line) == (14, 16)
    assert found.detail == "The next round reaches line 14 before all threads are past line 16."
    assert found.next == "Make every thread wait before the next round reaches line 14."


def test_a_race_between_blocks_says_that_no_barrier_reaches_across(tmp_path: Path) -> None:
    report = judged(tmp_path, KERNEL + "    if i < n:\n        out[i] = a[i]\n        out[(i + 64) % n] = a[i]\n")
    assert report.verdict == "race"


def test_blocks_that_count_on_their_order_are_found_without_a_race(tmp_path: Path) -> None:
    """Atomics are no race; a ticket that decides a value still depends on who comes first."""
    body = """\
    if i < n:
        ticket = cuda.atomic.add(out, 3, 1)
        if ticket < 64:
            cuda.atomic.add(out, 0, i)
"""
    expected = "n = len(a); return [sum(range(min(n, 64))), 0, 0, n]"
    spec = changed(specs.COUNT, "return np.bincount(a, minlength=4)", expected)
    report = judged(tmp_path, KERNEL + body, spec)
    assert report.verdict == "race"
    assert "changes when the blocks run in another order" in said(report)


def test_out_of_bounds(tmp_path: Path) -> None:
    report = judged(tmp_path, KERNEL + "    out[i] = a[i]\n")
    assert (report.verdict, report.diagnosis and report.diagnosis.line) == ("out of bounds", 10)
    assert said(report) == "Thread 1 reads a[1], but a has 1 element."
    assert report.diagnosis is not None and report.diagnosis.sizes == {"n": 1}


def test_a_negative_index_is_out_of_bounds_and_says_why(tmp_path: Path) -> None:
    report = judged(tmp_path, KERNEL + "    if i < n:\n        out[i] = a[i] + a[i - 1] + a[i - 2]\n")
    assert report.verdict == "out of bounds"
    assert report.diagnosis is not None
    assert "Numba counts from the end here" in report.diagnosis.detail


def test_barrier_divergence(tmp_path: Path) -> None:
    inside = changed(TILED, "    cuda.syncthreads()\n    if i < n:\n", "    if i < n:\n        cuda.syncthreads()\n")
    report = judged(tmp_path, inside)
    assert (report.verdict, report.diagnosis and report.diagnosis.line) == ("barrier divergence", 17)


def test_uninitialised_shared_memory(tmp_path: Path) -> None:
    halo = "    if t < 2 and i - 2 < n:\n        tile[t] = a[i - 2] if i >= 2 else float32(0)\n"
    report = judged(tmp_path, changed(TILED, halo, ""))
    assert (report.verdict, report.diagnosis and report.diagnosis.line) == ("uninitialised read", 16)
    assert report.diagnosis is not None and report.diagnosis.array == "tile"


@pytest.mark.parametrize("spec", [specs.STENCIL, specs.WHOLE], ids=["float32", "int32"])
def test_an_output_that_is_read_first_is_an_uninitialised_read(tmp_path: Path, spec: str) -> None:
    source = changed(KERNEL, "cuda.grid(1)", "cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x")
    report = judged(tmp_path, source + "    if i < n:\n        out[i] += a[i]\n", spec)
    assert (report.verdict, report.diagnosis and report.diagnosis.line) == ("uninitialised read", 11)
    assert said(report) == "out[0] depends on what out held before your kernel ran."


def test_input_modified_names_the_writer(tmp_path: Path) -> None:
    store = "        out[i] = total\n        if n == 1:\n            a[0] = 9"
    report = judged(tmp_path, changed(PLAIN, "        out[i] = total", store))
    assert (report.verdict, report.diagnosis and report.diagnosis.line) == ("input modified", 18)
    assert "a[0] is an input, and it changed from" in said(report)


@pytest.mark.parametrize("spec", [specs.STENCIL, specs.WHOLE], ids=["float32", "int32"])
def test_not_written_is_told_by_a_case_that_shows_which(tmp_path: Path, spec: str) -> None:
    source = changed(KERNEL, "cuda.grid(1)", "cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x")
    body = "    if i < n - 1:\n        out[i] = a[i] + 10\n"
    if spec is specs.STENCIL:
        body = PLAIN[len(KERNEL):].replace("i < n", "i < n - 1")
    report = judged(tmp_path, source + body, spec)
    assert report.verdict == "not written"
    assert said(report) == "out[2] was never written."
    assert report.diagnosis is not None and report.diagnosis.mismatch is not None
    assert report.diagnosis.detail == "Only the last element is unwritten."
    assert report.diagnosis.mismatch.got == "not written"


def test_a_kernel_that_stores_nothing_is_told_so(tmp_path: Path) -> None:
    report = judged(tmp_path, KERNEL)
    assert report.verdict == "not written"
    assert said(report) == "out was never written."
    assert report.diagnosis is not None and "stored nothing" in report.diagnosis.detail


def test_wrong_answer_shows_window_pattern_and_writer(tmp_path: Path) -> None:
    zero = changed(TILED, "a[i - 2] if i >= 2 else float32(0)", "0.0")
    report = judged(tmp_path, zero)
    found = report.diagnosis
    assert report.verdict == "wrong answer" and found is not None
    mismatch = found.mismatch
    assert mismatch is not None
    assert found.sizes == {"n": 129}  # 65 has one wrong element, and one element has no pattern
    assert (mismatch.index, mismatch.wrong, mismatch.row) == ((64,), 3, 64)
    assert mismatch.pattern == found.detail == "The first two elements of every block are wrong, except in block 0."
    assert [cell.index[0] for cell in mismatch.window] == list(range(61, 68))
    assert [cell.wrong for cell in mismatch.window] == [False] * 3 + [True] * 2 + [False] * 2
    assert [cell.block and cell.block[0] for cell in mismatch.window] == [0] * 3 + [1] * 4
    assert mismatch.wrong_cells == [64, 65, 128]
    assert mismatch.write is not None
    assert (mismatch.write.line, mismatch.write.block[0], mismatch.write.thread[0]) == (18, 1, 0)
    operands = mismatch.write.operands
    assert [(operand.array, operand.index) for operand in operands[:2]] == [("tile", (0,)), ("tile", (1,))]
    assert [operand.value for operand in operands[:2]] == [0.0, 0.0]
    assert operands[0].written_by is not None and operands[0].written_by.line == 15
    assert found.next == "What lies left of a block's first element?"


def test_swapped_axes_are_seen_as_such(tmp_path: Path) -> None:
    spec = changed(specs.MATRIX, "return a * 2.0", "return a * 1.0")
    square = changed(spec, "shapes(8)", "[(8, 8), (16, 16), (1, 1)]")
    source = HEAD + """\
@cuda.jit
def f(out, a, rows, columns):
    i, j = cuda.grid(2)
    if i < rows and j < columns:
        out[i, j] = a[j, i]
"""
    report = judged(tmp_path, source, square)
    assert report.diagnosis is not None
    assert report.diagnosis.detail == "out is transposed: out[i, j] holds what belongs in out[j, i]."
    assert report.diagnosis.mismatch is not None and len(report.diagnosis.mismatch.window) == 21


def test_over_budget_names_figure_limit_and_line(tmp_path: Path) -> None:
    report = judged(tmp_path, PLAIN)
    assert report.verdict == "over budget"
    assert report.stars == Stars(correct=True, efficient=False)
    assert said(report) == "Right, but it takes 3.00 global loads per output; at most 1.04 may be."
    assert report.diagnosis is not None and report.diagnosis.next == "Use the tile."
    assert report.diagnosis.line == 11


def test_right_numbers_without_the_shared_array_are_over_budget(tmp_path: Path) -> None:
    report = judged(tmp_path, PLAIN, changed(specs.STENCIL, "global_loads_per_output=1.04, ", ""))
    assert said(report) == "The result is right, but the kernel has no shared array."


def test_a_budget_that_is_not_needed_is_a_note_and_an_open_star(tmp_path: Path) -> None:
    report = judged(tmp_path, PLAIN, changed(specs.STENCIL, "needed=True", "needed=False"))
    assert report.verdict == "passed"
    assert report.stars == Stars(correct=True, efficient=False)
    assert report.notes[0].kind == "budget" and report.notes[0].line == 11


@pytest.mark.parametrize(("source", "verdict", "line", "message"), [
    (KERNEL + "    out[i = 3\n", "does not compile", 10, "Line 10 is not Python: '[' was never closed."),
    (changed(KERNEL, "def f", "def g"), "does not compile", None, "There is no kernel f in your file."),
    (changed(KERNEL, "@cuda.jit\n", ""), "does not compile", 7, "f is a plain Python function, not a kernel."),
    (changed(KERNEL, "@cuda.jit", "@cuda.jit(device=True)"), "does not compile", 7,
     "f is a device function, which nobody can launch."),
    (changed(KERNEL, "(out, a, n)", "(out, a)"), "does not compile", 7, "f takes 2 arguments, but is called with 3."),
    (changed(KERNEL, "(out, a, n)", "(out, a, n, k=2)"), "does not compile", 7,
     "f takes 4 arguments, but is launched with 3."),
    (KERNEL + "    out[i] = open('x')\n", "does not compile", 10,
     "Line 10 does not compile: no kernel can call open."),
    ("x = 1 / 0\n" + KERNEL, "raised", 1, "Line 1 raised ZeroDivisionError: division by zero."),
    ("import sys\nsys.exit(3)\n", "crashed", 2, "The program ended itself: sys.exit(3)."),
    (KERNEL + "    while i >= 0:\n        n = 3\n", "timed out", 10,
     "The loop on line 10 never ends: nothing that it tests changes any more."),
])
def test_what_stops_a_file_is_told_in_a_sentence(tmp_path: Path, source: str, verdict: str, line: int | None,
                                                  message: str) -> None:
    report = judged(tmp_path, source)
    assert (report.verdict, report.diagnosis and report.diagnosis.line) == (verdict, line)
    assert said(report) == message


@pytest.mark.parametrize("parameters", ["*given", "out, *given", "out, a, n, *given", "out, a, n, **more"])
def test_a_host_function_may_take_the_rest(tmp_path: Path, parameters: str) -> None:
    given = "out, a, n" if " n" in parameters else parameters
    source = (HOST.partition("def go(")[0] + f"def go({parameters}):\n    out, a, n = ({given},)\n"
              "    if n:\n        k[n // 64 + 1, 64](out, a, n)\n")
    assert judged(tmp_path, source, specs.HOST).verdict == "passed"


@pytest.mark.parametrize(("parameters", "takes"), [("out, **more", "1 argument"), ("out, a, **n", "2 arguments")])
def test_keywords_take_no_arguments(tmp_path: Path, parameters: str, takes: str) -> None:
    report = judged(tmp_path, HOST.partition("def go(")[0] + f"def go({parameters}):\n    pass\n", specs.HOST)
    assert report.diagnosis is not None
    assert report.diagnosis.message == f"go takes {takes}, but is called with 3."


def test_a_hang_ends_the_check_and_the_rest_is_not_run(tmp_path: Path) -> None:
    report = judged(tmp_path, KERNEL + "    while i >= 0:\n        n = 3\n")
    assert [case.verdict for case in report.engines["sim"].cases] == ["timed out"] + ["not run"] * 8


@pytest.mark.parametrize(("how", "used"), [
    ("cuda.atomic.add(out, 0, 1)", "cuda.atomic"), ("j = cuda.grid(1)", "cuda.grid"),
])
def test_a_forbidden_attribute_is_not_allowed(tmp_path: Path, how: str, used: str) -> None:
    source = changed(KERNEL, "    i = cuda.grid(1)\n", "    i = cuda.threadIdx.x\n") + f"    {how}\n"
    report = judged(tmp_path, source, specs.WHOLE)
    assert (report.verdict, report.diagnosis and report.diagnosis.line) == ("not allowed", 10)
    assert said(report) == f"Line 10 uses {used}, which this puzzle does not allow."


@pytest.mark.parametrize("imported", ["import numba.cuda as nc", "from numba import cuda as nc"])
def test_a_forbidden_attribute_is_found_under_another_name(tmp_path: Path, imported: str) -> None:
    source = f"from numba import cuda\n{imported}\n" + "@cuda.jit\ndef f(out, a, n):\n    i = nc.grid(1)\n"
    assert judged(tmp_path, source, specs.WHOLE).verdict == "not allowed"
    source = "from numba import cuda\nfrom numba.cuda import grid as g\n@cuda.jit\ndef f(out, a, n):\n    i = g(1)\n"
    assert judged(tmp_path, source, specs.WHOLE).verdict == "not allowed"


HOST = HEAD + """\
@cuda.jit
def k(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i] + float32(1)


def go(out, a, n):
"""


@pytest.mark.parametrize(("body", "verdict", "message"), [
    ("    if n:\n        k[(n + 63) // 64, 64](out, a, n)\n", "passed", ""),
    ("    k[n // 64 + 1, 64](out, a, n)\n", "not allowed",
     "There is nothing to do here, yet a kernel was launched."),
    ("    pass\n", "not written", "out was never written."),
    ("    if n:\n        k[n // 64 + 1, 64](out, a, n)\n    raise ValueError('no')\n", "raised",
     "Line 17 raised ValueError: no."),
    ("    b = a.copy_to_host() + 1\n    if n:\n        k[1, 64](out, a, 1)\n        out.copy_to_device(b)\n",
     "not allowed", "out has 2 elements, but your kernels stored only 1 value."),
])
def test_host_functions(tmp_path: Path, body: str, verdict: str, message: str) -> None:
    report = judged(tmp_path, HOST + body, specs.HOST)
    assert report.verdict == verdict
    assert not message or said(report) == message


def test_work_filled_in_on_the_host_is_not_allowed(tmp_path: Path) -> None:
    spec = changed(specs.HOST, "return a + 1.0", "return a * 0.0 + 1.0")
    body = "    import numpy as np\n    if n:\n        out.copy_to_device(np.ones(n, np.float32))\n"
    assert said(judged(tmp_path, HOST + body, spec)) == "No kernel was launched, yet there was work to do."
    body += "        k[1, 1](out, a * 0 if False else a, 0)\n"
    report = judged(tmp_path, HOST + body, spec)
    assert said(report) == "out has 1 element, but your kernels stored only 0 values."


def test_two_launches_over_a_budget_of_one(tmp_path: Path) -> None:
    once = "        k[(n + 63) // 64, 64](out, a, n)\n"
    report = judged(tmp_path, HOST + "    if n:\n" + once + once, specs.HOST)
    assert report.stars == Stars(correct=True, efficient=False)
    assert report.notes[0].message == "Right, but with 2 launches; at most 1 may be."


def test_a_broken_spec_is_never_the_learners_fault(tmp_path: Path) -> None:
    report = judge(puzzle_of(tmp_path, changed(specs.STENCIL, "np.pad", "np.paddle")), TILED)
    assert report.verdict == "environment"
    assert report.stars == Stars()
    assert report.diagnosis is not None and "spec.py, line 10" in report.diagnosis.detail


def test_the_seed_makes_the_cases_and_is_reported(tmp_path: Path) -> None:
    puzzle = puzzle_of(tmp_path, specs.STENCIL)
    source = KERNEL + "    if i < n:\n        out[i] = a[i]\n"
    one, again, other = (judge(puzzle, source, seed=seed) for seed in (71, 71, 72))
    assert said(one) == said(again) != said(other)
    assert one.seed == 71 and {case.seed for case in one.engines["sim"].cases} == {71}


def test_the_first_failure_ends_the_check_when_asked(tmp_path: Path) -> None:
    report = judge(puzzle_of(tmp_path, specs.STENCIL), KERNEL + "    if i < n:\n        out[i] = a[i]\n",
                   first_failure_only=True)
    assert [case.verdict for case in report.engines["sim"].cases][:3] == ["passed", "wrong answer", "not run"]


def test_progress_is_told_and_the_first_verdict_as_soon_as_it_is_known(tmp_path: Path) -> None:
    steps: list[tuple[str, str]] = []
    report = judge(puzzle_of(tmp_path, specs.STENCIL), KERNEL,
                   on_progress=lambda step: steps.append((step.stage, step.verdict)))
    verdicts = [case.verdict for case in report.engines["sim"].cases]
    failed = next(number for number, verdict in enumerate(verdicts, start=1) if verdict != "passed")
    first = verdicts[failed - 1]
    assert steps == [
        ("loading your file", ""), *((f"case {k} of 9", "") for k in range(1, failed + 1)),
        *((f"case {k} of 9", first) for k in range(failed, 10)), ("finding out why", first),
    ]


def test_a_report_survives_json(tmp_path: Path) -> None:
    import msgspec

    for source in (TILED, PLAIN, KERNEL, changed(TILED, "    cuda.syncthreads()\n", "")):
        report = judge(puzzle_of(tmp_path, specs.STENCIL), source)
        assert msgspec.json.decode(msgspec.json.encode(report), type=Report) == report


@pytest.mark.parametrize(("body", "message", "detail"), [
    ("    out[i, 0] = 1\n", "2 indices for an array of 1 axis.", "The array is indexed with one number in brackets."),
    ("    out[cuda.threadIdx] = 1\n", "an index cannot be a Dim3.",
     "A Dim3, as threadIdx is, holds three numbers: take .x, .y or .z of it."),
    ("    out[i / 2] = 1\n", "an index cannot be a float64.",
     "An index is a whole number. Note that / gives a float, // does not."),
    ("    t = cuda.shared.array(n, float32)\n", "the shape of a shared array must be a constant.",
     "Its size must be known before: a number, or a name from above the kernel."),
    ("    out[i] = a[i] + 'x'\n", "+ does not work on float32 and text.",
     "Numba has no such operation for these types."),
    ("    out[i] = undefined\n", "the name undefined is not defined.",
     "A kernel sees its parameters, and what stands above it in the file."),
    ("    cuda.syncthread()\n", "cuda has no syncthread.", "Did you mean cuda.syncthreads?"),
    ("    x += 1\n    out[i] = x\n", "x is used before it has a value.",
     "Give it one first, whatever branch is taken."),
])
def test_numbas_refusals_in_plain_words(tmp_path: Path, body: str, message: str, detail: str) -> None:
    report = judged(tmp_path, KERNEL + body)
    found = report.diagnosis
    assert report.verdict == "does not compile" and found is not None
    assert found.message.endswith(f" does not compile: {message}")
    assert found.detail == detail
    assert found.line is None or 10 <= found.line <= 14


def test_a_variable_of_two_types(tmp_path: Path) -> None:
    report = judged(tmp_path, KERNEL + "    if n > 3:\n        y = 1\n    else:\n        y = (1, 2)\n    out[i] = y\n")
    assert report.verdict == "does not compile" and report.diagnosis is not None
    told = report.diagnosis.message.partition(": ")[2], report.diagnosis.detail
    assert told in (  # what Numba comes upon first differs from one Python to the next
        ("y has two types.", "In one place it is int64, in another a tuple."),
        ("a tuple cannot be stored in an element.", told[1]),
    )


def test_a_line_that_the_file_does_not_have_is_not_named(tmp_path: Path) -> None:
    report = judged(tmp_path, KERNEL + '    out[i] = f"{n}"\n')
    assert report.verdict in ("does not compile", "unsupported")
    assert report.diagnosis is not None and (report.diagnosis.line or 0) <= 10


def test_a_race_is_told_with_two_orders_that_give_two_answers(tmp_path: Path) -> None:
    report = judged(tmp_path, changed(TILED, "    cuda.syncthreads()\n", ""))
    found = report.diagnosis
    assert found is not None and found.other is not None
    assert found.thread is not None and found.thread[0] // 32 != found.other.thread[0] // 32
    first, second = found.outcomes
    assert {first.order, second.order} == {"warp 0 first", "warp 1 first"}
    assert first.array == second.array == "out" and first.value != second.value
