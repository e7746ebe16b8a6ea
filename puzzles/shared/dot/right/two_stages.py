"""Sixteen threads add eight products each; one thread adds the sixteen sums."""

from numba import cuda, float32

TPB = 128
GROUPS = 16


@cuda.jit
def dot(out, a, b, n):
    products = cuda.shared.array(TPB, float32)
    sums = cuda.shared.array(GROUPS, float32)
    t = cuda.threadIdx.x
    products[t] = a[t] * b[t] if t < n else float32(0)
    cuda.syncthreads()
    if t < GROUPS:
        total = float32(0)
        for cell in range(t, TPB, GROUPS):
            total += products[cell]
        sums[t] = total
    cuda.syncthreads()
    if t == 0:
        total = float32(0)
        for group in range(GROUPS):
            total += sums[group]
        out[0] = total
