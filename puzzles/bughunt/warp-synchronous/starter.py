"""The sum of each stretch of 64 elements. There is a bug in it."""

from numba import cuda, float32

TPB = 64


@cuda.jit
def warp_sums(out, a, n):
    tile = cuda.shared.array(TPB, float32)
    t, i, step = cuda.threadIdx.x, cuda.grid(1), TPB // 2
    tile[t] = a[i] if i < n else float32(0)
    cuda.syncthreads()
    if t < 32:  # one warp
        while step > 0:
            tile[t] += tile[t + step]
            step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]


# the bug: (line, "kind"), line as first numbered
ANSWER = None
