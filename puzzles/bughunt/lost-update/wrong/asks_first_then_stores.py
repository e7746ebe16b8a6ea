# verdict: race, line 14 or 15
# The store is rarer, and lost as before.
from numba import cuda


@cuda.jit
def summary(count, largest, a, limit, n):
    mine, best = 0, a[0]
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        if a[i] > limit:
            mine += 1
        best = max(best, a[i])
    cuda.atomic.add(count, 0, mine)
    if best > largest[0]:
        largest[0] = best


ANSWER = (14, "race")
