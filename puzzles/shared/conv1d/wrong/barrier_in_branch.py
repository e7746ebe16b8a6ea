# verdict: barrier divergence, line 21
from numba import cuda, float32

TPB = 64
MOST_K = 5
CELLS = TPB + MOST_K - 1


@cuda.jit
def conv(out, a, w, n, k):
    tile = cuda.shared.array(CELLS, float32)
    weights = cuda.shared.array(MOST_K, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    if i < n:
        tile[t] = a[i]
        if t < k - 1:
            tile[t + TPB] = a[i + TPB] if i + TPB < n else float32(0)
        if t < k:
            weights[t] = w[t]
        cuda.syncthreads()
        total = float32(0)
        for j in range(k):
            total += tile[t + j] * weights[j]
        out[i] = total
