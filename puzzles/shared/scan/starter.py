"""Running sums in a block: out[i] = a[start] + ... + a[i]."""

from numba import cuda, float32

TPB = 128  # threads per block: scan[blocks, TPB](out, a, n)


@cuda.jit
def scan(out, a, n):
    sums = cuda.shared.array(TPB, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    # 1. put a[i] into sums; wait
    # 2. for step = 1, 2, 4 ... 64: add the cell that lies step to the
    #    left, where there is one
    #    (read it, wait for all, write, wait for all)
    # 3. write out[i]
