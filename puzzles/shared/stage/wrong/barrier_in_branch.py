# verdict: barrier divergence, line 15
from numba import cuda, float32

TPB = 64


@cuda.jit
def mirror(out, a, n):
    tile = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    size = min(TPB, n - cuda.blockIdx.x * TPB)
    if i < n:
        tile[t] = a[i]
        cuda.syncthreads()
        out[i] = tile[t] - tile[size - 1 - t]
