"""Every thread first stores a zero in its own cell, then adds its element if it has one."""

from numba import cuda, float32

TPB = 64


@cuda.jit
def sums(out, a, n):
    tile = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = 0
    if i < n:
        tile[t] += a[i]
    cuda.syncthreads()
    if t > 0:
        return
    total = float32(0)
    for k in range(TPB):
        total += tile[k]
    out[cuda.blockIdx.x] = total


ANSWER = (13, "uninitialised read")
