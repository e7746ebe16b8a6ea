"""Keeps the running sum in a variable, so that each step loads one cell; threads without work leave early."""

from numba import cuda, float32

TPB = 256


@cuda.jit
def block_sums(out, a, n):
    cells = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.blockIdx.x * cuda.blockDim.x + t
    total = float32(0)
    if i < n:
        total = a[i]
    for level in range(7, -1, -1):
        half = 1 << level
        if t < 2 * half:
            cells[t] = total
        cuda.syncthreads()
        if t < half:
            total += cells[t + half]
    if t == 0:
        out[cuda.blockIdx.x] = total
