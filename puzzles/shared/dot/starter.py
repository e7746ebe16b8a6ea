"""Dot product: out[0] = a[0]*b[0] + a[1]*b[1] + ... + a[n-1]*b[n-1]."""

from numba import cuda, float32

TPB = 128  # threads in the one block: dot[1, TPB]; n is at most TPB


@cuda.jit
def dot(out, a, b, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    # 1. every thread puts its product into sums,
    #    threads past n put a zero; wait
    # 2. half = 64, 32, ... 1: threads 0 to half - 1 add sums[t + half]
    #    to sums[t]; wait each time
    # 3. one thread writes the result to out[0]
