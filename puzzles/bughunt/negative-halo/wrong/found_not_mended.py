# verdict: out of bounds, line 15
# The bug is named, and still there.
from numba import cuda, float32

TPB = 64
CELLS = TPB + 2


@cuda.jit
def smooth(out, a, n):
    tile = cuda.shared.array(CELLS, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    first = cuda.blockIdx.x * TPB - 1  # of the tile, in a
    for c in range(t, CELLS, TPB):
        tile[c] = a[min(first + c, n - 1)]
    cuda.syncthreads()
    if i < n:
        total = tile[t] + tile[t + 1] + tile[t + 2]
        out[i] = total / float32(3)


# the bug: (line, "kind"), line as first numbered


ANSWER = (15, "out of bounds")
