"""A lane leads if nobody below it has its value; the mask names only lanes with an element."""

from numba import cuda

FULL = 0xFFFFFFFF


@cuda.jit
def count(out, a, n):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    here = cuda.ballot_sync(FULL, i < n)
    if i < n:
        value = a[i]
        same = cuda.match_any_sync(here, value)
        if same & cuda.lanemask_lt() == 0:
            cuda.atomic.add(out, value, cuda.popc(same))
