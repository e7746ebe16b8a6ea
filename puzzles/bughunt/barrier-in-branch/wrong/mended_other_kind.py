# verdict: wrong answer, ANSWER
# The right line, but not what goes wrong there.
from numba import cuda, float32

TPB = 64


@cuda.jit
def block_scan(out, a, n):
    tile = cuda.shared.array(TPB, float32)
    t, i, step = cuda.threadIdx.x, cuda.grid(1), 1
    tile[t] = a[min(i, n - 1)]
    cuda.syncthreads()
    while step < TPB:
        left = tile[t - step] if t >= step else float32(0)
        cuda.syncthreads()
        tile[t] += left
        cuda.syncthreads()
        step *= 2
    if i < n:
        out[i] = tile[t]


ANSWER = (14, "race")
