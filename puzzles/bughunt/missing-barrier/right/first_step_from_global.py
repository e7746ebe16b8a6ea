"""Each thread takes the larger of two elements straight from global memory, so the tile needs half the cells."""

from numba import cuda, float32

TPB = 128
HALF = 64


@cuda.jit
def block_max(out, a, n):
    tile = cuda.shared.array(HALF, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    if t < HALF:
        tile[t] = max(a[min(i, n - 1)], a[min(i + HALF, n - 1)])
    cuda.syncthreads()
    step = HALF // 2
    while step > 0:
        if t < step:
            tile[t] = max(tile[t], tile[t + step])
        cuda.syncthreads()
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]


ANSWER = (15, "race")
