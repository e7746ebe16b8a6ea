"""Sums of all earlier elements of the block: out[i] = a[start] + ... + a[i - 1], and out[start] = 0."""

from numba import cuda, float32

TPB = 256  # threads per block: scan[blocks, TPB](out, a, n)


@cuda.jit
def scan(out, a, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    # 1. fill sums, zeros past the end; wait
    # 2. up, step = 1, 2 ... 128: the last cell of every 2 * step takes in the cell step to its left; wait
    # 3. the very last cell becomes 0; wait
    # 4. down, step = 128 ... 1: the same pairs, (left, right) becomes (right, left + right); wait
    # 5. write out[i]
