# verdict: over budget
from numba import cuda, int32

BINS = 64


@cuda.jit
def histogram(out, a, n):
    t = cuda.threadIdx.x
    if t >= BINS:
        return
    count = int32(0)
    for i in range(cuda.blockIdx.x, n, cuda.gridDim.x):
        if a[i] == t:
            count += 1
    cuda.atomic.add(out, t, count)
