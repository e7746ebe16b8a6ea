# verdict: over budget
from numba import cuda


@cuda.jit
def histogram(out, a, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        cuda.atomic.add(out, a[i], 1)
