"""A butterfly: each lane knows the sum of its group, and adds to its own what comes from groups on its left."""

from numba import cuda, float32

FULL = 0xFFFFFFFF
WARPS = 4


@cuda.jit
def scan(out, a, n):
    sums = cuda.shared.array(WARPS, float32)
    lane = cuda.laneid
    warp = cuda.threadIdx.x >> 5
    i = cuda.grid(1)
    mine = a[i] if i < n else float32(0)
    total = mine
    group = mine
    for step in (1, 2, 4, 8, 16):
        other = cuda.shfl_xor_sync(FULL, group, step)
        if lane & step:
            total += other
        group += other
    if lane == 0:
        sums[warp] = group
    cuda.syncthreads()
    w = 0
    while w < warp:
        total += sums[w]
        w += 1
    if i >= n:
        return
    out[i] = total
