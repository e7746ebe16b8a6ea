# verdict: over budget
# The quotient is mended, and plain literals bring float64 back in.
from numba import cuda, float32


@cuda.jit
def fade_in(out, a, n):
    i = cuda.grid(1)
    if i < n:
        x = float32(i) / float32(n)
        ramp = x * x * (3.0 - 2.0 * x)
        out[i] = a[i] * ramp


ANSWER = (10, "over budget")
