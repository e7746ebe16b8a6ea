"""Registers instead of cells: the shuffle itself waits for the lanes that its mask names."""

from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def warp_sums(out, a, n):
    upper = cuda.shared.array(32, float32)
    t, i = cuda.threadIdx.x, cuda.grid(1)
    total = a[i] if i < n else float32(0)
    if t >= 32:
        upper[t - 32] = total
    cuda.syncthreads()
    if t < 32:
        total += upper[t]
        step = 16
        while step > 0:
            total += cuda.shfl_down_sync(FULL, total, step)
            step //= 2
        if t == 0:
            out[cuda.blockIdx.x] = total


ANSWER = (15, "race")
