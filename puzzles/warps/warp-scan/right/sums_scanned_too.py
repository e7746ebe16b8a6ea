"""The first warp scans the sums of the warps as it scanned its elements: two barriers, one shared load per thread."""

from numba import cuda, float32

FULL = 0xFFFFFFFF
WARPS = 4


@cuda.jit(device=True)
def scan_warp(value):
    for bit in range(5):
        left = cuda.shfl_up_sync(FULL, value, 1 << bit)
        if cuda.laneid >> bit:
            value += left
    return value


@cuda.jit
def scan(out, a, n):
    sums = cuda.shared.array(WARPS, float32)
    t = cuda.threadIdx.x
    lane, warp = t % 32, t // 32
    i = cuda.blockIdx.x * cuda.blockDim.x + t
    total = scan_warp(a[i] if i < n else float32(0))
    if lane == 31:
        sums[warp] = total
    cuda.syncthreads()
    if warp == 0:
        before = scan_warp(sums[lane] if lane < WARPS else float32(0))
        if lane < WARPS:
            sums[lane] = before
    cuda.syncthreads()
    if i < n:
        out[i] = total + sums[warp - 1] if warp > 0 else total
