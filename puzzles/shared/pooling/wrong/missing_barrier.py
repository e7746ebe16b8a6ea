# verdict: race, line 18
from numba import cuda, float32

TPB = 64
CELLS = TPB + 2


@cuda.jit
def pool(out, a, n):
    tile = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < n:
        tile[t + 2] = a[i]
    if t < 2:
        tile[t] = a[i - 2] if i >= 2 else float32(0)
    if i < n:
        out[i] = tile[t] + tile[t + 1] + tile[t + 2]
