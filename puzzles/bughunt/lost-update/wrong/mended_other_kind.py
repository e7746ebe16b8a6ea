# verdict: wrong answer, ANSWER
# The right line, but not what goes wrong there.
from numba import cuda


@cuda.jit
def summary(count, largest, a, limit, n):
    mine, best = 0, a[0]
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        if a[i] > limit:
            mine += 1
        best = max(best, a[i])
    cuda.atomic.add(count, 0, mine)
    cuda.atomic.max(largest, 0, best)


ANSWER = (14, "wrong answer")
