"""What learners' classic slips are told: the line, what is wrong in plain words, and what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpulab.judge.report import Diagnosis
from gpulab.judge.session import Problem
from gpulab.judge.source import Source
from gpulab.judge.stopped import problem
from gpulab.judge.wording import WIDTH, capital
from tests.judge import specs
from tests.judge.local import judge, puzzle_of

HEAD = "from numba import cuda, float32\n\nTPB = 64\n\n\n"
KERNEL = HEAD + "@cuda.jit\ndef f(out, a, n):\n    i = cuda.grid(1)\n"  # the body begins on line 9
HOST = HEAD + """\
@cuda.jit
def k(out, a, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = a[i] + float32(1)


def go(out, a, n):
    if n:
"""  # the body begins on line 15
SPEC = specs.STENCIL


def told(folder: Path, source: str, spec: str = SPEC) -> Diagnosis:
    found = judge(puzzle_of(folder, spec), source).diagnosis
    assert found is not None
    for text in (found.message, found.detail):
        assert text.endswith((".", "?")) and len(text) <= WIDTH, text
    assert "$" not in found.message + found.detail
    return found


@pytest.mark.parametrize(("body", "line", "message", "next"), [
    ("    out[i] = helper(a[i])\n\n\ndef helper(x):\n    return x\n", 9, "helper is a plain Python function.",
     "Write @cuda.jit(device=True) above def helper."),
    ("    out[i] = -a[i] if (v := a[i]) > 0 else abs(v)\n", 9, "Numba cannot follow an expression here.",
     "Write it as two lines, or plainer."),
    ("    out[i] = 'x'\n", 9, "text cannot be stored in an element.", "Store a number there."),
    ("    out[i] = n[i]\n", 9, "an int64 has no elements.", "Correct line 9."),
    ("    for j in [k for k in range(n)]:\n        out[j] = 1\n", 9, "no kernel can build a list.",
     "Write a loop, or use an array: cuda.local.array has a fixed length."),
    ("    s = cuda.shared.array(TPB + 2, float32)\n    out[i] = s[0]\n", 9,
     "the shape of a shared array must be a constant.", "Name it above the kernel: SIZE = TPB + 2"),
    ("    out[i] = np.sqrt(a[i])\n", 9, "nothing has imported np.", "Put this above: import numpy as np"),
    ("    for d in (cuda.threadIdx.x, i):\n        out[d] = 1\n", 9, "its loop goes over a tuple of two types.",
     "Turn all of them into one, as int64(x) does."),
    ("    for d in n:\n        out[d] = 1\n", 9, "no loop can go over an int64.", "Correct line 9."),
    ("    out[i] = sum(x for x in (1, 2))\n", 9, "no kernel can use a generator.", "Write the loop out."),
    ("    u, *v = (1, 2, 3)\n    out[i] = u\n", 9, "no kernel can unpack with a star.", "Correct line 9."),
    ("    print(f'{i}')\n", 9, "no kernel can make a text of a number.", "Correct line 9."),
    ("    del n\n", 9, "Numba cannot compile del.", "Correct line 9."),
    ("    out[:] = a\n", 9, "Numba cannot copy an array on a GPU.", "Correct line 9."),
    ("    out[i] = a.copy()[0]\n", 9, "Numba cannot make the array of .copy() on a GPU.",
     "Correct line 9."),
    ("    out[i] = a.length\n", 9, "a 1-d array has no length in a kernel.", "Correct line 9."),
    ("    out[i] = a[i]\n    return out[i]\n", 10, "it returns a float32.", "Store the result in an array instead."),
])
def test_what_numba_refuses(tmp_path: Path, body: str, line: int, message: str, next: str) -> None:
    found = told(tmp_path, KERNEL + body)
    assert (found.kind, found.line, found.next) == ("does not compile", line, next)
    assert found.message == f"Line {line} does not compile: {message}"


def test_a_function_that_calls_itself(tmp_path: Path) -> None:
    again = "@cuda.jit(device=True)\ndef g(n):\n    return g(n + 1)\n\n\n"
    found = told(tmp_path, HEAD + again + KERNEL[len(HEAD):] + "    out[i] = g(0)\n")
    assert found.message == "Line 6 does not compile: it calls itself."


@pytest.mark.parametrize(("decorator", "message"), [
    ("njit", "f is no kernel: @njit compiles it for the CPU."),
    ('vectorize(["float32(float32, float32, int64)"])', "f is no kernel: @vectorize makes another thing of it."),
])
def test_another_decorator_makes_no_kernel(tmp_path: Path, decorator: str, message: str) -> None:
    source = f"from numba import njit, vectorize\n@{decorator}\ndef f(out, a, n):\n    return out\n"
    assert told(tmp_path, source).message == message


@pytest.mark.parametrize(("source", "message"), [
    ("x\0 = 1\n", "Your file is not UTF-8 text."),
    ("x = " + "(" * 400 + ")" * 400, "Line 1 is not Python: too many nested parentheses."),
    ("x = " + "-" * 30_000 + "1", "Your file nests brackets or signs too deeply for Python to read it."),
])
def test_what_python_cannot_read(tmp_path: Path, source: str, message: str) -> None:
    assert told(tmp_path, source).message == message


@pytest.mark.parametrize(("body", "line", "message", "next"), [
    ("k(out, a, n)", 15, "Line 15 calls k like a function, not as a launch.", "Write k[blocks, threads](...)."),
    ("k[1, 64](out, a)", 15, "Line 15 launches k with 2 arguments; it takes 3.",
     "Give it all of them, in this order."),
    ("k[1, 2048](out, a, n)", 15, "Line 15 asks for blocks of 2048 threads, and at most 1024 may be.",
     "Use smaller blocks, and more of them."),
    ("k[0, 64](out, a, n)", 15, "Line 15 launches 0 blocks, and the least is 1.",
     "Launch nothing where there is nothing to do, or correct the division."),
    ("k[n / 64 + 0.5, 64](out, a, n)", 15, "Line 15 launches 0.516 blocks: that must be a whole number.",
     "Make the number of blocks an int, rounded the way you need it."),
    ("k[1, 64, 0, 60000](out, a, n)", 15,
     "Line 15 asks for 60000 bytes of shared memory, and at most 49152 may be.",
     "Do with less, or with more and smaller blocks."),
    ("k[(1, 70000), 64](out, a, n)", 15, "Line 15 asks for 70000 blocks in y, and at most 65535 may be.",
     "Let each thread do more, or use another axis."),
    ("blocks = math.ceil(n / 64)", 15, "Line 15 uses math, but nothing has imported it.",
     "Put this line first: import math"),
    ("blocks = per_block(n)", 15, "Line 15 uses per_block, which is not defined there.",
     "Define per_block above line 15, or look for a slip in its spelling."),
])
def test_launches_that_cannot_be(tmp_path: Path, body: str, line: int, message: str, next: str) -> None:
    found = told(tmp_path, HOST + f"        {body}\n", specs.HOST)
    assert (found.kind, found.line, found.message, found.next) == ("raised", line, message, next)


FOREIGN = """
class Mine:
    def __init__(self, array, **other):
        self.__cuda_array_interface__ = dict(array.__cuda_array_interface__, **other)
"""


def test_an_array_of_another_library_is_taken(tmp_path: Path) -> None:
    body = "        k[(n + 63) // 64, 64](Mine(out), Mine(a), n)\n"
    source = HOST.replace("\n\ndef go", FOREIGN + "\n\ndef go") + body
    assert judge(puzzle_of(tmp_path, specs.HOST), source).verdict == "passed"


@pytest.mark.parametrize(("other", "message"), [
    ("Mine(a, shape=(10 ** 6,))", "launches with an array that is not in device memory."),
    ("Mine(a, data=(id(a), False))", "launches with an array that is not in device memory."),
    ("object()", "launches with an object."),
])
def test_what_says_it_is_an_array_and_is_none(tmp_path: Path, other: str, message: str) -> None:
    source = HOST.replace("\n\ndef go", FOREIGN + "\n\ndef go") + f"        k[(n + 63) // 64, 64](out, {other}, n)\n"
    found = told(tmp_path, source, specs.HOST)
    assert (found.kind, found.message) == ("raised", f"Line {found.line} {message}")


def test_a_host_that_follows_a_device_address() -> None:
    source = Source("v = out.__cuda_array_interface__['data'][0]\n")
    died = Problem("crashed", "The process died while running go: it touched memory (a segmentation fault).", 1)
    found = problem(died, source)
    assert found.detail == "A device array's address is one on the GPU: the host cannot follow it."
    assert "address" not in problem(died, Source("x = 1\n")).detail


def test_cuda_before_its_import(tmp_path: Path) -> None:
    found = told(tmp_path, KERNEL.replace("from numba import cuda, float32\n", "\n"))
    assert found.message == "Line 6 uses cuda, but nothing has imported it."
    assert found.next == "Put this line first: from numba import cuda"


@pytest.mark.parametrize(("signature", "message"), [
    ("void(float32[:], float32[:])", "The signature on line 6 has 2 types, the kernel 3 arguments."),
    ("float32(float32[:], float32[:], int64)", "The signature on line 6 says that the kernel returns a value."),
])
def test_signatures_above_a_kernel(tmp_path: Path, signature: str, message: str) -> None:
    assert told(tmp_path, KERNEL.replace("@cuda.jit", f'@cuda.jit("{signature}")')).message == message


TREE = KERNEL + """\
    s = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    s[t] = a[i] if i < n else float32(0)
    cuda.syncthreads()
    half = TPB // 2
    while half > 0:
{round}
        half //= 2
    if i < n:
        out[i] = s[0]
"""


@pytest.mark.parametrize(("round", "line", "detail", "next"), [
    ("        if t < half:\n            s[t] += s[t + half]", 16,
     "Threads begin a new round on line 16 while others are in the last one.",
     "Make every thread wait between two rounds."),
    ("        if t >= half:\n            s[t] += s[t - half]\n        cuda.syncthreads()", 16,
     "On line 16 some threads write their element before others have read it.",
     "Make every thread wait between reading and writing on line 16."),
    ("        s[t // 2] += 1\n        cuda.syncthreads()", 15,
     "Line 15 reads and writes in separate steps, others come in between.", None),
], ids=["no barrier between rounds", "read and written at once", "one element"])
def test_a_line_that_races_with_itself(tmp_path: Path, round: str, line: int, detail: str, next: str | None) -> None:
    found = told(tmp_path, TREE.format(round=round))
    assert (found.kind, found.line, found.detail) == ("race", line, detail)
    assert next is None or found.next == next


def test_a_race_across_blocks_is_told_as_such_even_where_one_block_has_it_too(tmp_path: Path) -> None:
    found = told(tmp_path, KERNEL + "    if i < n:\n        out[n - 1 - i] = 0\n        out[i] = a[n - 1 - i]\n")
    assert found.kind == "race"
    assert found.detail == "Blocks run in any order, and no barrier makes one wait for another."


def test_the_line_that_costs_most_makes_most_only_where_it_makes_half(tmp_path: Path) -> None:
    body = "    if i < n:\n        x = a[i]\n        y = a[i - 1] if i else 0\n        z = a[i - 2] if i >= 2 else 0\n"
    found = told(tmp_path, KERNEL + body + "        out[i] = x + y + z\n")
    assert found.detail == "Line 10, x = a[i], makes the most: 1.00 of 3.00."


@pytest.mark.parametrize(("body", "kind", "message", "detail"), [
    ("    if i < n:\n        out[i] = cuda.shfl_down_sync(-1, a[i], 1)\n", "barrier divergence",
     "does not come to the shuffle", "The mask names its lane, so the others would wait for it forever."),
    ("    if cuda.ballot_sync(0xffff, i < n):\n        out[0] = 1\n", "barrier divergence",
     "The mask of the vote leaves out thread 16, which takes part.",
     "A lane that calls must have its own bit set; else anything may come out."),
    ("    mask = -1 if i % 2 else 0x55555555\n    cuda.syncwarp(mask)\n", "barrier divergence",
     "Threads 1 and 0 come to syncwarp with different masks.",
     "Lanes that name each other must give one mask; else anything may come out."),
    ("    if i >= n:\n        return\n    out[i] = cuda.shfl_xor_sync(-1, a[i], 16)\n", "uninitialised read",
     "Thread 0 takes a value from lane 16, which takes no part.",
     "What line 11 gets from there may be anything: nobody offers a value."),
])
def test_what_is_wrong_with_a_warp_level_call(tmp_path: Path, body: str, kind: str, message: str, detail: str) -> None:
    found = told(tmp_path, KERNEL + body)
    assert (found.kind, found.detail) == (kind, detail) and message in found.message
    assert len(found.next) <= WIDTH


@pytest.mark.parametrize(("body", "kind", "next"), [
    ("    s = cuda.shared.array(TPB, float32)\n    t = cuda.threadIdx.x\n    s[t] = a[i] if i < n else 0\n"
     "    cuda.syncthreads\n    if i < n:\n        out[i] = s[63 - t]\n", "race",
     "Line 12 names the barrier but does not call it: cuda.syncthreads()"),
    ("    if i < n:\n        out[i] == a[i]\n", "not written",
     "Line 10 compares and stores nothing: == asks, = stores."),
    ("    if i < n:\n        out[i] = 0\n        out[i] == a[i]\n", "wrong answer",
     "Line 11 compares and stores nothing: == asks, = stores."),
], ids=["a barrier without its brackets", "== for =", "== for = below a store"])
def test_a_line_that_does_nothing_is_named(tmp_path: Path, body: str, kind: str, next: str) -> None:
    found = told(tmp_path, KERNEL + body)
    assert (found.kind, found.next) == (kind, next)


def test_a_barrier_that_is_called_is_no_slip(tmp_path: Path) -> None:
    body = "    cuda.syncthreads()\n    if i < n:\n        out[n - 1 - i] = 0\n        out[i] = a[n - 1 - i]\n"
    assert told(tmp_path, KERNEL + body).next.startswith("Let one block own")


def test_a_sentence_begins_with_a_capital_but_a_name_stays_as_it_is_written():
    assert capital("two threads write") == "Two threads write"
    assert capital("total_of() takes 2 arguments") == "total_of() takes 2 arguments"
    assert capital("scan() takes 2 arguments") == "scan() takes 2 arguments"
