"""A product with the reciprocal, which is a float32 as well."""

from numba import cuda, float32


@cuda.jit
def fade_in(out, a, n):
    i = cuda.grid(1)
    if i >= n:
        return
    x = float32(i) * (float32(1) / float32(n))
    out[i] = (float32(3) - x - x) * x * x * a[i]


ANSWER = (10, "over budget")
