"""Neighbours first: the distance doubles, and the sums end up in every second, fourth, eighth cell."""

from numba import cuda, float32

TPB = 128


@cuda.jit
def dot(out, a, b, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    if t < n:
        sums[t] = a[t] * b[t]
    else:
        sums[t] = 0
    cuda.syncthreads()
    step = 1
    while step < TPB:
        if t % (2 * step) == 0:
            sums[t] += sums[t + step]
        cuda.syncthreads()
        step *= 2
    if t == 0:
        out[0] = sums[0]
