"""Running sums in a block: out[i] = a[start] + ... + a[i]."""

from numba import cuda, float32

FULL = 0xFFFFFFFF  # all 32 lanes
WARPS = 4  # in a block: scan[blocks, 128](out, a, n)


@cuda.jit
def scan(out, a, n):
    sums = cuda.shared.array(WARPS, float32)
    lane = cuda.laneid
    warp = cuda.threadIdx.x // 32
    i = cuda.grid(1)
    # 1. scan the warp: cuda.shfl_up_sync(FULL, ..., step) for
    #    step = 1, 2, 4, 8, 16; who may add what it gets?
    # 2. one lane of each warp puts the warp's sum into sums; wait
    # 3. add the sums of the warps before this one, and store
