# verdict: over budget, line 12
# Four pixels a thread, but in four loads: as many requests as before.
from numba import cuda

TPB = 64


@cuda.jit
def flip(out, a, n):
    first = 4 * cuda.grid(1)
    for i in range(first, min(first + 4, n)):
        out[i] = 255 - a[i]


def negative(out, a, n):
    flip[(n + 4 * TPB - 1) // (4 * TPB), TPB](out, a, n)
