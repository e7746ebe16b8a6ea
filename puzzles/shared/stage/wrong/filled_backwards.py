# verdict: wrong answer
from numba import cuda, float32

TPB = 64


@cuda.jit
def mirror(out, a, n):
    tile = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    size = min(TPB, n - cuda.blockIdx.x * TPB)
    if i < n:
        tile[size - 1 - t] = a[i]
    cuda.syncthreads()
    if i < n:
        out[i] = tile[t] - tile[size - 1 - t]
