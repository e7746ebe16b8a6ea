"""Reports as the judge makes them, one for each verdict: what the pages are drawn from in these tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gpulab.judge.report import (
    BudgetLine,
    CaseResult,
    Cell,
    Diagnosis,
    EngineResult,
    Mismatch,
    Report,
    Stars,
)
from gpulab.trace.model import Note, Outcome, Site
from gpulab.trace.values import Operand, Write

SIZES = (1, 2, 3, 63, 64, 65, 129, 1000)

HEAD = """\
from numba import cuda, float32

TPB = 64
CELLS = TPB + 2


@cuda.jit
def pool(out, a, n):
    tile = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
"""

RIGHT = HEAD + """\
    if i < n:
        tile[t + 2] = a[i]
    if t < 2:
        tile[t] = a[i - 2] if i >= 2 else 0.0
    cuda.syncthreads()
    if i < n:
        out[i] = tile[t] + tile[t+1] + tile[t+2]
"""

REFERENCE = HEAD + """\
    if i < n:
        tile[t + 2] = a[i]
    if t < 2 and i - 2 < n:
        tile[t] = a[i - 2] if i >= 2 else float32(0)
    cuda.syncthreads()
    if i < n:
        out[i] = tile[t] + tile[t + 1] + tile[t + 2]
"""

MISSING_BARRIER = RIGHT.replace("    cuda.syncthreads()\n", "")
ZERO_HALO = RIGHT.replace("a[i - 2] if i >= 2 else 0.0", "0.0")
IN_BRANCH = RIGHT.replace("    cuda.syncthreads()\n", "        cuda.syncthreads()\n")
NEGATIVE = RIGHT.replace("a[i - 2] if i >= 2 else 0.0", "a[i - 2]")
UNSET = RIGHT.replace("    if t < 2:\n        tile[t] = a[i - 2] if i >= 2 else 0.0\n", "")


def cases(verdict: str = "passed", wrong: dict[int, int] | None = None,
          failing: tuple[int, ...] = SIZES) -> list[CaseResult]:
    """The eight cases of pooling; those of a size in `failing` have the verdict."""
    wrong = wrong or {}
    return [
        CaseResult({"n": n}, seed=71, verdict=verdict if n in failing else "passed", wrong=wrong.get(n, 0), of=n)
        for n in SIZES
    ]


def report(verdict: str, source: str, diagnosis: Diagnosis | None, found: list[CaseResult], **more: object) -> Report:
    """A report of the simulator for shared/pooling."""
    budget = more.pop("budget", [])
    fields = {
        "puzzle": "shared/pooling", "file": "/home/ada/gpulab-work/shared/pooling.py", "verdict": verdict,
        "stars": Stars(correct=False), "seed": 71, "source": source, "diagnosis": diagnosis,
        "engines": {"sim": EngineResult(verdict, found, budget=budget, seconds=0.08)},
        "seconds": {"load": 0.01, "run": 0.05, "judge": 0.02, "total": 0.08},
        "when": "2026-11-30T14:02:31+00:00", "efficient_needed": True,
    } | more
    return Report(**fields)  # type: ignore[arg-type]


LOADS = BudgetLine("global loads per output", 1.03, 1.04)


def race() -> Report:
    """A missing barrier: thread 32 reads what thread 31 may still write."""
    writes = ((0, 0, 0), (31, 0, 0), 13, "writes")
    reads = ((0, 0, 0), (32, 0, 0), 17, "reads")
    diagnosis = Diagnosis(
        kind="race",
        message="Thread 32 of block 0 reads tile[33] on line 17 while thread 31 may still be writing it on line 13.",
        detail="Nothing makes line 17 wait for line 13: no barrier lies between them.",
        next="Make every thread wait before line 16.",
        line=17, block=(0, 0, 0), thread=(32, 0, 0), array="tile", index=(33,), other=Site(13, (0, 0, 0), (31, 0, 0)),
        access="reads", other_access="writes", sizes={"n": 129},
        outcomes=[
            Outcome("warp 0 first", (writes, reads), "out", (32,), 0.7512, right=True),
            Outcome("warp 1 first", (reads, writes), "out", (32,), "nan", right=False),
        ],
    )
    return report("race", MISSING_BARRIER, diagnosis, cases("race"), budget=[LOADS], stars=Stars(False, True, None))


def race_of_blocks() -> Report:
    """A histogram without atomics: two blocks update one counter, and no schedule was found."""
    source = HEAD.replace("pool(out, a, n)", "histogram(counts, a, n)") + "    if i < n:\n        counts[a[i]] += 1\n"
    diagnosis = Diagnosis(
        kind="race",
        message="Thread 3 of block 1 writes counts[7] on line 13 while thread 9 of block 0 reads it on the same line.",
        detail="Both read the old count, both add one, and one of the two is lost.",
        next="Make reading, adding and writing one step.", line=13, block=(1, 0, 0), thread=(3, 0, 0), array="counts",
        index=(7,), other=Site(13, (0, 0, 0), (9, 0, 0)), access="writes", other_access="reads", sizes={"n": 129},
    )
    return report("race", source, diagnosis, cases("race"), puzzle="shared/histogram")


def wrong_answer() -> Report:
    """A halo filled with zeros: the first two elements of every block but the first are wrong."""
    expected = {61: -1.1, 62: -1.37, 63: -7.1, 64: -4.25, 65: -7.75, 66: -2.22, 67: -5.15}
    got = expected | {64: -0.98, 65: -3.77}
    window = [Cell((i,), expected[i], got[i], i in (64, 65), (i // 64, 0, 0)) for i in expected]
    halo = [Write("tile", (t,), 0.0, 15, (1, 0, 0), (t, 0, 0)) for t in (0, 1)]
    own = Write("tile", (2,), -0.98, 13, (1, 0, 0), (0, 0, 0), (Operand("a", (64,), -0.98, 13, "global"),))
    write = Write("out", (64,), -0.98, 18, (1, 0, 0), (0, 0, 0), (
        Operand("tile", (0,), 0.0, 18, "shared", halo[0]), Operand("tile", (1,), 0.0, 18, "shared", halo[1]),
        Operand("tile", (2,), -0.98, 18, "shared", own),
    ))
    pattern = "The first two elements of every block are wrong, except in block 0."
    mismatch = Mismatch("out", (129,), (64,), -4.25, -0.98, window, 3, [64, 65, 128], 64, pattern, write)
    diagnosis = Diagnosis(
        kind="wrong answer", message="out[64] should be -4.25 and is -0.98.", detail=pattern,
        next="What lies left of a block's first element?", line=18, block=(1, 0, 0), thread=(0, 0, 0), array="out",
        index=(64,), sizes={"n": 129}, mismatch=mismatch,
    )
    found = [replace(case, message="out[64] should be -4.25 and is -0.98.") if case.wrong else case
             for case in cases("wrong answer", {65: 1, 129: 3, 1000: 30}, (65, 129, 1000))]
    return report("wrong answer", ZERO_HALO, diagnosis, found)


def wrong_matrix() -> Report:
    """Rows and columns swapped: everything off the diagonal is wrong."""
    source = ("from numba import cuda\n\n\n@cuda.jit\ndef flip(out, a):\n    x, y = cuda.grid(2)\n"
              "    if y < out.shape[0] and x < out.shape[1]:\n        out[y, x] = a[x, y]\n")
    shape = (19, 7)
    wrong = [r * 7 + c for r in range(19) for c in range(7) if r != c]
    window = [Cell((0, c), float(c), float(7 * c), c > 0, (0, 0, 0)) for c in range(7)]
    write = Write("out", (0, 1), 7.0, 8, (0, 0, 0), (1, 0, 0), (Operand("a", (1, 0), 7.0, 8, "global"),))
    mismatch = Mismatch("out", shape, (0, 1), 1.0, 7.0, window, len(wrong), wrong, None, None, write, also=["sums"])
    diagnosis = Diagnosis(
        kind="wrong answer", message="out[0, 1] should be 1.00 and is 7.00.", detail="Only the diagonal is right.",
        next="Which index runs along a row?", line=8, array="out", index=(0, 1), sizes={"rows": 19, "columns": 7},
        mismatch=mismatch,
    )
    found = [CaseResult({"rows": r, "columns": c}, 71, "wrong answer" if r * c > 1 else "passed", r * c - 1, r * c)
             for r, c in ((1, 1), (1, 3), (2, 1), (15, 17), (16, 16), (19, 7))]
    return report("wrong answer", source, diagnosis, found, puzzle="threads/map-2d", efficient_needed=False)


def out_of_bounds() -> Report:
    diagnosis = Diagnosis(
        kind="out of bounds",
        message="Thread 0 of block 0 reads a[-2] on line 15, and a begins at 0.",
        detail="CUDA C would read other memory here; Numba wraps to the end of the array. Neither is what is meant.",
        next="What lies left of the very first element?", line=15, block=(0, 0, 0), thread=(0, 0, 0), array="a",
        index=(-2,), access="reads", sizes={"n": 1},
    )
    return report("out of bounds", NEGATIVE, diagnosis, cases("out of bounds"))


def barrier_divergence() -> Report:
    diagnosis = Diagnosis(
        kind="barrier divergence",
        message="Only 2 of 64 threads of block 0 reach the barrier on line 16.",
        detail="Thread 2 skips it, because t < 2 is false there. The others would wait for ever.",
        next="Let all threads of the block come to the barrier.", line=16, block=(0, 0, 0), sizes={"n": 64},
    )
    return report("barrier divergence", IN_BRANCH, diagnosis, cases("barrier divergence"))


def uninitialised() -> Report:
    diagnosis = Diagnosis(
        kind="uninitialised read",
        message="Thread 0 of block 0 reads tile[0] on line 16, which nobody has written.",
        detail="Shared memory begins with whatever was there before.", next="Who fills tile[0] and tile[1]?",
        line=16, block=(0, 0, 0), thread=(0, 0, 0), array="tile", index=(0,), access="reads", sizes={"n": 1},
    )
    return report("uninitialised read", UNSET, diagnosis, cases("uninitialised read", dict.fromkeys(SIZES, 1)))


def timed_out() -> Report:
    waiting = "    while tile[0] == 0.0:\n        pass\n    cuda.syncthreads()\n"
    source = RIGHT.replace("    cuda.syncthreads()\n", waiting)
    diagnosis = Diagnosis(
        kind="timed out", message="Thread 5 of block 0 never leaves the loop on line 16.",
        detail="Nothing that the loop waits for can change any more.", next="What ends this loop?",
        line=16, block=(0, 0, 0), thread=(5, 0, 0), sizes={"n": 1},
    )
    return report("timed out", source, diagnosis, cases("timed out", failing=(1,))[:1])


def crashed() -> Report:
    diagnosis = Diagnosis(
        kind="crashed", message="The process that ran your file died of a segmentation fault (SIGSEGV).",
        detail="Python itself cannot do this: something called into C, ctypes for instance.",
        next="Take out what reaches past Python.", line=3,
    )
    source = "import ctypes\n\nctypes.string_at(0)\n"
    return report("crashed", source, diagnosis, [], output="about to read address 0\n")


def does_not_compile() -> Report:
    source = RIGHT.replace("tile[t + 2] = a[i]", "tile[t + 2] = a.sum()")
    diagnosis = Diagnosis(
        kind="does not compile", message="Numba cannot compile line 13: arrays have no method sum in a kernel.",
        detail="In a kernel each thread works on elements; whole-array methods are not there.", line=13,
        next="Say it for one thread and one element.",
        traceback="numba.core.errors.TypingError: Failed in cuda mode pipeline (step: nopython frontend)\n"
                  "Unknown attribute 'sum' of type array(float32, 1d, C)\n\nFile \"pooling.py\", line 13:\n"
                  "def pool(out, a, n):\n    <source elided>\n        tile[t + 2] = a.sum()\n        ^\n",
    )
    return report("does not compile", source, diagnosis, [])


def raised() -> Report:
    source = RIGHT.replace("TPB = 64\n", "TPB = 64\nLIMIT = TPB / 0\n")
    diagnosis = Diagnosis(
        kind="raised", message="Your file raised ZeroDivisionError on line 4: division by zero.", line=4,
        next="Make the file import without an error.",
        traceback='Traceback (most recent call last):\n  File "pooling.py", line 4, in <module>\n    LIMIT = TPB / 0\n'
                  "            ~~~~^~~\nZeroDivisionError: division by zero\n",
    )
    return report("raised", source, diagnosis, [], output="loading\nlimits are being set\n")


def not_written() -> Report:
    source = HEAD + "    # nothing yet\n"
    diagnosis = Diagnosis(
        kind="not written", message="Nobody wrote out: all 64 elements still hold what they held before.",
        detail="The kernel ran, and no thread stored anything into out.", next="Which thread writes out[i]?",
        array="out", index=(0,), sizes={"n": 64},
    )
    return report("not written", source, diagnosis, cases("not written", {n: n for n in SIZES}))


def over_budget() -> Report:
    source = HEAD[: HEAD.index("    tile")] + (
        "    i = cuda.grid(1)\n    if i < n:\n        total = a[i]\n        if i > 0:\n            total += a[i - 1]\n"
        "        if i > 1:\n            total += a[i - 2]\n        out[i] = total\n"
    )
    diagnosis = Diagnosis(
        kind="over budget", message="Right, but with 3.00 global loads per output, and at most 1.04 are asked.",
        detail="Each element is fetched three times, once by each thread that needs it.",
        next="Let the threads of a block fetch each element once and share it.", line=11,
    )
    budget = [BudgetLine("global loads per output", 2.997, 1.04, 11, 0.3336), BudgetLine("launches", 1, 1),
              BudgetLine("shared_arrays", 0, 1, at_least=True)]
    return report("over budget", source, diagnosis, cases(), budget=budget, stars=Stars(True, False, None))


def unsupported() -> Report:
    source = RIGHT.replace("    t = cuda.threadIdx.x\n", "    t = cuda.threadIdx.x\n    cuda.nanosleep(10)\n")
    diagnosis = Diagnosis(
        kind="unsupported", message="The simulator does not know cuda.nanosleep, used on line 11.",
        detail="This is not held against you: on a GPU the same file would run.", line=11,
    )
    return report("unsupported", source, diagnosis, [], stars=Stars())


def environment() -> Report:
    diagnosis = Diagnosis(
        kind="environment",
        message="Numba cannot be imported: numpy 2.5 is installed, and numba-cuda needs an older one.",
        detail="Nothing is wrong with your file.", next="Type: pip install 'numpy<2.5'",
    )
    return report("environment", RIGHT, diagnosis, [], stars=Stars())


def passed() -> Report:
    notes = [Note("float64", "0.0 is a float64, and widens a[i - 2] on its way to the tile.", 15)]
    return report("passed", RIGHT, None, cases(), budget=[LOADS, BudgetLine("barriers per block", 1, 1)],
                  stars=Stars(True, True, None), notes=notes)


def passed_two_of_three() -> Report:
    """Right, where the second star is not needed and not earned."""
    budget = [BudgetLine("global loads per output", 2.997, 1.04, 11, 0.3336)]
    return replace(over_budget(), verdict="passed", diagnosis=None, efficient_needed=False,
                   engines={"sim": EngineResult("passed", cases(), budget=budget)})


ALL: dict[str, Callable[[], Report]] = {
    make.__name__: make
    for make in (race, race_of_blocks, wrong_answer, wrong_matrix, out_of_bounds, barrier_divergence, uninitialised,
                 timed_out, crashed, does_not_compile, raised, not_written, over_budget, unsupported, environment,
                 passed, passed_two_of_three)
}
