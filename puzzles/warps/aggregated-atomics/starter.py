"""A histogram: out[v] is how many of the n elements of a equal v.

Values are 0 to 63; out begins as zeros.
"""

from numba import cuda, int32

FULL = 0xFFFFFFFF  # all 32 lanes


@cuda.jit
def count(out, a, n):
    i = cuda.grid(1)
    # 1. load a[i]; lanes past the end take a value no element has
    value = int32(-1)
    # 2. who has the same value? cuda.match_any_sync(FULL, value)
    # 3. the lowest of these lanes adds their number to out[value],
    #    with cuda.atomic.add
