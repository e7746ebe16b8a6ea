# verdict: over budget
# The bug is named, and still there.
from numba import cuda, float32


@cuda.jit
def fade_in(out, a, n):
    i = cuda.grid(1)
    if i < n:
        x = i / n
        ramp = x * x * (float32(3) - float32(2) * x)
        out[i] = a[i] * ramp


# the bug: (line, "kind"), line as first numbered


ANSWER = (10, "over budget")
