"""The block settles it in shared memory, with a barrier on either side; then one thread tells the grid."""

from numba import cuda, int32

LEAST = -(2**31)


@cuda.jit
def summary(count, largest, a, limit, n):
    block = cuda.shared.array(2, int32)
    t = cuda.threadIdx.x
    if t == 0:
        block[0] = 0
        block[1] = LEAST
    cuda.syncthreads()
    i = cuda.grid(1)
    while i < n:
        if a[i] > limit:
            cuda.atomic.add(block, 0, 1)
        cuda.atomic.max(block, 1, a[i])
        i += cuda.gridsize(1)
    cuda.syncthreads()
    if t == 0:
        cuda.atomic.add(count, 0, block[0])
        cuda.atomic.max(largest, 0, block[1])


ANSWER = (14, "race")
