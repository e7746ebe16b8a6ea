"""The sum of each stretch of 64 elements. There is a bug in it."""

from numba import cuda, float32

TPB = 64


@cuda.jit
def sums(out, a, n):
    tile = cuda.shared.array(TPB, float32)
    t, i, step = cuda.threadIdx.x, cuda.grid(1), TPB // 2
    if i < n:
        tile[t] = a[i]
    while step > 0:
        cuda.syncthreads()
        if t < step:
            tile[t] += tile[t + step]
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]


# the bug: (line, "kind"), line as first numbered
ANSWER = None
