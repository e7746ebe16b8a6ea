# verdict: out of bounds, line 15
# max where min belongs: now the right edge is open.
from numba import cuda, float32

TPB = 64
CELLS = TPB + 2


@cuda.jit
def smooth(out, a, n):
    tile = cuda.shared.array(CELLS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    first = cuda.blockIdx.x * TPB - 1
    for c in range(t, CELLS, TPB):
        tile[c] = a[max(first + c, 0)]
    cuda.syncthreads()
    if i < n:
        total = tile[t] + tile[t + 1] + tile[t + 2]
        out[i] = total / float32(3)


ANSWER = (15, "out of bounds")
