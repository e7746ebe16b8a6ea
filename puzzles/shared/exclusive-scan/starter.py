"""Sums before i, in a block: out[i] = a[start] + ... + a[i - 1]."""

from numba import cuda, float32

TPB = 256  # threads per block: scan[blocks, TPB](out, a, n)


@cuda.jit
def scan(out, a, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    # 1. fill sums, zeros past the end; wait
    # 2. up, step = 1, 2 ... 128: of every 2 * step cells the last one
    #    takes in the cell that lies step to its left; wait each time
    # 3. the very last cell becomes 0; wait
    # 4. down, step = 128, 64 ... 1: the same pairs, (left, right)
    #    becomes (right, left + right); wait each time
    # 5. write out[i]
