"""Kernels that Triton refuses, each with the text of the line at fault after a #."""

import numpy as np
import triton
import triton.language as tl

SIZE = 64


@triton.jit
def length_of_an_argument(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, n)  # <-
    tl.store(out + lanes, 1.0)


@triton.jit
def odd_length(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, 100)  # <-
    tl.store(out + lanes, 1.0)


@triton.jit
def brackets(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, x[lanes])  # <-


@triton.jit
def number_of_the_file(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, SIZE)  # <-
    tl.store(out + lanes, 1.0)


@triton.jit
def two_lengths(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK) + tl.arange(0, 32)  # <-
    tl.store(out + lanes, 1.0)


@triton.jit
def wrong_word(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.load(x + lanes, maks=lanes < n))  # <-


@triton.jit
def wrong_function(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.laod(x + lanes))  # <-


@triton.jit
def unknown_name(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, nothing_of_the_kind)  # <-  # noqa: F821


@triton.jit
def born_in_a_loop(x, out, n, BLOCK: tl.constexpr):
    for i in range(n):
        value = tl.load(x + i)
    tl.store(out, value)  # <-


@triton.jit
def two_types(x, out, n, BLOCK: tl.constexpr):
    if tl.load(x) > 0:  # <-  # noqa: SIM108
        value = 1.0
    else:
        value = 1
    tl.store(out, value)


@triton.jit
def changes_in_a_loop(x, out, n, BLOCK: tl.constexpr):
    total = 0
    for i in range(n):  # <-
        total += tl.load(x + i)
    tl.store(out, total)


@triton.jit
def block_to_one_place(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out, tl.load(x + lanes))  # <-


@triton.jit
def loads_a_number(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.load(lanes))  # <-


@triton.jit
def no_such_axis(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out, tl.sum(tl.load(x + lanes), axis=1))  # <-


@triton.jit
def half_an_element(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK) / 2
    tl.store(out, tl.load(x + lanes))  # <-


@triton.jit
def adds_addresses(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, (x + lanes) + (out + lanes))  # <-


@triton.jit
def stores_an_address(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, x + lanes)  # <-


@triton.jit
def imports(x, out, n, BLOCK: tl.constexpr):
    import math  # <-

    tl.store(out, math.pi)


@triton.jit
def goes_over_a_list(x, out, n, BLOCK: tl.constexpr):
    for value in [1.0, 2.0]:  # <-
        tl.store(out, value)


@triton.jit
def multiplies_rows(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out, tl.dot(tl.load(x + lanes), tl.load(x + lanes)))  # <-


@triton.jit
def asks_for_a_length(x, out, n, BLOCK: tl.constexpr):
    tl.store(out, len(x))  # <-


@triton.jit
def numpy_in_a_kernel(x, out, n, BLOCK: tl.constexpr):
    tl.store(out + tl.arange(0, BLOCK), np.exp(tl.load(x + tl.arange(0, BLOCK))))  # <-


@triton.jit
def calls_itself(x, out, n, BLOCK: tl.constexpr):
    calls_itself(x, out, n, BLOCK)  # <-


@triton.jit
def in_a_helper(x, out, n, BLOCK: tl.constexpr):
    _helper(out)


@triton.jit
def _helper(out):
    tl.store(out + tl.arange(0, 5), 1.0)  # <-
