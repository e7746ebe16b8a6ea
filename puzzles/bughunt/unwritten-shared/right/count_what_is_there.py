"""Nothing is filled up: a step adds only cells that this block has."""

from numba import cuda, float32

TPB = 64


@cuda.jit
def sums(out, a, n):
    tile = cuda.shared.array(TPB, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    here = min(TPB, n - cuda.blockIdx.x * TPB)
    if t < here:
        tile[t] = a[i]
    step = TPB // 2
    while step > 0:
        cuda.syncthreads()
        if t < step and t + step < here:
            tile[t] += tile[t + step]
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]


ANSWER = (17, "uninitialised read")
