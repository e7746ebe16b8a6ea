"""In a host puzzle the kernels do the work: what the host may read and send, and what is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpulab.judge.report import Report
from tests.judge import specs
from tests.judge.local import judge, puzzle_of

HEAD = """\
import numpy as np
from numba import cuda, float32

WEIGHTS = np.linspace(0, 1, 4096).astype(np.float32)


@cuda.jit
def add_one(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i] + float32(1)


@cuda.jit
def copy(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i]


"""
SPEC = specs.HOST.replace(", budget=Budget(launches=1, idea=\"Once is enough.\")", "")
GO = "def go(out, a, n):\n    if n == 0:\n        return\n    blocks = (n + 63) // 64\n"  # the body begins on line 25


def judged(folder: Path, body: str, before: str = "") -> Report:
    indented = "".join(f"    {line}\n" if line else "\n" for line in body.splitlines())
    return judge(puzzle_of(folder, SPEC), HEAD + before + GO + indented)


def said(report: Report) -> str:
    assert report.diagnosis is not None
    return report.diagnosis.message


@pytest.mark.parametrize(("body", "message"), [
    ("copy[blocks, 64](out, a.copy_to_host() + 1, n)",
     "Line 25 reads from the device and sends new data to the device."),
    ("b = a.copy_to_host()\nb += 1\ncopy[blocks, 64](out, b, n)",
     "Line 27 sends new data to the device after line 25 has read some."),
    ("b = np.zeros(n, np.float32)\ncopy[blocks, 64](b, a, n)\ncopy[blocks, 64](out, b + 1, n)",
     "Line 27 sends new data to the device after line 26 has read some."),
    ("m = cuda.managed_array(n, np.float32)\ncopy[blocks, 64](m, a, n)\nm += 1\ncopy[blocks, 64](out, m, n)",
     "Line 26 left data where the host can reach it, and the host changed it."),
    ("m = cuda.mapped_array(n, np.float32)\ncopy[blocks, 64](m, a, n)\ncopy[blocks, 64](out, np.array(m) + 1, n)",
     "Line 27 sends new data to the device after line 26 has left some to the host."),
    ("table = a.copy_to_host() + 1\n\n@cuda.jit\ndef look_up(out, n):\n    i = cuda.grid(1)\n    if i < n:\n"
     "        out[i] = table[i]\n\nlook_up[blocks, 64](out, n)",
     "Line 33 builds new data into a kernel after line 25 has read some."),
    ("table = tuple(a.copy_to_host() + 1)\n\n@cuda.jit\ndef put(out, values, n):\n    for i in range(n):\n"
     "        out[i] = values[i]\n\nput[1, 1](out, table[:32], min(n, 32))\n"
     "if n > 32:\n    add_one[blocks, 64](out[32:], a[32:], n - 32)",
     "Line 32 gives new numbers to a kernel after line 25 has read some."),
], ids=["argument", "copy", "copied back", "managed", "mapped", "global array", "tuple"])
def test_what_the_host_computes_from_device_data_is_not_allowed(tmp_path: Path, body: str, message: str) -> None:
    report = judged(tmp_path, body)
    assert report.verdict == "not allowed"
    assert said(report) == message


@pytest.mark.parametrize("body", [
    "print(a.copy_to_host()[:3])\nadd_one[blocks, 64](out, a, n)\nprint(out.copy_to_host()[:3])",
    "print(a.copy_to_host()[:3])\nb = cuda.to_device(np.zeros(n, np.float32))\nadd_one[blocks, 64](b, a, n)\n"
    "copy[blocks, 64](out, b, n)",
    "b = np.zeros(n, np.float32)\nadd_one[blocks, 64](b, a, n)\ncopy[blocks, 64](out, b, n)",
    "b = np.zeros(n, np.float32)\nlinear = np.arange(n, dtype=np.float32)\ncopy[blocks, 64](b, linear, n)\n"
    "copy[blocks, 64](out, np.full(n, 3, np.float32), n)\nadd_one[blocks, 64](out, a, n)",
    "print(a.copy_to_host()[:3])\ncopy[blocks, 64](out, WEIGHTS, n)\nweights = cuda.to_device(WEIGHTS)\n"
    "add_one[blocks, 64](out, a, n)",
    "print(a.copy_to_host()[:3])\n\n@cuda.jit\ndef weighted(out, a, n):\n    i = cuda.grid(1)\n    if i < n:\n"
    "        out[i] = a[i] + WEIGHTS[-1]\n\nweighted[blocks, 64](out, a, n)",
    "last = a.copy_to_host()[-1]\nadd_one[blocks, 64](out, a, n)\ncopy[1, 1](out[n - 1:], a[n - 1:] , 0)",
], ids=["printing", "zeros", "there and back unchanged", "of the host", "constants", "global constant", "one element"])
def test_looking_at_data_and_sending_constants_is_allowed(tmp_path: Path, body: str) -> None:
    report = judged(tmp_path, body)
    assert report.verdict == "passed", report.diagnosis


@pytest.mark.parametrize("launch", ["add_one[0, 64]", "add_one[blocks, 2048]"])
def test_a_refused_launch_that_is_swallowed_is_a_fault(tmp_path: Path, launch: str) -> None:
    body = f"add_one[blocks, 64](out, a, n)\ntry:\n    {launch}(out, a, n)\nexcept Exception:\n    pass"
    report = judged(tmp_path, body)
    assert (report.verdict, report.diagnosis and report.diagnosis.line) == ("raised", 27)


def test_a_host_function_may_have_parameters_with_defaults(tmp_path: Path) -> None:
    source = HEAD + "def go(out, a, n, threads=64):\n    if n:\n        add_one[n // threads + 1, threads](out, a, n)\n"
    assert judge(puzzle_of(tmp_path, SPEC), source).verdict == "passed"


KEPT = '''\
kept = {}


'''


def test_an_answer_kept_from_an_earlier_call_is_not_allowed(tmp_path: Path) -> None:
    body = ("if n not in kept:\n    add_one[blocks, 64](out, a, n)\n    kept[n] = cuda.device_array(n, np.float32)\n"
            "    kept[n].copy_to_device(out)\ncopy[blocks, 64](out, kept[n], n)")
    report = judged(tmp_path, body, before=KEPT)
    assert report.verdict == "not allowed"
    assert said(report) == "out holds the answer to an earlier call of the same size."
    assert report.engines["sim"].cases[-1].tags == "again, with other values"


def test_what_is_kept_may_be_of_use_where_it_is_no_answer(tmp_path: Path) -> None:
    body = ("if n not in kept:\n    kept[n] = cuda.device_array(n, np.float32)\n"
            "add_one[blocks, 64](kept[n], a, n)\ncopy[blocks, 64](out, kept[n], n)")
    assert judged(tmp_path, body, before=KEPT).verdict == "passed"


WORDS = """\
@cuda.jit
def ones(out, pair):
    i = cuda.grid(1)
    if i < out.size:
        out[i] = pair


"""


@pytest.mark.parametrize(("words", "verdict"), [("n // 2", "passed"), ("n // 4", "not allowed")])
def test_a_store_of_a_word_counts_for_the_elements_in_it(tmp_path: Path, words: str, verdict: str) -> None:
    spec = SPEC.replace("return a + 1.0", "return a * 0.0 + 1.0")
    body = f"""\
out.copy_to_device(np.ones(n, np.float32))
pair = np.ones(2, np.float32).view(np.uint64)[0]
words = {words}
if words:
    ones[words // 64 + 1, 64](out[: 2 * words].view(np.uint64), pair)
ones[1, 1](out[n - n % 2 :], np.float32(1))"""
    indented = "".join(f"    {line}\n" for line in body.splitlines())
    report = judge(puzzle_of(tmp_path, spec), HEAD + WORDS + GO + indented)
    assert report.verdict == verdict, report.diagnosis
    assert verdict == "passed" or "your kernels stored only" in said(report)
