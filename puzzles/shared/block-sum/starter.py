"""Partial sums: out[b] is the sum of 256 elements, as far as a reaches.

out[b] = a[256*b] + a[256*b + 1] + ... + a[256*b + 255]
"""

from numba import cuda, float32

TPB = 256  # threads per block: block_sums[blocks, TPB](out, a, n)


@cuda.jit
def block_sums(out, a, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    # 1. fill sums, with zeros past the end; wait
    # 2. the tree, so that the threads at work are always the first;
    #    wait in each step
    # 3. one thread writes this block's sum
