# verdict: uninitialised read, line 16
from numba import cuda, float32

TPB = 64


@cuda.jit
def mirror(out, a, n):
    tile = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < n:
        tile[t] = a[i]
    cuda.syncthreads()
    if i < n:
        out[i] = tile[t] - tile[TPB - 1 - t]
