"""Write a backwards into out: its first element is the last of a."""

from numba import cuda


@cuda.jit
def reverse(out, a, n):
    block = cuda.blockIdx.x  # which block: 0, 1, 2, ...
    threads = cuda.blockDim.x  # in each block: 64 or 256
    t = cuda.threadIdx.x  # which thread of its block: 0 to threads - 1
    # 1. the index of this thread among all threads of all blocks
    # 2. only where it lies inside out:
    #    store there the element of a that belongs there
