"""Histogram: out[v] is how many of the n elements of a equal v.

Values are 0 to 63; out begins as zeros.
"""

from numba import cuda, int32

TPB = 128  # threads per block: histogram[8, TPB], and n may be larger
BINS = 64


@cuda.jit
def histogram(out, a, n):
    counts = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    # 1. set counts to zero; wait
    # 2. count this thread's elements, which lie a grid's length apart,
    #    with atomics on counts; wait
    # 3. add counts to out, with one atomic for each bin
