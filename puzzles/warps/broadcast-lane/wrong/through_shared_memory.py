# verdict: over budget
from numba import cuda, float32

TPB = 128


@cuda.jit
def rank(out, a, n):
    tile = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = a[i] if i < n else float32(0)
    cuda.syncwarp()
    first = t // 32 * 32
    smaller = 0
    for k in range(first, first + 32):
        if i - t + k < n and tile[k] < tile[t]:
            smaller += 1
    if i < n:
        out[i] = smaller
