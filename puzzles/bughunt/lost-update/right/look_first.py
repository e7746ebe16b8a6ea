"""The atomic only where it can change something: it decides all the same."""

from numba import cuda


@cuda.jit
def summary(count, largest, a, limit, n):
    start, distance = cuda.grid(1), cuda.gridsize(1)
    if start >= n:
        return
    best = a[start]
    for i in range(start, n, distance):
        if a[i] > limit:
            cuda.atomic.add(count, 0, 1)
        if a[i] > best:
            best = a[i]
    cuda.atomic.max(largest, 0, best)


ANSWER = (14, "race")
