# verdict: wrong answer
# Narrow, but a whole number: 0 for every element.
from numba import cuda, float32


@cuda.jit
def fade_in(out, a, n):
    i = cuda.grid(1)
    if i < n:
        x = float32(i // n)
        ramp = x * x * (float32(3) - float32(2) * x)
        out[i] = a[i] * ramp


ANSWER = (10, "over budget")
