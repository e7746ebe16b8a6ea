# verdict: over budget
from numba import cuda, float32

TPB = 64
CELLS = 68


@cuda.jit
def conv(out, a, w, n, k):
    tile = cuda.shared.array(CELLS, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = a[i] if i < n else float32(0)
    if t < k - 1:
        tile[t + TPB] = a[i + TPB] if i + TPB < n else float32(0)
    cuda.syncthreads()
    if i < n:
        total = float32(0)
        for j in range(k):
            total += tile[t + j] * w[j]
        out[i] = total
