# verdict: uninitialised read, line 18
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
    cuda.syncthreads()
    if i < n:
        # the halo cells tile[0] and tile[1] hold whatever the last kernel left there
        out[i] = tile[t] + tile[t + 1] + tile[t + 2]
