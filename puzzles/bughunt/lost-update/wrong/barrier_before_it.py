# verdict: race, line 15
# A barrier orders what stands before and after it, not two threads on one line.
from numba import cuda


@cuda.jit
def summary(count, largest, a, limit, n):
    mine, best = 0, a[0]
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        if a[i] > limit:
            mine += 1
        best = max(best, a[i])
    cuda.atomic.add(count, 0, mine)
    cuda.syncthreads()
    largest[0] = max(largest[0], best)


ANSWER = (14, "race")
