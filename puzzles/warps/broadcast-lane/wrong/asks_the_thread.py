# verdict: wrong answer
# A shuffle reaches the own warp only: lane 32 is lane 0 again, so other warps are never heard.
from numba import cuda, float32

FULL = 0xFFFFFFFF


@cuda.jit
def rank(out, a, n):
    i = cuda.grid(1)
    first = i - cuda.threadIdx.x
    mine = a[i] if i < n else float32(0)
    smaller = 0
    for k in range(cuda.blockDim.x):
        shown = cuda.shfl_sync(FULL, mine, k)
        if first + k < n and shown < mine:
            smaller += 1
    if i < n:
        out[i] = smaller
