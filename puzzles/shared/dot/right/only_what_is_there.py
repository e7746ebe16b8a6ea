"""No zeros: only n cells are filled, and the upper half is rounded up when their number is odd."""

from numba import cuda, float32

TPB = 128


@cuda.jit
def dot(out, a, b, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    if t < n:
        sums[t] = a[t] * b[t]
    left = n
    while left > 1:
        cuda.syncthreads()
        keep = (left + 1) // 2
        if t + keep < left:
            sums[t] = sums[t] + sums[t + keep]
        left = keep
    if t == 0:
        out[0] = sums[0]
