# verdict: wrong answer, ANSWER
# The right line, but not what goes wrong there.
from numba import cuda, float32


@cuda.jit
def fade_in(out, a, n):
    i = cuda.grid(1)
    if i < n:
        x = float32(i) / float32(n)
        ramp = x * x * (float32(3) - float32(2) * x)
        out[i] = a[i] * ramp


ANSWER = (10, "wrong answer")
