# verdict: wrong answer
# Nothing is out of bounds any more, but the nearest element was to stand in, not 0.
from numba import cuda, float32

TPB = 64
CELLS = TPB + 2


@cuda.jit
def smooth(out, a, n):
    tile = cuda.shared.array(CELLS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    first = cuda.blockIdx.x * TPB - 1
    for c in range(t, CELLS, TPB):
        tile[c] = a[min(first + c, n - 1)] if first + c >= 0 else float32(0)
    cuda.syncthreads()
    if i < n:
        total = tile[t] + tile[t + 1] + tile[t + 2]
        out[i] = total / float32(3)


ANSWER = (15, "out of bounds")
