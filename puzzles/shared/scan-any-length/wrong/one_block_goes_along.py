# verdict: over budget
from numba import cuda, float32

TPB = 64


@cuda.jit
def scan_stretches(out, a, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    carry = float32(0)
    for first in range(0, n, TPB):
        sums[t] = a[first + t] if first + t < n else float32(0)
        cuda.syncthreads()
        step = 1
        while step < TPB:
            left = sums[t - step] if t >= step else float32(0)
            cuda.syncthreads()
            sums[t] += left
            cuda.syncthreads()
            step *= 2
        if first + t < n:
            out[first + t] = carry + sums[t]
        carry += sums[TPB - 1]
        cuda.syncthreads()


def scan(out, a, n):
    scan_stretches[1, TPB](out, a, n)
